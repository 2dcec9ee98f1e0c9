"""What people do with their webhooks: docs/reference/webhooks.md is written for those who receive them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.domain.refusals import Refused
from games.net.limits import Buckets
from games.rules.base import gettext_noop, ngettext_noop
from lobby.models import Delivery, Hook, User
from lobby.models.hooks import new_secret
from lobby.webhooks import deliveries, outgoing
from lobby.webhooks import events as hook_events
from lobby.webhooks.outgoing import Unsent

MOST = settings.WEBHOOKS_PER_PERSON
"""Webhooks of one account."""

asked = Buckets.at(settings.WEBHOOK_TEST_LIMIT)
"""Pings and repetitions by person: enough to try things out, too few to trouble somebody's server with."""

PROBLEMS = {each.code: each.sentence for each in Unsent.__subclasses__()}
"""Why there was no answer, by the code with which it is stored."""


class HookError(Refused):
    """Something that cannot be done with a webhook; nothing has changed."""


class NoAccount(HookError):
    code, status = "no-account", 403
    sentence = gettext_noop("Webhooks need an account.")


class NoEvents(HookError):
    code, status = "no-events", 422
    sentence = gettext_noop("Choose what it should be told about.")


class Known(HookError):
    code, status = "known", 409
    sentence = gettext_noop("You have a webhook with this address already.")


class TooMany(HookError):
    code, status = "too-many", 409
    sentence, many = ngettext_noop(
        "You have %(most)d webhook already.", "You have %(most)d webhooks already."
    )

    def __init__(self) -> None:
        super().__init__(most=MOST)


class Unknown(HookError):
    code, status = "unknown", 404
    sentence = gettext_noop("You have no such webhook.")


class Off(HookError):
    code, status = "off", 409
    sentence = gettext_noop("This webhook is switched off.")


class TooFast(HookError):
    code, status = "too-fast", 429
    sentence = gettext_noop("That was fast. Wait a few seconds, then try again.")
    headers = settings.WEBHOOK_TEST_LIMIT.retry_after


class UnknownDelivery(HookError):
    code, status = "unknown-delivery", 404
    sentence = gettext_noop("This delivery is no longer in the log.")


class OnItsWay(HookError):
    code, status = "on-its-way", 409
    sentence = gettext_noop("This is on its way already.")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log: a delivery and how it stands, in words."""

    delivery: Delivery
    words: str

    @property
    def at_rest(self) -> bool:
        """Whether it is to be sent no more by itself."""
        return self.delivery.due is None


def may_have(user: User) -> bool:
    """Whether somebody may have webhooks: guests come and go, and nobody reads what computers are told."""
    return not user.is_guest and not user.is_bot


@transaction.atomic
def add(user: User, url: str, events: Collection[str], site: str) -> Hook:
    """Tell an address of events from now on; `site` is the origin under which its owner knows this site.

    Raises:
        HookError: "no-account", "no-events", "known" or "too-many".
        Unsent: why nothing can be sent there: "bad-url", "not-https" or "not-public".
    """
    _member(user)
    # Two forms sent at once must not make more than there may be.
    User.objects.select_for_update().get(pk=user.pk)
    chosen = [event for event in hook_events.EVENTS if event in events]
    if not chosen:
        raise NoEvents
    outgoing.target(url)
    mine = _of_programs(user)
    if mine.filter(url=url).exists():
        raise Known
    if mine.count() >= MOST:
        raise TooMany
    return Hook.objects.create(user=user, url=url, events=chosen, site=site)


def of(user: User) -> list[Hook]:
    """The webhooks of somebody, the oldest first."""
    return list(_of_programs(user).order_by("pk"))


def find(user: User, hook_id: int) -> Hook:
    """A webhook of somebody.

    Raises:
        HookError: "no-account" or "unknown".
    """
    _member(user)
    hook = _of_programs(user).filter(pk=hook_id).first()
    if hook is None:
        raise Unknown
    return hook


def log(hook: Hook) -> list[Entry]:
    """Its last deliveries, the newest first."""
    newest = hook.deliveries.order_by("-pk")[: deliveries.MOST_KEPT]
    return [Entry(delivery, _words(delivery)) for delivery in newest]


def ping(hook: Hook) -> None:
    """Send a word that means nothing, to see whether it arrives.

    Raises:
        HookError: "off" or "too-fast".
    """
    _may_send(hook)
    deliveries.enqueue([hook_events.ping(hook, secrets.token_urlsafe(12))], timezone.now())


def send_again(hook: Hook, delivery_id: int) -> None:
    """Send what was sent before, under the same id.

    Raises:
        HookError: "unknown-delivery", "on-its-way", "off" or "too-fast".
    """
    delivery = hook.deliveries.filter(pk=delivery_id).first()
    if delivery is None:
        raise UnknownDelivery
    _may_send(hook)
    if not deliveries.send_again(delivery.pk, timezone.now()):
        raise OnItsWay


def switch_off(hook: Hook) -> None:
    """Tell it nothing more, not even what waits."""
    deliveries.stop(hook.pk, Hook.Stopped.OWNER)


def switch_on(hook: Hook) -> None:
    """Tell it what happens from now on."""
    Hook.objects.filter(pk=hook.pk).update(stopped="", failing_since=None)


def replace_secret(hook: Hook) -> str:
    """Sign with another secret from now on, which is returned this once."""
    secret = new_secret()
    Hook.objects.filter(pk=hook.pk).update(secret=secret)
    return secret


def delete(hook: Hook) -> None:
    """Forget a webhook, and its log."""
    Hook.objects.filter(pk=hook.pk).delete()


def forget(user_id: int) -> None:
    """Delete the webhooks of somebody who leaves, those of their devices included, and their logs."""
    Hook.objects.filter(user=user_id).delete()


def _of_programs(user: User) -> QuerySet[Hook]:
    """The webhooks of somebody without those of their devices (`lobby.notices.devices`)."""
    return Hook.objects.filter(user=user, device=None)


def _member(user: User) -> None:
    if not may_have(user):
        raise NoAccount


def _may_send(hook: Hook) -> None:
    if not hook.active:
        raise Off
    if not asked.take(str(hook.user_id), time.monotonic()):
        raise TooFast


def _words(delivery: Delivery) -> str:
    """How a delivery stands."""
    if delivery.done is not None:
        return _("Delivered; the answer was %(status)s.") % {"status": delivery.status}
    if delivery.tried is None:
        return _("On its way.") if delivery.due else _("Not sent.")
    if delivery.status is None:
        said = _(PROBLEMS[delivery.problem])
    else:
        said = _("The answer was %(status)s.") % {"status": delivery.status}
    return said if delivery.due else _("Given up: %(why)s") % {"why": said}

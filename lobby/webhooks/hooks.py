"""Management of webhooks by their owners; docs/reference/webhooks.md is for their receivers."""

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
from games.net.limits import limiter
from games.rules.base import gettext_noop, ngettext_noop
from lobby.people.models import User
from lobby.webhooks import deliveries, outgoing
from lobby.webhooks import events as hook_events
from lobby.webhooks.models import Delivery, Hook, new_secret
from lobby.webhooks.outgoing import Unsent

MAX_HOOKS = settings.WEBHOOKS_PER_PERSON
"""Maximum number of webhooks per account."""

asked = limiter(settings.WEBHOOK_TEST_LIMIT)
"""Rate limit of pings and resends per user, which protects the receivers' servers."""

PROBLEMS = {each.code: each.sentence for each in Unsent.__subclasses__()}
"""Reasons why a try failed, by the stored code."""


class HookError(Refused):
    """A refused action on a webhook; nothing was changed."""


class NoAccount(HookError):
    """Guests cannot have webhooks."""

    code, status = "no-account", 403
    sentence = gettext_noop("You need an account for webhooks.")


class NoEvents(HookError):
    """No event is chosen."""

    code, status = "no-events", 422
    sentence = gettext_noop("Choose at least one event.")


class Known(HookError):
    """The user has a webhook with this address."""

    code, status = "known", 409
    sentence = gettext_noop("You already have a webhook with this address.")


class TooMany(HookError):
    """The user has `most` webhooks."""

    code, status = "too-many", 409
    sentence, many = ngettext_noop(
        "You already have %(most)d webhook.", "You already have %(most)d webhooks."
    )

    def __init__(self) -> None:
        super().__init__(most=MAX_HOOKS)


class Unknown(HookError):
    """The user has no such webhook."""

    code, status = "unknown", 404
    sentence = gettext_noop("This webhook does not exist.")


class Off(HookError):
    """The webhook is turned off, so nothing can be sent."""

    code, status = "off", 409
    sentence = gettext_noop("This webhook is off.")


class TooFast(HookError):
    """The user is above WEBHOOK_TEST_LIMIT."""

    code, status = "too-fast", 429
    sentence = gettext_noop("Too fast. Wait a few seconds, then try again.")
    headers = settings.WEBHOOK_TEST_LIMIT.retry_after


class UnknownDelivery(HookError):
    """The delivery was never made, or is deleted from the log."""

    code, status = "unknown-delivery", 404
    sentence = gettext_noop("This delivery is no longer in the log.")


class OnItsWay(HookError):
    """The delivery waits to be sent already."""

    code, status = "on-its-way", 409
    sentence = gettext_noop("This is already being sent.")


@dataclass(frozen=True, slots=True)
class Entry:
    """A log entry: a delivery, and its state as text."""

    delivery: Delivery
    words: str

    @property
    def at_rest(self) -> bool:
        """Whether no try is scheduled."""
        return self.delivery.due is None


def may_have(user: User) -> bool:
    """Whether a user may have webhooks: not guests, who come and go, and not computer players."""
    return not user.is_guest and not user.is_bot


@transaction.atomic
def add(user: User, url: str, events: Collection[str], site: str) -> Hook:
    """Create a webhook.

    Args:
        user: its owner.
        url: the URL that receives the events.
        events: the events to subscribe to; unknown ones are ignored.
        site: the public origin of this site, for URLs in events.

    Raises:
        HookError: "no-account", "no-events", "known" or "too-many".
        Unsent: the URL is not allowed: "bad-url", "not-https" or "not-public".
    """
    _member(user)
    # Lock the user, so that two concurrent requests cannot both pass the limit.
    User.objects.select_for_update().get(pk=user.pk)
    chosen = [event for event in hook_events.EVENTS if event in events]
    if not chosen:
        raise NoEvents
    outgoing.check(url)
    mine = _of_programs(user)
    if mine.filter(url=url).exists():
        raise Known
    if mine.count() >= MAX_HOOKS:
        raise TooMany
    return Hook.objects.create(user=user, url=url, events=chosen, site=site)


def of(user: User) -> list[Hook]:
    """The webhooks of a user, oldest first."""
    return list(_of_programs(user).order_by("pk"))


def find(user: User, hook_id: int) -> Hook:
    """A webhook of a user.

    Raises:
        HookError: "no-account" or "unknown".
    """
    _member(user)
    hook = _of_programs(user).filter(pk=hook_id).first()
    if hook is None:
        raise Unknown
    return hook


def log(hook: Hook) -> list[Entry]:
    """The last deliveries of a webhook, newest first."""
    newest = hook.deliveries.order_by("-pk")[: deliveries.MOST_KEPT]
    return [Entry(delivery, _words(delivery)) for delivery in newest]


def ping(hook: Hook) -> None:
    """Send a test event.

    Raises:
        HookError: "off" or "too-fast".
    """
    _may_send(hook)
    deliveries.enqueue([hook_events.ping(hook, secrets.token_urlsafe(12))], timezone.now())


def send_again(hook: Hook, delivery_id: int) -> None:
    """Send a delivery again, with the same event id.

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
    """Stop a webhook, and drop pending deliveries."""
    deliveries.stop(hook.pk, Hook.Stopped.OWNER)


def switch_on(hook: Hook) -> None:
    """Restart a webhook; it gets events from now on."""
    Hook.objects.filter(pk=hook.pk).update(stopped="", failing_since=None)


def replace_secret(hook: Hook) -> str:
    """Replace the signing key and return the new one, which is not shown again."""
    secret = new_secret()
    Hook.objects.filter(pk=hook.pk).update(secret=secret)
    return secret


def delete(hook: Hook) -> None:
    """Delete a webhook and its log."""
    Hook.objects.filter(pk=hook.pk).delete()


def forget(user_id: int) -> None:
    """Delete the webhooks, devices and logs of a user whose account is deleted."""
    Hook.objects.filter(user=user_id).delete()


def _of_programs(user: User) -> QuerySet[Hook]:
    """The webhooks of a user, without those of devices (`lobby.notices.devices`)."""
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
    """The state of a delivery as text."""
    if delivery.done is not None:
        return _("Delivered; the answer was %(status)s.") % {"status": delivery.status}
    if delivery.tried is None:
        return _("Sending.") if delivery.due else _("Not sent.")
    if delivery.status is None:
        said = _(PROBLEMS[delivery.problem])
    else:
        said = _("The answer was %(status)s.") % {"status": delivery.status}
    return said if delivery.due else _("Failed: %(why)s") % {"why": said}

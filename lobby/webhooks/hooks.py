"""What people do with their webhooks: docs/webhooks.md is written for those who receive them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.net.limits import Buckets
from lobby.models import Delivery, Hook, User
from lobby.models.hooks import new_secret
from lobby.webhooks import deliveries, outgoing
from lobby.webhooks import events as hook_events
from lobby.webhooks.outgoing import Unsent

MOST = 5
"""Webhooks of one account."""

asked = Buckets(rate=1 / 10, burst=10)
"""Pings and repetitions by person: enough to try things out, too few to trouble somebody's server with."""

PROBLEMS: dict[str, str | Promise] = {
    "bad-url": gettext_lazy("This is no address that a webhook can have. It begins with https://."),
    "not-https": gettext_lazy("Only addresses that begin with https:// are sent to."),
    "not-public": gettext_lazy("This address is in a private network, where nothing is sent to."),
    "unknown-host": gettext_lazy("There is no host of this name."),
    "unreachable": gettext_lazy("The host could not be reached."),
    "insecure": gettext_lazy("The host has no certificate that can be trusted."),
    "timeout": gettext_lazy("The answer took too long."),
    "not-http": gettext_lazy("The answer was no HTTP."),
}
"""Why there was no answer, by the code of `outgoing.Unsent`."""


class HookError(Exception):
    """Something that cannot be done with a webhook; `code` for programs, `sentence` for people.

    Nothing has changed.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


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
        HookError: "no-account", "no-events", "known", "too-many", or why nothing can be sent there:
            "bad-url", "not-https", "not-public".
    """
    _member(user)
    # Two forms sent at once must not make more than there may be.
    User.objects.select_for_update().get(pk=user.pk)
    chosen = [event for event in hook_events.EVENTS if event in events]
    if not chosen:
        raise HookError("no-events", _("Choose what it is to be told of."))
    try:
        outgoing.target(url)
    except Unsent as error:
        raise HookError(error.code, str(PROBLEMS[error.code])) from None
    mine = Hook.objects.filter(user=user)
    if mine.filter(url=url).exists():
        raise HookError("known", _("You have a webhook with this address already."))
    if mine.count() >= MOST:
        words = ngettext("You have %(most)d webhook already.", "You have %(most)d webhooks already.", MOST)
        raise HookError("too-many", words % {"most": MOST})
    return Hook.objects.create(user=user, url=url, events=chosen, site=site)


def of(user: User) -> list[Hook]:
    """The webhooks of somebody, the oldest first."""
    return list(Hook.objects.filter(user=user).order_by("pk"))


def find(user: User, hook_id: int) -> Hook:
    """A webhook of somebody.

    Raises:
        HookError: "no-account" or "unknown".
    """
    _member(user)
    hook = Hook.objects.filter(user=user, pk=hook_id).first()
    if hook is None:
        raise HookError("unknown", _("You have no such webhook."))
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
        raise HookError("unknown-delivery", _("This delivery is no longer in the log."))
    _may_send(hook)
    if not deliveries.send_again(delivery.pk, timezone.now()):
        raise HookError("on-its-way", _("This is on its way already."))


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
    """Delete the webhooks of somebody who leaves, and their logs."""
    Hook.objects.filter(user=user_id).delete()


def _member(user: User) -> None:
    if not may_have(user):
        raise HookError("no-account", _("Webhooks need an account."))


def _may_send(hook: Hook) -> None:
    if not hook.active:
        raise HookError("off", _("This webhook is switched off."))
    if not asked.take(str(hook.user_id), time.monotonic()):
        raise HookError("too-fast", _("That was fast. Wait a few seconds, then try again."))


def _words(delivery: Delivery) -> str:
    """How a delivery stands."""
    if delivery.done is not None:
        return _("Delivered; the answer was %(status)s.") % {"status": delivery.status}
    if delivery.tried is None:
        return _("On its way.") if delivery.due else _("Not sent.")
    if delivery.status is None:
        said = str(PROBLEMS[delivery.problem])
    else:
        said = _("The answer was %(status)s.") % {"status": delivery.status}
    return said if delivery.due else _("Given up: %(why)s") % {"why": said}

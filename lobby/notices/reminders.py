"""E-mail reminders of turns and messages, for users who want them, at most one a day.

A turn or a message makes a reminder due after a delay, in which most users come back. It is marked
as sent before sending: a process that dies in between loses one, but none is sent twice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.core import signing
from django.db import transaction

from games.domain.refusals import Refused
from games.models import Match
from games.rules.base import gettext_noop
from games.store import leases
from lobby.inbox import conversations
from lobby.inbox.models import Message
from lobby.notices import correspondence
from lobby.notices.models import Reminder
from lobby.people import relationships
from lobby.people.models import User

PATIENCE = timedelta(minutes=15)
"""Delay after a turn."""
BETWEEN = timedelta(days=1)
"""Minimum time between two e-mails to a user."""
LEASE = timedelta(minutes=2)
"""For how long a taken reminder belongs to the process that took it."""
RETRY_DELAY = timedelta(hours=1)
"""Delay after an e-mail that could not be sent."""

_signer = signing.Signer(salt="lobby.notices.reminders")


class Waiting(NamedTuple):
    """What waits for a user: correspondence matches, and unread messages of the users with these names."""

    matches: Sequence[Match]
    writers: Sequence[str]


NOTHING = Waiting([], [])


class ReminderError(Refused):
    """A refused action on reminders; nothing was changed."""


class NoAddress(ReminderError):
    """The user has no confirmed e-mail address."""

    code, status = "no-address", 409
    sentence = gettext_noop("Confirm an e-mail address first.")


class UnknownToken(ReminderError):
    """The link of an e-mail was changed, or belongs to a deleted account."""

    code, status = "unknown-token", 404
    sentence = gettext_noop("This link is not valid.")


def address_of(user_id: int) -> str | None:
    """The user's e-mail address for reminders: confirmed, the primary one if possible; or None."""
    confirmed = EmailAddress.objects.filter(user=user_id, verified=True)
    first = confirmed.order_by("-primary", "pk").first()
    return None if first is None else str(first.email)


def wanted_by(user_id: int) -> bool:
    """Whether a user wants reminders."""
    return Reminder.objects.filter(user=user_id, wanted=True).exists()


def start(user: User, site: str) -> None:
    """Turn a user's reminders on; `site` is the public origin of the site.

    Raises:
        ReminderError: "no-address".
    """
    if address_of(user.pk) is None:
        raise NoAddress
    Reminder.objects.update_or_create(user=user, defaults={"wanted": True, "site": site})


def stop(user_id: int) -> None:
    """Turn a user's reminders off; idempotent."""
    Reminder.objects.filter(user=user_id).update(wanted=False, due=None)


def forget(user_id: int) -> None:
    """Delete the reminder of a user whose account is deleted."""
    Reminder.objects.filter(user=user_id).delete()


# The unsubscribe link, which needs no login


def token(user_id: int) -> str:
    """A signed token for the unsubscribe link of a user."""
    return _signer.sign(str(user_id))


def whose(text: str) -> int:
    """The user id in a token. Raises ReminderError "unknown-token"."""
    try:
        return int(_signer.unsign(text))
    except signing.BadSignature:
        raise UnknownToken from None


# Scheduling


def turns_came(noted: Mapping[str, int], now: datetime) -> None:
    """It became players' turn, given as user id by match; call in a thread."""
    # Check first: SQLite serializes writers, and few users want e-mails.
    if not Reminder.objects.filter(user__in=set(noted.values()), wanted=True, due=None).exists():
        return
    for match_id in correspondence.slow_matches(list(noted)).values_list("pk", flat=True):
        _make_due(noted[match_id], now)


def message_sent(message: Message) -> None:
    """A user was written to; sent in the transaction that stores the message."""
    reader = message.recipient_id
    if message.sender_id not in relationships.muted_ids(reader):
        _make_due(reader, message.at)


def _make_due(user_id: int, now: datetime) -> None:
    """Schedule a user's reminder; one that is due keeps its time, so that further turns do not delay it."""
    rows = Reminder.objects.filter(user=user_id, wanted=True, due=None)
    for sent in rows.values_list("sent", flat=True):
        due = now + PATIENCE if sent is None else max(now + PATIENCE, sent + BETWEEN)
        rows.update(due=due)


def vacation_ended(user_id: int, now: datetime) -> None:
    """A user has ended a vacation early: what was put off to its end is due as if it came now."""
    if Reminder.objects.filter(user=user_id, wanted=True).exclude(due=None).update(due=None):
        _make_due(user_id, now)


def take(now: datetime, most: int) -> list[int]:
    """Take at most `most` of the due reminders under a lease; returns their user ids."""
    return leases.take(Reminder.objects.order_by("due", "pk"), "due", now, now + LEASE, most)


@transaction.atomic
def settle(user_id: int, now: datetime, online: Collection[int]) -> Waiting:
    """Mark a taken reminder as sent; returns what waits for the user.

    `NOTHING` if nothing waits. If the user is online, and so sees it on the site, it is postponed instead.
    Matches do not wait during a vacation that stops the user's clock; the reminder is then due at its end.
    """
    rows = leases.held(Reminder.objects.select_for_update(), "due", user_id, now + LEASE)
    if not rows.exists():
        return NOTHING
    waiting, later = _waiting_for(user_id, now) if address_of(user_id) else (NOTHING, None)
    if waiting == NOTHING:
        rows.update(due=later)
    elif user_id in online:
        rows.update(due=now + PATIENCE)
        return NOTHING
    else:
        rows.update(due=later and max(later, now + BETWEEN), sent=now)
    return waiting


def _waiting_for(user_id: int, now: datetime) -> tuple[Waiting, datetime | None]:
    """What waits for a user, and when a vacation ends after which more does."""
    matches = correspondence.waiting(user_id)
    ends = [correspondence.end_of_vacation(match.pk, user_id, now) for match in matches]
    running = [match for match, end in zip(matches, ends, strict=True) if end is None]
    return Waiting(running, conversations.unread_names(user_id)), min(filter(None, ends), default=None)


def not_sent(user_id: int, now: datetime) -> None:
    """Undo `settle` after the e-mail could not be sent, and schedule another try."""
    Reminder.objects.filter(user=user_id, wanted=True, sent=now).update(sent=None, due=now + RETRY_DELAY)

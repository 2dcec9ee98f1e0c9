"""E-mails that say that it is somebody's turn: to those who want them, one a day at most.

A turn makes a reminder due after a while, in which most people have come and moved. It is written down as
sent before it is sent: a server that dies in between leaves one out, and nobody gets two.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.core import signing
from django.db import transaction

from games.domain.refusals import Refused
from games.models import Match
from games.rules.base import gettext_noop
from games.store import leases
from lobby.models import Reminder, User
from lobby.notices import correspondence

PATIENCE = timedelta(minutes=15)
"""After a turn came, before anybody is written to about it."""
BETWEEN = timedelta(days=1)
"""Between two e-mails to the same person, at least."""
LEASE = timedelta(minutes=2)
"""For how long a reminder is left to whoever took it up."""
AGAIN = timedelta(hours=1)
"""After an e-mail that could not be sent."""

_signer = signing.Signer(salt="lobby.notices.reminders")


class ReminderError(Refused):
    """Something that cannot be done with one's reminders; nothing has changed."""


class NoAddress(ReminderError):
    code, status = "no-address", 409
    sentence = gettext_noop("Confirm an e-mail address first.")


class UnknownToken(ReminderError):
    code, status = "unknown-token", 404
    sentence = gettext_noop("This link is not one of ours.")


def address_of(user_id: int) -> str | None:
    """The address to which somebody is written: confirmed, and the first of theirs if that is."""
    confirmed = EmailAddress.objects.filter(user=user_id, verified=True)
    first = confirmed.order_by("-primary", "pk").first()
    return None if first is None else str(first.email)


def wanted_by(user_id: int) -> bool:
    """Whether somebody wants to be written to."""
    return Reminder.objects.filter(user=user_id, wanted=True).exists()


def start(user: User, site: str) -> None:
    """Write to somebody from now on; `site` is the origin under which they know this site.

    Raises:
        ReminderError: "no-address".
    """
    if address_of(user.pk) is None:
        raise NoAddress
    Reminder.objects.update_or_create(user=user, defaults={"wanted": True, "site": site})


def stop(user_id: int) -> None:
    """Write to somebody no more. Doing it twice is no mistake."""
    Reminder.objects.filter(user=user_id).update(wanted=False, due=None)


def forget(user_id: int) -> None:
    """Delete what is known of the reminders of somebody who leaves."""
    Reminder.objects.filter(user=user_id).delete()


# The link that ends them, which needs no login


def token(user_id: int) -> str:
    """What says in a link whose reminders are to end; nobody else can make it."""
    return _signer.sign(str(user_id))


def whose(text: str) -> int:
    """Whose reminders a link is about. Raises ReminderError "unknown-token"."""
    try:
        return int(_signer.unsign(text))
    except signing.BadSignature:
        raise UnknownToken from None


# When they are due


def turns_came(noted: Mapping[str, int], now: datetime) -> None:
    """It became somebody's turn, by match and user id; in a thread."""
    # Writers queue up on SQLite, and hardly anybody has asked for e-mails.
    if not Reminder.objects.filter(user__in=set(noted.values()), wanted=True, due=None).exists():
        return
    for match_id in correspondence.slow_matches(list(noted)).values_list("pk", flat=True):
        _make_due(noted[match_id], now)


def _make_due(user_id: int, now: datetime) -> None:
    """One that is due keeps its moment, so that turns that keep coming put nothing off."""
    rows = Reminder.objects.filter(user=user_id, wanted=True, due=None)
    for sent in rows.values_list("sent", flat=True):
        due = now + PATIENCE if sent is None else max(now + PATIENCE, sent + BETWEEN)
        rows.update(due=due)


def take(now: datetime, most: int) -> list[int]:
    """Take up at most so many of those that are due; whose they are."""
    return leases.take(Reminder.objects.order_by("due", "pk"), "due", now, now + LEASE, most)


@transaction.atomic
def settle(user_id: int, now: datetime, online: Collection[int]) -> list[Match]:
    """Note that somebody is written to now, if something waits for them; the matches that do, or none.

    Whoever is on the site sees it there, and is left alone for as long again.
    """
    rows = leases.held(Reminder.objects.select_for_update(), "due", user_id, now + LEASE)
    if not rows.exists():
        return []
    matches = correspondence.waiting(user_id) if address_of(user_id) else []
    if user_id in online and matches:
        rows.update(due=now + PATIENCE)
        return []
    rows.update(due=None, **({"sent": now} if matches else {}))
    return matches


def not_sent(user_id: int, now: datetime) -> None:
    """The e-mail could not be sent: nothing was said yet."""
    Reminder.objects.filter(user=user_id, wanted=True, sent=now).update(sent=None, due=now + AGAIN)

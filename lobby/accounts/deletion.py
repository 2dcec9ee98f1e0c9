"""Leaving for good: accounts that people delete, guests who never came back.

Matches stay, since they are their opponents' too. What was somebody becomes a row that says nothing of
them, and whose name nobody else can have.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction

from games.models import Match
from games.net.threads import in_thread
from games.play.matches import matches
from lobby.accounts import guests
from lobby.models import Chair, ChatLine, Seek, Table, User, names
from lobby.tables import tables
from lobby.tables.tables import TableError


async def delete_account(user_id: int) -> None:
    """Resign what somebody plays, then forget them. Doing it twice is no mistake.

    Raises `games.law.refusals.TryAgain` where the store fails; they are still there then.
    """
    await _resign(user_id)
    await in_thread(forget)(user_id)
    # A match may have begun in between; from now on none can.
    await _resign(user_id)


async def _resign(user_id: int) -> None:
    for match_id in await in_thread(_playing)(user_id):
        await matches.leave(match_id, user_id)


def _playing(user_id: int) -> list[str]:
    unfinished = Match.objects.filter(seatings__user=user_id).exclude(status=Match.Status.FINISHED)
    return list(unfinished.values_list("pk", flat=True))


@transaction.atomic
def forget(user_id: int) -> None:
    """Take everything from somebody but the matches they sat at.

    Their sessions end with their password; an open socket is closed by `lobby.receivers`.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    _leave_tables(user)
    for theirs in (user.ratings, user.ties, user.ties_to_me, user.tokens, user.events, user.hooks):
        theirs.all().delete()
    Seek.objects.filter(user=user).delete()
    # What somebody complained about is the moderators' to judge.
    ChatLine.objects.filter(user=user, report=None).delete()
    for model in (EmailAddress, Authenticator, SocialAccount):
        model.objects.filter(user=user).delete()
    _anonymise(user)


def _leave_tables(user: User) -> None:
    """Stand up everywhere, and take challenges away that nobody else can accept."""
    for chair in Chair.objects.filter(user=user, table__match=None).select_related("table"):
        _stand_up(user, chair.table_id)
    for table in Table.objects.filter(invited=user, match=None).select_related("host"):
        _stand_up(table.host, table.pk)


def _stand_up(user: User, table_id: str) -> None:
    try:
        tables.stand_up(user, table_id)
    except TableError:
        # Its match began, or it was cleared away, a moment ago: there is nothing to leave.
        return


def _anonymise(user: User) -> None:
    user.username = f"{names.DELETED}-{user.pk}"
    user.email = user.first_name = user.last_name = ""
    user.preferences = {}
    user.last_login = None
    user.is_guest = user.is_staff = user.is_superuser = user.is_active = False
    user.is_deleted = True
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    guests.tell_name(user)


def purge_guests(unseen_since: datetime) -> dict[str, int]:
    """Part with guests who have not been seen since a moment.

    Who never finished a match is deleted, who did is forgotten like a deleted account, and who is in
    the middle of one stays.

    Returns:
        How many were "deleted", "forgotten" and "kept".
    """
    done = {"deleted": 0, "forgotten": 0, "kept": 0}
    for guest_id in list(_idle(unseen_since).values_list("pk", flat=True)):
        done[_part_with(guest_id, unseen_since)] += 1
    return done


def _idle(unseen_since: datetime) -> Any:
    return User.objects.filter(is_guest=True, seen__lt=unseen_since)


@transaction.atomic
def _part_with(guest_id: int, unseen_since: datetime) -> str:
    # Locked, so that they neither come back nor sit down at a board meanwhile.
    guest = _idle(unseen_since).select_for_update().filter(pk=guest_id).first()
    if guest is None or _playing(guest_id):
        return "kept"
    if guest.seatings.exists():
        forget(guest_id)
        return "forgotten"
    _leave_tables(guest)
    guest.delete()
    return "deleted"


def plays_now(user: User) -> int:
    """How many matches somebody is in the middle of."""
    return len(_playing(user.pk))

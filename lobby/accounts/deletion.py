"""Deletion of accounts by their owners, and of inactive guests.

Matches stay, because they belong to the opponents too. The anonymized row of the account stays with them;
its placeholder name is reserved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction

from games.models import Match, Seating
from games.net.sessions import sessions
from games.net.threads import in_thread
from games.play import begin
from games.play.matches import matches
from games.store import conditional
from lobby import commands
from lobby.accounts import remarks, traces
from lobby.accounts.signals import forgotten
from lobby.appeals import appeals
from lobby.chat import lines
from lobby.clubs import clubs
from lobby.commands.models import AuditEntry
from lobby.courses import progress as course_progress
from lobby.feed import events
from lobby.inbox import conversations
from lobby.notices import reminders
from lobby.pairing import queue
from lobby.people import names, relationships
from lobby.people.models import User
from lobby.people.signals import renamed
from lobby.puzzles import ratings as puzzle_ratings
from lobby.puzzles import runs as puzzle_runs
from lobby.ratings import results
from lobby.tables import tables
from lobby.tokens import tokens
from lobby.tournaments import entries
from lobby.tournaments.models import Entrant
from lobby.vacations import vacations
from lobby.webhooks import hooks

BATCH = 500
"""Sessions looked at together."""


async def delete_account(user_id: int) -> None:
    """Resign a user's matches, then delete the account; idempotent.

    Raises `games.domain.refusals.SavingUnavailable` if the store fails; the account still exists then.
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
    """Delete everything about a user except their matches.

    Sessions end with the password; `lobby.accounts.user_changes` closes open sockets.
    """
    # Lock order: seeks, clubs, tournaments, tables, users (`lobby.clubs.lookup`).
    queue.forget(user_id)
    clubs.leave_all(user_id)
    # Evenings are locked before tournaments (`lobby.evenings.evenings`).
    forgotten(user_id)
    entries.leave_all(user_id)
    tables.leave_all([User.objects.get(pk=user_id)])
    user = User.objects.select_for_update().get(pk=user_id)
    begin.forget_held(user_id)
    conditional.forget(user_id)
    for service in (
        appeals,
        remarks,
        results,
        relationships,
        tokens,
        events,
        hooks,
        reminders,
        lines,
        conversations,
        traces,
        vacations,
        puzzle_ratings,
        puzzle_runs,
        course_progress,
        commands,
    ):
        service.forget(user_id)
    _end_sessions([user_id])
    for model in (EmailAddress, Authenticator, SocialAccount, UserSession):
        model.objects.filter(user=user).delete()
    _anonymise(user)


def _anonymise(user: User) -> None:
    before, user.username = user.username, f"{names.DELETED}-{user.pk}"
    user.email = user.first_name = user.last_name = ""
    user.preferences = {}
    user.ban_reason = user.mute_reason = ""
    user.banned_until = user.muted_until = user.banned_by = user.muted_by = None
    user.last_login = user.pupil_of = None
    user.is_guest = user.is_staff = user.is_superuser = user.is_active = False
    user.is_deleted = True
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    renamed(user, before)


def purge_guests(unseen_since: datetime) -> dict[str, int]:
    """Remove guests who have not been online since a time.

    Guests who never finished a match are deleted; those who did are anonymized like a deleted account; those
    with a match in play stay.

    Returns:
        How many were "deleted", "forgotten" and "kept".
    """
    done = {"deleted": 0, "forgotten": 0, "kept": 0}
    for guest_id in list(_idle(unseen_since).values_list("pk", flat=True)):
        done[_remove_guest(guest_id, unseen_since)] += 1
    purge_sessions()
    return done


@transaction.atomic
def erase_guests(guest_ids: Collection[int]) -> list[int]:
    """Delete guests, whatever they are doing; returns the ids of those who have matches or tournaments.

    These stay, but wait for nobody and sit at no table any more.
    """
    rows = User.objects.filter(pk__in=guest_ids, is_guest=True).order_by("pk")
    # Lock order: seeks, tables, users. Whoever begins the match of a table holds it and needs its players.
    queue.cancel(guest_ids)
    tables.leave_all(rows)
    there = set(rows.select_for_update().values_list("pk", flat=True))
    left = there & _referred_to(there)
    erased = there - left
    _end_sessions(erased)
    for guest_id in erased:
        transaction.on_commit(partial(sessions.sign_out, guest_id), robust=True)
    User.objects.filter(pk__in=erased).delete()
    return sorted(left)


def _end_sessions(user_ids: Collection[int]) -> None:
    """Delete the sessions of users, after the commit. Those that nobody noted go with `purge_sessions`."""
    keys = list(UserSession.objects.filter(user__in=user_ids).values_list("session_key", flat=True))
    transaction.on_commit(Session.objects.filter(pk__in=keys).delete, robust=True)


def purge_sessions() -> None:
    """Delete the sessions of users who are gone, and what is stored about sessions that are gone."""
    for batch in _batches(Session.objects.iterator(chunk_size=BATCH)):
        users = {session.pk: session.get_decoded().get(SESSION_KEY) for session in batch}
        wanted = [user_id for user_id in users.values() if user_id is not None]
        there = User.objects.filter(pk__in=wanted, is_deleted=False).values_list("pk", flat=True)
        known = {None, *map(str, there)}
        gone = [key for key, user_id in users.items() if user_id not in known]
        Session.objects.filter(pk__in=gone).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


def _batches(sessions: Iterable[Session]) -> Iterator[list[Session]]:
    rest = iter(sessions)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _idle(unseen_since: datetime) -> Any:
    return User.objects.filter(is_guest=True, pupil_of=None, seen__lt=unseen_since)


@transaction.atomic
def _remove_guest(guest_id: int, unseen_since: datetime) -> str:
    idle = _idle(unseen_since).filter(pk=guest_id)
    if idle.exists() and not _playing(guest_id):
        # Before the guest is locked, as everywhere.
        tables.leave_all(idle)
    # Lock the guest, who could come back or sit down meanwhile.
    guest = idle.select_for_update().first()
    if guest is None or _playing(guest_id):
        return "kept"
    if _referred_to([guest_id]):
        forget(guest_id)
        return "forgotten"
    guest.delete()
    return "deleted"


def _referred_to(guest_ids: Collection[int]) -> set[int]:
    """The guests whose rows must stay: they have played, entered a tournament, or are in the audit log."""
    models = (Seating, Entrant, AuditEntry)
    users = (model.objects.filter(user__in=guest_ids).values_list("user", flat=True) for model in models)
    return {user_id for found in users for user_id in found if user_id is not None}


def plays_now(user: User) -> int:
    """The number of a user's unfinished matches."""
    return len(_playing(user.pk))

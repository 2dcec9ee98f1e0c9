"""Vacations: for some days a year the clocks of a player with days per move stand. Writes `Vacation`.

`games.play.vacations` stops the clocks, in the transaction that changes the vacation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.domain.clock import Period
from games.domain.instants import milliseconds
from games.domain.refusals import Refused
from games.play import vacations as clocks
from games.play.matches import matches
from games.rules.base import gettext_noop, ngettext_noop
from games.store import history
from lobby.commands import once
from lobby.notices import reminders
from lobby.notices.correspondence import slow_matches
from lobby.people.models import User
from lobby.tournaments.models import Pairing
from lobby.vacations.models import Vacation

DAYS_A_YEAR = 21
"""Days of vacation in a calendar year (UTC)."""
DAY = timedelta(days=1)
AHEAD = timedelta(days=365)
"""How far ahead a vacation can begin."""


class VacationError(Refused):
    """A refused vacation; nothing was changed."""


class NoAccount(VacationError):
    """Guests have no vacation."""

    code, status = "no-account", 403
    sentence = gettext_noop("Sign up to take a vacation.")


class OnVacation(VacationError):
    """The user has a vacation that is not over."""

    code, status = "on-vacation", 409
    sentence = gettext_noop("You already have a vacation. End it first.")


class NotOnVacation(VacationError):
    """The user has no vacation that could be ended."""

    code, status = "not-on-vacation", 409
    sentence = gettext_noop("You have no vacation.")


class BadBeginning(VacationError):
    """The beginning is in the past, or more than a year ahead."""

    code, status = "bad-beginning", 422
    sentence = gettext_noop("A vacation must begin today or on a day of the next 12 months.")


class TooLong(VacationError):
    """The user has fewer days left in a year of the vacation."""

    code, status = "too-long", 422
    sentence, many = ngettext_noop(
        "You have %(most)d day of vacation left for %(year)d.",
        "You have %(most)d days of vacation left for %(year)d.",
    )

    def __init__(self, most: int, year: int) -> None:
        super().__init__(most=most, year=year)


def find(vacation_id: int) -> Vacation | None:
    """A vacation; None if it was cancelled."""
    return Vacation.objects.filter(pk=vacation_id).first()


@once("vacation-take", again=find)
def take(user: User, days: int, begins: datetime | None, command: str) -> Vacation | None:
    """Take a vacation.

    Args:
        user: who takes it.
        days: how long, at least one day.
        begins: when it begins; None: now.

    Raises:
        VacationError: "no-account", "on-vacation", "bad-beginning" or "too-long".
    """
    _hold(user)
    if user.is_guest:
        raise NoAccount
    now = timezone.now()
    if current(user.pk) is not None:
        raise OnVacation
    if begins is not None and not now < begins <= now + AHEAD:
        raise BadBeginning
    vacation = Vacation(user=user, begins=begins or now)
    vacation.ends = vacation.begins + days * DAY
    for year in range(vacation.begins.year, vacation.ends.year + 1):
        rest = _rest(user.pk, year)
        if _days_in(vacation, year) > rest:
            raise TooLong(rest // DAY, year)
    vacation.save()
    _changed(user.pk)
    return vacation


@once("vacation-end")
def end(user: User, command: str) -> None:
    """End the vacation that goes on, or cancel the planned one.

    Raises:
        VacationError: "not-on-vacation".
    """
    _hold(user)
    vacation = current(user.pk)
    if vacation is None:
        raise NotOnVacation
    now = timezone.now()
    if now <= vacation.begins:
        vacation.delete()
    else:
        vacation.ends = now
        vacation.save()
        reminders.vacation_ended(user.pk, now)
    _changed(user.pk)


def _hold(user: User) -> None:
    """Lock the user's row, so that two requests at the same time do not both take a vacation."""
    User.objects.select_for_update().get(pk=user.pk)


def _changed(user_id: int) -> None:
    """Stop or start the clocks of a player's matches, and tell open pages."""
    for match_id in sorted(slow_matches(history.played_by(user_id)).values_list("pk", flat=True)):
        clocks.refresh(match_id)
    transaction.on_commit(partial(matches.renamed, user_id), robust=True)


def current(user_id: int) -> Vacation | None:
    """The vacation of a user that goes on or is planned."""
    return Vacation.objects.filter(user=user_id, ends__gt=timezone.now()).first()


def days_left(user_id: int, year: int) -> int:
    """Whole days of vacation that a user has left in a calendar year."""
    return _rest(user_id, year) // DAY


def _rest(user_id: int, year: int) -> timedelta:
    taken = Vacation.objects.filter(user=user_id, ends__year__gte=year, begins__year__lte=year)
    return DAYS_A_YEAR * DAY - sum((_days_in(each, year) for each in taken), timedelta())


def _days_in(vacation: Vacation, year: int) -> timedelta:
    """The part of a vacation in a calendar year."""
    first, last = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    return max(timedelta(), min(vacation.ends, last) - max(vacation.begins, first))


def in_match(match_id: str, user_ids: Collection[int]) -> dict[int, list[Period]]:
    """The vacations of players that count in a match, by user (`games.play.signals.vacations_of`)."""
    taken = list(Vacation.objects.filter(user__in=user_ids))
    if not taken or Pairing.objects.filter(match=match_id, tournament__vacations=False).exists():
        return {}
    periods = defaultdict[int, list[Period]](list)
    for vacation in taken:
        periods[vacation.user_id].append((milliseconds(vacation.begins), milliseconds(vacation.ends)))
    return periods


def of_opponents(user_id: int) -> QuerySet[Vacation]:
    """The vacations, going on or planned, of the people whom a user plays with days per move."""
    played = slow_matches(history.played_by(user_id)).exclude(pairing__tournament__vacations=False)
    there = Vacation.objects.filter(ends__gt=timezone.now(), user__seatings__match__in=played)
    return there.exclude(user=user_id).distinct().select_related("user")


def forget(user_id: int) -> None:
    """Delete the vacations of a user whose account is deleted."""
    Vacation.objects.filter(user=user_id).delete()

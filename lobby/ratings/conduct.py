"""Penalty for leaving matches.

A miss is a match that a player did not finish: the player left and the opponent stopped waiting, the first
move never came, or a bot finished in the player's place. A rated match also counts if the player aborted it
or left before every player had moved. A single miss is free. From the second within a week on, rated
matches are closed to the player after the last miss for 15 minutes, doubled with each further miss, up to a
day. Casual matches are always open.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db.models import OuterRef, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import ngettext

from games.domain import codec, match_actions
from games.domain.refusals import RematchConduct
from games.rules.base import Seat
from lobby.ratings.models import Result

MISS_LIFETIME = timedelta(days=7)
"""Misses expire after this time."""
FREE = 1
"""Number of misses without a penalty."""
SHORTEST = timedelta(minutes=15)
MAX_CLOSURE = timedelta(days=1)
DOUBLINGS = 7
"""After so many doublings `MAX_CLOSURE` applies anyway; avoids huge powers."""


def misses(plies: Iterable[tuple[str, str | None]], *, rated: bool = False) -> frozenset[Seat]:
    """The seats whose players did not finish a match.

    Aborting a casual match by a command is no miss, since that player was present; a match aborted by a
    timeout has no command. In rated matches both count.

    Args:
        plies: text and command id of the match's plies; moves and throws may be left out.
        rated: whether the match is rated.
    """
    missed: set[Seat] = set()
    for text, command in plies:
        leave, act = codec.departure(text), match_actions.parse(text)
        if leave is not None and leave.reason == match_actions.ABANDONED:
            missed.add(leave.seat)
        elif act is not None and act.kind == match_actions.RECLAIMED:
            missed.discard(act.seat)
        elif act is not None and (
            act.kind in (match_actions.ABANDONED, match_actions.CARETAKER)
            or (act.kind == match_actions.ABORTED and (rated or command is None))
        ):
            missed.add(act.seat)
    return frozenset(missed)


def closed_until(missed: Collection[datetime], now: datetime) -> datetime | None:
    """The end of the penalty for misses at these times; None if rated matches are open."""
    lately = [each for each in missed if now - MISS_LIFETIME < each <= now]
    costly = len(lately) - FREE
    if costly <= 0:
        return None
    until = max(lately) + min(SHORTEST * 2 ** min(costly - 1, DOUBLINGS), MAX_CLOSURE)
    return until if now < until else None


def missed_by(user: int | OuterRef) -> QuerySet[Result]:
    """The results of a user that are misses and count now."""
    return Result.objects.filter(user=user, missed=True, ended__gt=Now() - MISS_LIFETIME)


def closed_for(user_ids: Collection[int], now: datetime) -> dict[int, str]:
    """How long rated matches are still closed, as text by user; those to whom they are open are left out."""
    missed = defaultdict[int, list[datetime]](list)
    rows = Result.objects.filter(user__in=user_ids, missed=True, ended__gt=now - MISS_LIFETIME)
    for user_id, ended in rows.values_list("user", "ended"):
        missed[user_id].append(ended)
    ends = ((user_id, closed_until(times, now)) for user_id, times in missed.items())
    return {user_id: _in_words(until - now) for user_id, until in ends if until is not None}


def guard(user_id: int) -> None:
    """Refuse a rated rematch during a penalty. Raises `RematchConduct`."""
    if closed_for([user_id], timezone.now()):
        raise RematchConduct


def _in_words(wait: timedelta) -> str:
    """A waiting time as text, rounded up."""
    minutes = math.ceil(wait / timedelta(minutes=1))
    if minutes <= 60:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = math.ceil(minutes / 60)
    return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}

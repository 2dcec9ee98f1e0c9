"""Leaving often: what it is, and what it costs.

A miss is a match that somebody did not see through: they went away and their opponent waited no longer,
their first move never came, or a bot played for them to the end; a rated match also if they aborted it, or
left before everybody had moved. A single miss costs nothing. From the second within a week on, rated matches
are closed to them for a while after the last one: a quarter of an hour, and twice as long for each further
miss, up to a day. Casual matches are always open.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import ngettext

from games.domain import codec, match_actions
from games.domain.refusals import RatedClosed
from games.rules.base import Seat
from lobby.models import Result

WITHIN = timedelta(days=7)
"""Misses are forgotten after this time."""
FREE = 1
"""So many of them cost nothing."""
SHORTEST = timedelta(minutes=15)
LONGEST = timedelta(days=1)
DOUBLINGS = 7
"""After so many the longest time is exceeded anyway."""


def misses(plies: Iterable[tuple[str, str | None]], *, rated: bool = False) -> frozenset[Seat]:
    """The seats whose players did not see a match through.

    `plies` are all of it, or those beside moves and throws: each its text and the id of the command that
    made it. Whoever aborts a match by a command is there, and a flag has sent none; a rated match is not to
    be got out of either way.
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
    """Until when rated matches are closed to somebody who missed the ends of matches at these times.

    None if they are open.
    """
    lately = [each for each in missed if now - WITHIN < each <= now]
    costly = len(lately) - FREE
    if costly <= 0:
        return None
    until = max(lately) + min(SHORTEST * 2 ** min(costly - 1, DOUBLINGS), LONGEST)
    return until if now < until else None


def closed_for(user_id: int, now: datetime) -> str | None:
    """For how long rated matches are closed to somebody, in words; None if they are open."""
    missed = Result.objects.filter(user=user_id, missed=True, ended__gt=now - WITHIN)
    until = closed_until(list(missed.values_list("ended", flat=True)), now)
    return None if until is None else _in_words(until - now)


def guard(user_id: int) -> None:
    """Keep somebody to whom rated matches are closed from a rated rematch. Raises `RatedClosed`."""
    if closed_for(user_id, timezone.now()) is not None:
        raise RatedClosed


def _in_words(wait: timedelta) -> str:
    """A time to wait, rounded up."""
    minutes = math.ceil(wait / timedelta(minutes=1))
    if minutes <= 60:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = math.ceil(minutes / 60)
    return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}

"""Limits against rating farming.

Few rated matches a day with the same opponent count, and a place on a leaderboard requires several opponents
and an account that is some days old.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from itertools import combinations

from django.db.models import QuerySet

from games.store.prepared import PreparedQuery
from lobby.ratings.models import Rating, Result

A_DAY = 10
"""Maximum matches with the same opponent that change ratings within `DAY`."""
DAY = timedelta(days=1)
ENOUGH_OPPONENTS = 5
"""Different opponents in rated matches that a leaderboard place requires."""
SETTLED_IN = timedelta(days=3)
"""Age of an account that a leaderboard place requires."""


def is_too_much(results: Sequence[Result]) -> bool:
    """Whether two of the players have reached the daily limit of rated matches with each other."""
    first = results[0]
    lately = _rated(*_rules(first)).filter(ended__gt=first.ended - DAY)
    return any(
        lately.filter(user=one.user_id, match__results__user=other.user_id).count() >= A_DAY
        for one, other in combinations(results, 2)
    )


def opponents(rating: Rating, result: Result, now: Collection[int]) -> int:
    """The number of different opponents including those of `now`, counted up to `ENOUGH_OPPONENTS`."""
    if rating.opponents >= ENOUGH_OPPONENTS:
        return rating.opponents
    before = {user for (user,) in _met(rating.user_id, *_rules(result))}
    return min(len({*before, *now} - {rating.user_id}), ENOUGH_OPPONENTS)


def _rules(result: Result) -> tuple[str, str, str]:
    return result.game, result.family, result.pool


def _rated(game: str, family: str, pool: str) -> QuerySet[Result]:
    """All results of rated matches under these rules."""
    return Result.objects.filter(rated=True, game=game, family=family, pool=pool)


_met = PreparedQuery(
    lambda user, *rules: _rated(*rules).filter(match__results__user=user).values_list("user_id").distinct()
)

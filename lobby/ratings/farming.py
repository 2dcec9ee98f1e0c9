"""What keeps ratings from being made by agreement: few matches a day with the same people move them, and a
place on a leaderboard takes several opponents and an account that is not of today.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from itertools import combinations

from django.db.models import QuerySet

from games.store.prepared import PreparedQuery
from lobby.models import Rating, Result

A_DAY = 10
"""Matches with the same person that move ratings within `DAY`."""
DAY = timedelta(days=1)
ENOUGH_OPPONENTS = 5
"""Different people whom somebody has met in rated matches before they have a place."""
SETTLED_IN = timedelta(days=3)
"""How old an account is before it has a place."""


def is_too_much(results: Sequence[Result]) -> bool:
    """Whether two of the players have had their rated matches of the day with each other already."""
    first = results[0]
    lately = _rated(*_rules(first)).filter(ended__gt=first.ended - DAY)
    return any(
        lately.filter(user=one.user_id, match__results__user=other.user_id).count() >= A_DAY
        for one, other in combinations(results, 2)
    )


def opponents(rating: Rating, result: Result, now: Collection[int]) -> int:
    """How many different people somebody has met with those of `now`, up to as many as matter."""
    if rating.opponents >= ENOUGH_OPPONENTS:
        return rating.opponents
    before = {user for (user,) in _met(rating.user_id, *_rules(result))}
    return min(len({*before, *now} - {rating.user_id}), ENOUGH_OPPONENTS)


def _rules(result: Result) -> tuple[str, str, str]:
    """Under which rules a result was."""
    return result.game, result.family, result.pool


def _rated(game: str, family: str, pool: str) -> QuerySet[Result]:
    """Everybody's results in rated matches under the same rules."""
    return Result.objects.filter(rated=True, game=game, family=family, pool=pool)


_met = PreparedQuery(
    lambda user, *rules: _rated(*rules).filter(match__results__user=user).values_list("user_id").distinct()
)

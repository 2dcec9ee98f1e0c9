"""The computer player that quick pairing offers to a player who waits alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.conf import settings
from django.db.models import Max, OuterRef, QuerySet

from games.models import Seating
from games.registry import Game
from games.store.prepared import PreparedQuery
from lobby.ratings.models import Result
from lobby.ratings.rated import KnownRating, ratings_of

WEAKEST, STRONGEST = 1200.0, 2000.0
"""Ratings that correspond to the lowest and the highest level."""


def to(user_id: int, game: Game | None) -> dict[str, Any] | None:
    """The computer player for a user's level, and after how many seconds of waiting it is offered."""
    if game is None:
        return None
    level = level_for(user_id, game)
    name = game.levels[level - 1].name
    return {"name": name, "level": level, "after": settings.COMPUTER_OFFERED_AFTER}


def level_for(user_id: int | None, game: Game) -> int:
    """The level for a user in one game (`levels_for`)."""
    return levels_for(user_id, [game])[game.slug]


def beaten_by(user: int | OuterRef, *games: str) -> QuerySet[Seating]:
    """The seats of computer players in matches of these games that a user won."""
    return Seating.objects.filter(
        level__isnull=False,
        match__game__in=games,
        match__results__user=user,
        # Matches with computers are never rated. This narrows thousands of results to a few.
        match__results__rated=False,
        match__results__score=Result.Score.WON,
    )


_highest_beaten = PreparedQuery(
    lambda user, *games: (
        beaten_by(user, *games).values_list("match__game").annotate(highest=Max("level")).order_by()
    )
)


def levels_for(
    user_id: int | None,
    games: Collection[Game],
    ratings: Iterable[KnownRating] | None = None,
    beaten: bool = True,
) -> dict[str, int]:
    """By game: the level after the highest that the user has beaten, or the level of their rating if higher.

    The rating counts less its deviation. Users without either, and visitors (None), get level 1.

    Args:
        user_id: the user.
        games: the games.
        ratings: the user's ratings, if at hand.
        beaten: False if the caller knows that the user has won against no computer player.
    """
    if user_id is None:
        return {game.slug: 1 for game in games}
    slugs = [game.slug for game in games]
    highest: dict[str, int] = dict(_highest_beaten(user_id, *slugs)) if beaten else {}
    known = list(ratings_of(user_id) if ratings is None else ratings)

    def level(game: Game) -> int:
        surely = (each.rating - each.deviation for each in known if each.game == game.slug)
        worth = _worth(max(surely, default=WEAKEST), len(game.levels))
        return min(len(game.levels), max(1 + highest.get(game.slug, 0), worth))

    return {game.slug: level(game) for game in games}


def _worth(rating: float, levels: int) -> int:
    share = (rating - WEAKEST) / (STRONGEST - WEAKEST)
    return 1 + int(levels * min(max(share, 0.0), 1.0))

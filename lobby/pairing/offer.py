"""The computer player that is offered to whoever waits: nobody who is alone here only looks at a clock."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import F, Max

from games.models import Seating
from games.registry import Game
from lobby.models import Rating, Result

WEAKEST, STRONGEST = 1200.0, 2000.0
"""Between the ratings of a beginner and of somebody whom only the highest level is a match for."""


def to(user_id: int, game: Game | None) -> dict[str, Any] | None:
    """The computer player near somebody's level, and after how many seconds of waiting it is offered."""
    if game is None:
        return None
    level = level_for(user_id, game)
    name = game.levels[level - 1].name
    return {"name": name, "level": level, "after": settings.COMPUTER_OFFERED_AFTER}


def level_for(user_id: int, game: Game) -> int:
    """The level next to the highest that somebody has beaten, or what their rating is worth if that is more.

    Who has done neither begins with the first. A rating counts by what it surely is, less its deviation.
    """
    beaten = Seating.objects.filter(
        level__isnull=False,
        match__game=game.slug,
        match__results__user=user_id,
        match__results__score=Result.Score.WON,
    ).aggregate(highest=Max("level"))["highest"]
    surely = Rating.objects.filter(user=user_id, game=game.slug).aggregate(
        most=Max(F("rating") - F("deviation"))
    )["most"]
    return min(len(game.levels), max(1 + (beaten or 0), _worth(surely or WEAKEST, len(game.levels))))


def _worth(rating: float, levels: int) -> int:
    share = (rating - WEAKEST) / (STRONGEST - WEAKEST)
    return 1 + int(levels * min(max(share, 0.0), 1.0))

"""Who moves first, so that players of rated matches cannot choose it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import orjson
from django.db.models import Exists, OuterRef

from games.domain.match_actions import WITHOUT_RESULT
from games.models import Match, Seating
from games.registry import Game
from games.rules.base import Seat
from lobby.people.models import User


def seated(game: Game, users: Sequence[User], nth: int, opens: Seat = 0) -> tuple[list[User], Seat]:
    """The players by seat and the seat that moves first, if the `nth` player begins.

    Where sides have names, the beginning player gets the first side, and the seat `opens` moves first.
    """
    if not game.sides:
        return list(users), nth
    return [*users[nth:], *users[:nth]], opens


def by_lot(users: Sequence[User]) -> int:
    """The index of a random player."""
    return secrets.randbelow(len(users))


def of_rated(game: Game, users: Sequence[User]) -> int:
    """The index of the player who begins a rated match: two players alternate, more are drawn at random.

    A match without a result does not count, so aborting does not change who begins the next one.
    """
    last = _last_of_two(game, users)
    if last is None:
        return by_lot(users)
    began = _began(game, last, users)
    without_result = last.outcome is not None and orjson.loads(last.outcome)["reason"] in WITHOUT_RESULT
    return began if without_result else 1 - began


def _last_of_two(game: Game, users: Sequence[User]) -> Match | None:
    """The last rated match of a game that these two players had; None for more players."""
    if len(users) != 2:
        return None
    one, other = users
    with_other = Seating.objects.filter(match=OuterRef("pk"), user=other)
    with_a_third = Seating.objects.filter(match=OuterRef("pk"), seat=2)
    matches = Match.objects.filter(Exists(with_other), ~Exists(with_a_third), seatings__user=one)
    return matches.filter(game=game.slug, rated=True).order_by("-created").first()


def _began(game: Game, match: Match, users: Sequence[User]) -> int:
    """The index of the player who began a match of two."""
    start: Any = orjson.loads(match.start)
    seat = 0 if game.sides else start["turn"]
    began = match.seatings.get(seat=seat).user_id
    return next(nth for nth, user in enumerate(users) if user.pk == began)

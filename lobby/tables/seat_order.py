"""Who gets which seat of a match, and which of them moves first."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from games.registry import Game
from games.rules.base import Seat
from lobby.models import Table, User


def drawn(game: Game, users: Sequence[User], first: str, opens: Seat) -> tuple[list[User], Seat]:
    """Everybody in the order of their seats, and the seat that moves first; lots are drawn here.

    Where sides have names, whoever is first gets the first of them, and the seat `opens` moves first.

    Args:
        game: what is played.
        users: in the order in which they sat down, the host before all.
        first: a `Table.First`.
        opens: the seat that moves first where sides have names.
    """
    lot = secrets.randbelow(len(users))
    nth = {Table.First.HOST: 0, Table.First.OTHER: 1, Table.First.LOT: lot}[Table.First(first)]
    if not game.sides:
        return list(users), nth
    return [*users[nth:], *users[:nth]], opens

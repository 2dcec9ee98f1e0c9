"""Assigning seats and the first move."""

from __future__ import annotations

from collections.abc import Sequence

from games.registry import Game
from games.rules.base import Seat
from lobby.people.models import User
from lobby.ratings import first_move
from lobby.tables.models import Table


def drawn(
    game: Game, users: Sequence[User], first: str, opens: Seat, rated: bool = False
) -> tuple[list[User], Seat]:
    """Assign seats; random choices are made here. Returns the players by seat, and the seat that moves first.

    Where sides have names, the first player gets the first side, and the seat `opens` moves first.

    Args:
        game: the game.
        users: the players in the order in which they sat down, the host first.
        first: a `Table.First`; ignored in a rated match.
        opens: the seat that moves first, where sides have names.
        rated: whether the match is rated.
    """
    if rated:
        nth = first_move.of_rated(game, users)
    else:
        lot = first_move.by_lot(users)
        nth = {Table.First.HOST: 0, Table.First.OTHER: 1, Table.First.LOT: lot}[Table.First(first)]
    return first_move.seated(game, users, nth, opens)

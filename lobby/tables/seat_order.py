"""Assigning seats and the first move."""

from __future__ import annotations

from collections.abc import Sequence

from games.domain.position import Position
from games.registry import Game
from games.rules.base import Seat
from lobby.people.models import User
from lobby.ratings import first_move
from lobby.tables.models import Table


def drawn(
    game: Game,
    users: Sequence[User],
    first: str,
    opens: Seat,
    rated: bool = False,
    position: Position | None = None,
) -> tuple[list[User], Seat]:
    """Assign seats; random choices are made here. Returns the players by seat, and the seat that moves first.

    Where sides have names, the first player gets the first side, and the seat `opens` moves first. At a
    position the seat moves first whose turn it is; where sides have no names, the first player gets it.

    Args:
        game: the game.
        users: the players in the order in which they sat down, the host first.
        first: a `Table.First`; ignored in a rated match.
        opens: the seat that moves first, where sides have names.
        rated: whether the match is rated.
        position: where the match begins if not at the start.
    """
    if rated:
        nth = first_move.of_rated(game, users)
    else:
        lot = first_move.by_lot(users)
        nth = {Table.First.HOST: 0, Table.First.OTHER: 1, Table.First.LOT: lot}[Table.First(first)]
    if position is None:
        return first_move.seated(game, users, nth, opens)
    turn = position.state.turn
    nth = (nth - (0 if game.sides else turn)) % len(users)
    return [*users[nth:], *users[:nth]], turn

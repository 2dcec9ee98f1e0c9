"""Who gets which seat of a match, and which of them moves first."""

from __future__ import annotations

from collections.abc import Sequence

from games.registry import Game
from games.rules.base import Seat
from lobby.models import Table, User
from lobby.ratings import first_move


def drawn(
    game: Game, users: Sequence[User], first: str, opens: Seat, rated: bool = False
) -> tuple[list[User], Seat]:
    """Everybody in the order of their seats, and the seat that moves first; lots are drawn here.

    Where sides have names, whoever is first gets the first of them, and the seat `opens` moves first.

    Args:
        game: what is played.
        users: in the order in which they sat down, the host before all.
        first: a `Table.First`; in a rated match nobody chooses it.
        opens: the seat that moves first where sides have names.
        rated: whether the match counts.
    """
    if rated:
        nth = first_move.of_rated(game, users)
    else:
        lot = first_move.by_lot(users)
        nth = {Table.First.HOST: 0, Table.First.OTHER: 1, Table.First.LOT: lot}[Table.First(first)]
    return first_move.seated(game, users, nth, opens)

"""Numbers of the moves of a match, as the move list of its page counts them (static/match/turns.js)."""

from __future__ import annotations

from collections.abc import Iterable

from games.domain import codec, match_actions
from games.domain.record import Entry
from games.rules.base import Seat


def by_ply(plies: Iterable[Entry]) -> dict[int, int]:
    """By ply number, the number of the move it belongs to: consecutive plies of a seat are one move.

    Dice belong to the move before them. Match actions and departures are no moves.
    """
    numbers: dict[int, int] = {}
    turn: Seat | None = None
    in_turn = counted = False
    number = 0
    for entry in plies:
        is_act = match_actions.parse(entry.text) is not None
        if is_act or not in_turn or (entry.seat is not None and entry.seat != turn):
            turn, in_turn, counted = entry.seat, not is_act, False
        if not (is_act or counted or codec.departure(entry.text) is not None):
            number, counted = number + 1, True
        numbers[entry.number] = number
    return numbers

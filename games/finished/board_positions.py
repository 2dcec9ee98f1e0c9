"""The positions of a finished match, as the board of its analysis takes them."""

from __future__ import annotations

from typing import Any

from games.domain import codec
from games.domain.record import Record
from games.finished import move_numbers
from games.store import history


def board_positions(record: Record) -> list[dict[str, Any]]:
    """`history.positions` with the legal moves in each, and with the number of the move that led there."""
    rules, states = record.game.rules, history.states(record.id)
    numbers = move_numbers.by_ply(record.plies)
    return [
        {
            **position,
            "move": numbers.get(position["ply"], 0),
            "legal": [
                str(move) for move in rules.legal_moves(codec.decode_state(rules, states[position["ply"]]))
            ],
        }
        for position in history.positions(record.id)
    ]

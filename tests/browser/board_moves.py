"""Moves of any game, pressed on a board without a match."""

from __future__ import annotations

from collections.abc import Callable

from games.domain.position import Position


def press_move(before: Position, move: str, act: Callable[[str], None]) -> None:
    """Press the places of the board that make a move, else its button; `act` presses a selector."""
    if before.game.slug == "kalah" and move != "swap":
        pits = before.state.options.pits
        places = [str(before.state.turn * (pits + 1) + int(str(before.game.rules.parse(move))) - 1)]
    else:
        places = move.removeprefix("x").split("-") if before.game.slug == "morris" else []
    for place in places:
        act(f"#board [data-cell='{place}']")
    if not places:
        act(f"#controls [data-move='{before.game.rules.parse(move)}']")

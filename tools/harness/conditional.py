"""Conditional moves that cost as much as is allowed."""

from __future__ import annotations

import random
from typing import Any

from games.domain.conditional import MOST_LINES, MOST_OWN
from games.rules.base import Rules


def costly_lines(rules: Rules, start: Any) -> list[list[str]]:
    """As many and as long lines as are allowed: random moves of the opponent, and the first legal answers."""
    lot = random.Random(1)
    lines: set[tuple[str, ...]] = set()
    while len(lines) < MOST_LINES:
        state, line, own = start, [], 0
        while own < MOST_OWN and (legal := rules.legal_moves(state)):
            mine = state.turn != start.turn
            move = legal[0] if mine else lot.choice(legal)
            line.append(str(move))
            state, own = rules.play(state, move).state, own + mine
        if own == MOST_OWN:
            lines.add(tuple(line))
    return [list(line) for line in sorted(lines)]

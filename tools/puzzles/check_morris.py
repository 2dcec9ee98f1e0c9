"""The second program for Nine Men's Morris: lists all that can follow, and works back from the end.

It shares nothing with the search. It finds every position within some turns, turn by turn, by the rules, and
then their values from the last turn to the first: no evaluation, no windows, no move left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.rules.morris import State, legal_moves, play


def worth(state: State, turns: int) -> dict[str, int]:
    """Whether each legal move wins (1) or loses (-1) within some turns, or does neither (0)."""
    # So few turns repeat no position twice; without their history more positions are the same.
    state = replace(state, options=replace(state.options, threefold=False))
    found = {}
    for move in legal_moves(state):
        after = play(state, move).state
        goes_on = after.turn == state.turn
        found[str(move)] = value(after, turns) if goes_on else -value(after, turns - 1)
    return found


def value(state: State, turns: int) -> int:
    """Whether the player to move wins (1) or loses (-1) within some turns, or does neither (0)."""
    layers: list[dict[State, set[State]]] = []
    reached = {state}
    for _ in range(turns):
        layers.append({each: set(after_turn(each)) for each in reached})
        reached = set().union(*layers[-1].values())
    values = {each: at_the_end(each) for each in reached}
    for layer in reversed(layers):
        values = {
            each: max((-values[after] for after in following), default=at_the_end(each))
            for each, following in layer.items()
        }
    return values[state]


def after_turn(state: State) -> Iterator[State]:
    """The positions to which one turn leads, with all the men that it takes; none once the match is over."""
    for move in legal_moves(state):
        after = play(state, move).state
        if after.turn == state.turn:
            yield from after_turn(after)
        else:
            yield after


def at_the_end(state: State) -> int:
    """The value of the outcome to the player to move; 0 for a draw and while the match goes on."""
    winners = state.ended.winners if state.ended else ()
    return 0 if len(winners) != 1 else 1 if state.turn in winners else -1

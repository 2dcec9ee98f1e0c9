"""Perfect play on small boards, by the rules themselves: an oracle for the published values."""

from __future__ import annotations

from games.rules import kalah

Known = dict[tuple[int, ...], tuple[int, int]]
"""By the pits of the mover and those of the other seat: least and most that the mover still gains."""

ANY = 1000
"""More than all seeds of any board."""


def holds(options: kalah.Options, claimed: list[int]) -> bool:
    """Whether the first player's final lead under best play is as claimed for each first move.

    The claims come first, so that each is proved or refuted with the narrowest of windows: inside it
    the search is exact.
    """
    start, known = kalah.setup(options), Known()
    moves = zip(kalah.legal_moves(start), claimed, strict=True)
    return all(_worth(start, move, lead - 1, lead + 1, known) == lead for move, lead in moves)


def _lead(state: kalah.State, seat: int) -> int:
    """How many seeds more than the other seat `seat` has in its store."""
    stores = kalah.stores(state)
    return stores[seat] - stores[1 - seat]


def _worth(state: kalah.State, move: kalah.Move, low: int, high: int, known: Known) -> int:
    """What the mover gains by `move` and all that follows."""
    after = kalah.play(state, move).state
    gain = _lead(after, state.turn) - _lead(state, state.turn)
    if kalah.outcome(after):
        return gain
    if after.turn == state.turn:
        return gain + _future(after, low - gain, high - gain, known)
    return gain - _future(after, gain - high, gain - low, known)


def _future(state: kalah.State, low: int, high: int, known: Known) -> int:
    """What the mover gains from here on: alpha-beta, exact between `low` and `high`, a bound outside.

    What lies in the stores changes nothing to come, so the pits alone tell positions apart.
    """
    pits = state.options.pits
    sides = state.board[:pits], state.board[pits + 1 : -1]
    key = sides[state.turn] + sides[1 - state.turn]
    least, most = known.get(key, (-ANY, ANY))
    if least >= high or least == most:
        return least
    if most <= low:
        return most
    best, floor = -ANY, low
    # The pits near the store first: they give the extra turns.
    for move in reversed(kalah.legal_moves(state)):
        best = max(best, _worth(state, move, floor, high, known))
        floor = max(floor, best)
        if best >= high:
            break
    known[key] = (best if best > low else least, best if best < high else most)
    return best

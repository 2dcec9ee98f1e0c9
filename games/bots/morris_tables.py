"""Exact endings of Nine Men's Morris, three men against three to six, and all of Six Men's (`morris_six`).

They are files beside this module, which needs no compiler. `python -m tools.morris_tables` makes them. A
process reads a table for the first position in which it is needed.

Those of three men take 26 MB, and `morris_retrograde` makes them. They are for the board of three squares,
where three men fly and men in mills are taken only when there are no others, once no men are in hand: for the
presets `nine` and `lasker`. How many men two mills take does not matter: three men cannot close two mills,
and with three men the first man taken loses.

The tables do not know the draws by repetition and by quiet turns. A draw in the tables is a draw by the
rules: both sides can avoid a loss. A win in the tables is used only if it comes before the hundredth quiet
turn even though no man is taken before, and if no earlier position has occurred twice. The shortest win
itself repeats no position, since each turn is nearer to the end.

Such a file has the values of `Solved`, and its name in `table_file` is the format and the men.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from games.rules.base import Seat
from games.rules.morris import FEWEST_MEN, MEN, QUIET_TURNS, WHEN_ALL, Options, State, legal_moves, play
from games.rules.morris_boards import BOARDS, THREE, Move

from . import morris_six, table_file
from .base import Proved
from .morris_numbers import MOST_MEN, number, numbering, representatives

POINTS = len(BOARDS[THREE].points)
FORMAT = 1
"""Counts up when the numbering or the meaning of the values changes."""
SIZES = range(3, MOST_MEN + 1)
"""Men that three can stand against."""


class Solved(NamedTuple):
    """The values of the positions of three men against some, by number, as `morris_retrograde` tells them.

    In `threes` the side of three is to move, in `others` the other side. With three against three, both
    have the same values under other numbers.
    """

    threes: Any
    others: Any


class Ending(NamedTuple):
    """How a match ends against the best play.

    Attributes:
        result: 1 if the player who is asked about wins, 0 for a draw, -1 for a loss.
        turns: how many turns it takes, of both players; 0 for a draw.
    """

    result: int
    turns: int

    @property
    def rank(self) -> tuple[int, int]:
        """The higher the better: a win soon, a loss late."""
        return self.result, -self.result * self.turns


DRAW = Ending(0, 0)


class Narrowed(NamedTuple):
    """Moves to choose from; `settled` if they are equally good, so that no search is needed."""

    moves: list[Move]
    settled: bool


# Files


def path(men: int) -> Path:
    """Where the table of three against so many is."""
    return Path(__file__).with_name(f"morris_3_{men}.table")


def size(men: int) -> int:
    """The bytes for the positions of three against so many, with either side to move."""
    return len(representatives(THREE, FEWEST_MEN)) * comb(POINTS - FEWEST_MEN, men)


def write(file: Path, men: int, solved: Solved) -> None:
    """Write a table."""
    table_file.write(file, _name(men), solved.threes.tobytes() + solved.others.tobytes())


def read(file: Path, men: int) -> Solved:
    """Read a table. Raises `BadTable`, and `OSError` if there is none."""
    return _halves(table_file.read(file, _name(men), 2 * size(men)))


def loaded(file: Path, men: int) -> Solved | None:
    """A table, kept from now on, or None with a warning if it cannot be used: then the player searches."""
    values = table_file.loaded(file, _name(men), 2 * size(men))
    return None if values is None else _halves(values)


def _name(men: int) -> str:
    return f"morris table {FORMAT} {men}"


def _halves(values: memoryview) -> Solved:
    half = len(values) // 2
    return Solved(values[:half], values[half:])


# Values


def fits(options: Options) -> bool:
    """Whether the tables hold for a match once no men are in hand."""
    return options.board == THREE and options.flying and options.from_mills == WHEN_ALL


def value(state: State) -> int | None:
    """The byte for a position at the beginning of a turn (`morris_retrograde`); None if it is in no table."""
    seats = state.turn, 1 - state.turn
    mine, others = (
        sum(1 << point for point, man in enumerate(state.board) if man == MEN[seat]) for seat in seats
    )
    if state.takes:
        return None
    if morris_six.fits(state.options):
        return morris_six.value(mine, others, (state.hand[seats[0]], state.hand[seats[1]]))
    men = mine.bit_count(), others.bit_count()
    if any(state.hand) or not fits(state.options) or min(men) != FEWEST_MEN or max(men) not in SIZES:
        return None
    solved = loaded(path(max(men)), max(men))
    if solved is None:
        return None
    kinds, numbers = representatives(THREE, FEWEST_MEN), numbering(THREE)
    if men[0] == FEWEST_MEN:
        return int(solved.threes[number(mine, others, kinds, *numbers)])
    return int(solved.others[number(others, mine, kinds, *numbers)])


def proved(state: State) -> Proved | None:
    """The result of a position, if the tables have it and no draw by the rules comes before it."""
    moves = legal_moves(state)
    known = endings(state, moves)
    best = max(known.values(), key=lambda ending: ending.rank, default=None)
    if best is None or (best.result <= 0 and len(known) < len(moves)):
        return None
    return Proved(best.result, turns=best.turns if best.result and len(known) == len(moves) else None)


def endings(state: State, moves: Sequence[Move]) -> dict[Move, Ending]:
    """How the match ends after each of some legal moves, for the player to move; only what is known."""
    if not _may_be_known(state):
        return {}
    may_repeat, found = has_repeated(state.trail), {}
    for move in moves:
        ending = _ending(play(state, move).state, state.turn, may_repeat)
        if ending is not None:
            found[move] = ending
    return found


def _may_be_known(state: State) -> bool:
    """Whether a table may have what a move leads to."""
    if morris_six.fits(state.options):
        return True
    fewest = min(state.board.count(man) for man in MEN)
    return fits(state.options) and not any(state.hand) and fewest <= FEWEST_MEN + 1


def _ending(after: State, seat: Seat, may_repeat: bool) -> Ending | None:
    """How a match ends for a seat that has moved, and may have to take a man."""
    if after.ended is not None:
        if len(after.ended.winners) > 1:
            return DRAW
        return Ending(1 if seat in after.ended.winners else -1, 1)
    if after.turn == seat:
        # The trail ends with a man that is taken, and so does what may repeat.
        taken = [_ending(play(after, take).state, seat, False) for take in legal_moves(after)]
        known = [ending for ending in taken if ending is not None]
        best = max(known, key=lambda ending: ending.rank, default=None)
        return best if best and (best.result > 0 or len(known) == len(taken)) else None
    code = value(after)
    if code is None or code == 0:
        return None if code is None else DRAW
    turns, options = code - 1, after.options
    if may_repeat or (options.fifty and after.quiet + turns > QUIET_TURNS):
        return None
    return Ending(-1 if turns % 2 else 1, turns + 1)


def has_repeated(trail: str) -> bool:
    """Whether a position before the last one has occurred twice since a man was placed or taken."""
    changed, times = [0, 0], Counter[tuple[int, int, int]]()
    for n, (start, to) in enumerate(zip(trail[-2::-2], trail[::-2], strict=True), 1):
        changed[n % 2] ^= 1 << ord(start) - ord("a") | 1 << ord(to) - ord("a")
        if any(changed) or n % 2:
            times[n % 2, changed[0], changed[1]] += 1
    return max(times.values(), default=0) > 1


def narrowed(state: State, moves: list[Move]) -> Narrowed:
    """The best of some legal moves, as far as the tables tell them apart; all of them if they do not."""
    known = endings(state, moves)
    best = max(known.values(), key=lambda ending: ending.rank, default=None)
    if best is None:
        return Narrowed(moves, settled=False)
    if best.result > 0 or len(known) == len(moves):
        return Narrowed([move for move in moves if known.get(move) == best], settled=best.result != 0)
    open_ones = [move for move in moves if move not in known or known[move].result == 0]
    return Narrowed(open_ones, settled=False)

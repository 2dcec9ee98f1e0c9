"""`python -m tools.puzzles`: find positions for the daily puzzle and write them to games/puzzles.

Computers play matches from random openings. Each gives at most one position: one in which a single move is
best by far, and not the one that looks best at first sight. For Kalah every move is searched to the end of
the game; for Nine Men's Morris a single move wins by force or a single move does not lose by force, as deep
as `games.bots.morris.look` sees.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import orjson

from games.bots import kalah, morris
from games.bots.morris_kernel import DEEPEST, INFINITE, PROVED
from games.computers.thinking import player_of
from games.registry import GAMES
from games.rules.kalah import State as KalahState
from games.rules.kalah import stores
from games.rules.morris import State as MorrisState
from games.rules.morris import legal_moves
from games.rules.morris_boards import Move

FILE = Path(__file__).resolve().parents[1] / "games" / "puzzles" / "puzzles.json"

OF_EACH_GAME = 54
OPENING = (3, 8)
"""The least and most random moves at the start."""
EFFORT = 0.3
CHOICE = range(3, 17)
"""The number of legal moves: two are no puzzle, and fifty are too many."""
LONGEST = 70
"""Plies of a match that are examined."""
SEEDS = 4
"""The least lead in seeds of the best Kalah move over any other, unless it is the only one that wins."""
MOST_WON_OTHERWISE = 6
"""If other moves also win by more than this, there is nothing to find."""
SEEDS_IN_PITS = 26
"""With more seeds in pits, few positions can be searched to their end."""
A_MAN = 100
"""The value of a man in the Morris search."""
NODES = 60_000
"""Positions searched for a Morris puzzle; the critical moves are then searched further."""


class Judged(NamedTuple):
    """The result of the search: the best moves to the end of the turn and after it, and what moves are worth.

    For `after` and `worth` see `games.puzzles.daily.Puzzle`.
    """

    line: list[str]
    after: list[str]
    worth: dict[str, int]


class Kind(NamedTuple):
    """How puzzles of a game are made.

    Attributes:
        presets: the rules of its matches, in turn.
        levels: the computer players, chosen at random.
        judge: the value of each move in a position that is a puzzle, None for any other.
    """

    presets: tuple[str, ...]
    levels: range
    judge: Callable[[Any], dict[str, int] | None]


def of_kalah(state: KalahState) -> dict[str, int] | None:
    """The final result of every move, if one is best by far and does not look so at first sight."""
    if sum(state.board) - sum(stores(state)) > SEEDS_IN_PITS:
        return None
    look = kalah.look(state, 2, Random(0))
    if not look.proved:
        return None
    worth = {prospect.move: prospect.score or 0 for prospect in look.moves}
    answer, best, second = look.moves[0].move, *sorted(worth.values(), reverse=True)[:2]
    is_clear = second <= 0 or (best - second >= SEEDS and second <= MOST_WON_OTHERWISE)
    return worth if best > 0 and is_clear and answer not in kalah_at_first_sight(state) else None


def kalah_at_first_sight(state: KalahState) -> set[str]:
    """The moves that gain most until the turn passes."""
    root = kalah.root_of(state, 0, kalah.POSITIONS_OF_A_GLANCE)
    values = {str(branch.move): root.value(branch, 1) for branch in root.branches}
    return {move for move, value in values.items() if value == max(values.values())}


def of_morris(state: MorrisState) -> dict[str, int] | None:
    """The moves that win and lose by force, if exactly one wins, or exactly one does not lose."""
    if state.takes:
        return None
    moves = list(legal_moves(state))
    found = morris.think(state, moves, DEEPEST, NODES, INFINITE)
    answer, best, second = found.moves[0], *found.values[:2]
    wins = best > PROVED and second < A_MAN
    holds = PROVED >= best >= -PROVED > second
    if not (wins or holds) or answer in morris_at_first_sight(state):
        return None
    if wins and _by_themselves(state, found.moves[1:]) >= A_MAN:
        return None
    if holds and _by_themselves(state, found.moves[:1]) < -PROVED:
        return None
    return {
        str(move): (value > PROVED) - (value < -PROVED)
        for move, value in zip(found.moves, found.values, strict=True)
    }


def _by_themselves(state: MorrisState, moves: list[Move]) -> int:
    """The value of the best of some moves, searched much deeper than with all others."""
    return morris.think(state, moves, DEEPEST, morris.LOOK_NODES, 0).values[0]


def morris_at_first_sight(state: MorrisState) -> set[Move]:
    """The moves after which a position looks best."""
    found = morris.think(state, list(legal_moves(state)), 1, morris.LOOK_NODES, INFINITE, 0)
    return {move for move, value in zip(found.moves, found.values, strict=True) if value == found.values[0]}


KINDS: Mapping[str, Kind] = {
    "kalah": Kind(("circle", "classic", "kalaha"), range(4, 8), of_kalah),
    "morris": Kind(("six",), range(2, 5), of_morris),
}
"""By game. Games that are not listed have no puzzles."""


def judged(slug: str, state: Any) -> Judged | None:
    """The result of the search for a position, None if it is no puzzle."""
    rules = GAMES[slug].rules
    if len(rules.legal_moves(state)) not in CHOICE:
        return None
    worth = KINDS[slug].judge(state)
    if worth is None:
        return None
    line = list(_line(slug, state, max(worth, key=worth.__getitem__)))
    return Judged(line, list(_after(slug, state, line)), worth)


def _line(slug: str, state: Any, answer: str) -> Iterator[str]:
    """The answer and the best moves after it, to the end of the turn."""
    rules, seat, move = GAMES[slug].rules, state.turn, answer
    while True:
        yield move
        state = rules.play(state, rules.parse(move)).state
        if rules.outcome(state) is not None or state.turn != seat:
            return
        move = player_of(slug).look(state, 2, Random(0)).moves[0].move


def _after(slug: str, state: Any, line: list[str]) -> Iterator[str]:
    """The best moves of the opponent's next turn and of the solver's next one."""
    rules, seat = GAMES[slug].rules, state.turn
    for move in line:
        state = rules.play(state, rules.parse(move)).state
    has_turned = False
    while rules.outcome(state) is None and not (has_turned and state.turn != seat):
        has_turned = has_turned or state.turn == seat
        move = player_of(slug).look(state, 2, Random(0)).moves[0].move
        yield move
        state = rules.play(state, rules.parse(move)).state


def found(slug: str, seed: int) -> dict[str, Any] | None:
    """A puzzle of one match, as stored, chosen at random from its candidates."""
    rng, kind = Random(f"{slug} {seed}"), KINDS[slug]
    preset = kind.presets[seed % len(kind.presets)]
    rules, player = GAMES[slug].rules, player_of(slug)
    state, moves = rules.setup(rules.PRESETS[preset], 2), list[str]()
    opening, level, puzzles = rng.randint(*OPENING), rng.choice(kind.levels), list[dict[str, Any]]()
    while rules.outcome(state) is None and len(moves) < LONGEST:
        random = len(moves) < opening
        told = None if random else judged(slug, state)
        if told is not None:
            puzzles.append({"game": slug, "preset": preset, "moves": list(moves), **told._asdict()})
        move = rng.choice(rules.legal_moves(state)) if random else player.choose(state, level, EFFORT, rng)
        moves.append(str(move))
        state = rules.play(state, move).state
    return rng.choice(puzzles) if puzzles else None


def all_of(slug: str) -> list[dict[str, Any]]:
    """The wanted number of different puzzles of a game."""
    puzzles: list[dict[str, Any]] = []
    seed = 0
    while len(puzzles) < OF_EACH_GAME:
        puzzle = found(slug, seed)
        seed += 1
        if puzzle is not None and puzzle not in puzzles:
            puzzles.append(puzzle)
            print(f"{slug}: {len(puzzles)} of {OF_EACH_GAME} after {seed} matches", file=sys.stderr)
    return puzzles


def main() -> None:
    """Find puzzles of each kind and write the file."""
    # Alternate the games by day.
    days = list(chain.from_iterable(zip(*map(all_of, KINDS), strict=True)))
    FILE.write_bytes(b"[\n" + b",\n".join(map(orjson.dumps, days)) + b"\n]\n")
    print(f"{len(days)} puzzles in {FILE.name}")


if __name__ == "__main__":
    main()

"""`python -m tools.puzzles`: find the positions of the daily puzzle and write them to games/puzzles.

Computers play matches from openings at random. Of each at most one position is taken:
one in which a single move is best by far, and not the one that looks best at first sight. For Kalah every
move is searched to the end of the game; for Nine Men's Morris a single move wins by force or a single move
does not lose by force, as deep as `games.bots.morris.look` sees.
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
"""How many moves are made at random first, at least and at most."""
EFFORT = 0.3
CHOICE = range(3, 17)
"""How many moves there may be: a choice between two is no puzzle, and nobody looks through fifty."""
LONGEST = 70
"""How many plies of a match are looked at."""
SEEDS = 4
"""How much more the best move of a Kalah puzzle wins than any other, unless it is the only one that wins."""
MOST_WON_OTHERWISE = 6
"""Who wins by more whatever they play has nothing to find."""
SEEDS_IN_PITS = 26
"""With more, few positions can be searched to their end."""
A_MAN = 100
"""What a man is worth to the search of Morris."""
NODES = 60_000
"""How many positions are searched for a puzzle of Morris; what it rests on is then searched further."""


class Judged(NamedTuple):
    """What the search says of a puzzle: the best moves to the end of the turn, and what each move is worth.

    For `worth` see `games.puzzles.daily.Puzzle`.
    """

    line: list[str]
    worth: dict[str, int]


class Kind(NamedTuple):
    """How puzzles of a game are made.

    Attributes:
        presets: the rules of its matches, in turn.
        levels: the computers that play them, by chance.
        judge: what each move is worth in a position that is a puzzle, None for any other.
    """

    presets: tuple[str, ...]
    levels: range
    judge: Callable[[Any], dict[str, int] | None]


def of_kalah(state: KalahState) -> dict[str, int] | None:
    """What every move wins in the end, where one of them is best by far and does not look so at once."""
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
    """The moves that bring most until the turn passes."""
    root = kalah.root_of(state, 0, kalah.POSITIONS_OF_A_GLANCE)
    values = {str(branch.move): root.value(branch, 1) for branch in root.branches}
    return {move for move, value in values.items() if value == max(values.values())}


def of_morris(state: MorrisState) -> dict[str, int] | None:
    """Which moves win and lose by force, where one alone wins, or one alone does not lose."""
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
    """What the best of some moves is worth, searched much further than together with all others."""
    return morris.think(state, moves, DEEPEST, morris.LOOK_NODES, 0).values[0]


def morris_at_first_sight(state: MorrisState) -> set[Move]:
    """The moves after which a position looks best."""
    found = morris.think(state, list(legal_moves(state)), 1, morris.LOOK_NODES, INFINITE, 0)
    return {move for move, value in zip(found.moves, found.values, strict=True) if value == found.values[0]}


KINDS: Mapping[str, Kind] = {
    "kalah": Kind(("circle", "classic", "kalaha"), range(4, 8), of_kalah),
    "morris": Kind(("six",), range(2, 5), of_morris),
}
"""By game. A game that is not here has no puzzles."""


def judged(slug: str, state: Any) -> Judged | None:
    """What the search says of a position, None where it is no puzzle."""
    rules = GAMES[slug].rules
    if len(rules.legal_moves(state)) not in CHOICE:
        return None
    worth = KINDS[slug].judge(state)
    if worth is None:
        return None
    return Judged(list(_line(slug, state, max(worth, key=worth.__getitem__))), worth)


def _line(slug: str, state: Any, answer: str) -> Iterator[str]:
    """The answer and what is best after it, to the end of the turn."""
    rules, seat, move = GAMES[slug].rules, state.turn, answer
    while True:
        yield move
        state = rules.play(state, rules.parse(move)).state
        if rules.outcome(state) is not None or state.turn != seat:
            return
        move = player_of(slug).look(state, 2, Random(0)).moves[0].move


def found(slug: str, seed: int) -> dict[str, Any] | None:
    """A puzzle of one match, as it is stored; chance decides between those that the match has."""
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
    """As many puzzles of a game as are wanted, all different."""
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
    # A day of one game, a day of the other.
    days = list(chain.from_iterable(zip(*map(all_of, KINDS), strict=True)))
    FILE.write_bytes(b"[\n" + b",\n".join(map(orjson.dumps, days)) + b"\n]\n")
    print(f"{len(days)} puzzles in {FILE.name}")


if __name__ == "__main__":
    main()

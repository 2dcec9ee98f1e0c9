"""`python -m tools.puzzles`: make the collection of puzzles from nothing, and check it with a second program.

The parts are games. With `--check`, the puzzles that are there are checked and none is made.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from random import Random
from time import process_time

from games.puzzles import collection
from games.puzzles.collection import Puzzle
from tools import proofs
from tools.puzzles import cantstop, check, kalah, morris

OF_EACH_GAME = 330

KINDS: dict[str, Callable[[int], Iterable[Puzzle]]] = {
    "kalah": kalah.candidates,
    "morris": morris.candidates,
    "cantstop": cantstop.candidates,
}
"""Puzzles by game, from a number that names their match. Games that are not listed have none."""


def made(slug: str) -> list[Puzzle]:
    """The wanted number of different puzzles of a game."""
    puzzles: dict[str, Puzzle] = {}
    for seed in count():
        for puzzle in KINDS[slug](seed):
            puzzles.setdefault(puzzle.position, puzzle)
        if len(puzzles) >= OF_EACH_GAME:
            break
    # Those of one match are alike: days and pages mix them.
    return Random(slug).sample([*puzzles.values()][:OF_EACH_GAME], OF_EACH_GAME)


def check_all(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """What is wrong with the certificates of puzzles."""
    for puzzle in puzzles:
        try:
            check.check(puzzle)
        except check.Wrong as error:
            yield str(error)


def main() -> None:
    """Make the files and check them, or only check them."""
    arguments = proofs.arguments("puzzles", __doc__, KINDS)
    failures = 0
    for slug in arguments.parts:
        began = process_time()
        if not arguments.check:
            collection.file_of(slug).write_text(collection.written(made(slug)), "ascii")
        puzzles, between = collection.stored(slug), process_time()
        wrong = list(check_all(puzzles))
        failures += len(wrong)
        themes = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
        for error in wrong:
            print(error, file=sys.stderr)
        print(
            f"{slug}: {len(puzzles)} puzzles, {len(wrong)} wrong; made in {between - began:.0f} s, "
            f"checked in {process_time() - between:.0f} s; {dict(themes)}"
        )
    sys.exit(failures and 1)


if __name__ == "__main__":
    main()

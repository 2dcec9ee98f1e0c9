"""`python -m tools.morris_tables`: make the tables of exact endings of Nine Men's Morris in games/bots.

With `--check` the tables that are there are checked and none is made.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from time import process_time

from games.bots import morris_check, morris_retrograde, morris_tables
from games.bots.morris_index import Solved

POSITIONS = 2_000
SEED = 1


def main() -> None:
    """Make the tables, or with `--check` verify those that exist."""
    parser = argparse.ArgumentParser(prog="tools.morris_tables", description=__doc__)
    parser.add_argument("--check", action="store_true", help="make no tables")
    parser.add_argument(
        "--positions",
        type=int,
        default=POSITIONS,
        help="random positions of each table that are checked with the rules; %(default)s by default",
    )
    arguments = parser.parse_args()
    solved: Solved | None = None
    for men in morris_tables.SIZES:
        file, began, smaller = morris_tables.path(men), process_time(), solved
        try:
            made = None if arguments.check else morris_retrograde.solve(men, smaller)
            solved = made or morris_tables.read(file, men)
            morris_check.check(men, solved, smaller, arguments.positions, Random(SEED))
        except (OSError, morris_tables.BadTable, morris_check.Wrong) as error:
            sys.exit(str(error))
        if made:
            morris_tables.write(file, men, made)
        won, drawn, lost = morris_check.tally(men, solved)
        print(
            f"three against {men}: {won:,} won, {drawn:,} drawn, {lost:,} lost; "
            f"{morris_check.longest(solved)} turns at most; {file.stat().st_size:,} bytes, "
            f"{process_time() - began:.0f} s"
        )


if __name__ == "__main__":
    main()

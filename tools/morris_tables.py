"""`python -m tools.morris_tables`: make the tables of exact endings of Nine Men's Morris in games/bots.

With `--check` the tables that are there are checked and none is made. With `six` or `nine`, only those of Six
Men's Morris or of three men against some.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from time import process_time

import numpy as np

from games.bots import (
    morris_check,
    morris_retrograde,
    morris_six,
    morris_six_solver,
    morris_tables,
    table_file,
)
from games.bots.morris_tables import Solved

POSITIONS = 2_000
SEED = 1


def main() -> None:
    """Make the tables, or with `--check` verify those that exist."""
    parser = argparse.ArgumentParser(prog="tools.morris_tables", description=__doc__)
    parser.add_argument("which", nargs="?", choices=["nine", "six"], help="both by default")
    parser.add_argument("--check", action="store_true", help="make no tables")
    parser.add_argument(
        "--positions",
        type=int,
        default=POSITIONS,
        help="random positions of each table that are checked with the rules; %(default)s by default",
    )
    arguments = parser.parse_args()
    try:
        if arguments.which != "six":
            nine(arguments.check, arguments.positions)
        if arguments.which != "nine":
            six(arguments.check, arguments.positions)
    except (OSError, table_file.BadTable, morris_check.Wrong) as error:
        sys.exit(str(error))


def nine(only_check: bool, positions: int) -> None:
    """Three men against some."""
    solved: Solved | None = None
    for men in morris_tables.SIZES:
        file, began, smaller = morris_tables.path(men), process_time(), solved
        made = None if only_check else morris_retrograde.solve(men, smaller)
        solved = made or morris_tables.read(file, men)
        morris_check.check(men, solved, smaller, positions, Random(SEED))
        if made:
            morris_tables.write(file, men, made)
        won, drawn, lost = morris_check.tally(men, solved)
        print(
            f"three against {men}: {won:,} won, {drawn:,} drawn, {lost:,} lost; "
            f"{morris_check.longest(solved)} turns at most; {file.stat().st_size:,} bytes, "
            f"{process_time() - began:.0f} s"
        )


def six(only_check: bool, positions: int) -> None:
    """All of Six Men's Morris."""
    began = process_time()
    values = (
        table_file.read(morris_six.PATH, morris_six.NAME, morris_six.positions())
        if only_check
        else morris_six_solver.solve().data
    )
    morris_check.check_six(values, positions, Random(SEED))
    if not only_check:
        table_file.write(morris_six.PATH, morris_six.NAME, values.tobytes())
    codes = np.asarray(values)
    drawn, lost = int(np.count_nonzero(codes == 0)), int(np.count_nonzero(codes & 1))
    print(
        f"six: {len(codes) - drawn - lost:,} won, {drawn:,} drawn, {lost:,} lost; "
        f"{codes.max() - 1} turns at most; {morris_six.PATH.stat().st_size:,} bytes, "
        f"{process_time() - began:.0f} s"
    )


if __name__ == "__main__":
    main()

"""`python -m tools.morris_tables`: make the tables of exact endings of Nine Men's Morris in games/bots.

The parts are `nine`, three men against some, and `six`, all of Six Men's Morris. With `--check`, the tables
that are there are checked and none is made.
"""

from __future__ import annotations

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
from tools import proofs

POSITIONS = 2_000
SEED = 1


def main() -> None:
    """Make the tables, or with `--check` verify those that exist."""
    parts = {"nine": nine, "six": six}
    arguments = proofs.arguments("morris_tables", __doc__, parts, POSITIONS)
    try:
        for name in arguments.parts:
            parts[name](arguments.check, arguments.positions)
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

"""`python -m tools.kalah_tables`: make the tables of exact endings of Kalah and check all their values.

They are kept with the compiled kernels, where servers look for them. The parts are presets; `classic` is for
`pie-rule` too. With `--check`, the tables that are there are checked and none is made.
"""

from __future__ import annotations

import sys
from random import Random
from time import process_time

import numpy as np

from games.bots import kalah_check, kalah_solver, kalah_tables
from tools import proofs

POSITIONS = 2_000
SEED = 1
PARTS = dict(zip(("classic", "kalaha", "circle"), kalah_tables.MOST_SEEDS, strict=True))


def main() -> None:
    """Make the tables, or with `--check` verify those that exist."""
    arguments = proofs.arguments("kalah_tables", __doc__, PARTS, POSITIONS)
    try:
        for name in arguments.parts:
            table(name, arguments.check, arguments.positions)
    except (OSError, kalah_check.Wrong) as error:
        sys.exit(str(error))


def table(name: str, only_check: bool, positions: int) -> None:
    """Make one table, and check it."""
    variant, began = PARTS[name], process_time()
    most, file = kalah_tables.MOST_SEEDS[variant], kalah_tables.path(variant)
    if not only_check:
        kalah_solver.make(variant)
    values, between = np.frombuffer(file.read_bytes(), np.uint8), process_time()
    kalah_check.check_all(variant, values, most)
    kalah_check.check_some(variant, values, most, positions, Random(SEED))
    print(
        f"{name}, up to {most} seeds: {kalah_tables.positions(most):,} positions; {values.size:,} bytes, "
        f"made in {between - began:.0f} s, checked in {process_time() - between:.0f} s"
    )


if __name__ == "__main__":
    main()

"""`python -m tools.kalah_tables`: make the tables of exact endings of Kalah and check all their values.

They are kept with the compiled kernels, where servers look for them. Those that are there are checked only.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from time import process_time

import numpy as np

from games.bots import kalah_check, kalah_solver, kalah_tables

POSITIONS = 2_000
SEED = 1


def main() -> None:
    """Make what is missing, and check everything."""
    parser = argparse.ArgumentParser(prog="tools.kalah_tables", description=__doc__)
    parser.add_argument(
        "--positions",
        type=int,
        default=POSITIONS,
        help="random positions of each table that are searched to the end; %(default)s by default",
    )
    arguments = parser.parse_args()
    began = process_time()
    kalah_solver.make_missing()
    print(f"made what was missing in {process_time() - began:.0f} s")
    for variant, most in kalah_tables.MOST_SEEDS.items():
        file, began = kalah_tables.path(variant), process_time()
        values = np.frombuffer(file.read_bytes(), np.uint8)
        try:
            kalah_check.check_all(variant, values, most)
            kalah_check.check_some(variant, values, most, arguments.positions, Random(SEED))
        except kalah_check.Wrong as error:
            sys.exit(str(error))
        print(told(file, variant, most), f"checked in {process_time() - began:.0f} s")


def told(file: Path, variant: kalah_tables.Variant, most: int) -> str:
    """What a table is, in words."""
    return (
        f"{variant}, up to {most} seeds: {kalah_tables.positions(most):,} positions, "
        f"{file.stat().st_size:,} bytes;"
    )


if __name__ == "__main__":
    main()

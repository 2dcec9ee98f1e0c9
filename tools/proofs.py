"""The arguments of the commands that make proved tables and puzzles, and check them by a second program."""

from __future__ import annotations

import argparse
from collections.abc import Iterable


def arguments(
    tool: str, description: str | None, parts: Iterable[str], positions: int | None = None
) -> argparse.Namespace:
    """What the command line asks for: `parts`, `check`, and `positions` where a sample is checked."""
    known = [*parts]
    parser = argparse.ArgumentParser(prog=f"tools.{tool}", description=description)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(known)}; all by default")
    parser.add_argument("--check", action="store_true", help="make nothing, check what there is")
    if positions:
        parser.add_argument(
            "--positions",
            type=int,
            default=positions,
            help="random positions of each table that are checked; %(default)s by default",
        )
    found = parser.parse_args()
    # Before Python 3.12, argparse takes no empty list for one of its choices.
    if unknown := set(found.parts) - set(known):
        parser.error(f"no part is called {min(unknown)}: choose from {', '.join(known)}")
    found.parts = found.parts or known
    return found

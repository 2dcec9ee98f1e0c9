"""`make strength`: measure the computer players anew and write docs/strength.md."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from pathlib import Path

from games.registry import GAMES

from .figures import Figure

REPORT = Path(__file__).parents[2] / "docs" / "strength.md"
HEAD = """# How strong the computer players are

`make strength` measured this and wrote it down; `python -m bench.strength <game> --part 0.1` measures a tenth
of the games and writes nothing. A share is that of the win, a draw being a half; the number behind ± is its
standard error. In every series each side has the first move in half of the games, and the dice and the other
chances come from fixed seeds.
"""
TABLE = """
| what | games | measured | goal | met |
|---|---|---|---|---|
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.strength", description=__doc__)
    measured = [slug for slug in GAMES if importlib.util.find_spec(f"bench.strength.{slug}")]
    parser.add_argument("game", nargs="?", choices=measured)
    parser.add_argument(
        "--part", type=float, default=1.0, help="the part of the games, above 0 and at most 1"
    )
    arguments = parser.parse_args()
    report = HEAD
    for slug in [arguments.game] if arguments.game else measured:
        report += f"\n## {GAMES[slug].title}\n{TABLE}"
        for figure in figures(slug, arguments.part):
            print(figure.row(), flush=True)
            report += figure.row() + "\n"
    if arguments.part == 1 and not arguments.game:
        REPORT.write_text(report)


def figures(slug: str, part: float) -> Iterator[Figure]:
    """What is measured of the players of a game."""
    yield from importlib.import_module(f"bench.strength.{slug}").measure(part)


if __name__ == "__main__":
    main()

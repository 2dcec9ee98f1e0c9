"""`make strength`: measure the computer players anew and write docs/explanation/strength.md."""

from __future__ import annotations

import argparse
import importlib
from importlib.util import find_spec
from pathlib import Path

from games.registry import GAMES

REPORT = Path(__file__).parents[2] / "docs" / "explanation" / "strength.md"
HEAD = """# How strong the computer players are

`make strength` measures all of this and writes this page, which takes an hour or two.
`python -m bench.strength <game>` does so for one game; with `--part 0.1` it plays a tenth of the matches and
writes nothing. A share is the score, with a draw as one half; ± gives its standard error. In every series
each side moves first in half of the matches, and all random numbers come from fixed seeds. What was tried to
make them stronger is among the [decisions](decisions.md#computer-players).
"""
TABLE = """| what | games | measured | goal | met |
|---|---|---|---|---|
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.strength", description=__doc__)
    measured = [slug for slug in GAMES if find_spec(f"bench.strength.{slug}")]
    parser.add_argument("game", nargs="?", choices=measured)
    parser.add_argument("--part", type=float, default=1.0, help="of the games, above 0 and at most 1")
    arguments = parser.parse_args()
    sections = written()
    for slug in [arguments.game] if arguments.game else measured:
        rows = []
        for figure in importlib.import_module(f"bench.strength.{slug}").measure(arguments.part):
            rows.append(figure.row() + "\n")
            print(rows[-1], end="", flush=True)
        sections[GAMES[slug].title] = TABLE + "".join(rows)
        if arguments.part == 1:
            write(sections)


def written() -> dict[str, str]:
    """What the report says so far, by the title of the game."""
    sections = REPORT.read_text().split("\n## ")[1:] if REPORT.exists() else []
    return {title: text for title, _, text in (section.partition("\n\n") for section in sections)}


def write(sections: dict[str, str]) -> None:
    """Write the report, the games in the order of the registry."""
    titles = [game.title for game in GAMES.values() if game.title in sections]
    told = (f"\n## {title}\n\n{sections[title].rstrip()}\n" for title in titles)
    REPORT.write_text(HEAD + "".join(told))


if __name__ == "__main__":
    main()

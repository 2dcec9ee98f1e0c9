"""What somebody did and heard on a path, as a page of docs/guide/by-ear.

With WRITE_TRANSCRIPTS=1 in the environment the pages are written; read them aloud, then commit them.
"""

from __future__ import annotations

import os
from pathlib import Path

ROOM = Path(__file__).parents[3] / "docs" / "guide" / "by-ear"


class Transcript:
    """The steps of one path, as they come."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._steps: list[str] = []

    def came(self, title: str) -> None:
        """A page has opened."""
        self._steps.append(f"\n## {title}\n")

    def pressed(self, keys: str) -> None:
        """A key, or several presses of one."""
        self._steps.append(f"- Presses {keys}.")

    def typed(self, words: str) -> None:
        """Something was written, and sent with Enter."""
        self._steps.append(f"- Types `{words}`.")

    def read(self, words: str) -> None:
        """What the screen reader says of the place where one is."""
        self._steps.append(f"  - Reads: {words}")

    def heard(self, words: str) -> None:
        """What the page says by itself."""
        self._steps.append(f"  - **Hears: {words}**")

    def keep(self, slug: str) -> None:
        """Write the page, if that is wanted."""
        if os.environ.get("WRITE_TRANSCRIPTS"):
            ROOM.mkdir(exist_ok=True)
            text = "\n".join([f"# {self._title}", INTRODUCTION, *self._steps, ""])
            (ROOM / f"{slug}.md").write_text(text)


INTRODUCTION = """
Written by a test (tests/browser/by_ear) that has neither eyes nor a mouse: it reads what a screen reader
would say of the place that has the focus, hears what the page says by itself, and presses keys.
"""

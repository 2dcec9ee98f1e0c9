"""What is tested in each run, and what only in the full run: `make test FULL=1`."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

FULL = os.environ.get("FULL", "") not in ("", "0")


def sample(full: int, quick: int) -> int:
    """The number of random examples: `full` in the full run, `quick` otherwise."""
    return full if FULL else quick


def in_full(first: T, *others: T) -> list[T]:
    """Values for `parametrize`: all of them in the full run, only the first otherwise."""
    return [first, *others] if FULL else [first]

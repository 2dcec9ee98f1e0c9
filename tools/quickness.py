"""Times some typical operations of this Python, in microseconds, for `tools/find-python`.

Prints "unable" if it cannot create environments, and fails if it is too old.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from time import perf_counter

ROUNDS = 8000
TRIES = 7


class Place:
    """An object to create, access and discard."""

    def __init__(self, number: int) -> None:
        self.number = number

    def after(self, steps: int) -> Place:
        return Place((self.number + steps) % 7)


def work() -> None:
    """Calls, attributes, dictionaries, tuples and strings."""
    place = Place(1)
    seen: dict[int, tuple[str, ...]] = {}
    for step in range(ROUNDS):
        place = place.after(step)
        seen[place.number] = (str(step), *seen.get(place.number, ())[:3])


def seconds() -> float:
    """The time of one run."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def able() -> bool:
    """Whether it can create environments, possibly with the package that `tools/environment.py` installs."""
    there = find_spec("ensurepip") is not None and find_spec("venv") is not None
    return there or (os.geteuid() == 0 and shutil.which("apt-get") is not None)


if sys.version_info < (3, 11):  # noqa: UP036 - it is run by whatever is called Python
    sys.exit(1)
# The shortest of several runs: the machine may be busy.
print(round(min(seconds() for _ in range(TRIES)) * 1e6) if able() else "unable")

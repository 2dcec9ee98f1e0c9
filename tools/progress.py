"""What the commands behind `make` say while one waits. Needs nothing but Python."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator


@contextlib.contextmanager
def step(name: str) -> Iterator[None]:
    """Print what is being done, and how long it took."""
    sys.stdout.write(f"{name} ... ")
    sys.stdout.flush()
    began, ending = time.monotonic(), "\n"
    try:
        yield
        ending = f"{time.monotonic() - began:.1f} s\n"
    finally:
        sys.stdout.write(ending)
        sys.stdout.flush()

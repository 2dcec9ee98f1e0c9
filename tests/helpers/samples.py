"""How many random examples a test looks at: some in each run, all of them by `make test FULL=1`."""

from __future__ import annotations

import os

FULL = os.environ.get("FULL") == "1"


def sample(full: int, quick: int) -> int:
    """`full` examples where all are asked for, `quick` ones otherwise."""
    return full if FULL else quick

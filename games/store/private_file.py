"""Files that are put in their place only once they are whole."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(file: Path) -> Iterator[Path]:
    """An empty file beside `file`, readable by its owner alone, that takes its place after the block.

    If the block raises, `file` is as it was and the other one is gone.
    """
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)
        yield unfinished
        unfinished.replace(file)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise

"""Files of exact endings: a line that says what they are, and a byte for each position, xz-compressed."""

from __future__ import annotations

import lzma
import warnings
from functools import cache
from pathlib import Path

KIND = b"parlour "
LONGEST_HEAD = 64


class BadTable(Exception):
    """A file that cannot be used. `code` is `foreign`, `old` or `damaged`."""

    def __init__(self, file: Path, code: str) -> None:
        super().__init__(
            f"{file} is {code}: restore it, or make it again as docs/explanation/endings.md says"
        )
        self.code = code


def write(file: Path, name: str, values: bytes) -> None:
    """Write a table; `name` tells its format and contents."""
    file.write_bytes(KIND + name.encode() + b"\n" + lzma.compress(values, preset=6))


def read(file: Path, name: str, size: int) -> memoryview:
    """The values of a table of so many bytes. Raises `BadTable`, and `OSError` if there is none."""
    with file.open("rb") as opened:
        head, packed = opened.readline(LONGEST_HEAD), opened.read()
    if not head.startswith(KIND):
        raise BadTable(file, "foreign")
    if head != KIND + name.encode() + b"\n":
        raise BadTable(file, "old")
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        values = unpacker.decompress(packed, size + 1)
    except lzma.LZMAError:
        raise BadTable(file, "damaged") from None
    if len(values) != size or not unpacker.eof or unpacker.unused_data:
        raise BadTable(file, "damaged")
    return memoryview(values)


@cache
def loaded(file: Path, name: str, size: int) -> memoryview | None:
    """A table, kept from now on, or None with a warning if it cannot be used: then the player searches."""
    try:
        return read(file, name, size)
    except (OSError, BadTable) as error:
        warnings.warn(str(error), stacklevel=2)
        return None

"""`python -m config.i18n.compile_messages`: compile locale/*.po to .mo files.

The compiled files are not in the repository, since they can be built from it.
"""

from __future__ import annotations

import os
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parents[2] / "locale"


def compile_all() -> None:
    """Compile the files that changed since the last time."""
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns:
            _compile(source, compiled)


def _compile(source: Path, compiled: Path) -> None:
    # Written to a temporary file first: a server may be reading the old one.
    fresh = compiled.with_suffix(f".{os.getpid()}")
    with source.open("rb") as po, fresh.open("wb") as mo:
        write_mo(mo, read_po(po))
    fresh.replace(compiled)


if __name__ == "__main__":
    compile_all()

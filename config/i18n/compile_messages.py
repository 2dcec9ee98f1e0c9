"""`python -m config.i18n.compile_messages`: compile locale/*.po to .mo files.

The compiled files are not in the repository, since they can be built from it.
"""

from __future__ import annotations

import os
from pathlib import Path

LOCALE = Path(__file__).resolve().parents[2] / "locale"


def compile_all() -> None:
    """Compile the files that changed since the last time."""
    for source in changed():
        _compile(source, source.with_suffix(".mo"))


def changed() -> list[Path]:
    """The files that changed since they were compiled."""
    return [source for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")) if _is_newer(source)]


def _is_newer(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns


def _compile(source: Path, compiled: Path) -> None:
    # Most starts compile nothing.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    # Written to a temporary file first: a server may be reading the old one.
    fresh = compiled.with_suffix(f".{os.getpid()}")
    with source.open("rb") as po, fresh.open("wb") as mo:
        write_mo(mo, read_po(po))
    fresh.replace(compiled)


if __name__ == "__main__":
    compile_all()

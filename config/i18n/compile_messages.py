"""`python -m config.i18n.compile_messages`: compile the sentences of locale/ into what is read while serving.

They are not kept in the repository, since they say what is in it already. Those of the browser's modules are
read as they are (`config.i18n.js_catalog`).
"""

from __future__ import annotations

import os
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parents[2] / "locale"


def compile_all() -> None:
    """Compile what changed since it was compiled the last time."""
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/django.po")):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns:
            _compile(source, compiled)


def _compile(source: Path, compiled: Path) -> None:
    # Written beside it first: somebody may be reading the old one.
    fresh = compiled.with_suffix(f".{os.getpid()}")
    with source.open("rb") as po, fresh.open("wb") as mo:
        write_mo(mo, read_po(po))
    fresh.replace(compiled)


if __name__ == "__main__":
    compile_all()

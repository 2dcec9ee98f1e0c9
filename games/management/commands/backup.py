"""`manage.py backup copy.sqlite3`: a copy of an SQLite database, made while people play."""

from __future__ import annotations

import contextlib
import sqlite3
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.store.private_file import replacing

SQLITE = b"SQLite format 3\0"
"""The first bytes of every database file."""


class Command(BaseCommand):
    """Copy an SQLite database while it is in use."""

    help = "Write a copy of an SQLite database, as it is at this moment, while people play."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the path of the copy."""
        parser.add_argument("copy", type=Path, help="where the copy is to be; one that is there is replaced")

    def handle(self, *args: Any, copy: Path, **options: Any) -> None:
        """Write the copy beside its place, check it, and put it there once it is whole."""
        if connection.vendor != "sqlite":
            raise CommandError(
                "This database is PostgreSQL: pg_dump makes copies of it (docs/guide/hosting.md)."
            )
        name = str(connection.settings_dict["NAME"])
        replaces = copy.exists()
        try:
            if replaces:
                _check_replaceable(copy, name)
            with replacing(copy) as unfinished:
                _copy(name, str(unfinished))
        except (OSError, sqlite3.Error) as error:
            raise CommandError(f"There is no copy: {error}.") from error
        self.stdout.write(
            f"{copy} is {'replaced' if replaces else 'written'}. Keep it secret, as the database."
        )


def _check_replaceable(copy: Path, name: str) -> None:
    """Raise `OSError` unless a file is an older copy."""
    if Path(name).exists() and copy.samefile(name):
        raise FileExistsError("this is the database itself")
    if not copy.is_file() or copy.open("rb").read(len(SQLITE)) not in (SQLITE, b""):
        raise FileExistsError(f"{copy} is there, and is no copy of a database")


def _copy(name: str, target: str) -> None:
    """All in one go, so that whoever writes meanwhile neither waits nor has it begun anew."""
    with (
        contextlib.closing(sqlite3.connect(f"file:{name}?mode=ro", uri=True, timeout=20)) as source,
        contextlib.closing(sqlite3.connect(target)) as made,
    ):
        source.backup(made)
        (found,) = made.execute("PRAGMA quick_check").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)

"""`manage.py site export parlour.site`, `manage.py site import parlour.site`: a whole site in one file.

The file moves a site between SQLite and PostgreSQL. It is gzip of JSON lines: a header, then Django's
serialization of each row. Migrations must be the same on both sides.
"""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.core import serializers
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from games.domain.verification import NotReproducible
from games.models import Match
from games.registry import GAMES
from games.store import replays
from games.store.private_file import replacing

FORMAT, VERSION = "parlour-site", 1
CHUNK = 2000
"""Rows read at a time."""


class WholeMoments(DjangoJSONEncoder):
    """Keeps the microseconds of times; Django's encoder cuts them off."""

    def default(self, o: Any) -> Any:
        """Write times in ISO format, to the microsecond; the rest as Django does."""
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


class Command(BaseCommand):
    """Export or import a whole site."""

    help = "Write the whole site into one file, or read such a file into an empty site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the direction and the file."""
        parser.add_argument("direction", choices=["export", "import"])
        parser.add_argument("file", type=Path, help="the file; export replaces it if it is there")

    def handle(self, *args: Any, direction: str, file: Path, **options: Any) -> None:
        """Export or import; raises `CommandError` if that is impossible, and then imports nothing."""
        try:
            if direction == "export":
                self.stdout.write(f"{_export(file)} rows are in {file}. Keep it secret, as the database.")
            else:
                rows, matches = _import(file)
                self.stdout.write(f"{rows} rows are here, and {matches} matches were replayed.")
        except (OSError, EOFError) as error:
            raise CommandError(f"{file}: {error}") from error


def _export(file: Path) -> int:
    """Returns the number of rows."""
    with (
        replacing(file) as unfinished,
        gzip.open(unfinished, "wt", encoding="utf-8") as stream,
        transaction.atomic(),
    ):
        if connection.vendor == "postgresql":
            # One snapshot for all tables, as SQLite's transactions have.
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        rows = {model._meta.label: model._base_manager.count() for model in _models()}
        header = {"format": FORMAT, "version": VERSION, "migrations": _migrations(), "rows": rows}
        stream.write(json.dumps(header) + "\n")
        for model in _models():
            _write_rows(model, stream)
    return sum(rows.values())


def _write_rows(model: type[models.Model], stream: IO[str]) -> None:
    relations = [field.name for field in model._meta.many_to_many]
    rows = model._base_manager.prefetch_related(*relations).order_by("pk").iterator(chunk_size=CHUNK)
    serializers.serialize("jsonl", rows, stream=stream, cls=WholeMoments)


def _import(file: Path) -> tuple[int, int]:
    """All or nothing. Returns how many rows were stored and how many matches were replayed."""
    with gzip.open(file, "rt", encoding="utf-8") as stream, transaction.atomic():
        header = _header(stream.readline())
        if any(apps.get_model(label)._base_manager.exists() for label in ("lobby.User", "games.Match")):
            raise CommandError("This site has people or matches. Import into an empty database.")
        # Migrations have made some rows, such as permissions; the file has its own.
        call_command("flush", interactive=False, inhibit_post_migrate=True, verbosity=0)
        try:
            for row in serializers.deserialize("jsonl", stream):
                row.save(force_insert=True)
            _check_counts(header["rows"])
            with connection.cursor() as cursor:
                for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
                    cursor.execute(statement)
            connection.check_constraints()
        except (DeserializationError, DatabaseError) as error:
            raise CommandError(f"The file is damaged: {error}") from error
        return sum(header["rows"].values()), sum(map(_replay, Match.objects.iterator(chunk_size=CHUNK)))


def _header(line: str) -> dict[str, Any]:
    try:
        header: Any = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise CommandError("This is no export of a Parlour site.")
    if header["version"] != VERSION or header["migrations"] != _migrations():
        raise CommandError(
            "The file is of another release. Install the same release on both sides, run "
            "`manage.py migrate` there, and export again."
        )
    return header


def _check_counts(expected: dict[str, int]) -> None:
    for model in _models():
        label, found = model._meta.label, model._base_manager.count()
        if found != expected.get(label, 0):
            raise CommandError(f"The file is damaged: {found} rows of {label}, not {expected.get(label, 0)}.")


def _replay(match: Match) -> int:
    """Replay a match; 1, or 0 if this site does not have its game. Raises `CommandError`."""
    if match.game not in GAMES:
        return 0
    try:
        replays.replay(match)
    except NotReproducible as error:
        raise CommandError(f"Match {match.pk} cannot be replayed: {error}.") from error
    return 1


def _models() -> list[type[models.Model]]:
    """The models with a table of their own, without those that Django makes for many-to-many fields."""
    every = chain.from_iterable(config.get_models() for config in apps.get_app_configs())
    return [model for model in every if model._meta.managed and not model._meta.proxy]


def _migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())

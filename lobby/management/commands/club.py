"""`manage.py club export harbour-club harbour.club`, `manage.py club import harbour.club --owner Anna`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.domain.refusals import Refused
from lobby.club_files import archives, export, files
from lobby.clubs import lookup
from lobby.people import naming


class Command(BaseCommand):
    """Move a club to another site (docs/reference/club-file.md)."""

    help = "Write a club to a file, or import it from one that another site has written."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the two acts and their arguments."""
        acts = parser.add_subparsers(dest="act", required=True)
        out = acts.add_parser("export")
        out.add_argument("slug", help="the last part of the address of the club")
        out.add_argument("file", type=Path)
        into = acts.add_parser("import")
        into.add_argument("file", type=Path)
        into.add_argument("--owner", required=True, help="the name of the account that owns the club then")
        into.add_argument("--name", default="", help="another name, if that of the club is taken")

    def handle(self, *args: Any, act: str, file: Path, **options: Any) -> None:
        """Export or import. Refusals name the part of the file that is wrong; nothing is stored then."""
        try:
            self.stdout.write(
                self._export(options["slug"], file)
                if act == "export"
                else self._import(file, options["owner"], options["name"])
            )
        except Refused as error:
            raise CommandError(f"{error.words} ({error.code})") from error
        except OSError as error:
            raise CommandError(str(error)) from error

    def _export(self, slug: str, file: Path) -> str:
        club = lookup.at(slug)
        file.write_bytes(files.written(export.file_of(club, timezone.now())))
        return f"{club.name}: {file.stat().st_size} bytes."

    def _import(self, file: Path, owner: str, name: str) -> str:
        person = naming.named(owner)
        if person is None:
            raise CommandError(f"There is no account {owner}.")
        with file.open("rb") as opened:
            # One byte above the limit shows that the file is too large.
            club = archives.bring_in(person, opened.read(files.MOST_BYTES + 1), name)
        return f"{club.name}: {club.get_absolute_url()}"

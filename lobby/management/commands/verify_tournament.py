"""`manage.py verify_tournament <id>`: replays the matches of a tournament and compares its standings."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lobby.tournaments import sheet, verification
from lobby.tournaments.models import Tournament


class Command(BaseCommand):
    """Replay a tournament and compare what is stored."""

    help = "Replay every match of a tournament from its plies, and compare results and standings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the ids of the tournaments."""
        parser.add_argument("tournament", nargs="+", help="the last part of its address")

    def handle(self, *args: Any, tournament: list[str], **options: Any) -> None:
        """Say what was compared. Fails if anything differs."""
        found = []
        for tournament_id in tournament:
            known = Tournament.objects.filter(pk=tournament_id).first()
            if known is None:
                raise CommandError(f"There is no tournament {tournament_id}.")
            found += [f"{tournament_id}: {breach}" for breach in verification.breaches(known)]
            matches, players = len(sheet.read(known).matches), len(sheet.read(known).players)
            self.stdout.write(f"{tournament_id}: {matches} matches of {players} players replayed.")
        if found:
            raise CommandError("\n".join(found))

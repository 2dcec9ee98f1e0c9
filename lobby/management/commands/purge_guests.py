"""`manage.py purge_guests --days 30`: part with guests who have not come back."""

import argparse
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from lobby.accounts import deletion, traces


def _days(text: str) -> int:
    days = int(text)
    if days < 1:
        raise argparse.ArgumentTypeError("guests who were here today are not idle: say 1 or more")
    return days


class Command(BaseCommand):
    """Delete expired traces and absent guests."""

    help = (
        "Delete expired traces, and guests who were not seen for some days; "
        "the matches they finished stay, without a name."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare `--days`."""
        parser.add_argument("--days", type=_days, default=30, help="how long they were away (30)")

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        """Delete, and print how many."""
        traces.purge()
        done = deletion.purge_guests(timezone.now() - timedelta(days=days))
        self.stdout.write(
            "{deleted} guests deleted, {forgotten} forgotten whose matches stay, {kept} kept.".format(**done)
        )

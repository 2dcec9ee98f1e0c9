"""`manage.py runbots`: a worker process for computer players, beside the servers; any number may run."""

import asyncio
from datetime import timedelta
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from config.address import Unusable, check_free
from config.observability import metrics, slow
from config.schema import schema
from config.shutdown import END_SECONDS, end_within, on_signals
from games.computers.pool import Pool, check_installed
from games.computers.worker import Computers
from games.net.hub import hub
from games.play.matches import matches
from games.store import bot_queue

PATIENCE = timedelta(seconds=15)
"""How long a move may wait before the worker reports a problem."""


class Command(BaseCommand):
    """Run a worker process for computer players."""

    help = "Let computer players think and play, until told to stop; the servers then need no BOT_PROCESSES."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare `--processes` and `--probe`."""
        parser.add_argument("--processes", type=int, default=1, help="moves to think about at once (1)")
        parser.add_argument(
            "--probe", action="store_true", help="only tell by the exit code whether moves wait in vain"
        )

    def handle(self, *args: Any, processes: int, probe: bool, **options: Any) -> None:
        """Work until told to stop; with `probe`, raise `CommandError` if matches wait for too long."""
        if probe:
            waiting = bot_queue.overdue(timezone.now(), PATIENCE)
            if waiting:
                raise CommandError(f"{waiting} matches wait for a computer player.")
            return
        if processes < 1:
            raise CommandError("Say 1 or more processes.")
        try:
            check_installed(processes)
            schema.check()
            metrics.begin(check_free)
        except (Unusable, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from None
        asyncio.run(self._attend(processes))

    async def _attend(self, processes: int) -> None:
        told_to_stop = asyncio.Event()
        on_signals(asyncio.get_running_loop(), lambda _number: told_to_stop.set())
        slow.begin()
        computers = Computers(matches, hub, Pool(processes))
        # This process sends no heartbeat: only a server shows that people can move.
        computers.begin()
        self.stdout.write(f"Computer players think here, {processes} at a time.")
        self.stdout.flush()
        await told_to_stop.wait()
        # Waiting for a lock may take longer than the process manager waits.
        end_within(END_SECONDS)
        await computers.close()
        await matches.close()

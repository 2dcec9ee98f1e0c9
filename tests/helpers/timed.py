"""Time that is moved by hand, and matches with a clock on a running server, made past its pages."""

from __future__ import annotations

import subprocess
import sys

from tests.helpers.servers import ParlourServer
from tests.helpers.services import ROOT


class Time:
    """The time in milliseconds, moved by hand; each process may have its own."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


PROGRAM = """
import django, sys
from datetime import timedelta
django.setup()
from django.db import transaction
from django.db.models import F
from games.play import matches
from games.models import Match
from games.registry import GAMES
from games.law.terms import Terms
from lobby.models import User
game, clock, age, *names = sys.argv[1:]
with transaction.atomic():
    users = [User.objects.get(username=name) for name in names]
    match = matches.create(game, GAMES[game].rules.Options(), users, terms=Terms(clock=clock))
    older = timedelta(seconds=float(age))
    Match.objects.filter(pk=match.pk).update(created=F("created") - older, deadline=F("deadline") - older)
print(match.pk)
"""


def timed_match(
    server: ParlourServer, clock: str, names: list[str], game: str = "kalah", age: float = 0
) -> str:
    """The id of a match that began `age` seconds ago on a server's database, by seat, the first to move."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, game, clock, str(age), *names],
        cwd=ROOT,
        env=dict(server.environment()),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()

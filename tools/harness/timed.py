"""A manual clock, and timed matches on a running server, created without its pages."""

from __future__ import annotations

from datetime import timedelta

from games.play.begin import create
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer


class Time:
    """A time in milliseconds that is moved manually; each process may have its own."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        """The time in milliseconds."""
        return self.now


def timed_match(
    server: ParlourServer, clock: str, names: list[str], game: str = "kalah", age: float = 0
) -> str:
    """The id of a match that began `age` seconds ago in a server's database, by seat, the first to move."""
    return str(subprocess_call.at(server, begin, game, clock, age, names))


def begin(game: str, clock: str, age: float, names: list[str]) -> str:
    """The part of `timed_match` that runs in a process of the site."""
    from django.db import transaction

    from games.domain.terms import Terms
    from games.registry import GAMES
    from lobby.people.models import User

    with transaction.atomic():
        users = [User.objects.get(username=name) for name in names]
        match = create(game, GAMES[game].rules.Options(), users, terms=Terms(clock=clock))
        antedate(match.pk, age)
    return str(match.pk)


def pass_time(server: ParlourServer, match_id: str, seconds: float) -> None:
    """Let a match without plies have begun that much earlier. The server notices at its next heartbeat."""
    subprocess_call.at(server, antedate, match_id, seconds)


def antedate(match_id: str, seconds: float) -> None:
    """The part of `pass_time` that runs in a process of the site."""
    from django.db.models import F

    from games.domain import instants
    from games.models import Match
    from games.store import heartbeat

    # Otherwise that time is downtime, unless the server has seen the match since it began.
    heartbeat.beat(instants.now())
    age = timedelta(seconds=seconds)
    Match.objects.filter(pk=match_id).update(created=F("created") - age, deadline=F("deadline") - age)

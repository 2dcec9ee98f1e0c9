"""Tournaments for tests: made, entered, and played to an end without sockets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from games.domain import codec
from games.models import Match
from games.registry import GAMES
from games.rules.base import Leave
from lobby.people.models import User
from lobby.tournaments import director, entries, organising, pairings, tournaments
from lobby.tournaments.api_fields import TournamentChanges
from lobby.tournaments.models import Pairing, Tournament
from lobby.tournaments.plans import Plan
from tests.helpers import finished

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
CANTSTOP = GAMES["cantstop"].rules.Options()
_numbers = count(1)


def command() -> str:
    """A new command id."""
    return f"command-{next(_numbers)}"


def people(names: str) -> list[User]:
    """New accounts with these names, one per word."""
    return [User.objects.create_user(name) for name in names.split()]


def plan(format: str = "swiss", **columns: Any) -> Plan:
    """The plan of a tournament of Kalah."""
    usual: dict[str, Any] = {"title": "Friday cup", "game": "kalah", "options": CIRCLE, "clock": "5+3"}
    rounds = {"rounds": 3} if format in ("swiss", "tables") else {}
    minutes = {"minutes": 60} if format in ("arena", "team_battle") else {}
    return Plan(format=format, **{**usual, **rounds, **minutes, **columns})


def changes(**columns: Any) -> TournamentChanges:
    """Changes of some columns of a plan."""
    return TournamentChanges(id=command(), **columns)


def entered(organiser: User, players: Iterable[User], format: str = "swiss", **columns: Any) -> Tournament:
    """A tournament that these players have entered."""
    tournament = organising.create(organiser, plan(format, **columns), command())
    for player in players:
        entries.enter(player, tournament.pk, tournament.code, command())
    return tournament


def begun(organiser: User, players: Iterable[User], format: str = "swiss", **columns: Any) -> Tournament:
    """A tournament that has begun, with its first round in play."""
    tournament = entered(organiser, players, format, **columns)
    organising.start(organiser, tournament.pk, command())
    return look(tournament, players)


def look(
    tournament: Tournament, online: Iterable[User] | None = None, later: timedelta = timedelta()
) -> Tournament:
    """A director looks at a tournament, `later` than now; without `online` it is not sure who is away."""
    there = {user.pk for user in online or ()}
    director.step(tournament.pk, timezone.now() + later, there, sure=online is not None)
    return Tournament.objects.get(pk=tournament.pk)


def matches_of(tournament: Tournament, round: int | None = None) -> list[Match]:
    """The matches of a round, of the last one by default, by table."""
    rows = Pairing.objects.filter(tournament=tournament, match__isnull=False).select_related("match")
    last = tournaments.last_round(tournament) if round is None else round
    return [row.match for row in rows.filter(round=last).order_by("table", "replay") if row.match]


def seated(tournament: Tournament, round: int) -> list[list[str]]:
    """The names of the players of a round, by table and seat."""
    rows = Pairing.objects.filter(tournament=tournament, round=round).order_by("table", "replay")
    seats = rows.prefetch_related("seats__entrant__user")
    return [[each.entrant.user.username for each in row.seats.all()] for row in seats]


def win(match: Match, seat: int = 0, at: datetime | None = None) -> Match:
    """Both move, and the other one resigns."""
    rules = GAMES[match.game].rules
    state = codec.decode_state(rules, match.start)
    while {ply.seat for ply in match.plies.all()} != {0, 1}:
        move = rules.legal_moves(state)[0]
        finished.play(match, str(move), at=at)
        state = rules.play(state, move).state
    return finished.play(match, Leave(1 - seat), at=at)


def play_round(tournament: Tournament, seats: Sequence[int] = ()) -> None:
    """Play all open matches of a tournament; seat 0 wins, or the seat that `seats` says by table."""
    for number, pairing in enumerate(pairings.undecided(tournament)):
        if pairing.match is not None:
            win(pairing.match, seats[number] if number < len(seats) else 0)

"""Ladders for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from games.domain import codec
from games.registry import GAMES
from games.rules.base import Leave
from lobby.clubs.models import Club
from lobby.ladders import challenges, ladders
from lobby.ladders.ladders import Plan
from lobby.ladders.models import ClubLadder, LadderChallenge
from lobby.people.models import User
from tests.helpers import finished
from tests.helpers.clubs import club_of
from tests.helpers.tournaments import CIRCLE, command, people


def plan(**columns: Any) -> Plan:
    """The plan of a ladder of Kalah with a live clock."""
    return Plan(**{"game": "kalah", "options": CIRCLE, "clock": "5+3", **columns})


def ladder_of(club: Club, leader: User, people: Sequence[User], **columns: Any) -> ClubLadder:
    """A ladder of a club with these people, the first on top."""
    ladder = ladders.set_up(leader, club.pk, plan(**columns), command())
    for person in people:
        ladders.join(person, ladder.pk, command())
    return ladder


class TwoLadders:
    """Two clubs of Lea with a ladder of the same six people and two open challenges; Hal is on neither.

    Ivy's challenge to Max is not answered, Jon's to Lea is accepted.
    """

    def __init__(self) -> None:
        on = people("Fay Gus Lea Max Ivy Jon")
        self.fay, self.gus, self.lea, self.max, self.ivy, self.jon = on
        (self.hal,) = people("Hal")
        self.clubs = [
            club_of(self.lea, *(each for each in on if each != self.lea), self.hal, name=name)
            for name in ("Pier club", "Park club")
        ]
        self.ladders = [ladder_of(club, self.lea, on) for club in self.clubs]
        for ladder in self.ladders:
            ladders.challenge(self.ivy, ladder.pk, "Max", command())
            accepted(ladder, self.jon, self.lea)


def order(ladder: ClubLadder) -> str:
    """The names by place."""
    rungs = list(ladder.rungs.select_related("user"))
    assert [each.place for each in rungs] == list(range(1, len(rungs) + 1))
    return " ".join(each.user.get_username() for each in rungs)


def last(ladder: ClubLadder) -> LadderChallenge:
    """The newest challenge."""
    return LadderChallenge.objects.filter(ladder=ladder).latest("pk")


def accepted(ladder: ClubLadder, challenger: User, defender: User) -> LadderChallenge:
    """A challenge that was accepted."""
    ladders.challenge(challenger, ladder.pk, defender.username, command())
    ladders.answer(defender, ladder.pk, True, command())
    return last(ladder)


def played(ladder: ClubLadder, challenger: User, defender: User, winner: User) -> LadderChallenge:
    """A challenge whose match was played, and noted by the keeper."""
    made = accepted(ladder, challenger, defender)
    if made.table is None:
        ladders.play(challenger, ladder.pk, command())
        ladders.play(defender, ladder.pk, command())
        made.refresh_from_db()
    match = made.match
    assert match is not None
    rules = GAMES[match.game].rules
    state = codec.decode_state(rules, match.start)
    while {ply.seat for ply in match.plies.all()} != {0, 1}:
        move = rules.legal_moves(state)[0]
        finished.play(match, str(move))
        state = rules.play(state, move).state
    loser = match.seatings.exclude(user=winner).get()
    finished.play(match, Leave(loser.seat))
    keep()
    return last(ladder)


def keep(now: datetime | None = None) -> None:
    """What the keeper does at a time, now by default."""
    at = now or timezone.now()
    for pk in challenges.pending(at).values_list("pk", flat=True):
        ladders.settle(pk, at)
    for pk in ladders.idle(at):
        ladders.fall(pk, at)


# In a process on a store of its own


def raced() -> list[str]:
    """Several settle a challenge, let somebody fall, and join at the same time; the order after each."""
    (ada, *rest) = people("Ada Bo Cleo Dan")
    ladder = ladder_of(club_of(ada, *rest), ada, [ada, *rest[:2]])
    ladders.challenge(rest[1], ladder.pk, "Ada", command())
    late, made = timezone.now() + timedelta(days=4), last(ladder).pk
    orders = []
    for work in (
        lambda: ladders.settle(made, late),
        lambda: ladders.fall(ladder.rungs.get(user=ada).pk, timezone.now() + timedelta(days=40)),
        lambda: ladders.join(rest[2], ladder.pk, command()),
    ):
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(_closing(work), range(8)))
        orders.append(order(ladder))
    return orders


def _closing(work: Callable[[], object]) -> Callable[[int], None]:
    def run(_number: int) -> None:
        try:
            work()
        finally:
            connection.close()

    return run

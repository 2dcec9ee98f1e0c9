"""Whatever the service lets happen to a match, its score can be had and read again."""

import pytest
from channels.db import database_sync_to_async

from games.domain import codec, instants, match_actions
from games.domain.clock import FIRST_MOVE
from games.domain.messages import (
    AbortCommand,
    ClaimCommand,
    MoveCommand,
    OfferCommand,
    ReclaimCommand,
    ResignCommand,
)
from games.domain.terms import Terms
from games.finished import archive
from games.finished.export import match_file
from games.finished.importing import read
from games.finished.scoresheet import score
from games.models import Ply
from games.net.hub import Hub
from games.play.begin import create
from games.play.matches import Matches
from games.registry import GAMES
from games.rules.base import ENDED
from lobby.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)

COMMANDS = {
    "move": MoveCommand,
    "offer": OfferCommand,
    "claim": ClaimCommand,
    "abort": AbortCommand,
    "reclaim": ReclaimCommand,
    "resign": ResignCommand,
}
SINCE_LONG_AGO = 0


class Ahead:
    """The real time, or so many milliseconds later."""

    by = 0

    def __call__(self):
        return instants.now() + self.by


class Table:
    """A match at a process of its own."""

    def __init__(self, service, match_id, players):
        self.service, self.id, self.players = service, match_id, players
        self.commands = 0

    async def do(self, seat, what, away=None, **fields):
        self.commands += 1
        live = await self.service.get(self.id)
        command = COMMANDS[what](type=what, id=f"command-{self.commands}", after=live.ply, **fields)
        gone = {} if away is None else {away: SINCE_LONG_AGO}
        await self.service.play(self.id, self.players[seat].pk, command, away=gone)

    async def all_agree(self, kind, *seats):
        for seat in seats:
            await self.do(seat, "offer", kind=kind)

    async def move(self, times=1):
        for _ in range(times):
            live = await self.service.get(self.id)
            await self.do(live.state.turn, "move", move=live.legal()[0])

    async def turn(self):
        return (await self.service.get(self.id)).state.turn


@pytest.fixture
async def table():
    """`await table(game, seats, **terms)`: a new match, in which no bot plays by itself."""
    service = Matches(Hub(), Ahead())

    @database_sync_to_async
    def begin(game, seats=2, **terms):
        players = [User.objects.create_user(f"Player-{seat}") for seat in range(seats)]
        rules = GAMES[game].rules
        match = create(game, rules.Options(), players, terms=Terms(**terms))
        return Table(service, match.pk, players)

    yield begin
    await service.close()


@database_sync_to_async
def kinds_in_the_score(match_id):
    """The acts and departures of a match whose score was read again and told in words."""
    record = archive.record(match_id)
    found = read(codec.encode(match_file(record)))
    assert [ply.text for ply in found.plies] == [entry.text for entry in record.plies]
    stored = Ply.objects.filter(match=match_id).order_by("-number").first()
    assert found.plies[-1].state == codec.decode_state(record.game.rules, stored.state)
    assert score(record).count("\n") > len(found.names)
    return [ply.text.split(":")[0] for ply in found.plies if ":" in ply.text]


async def test_a_match_with_take_backs_and_halts_that_was_drawn(table):
    match = await table("kalah", clock="5+3")
    await match.move(4)
    await match.all_agree("take-back", 0, 1)
    await match.move(2)
    await match.all_agree("take-back", 1, 0)
    await match.all_agree("pause", 1, 0)
    await match.do(0, "offer", kind="resume")
    await match.all_agree("save", 1, 0)
    await match.all_agree("resume", 0, 1)
    await match.move(2)
    await match.all_agree("draw", 1, 0)
    assert await kinds_in_the_score(match.id) == [
        match_actions.TAKEN_BACK,
        match_actions.TAKEN_BACK,
        match_actions.PAUSED,
        match_actions.RESUMED,
        match_actions.SAVED,
        match_actions.RESUMED,
        match_actions.AGREED,
    ]


async def test_a_match_that_was_aborted_while_it_stood_still(table):
    match = await table("morris")
    await match.move()
    await match.do(await match.turn(), "offer", kind="save")
    await match.do(0, "abort")
    assert await kinds_in_the_score(match.id) == [match_actions.SAVED, match_actions.ABORTED]


@pytest.mark.parametrize(("kind", "text"), [("win", "left"), ("draw", match_actions.ABANDONED)])
async def test_a_match_that_was_claimed(table, kind, text):
    match = await table("aces")
    await match.move(3)
    absent = await match.turn()
    await match.do(1 - absent, "claim", away=absent, kind=kind)
    assert await kinds_in_the_score(match.id) == [text]


async def test_a_match_of_many_with_a_caretaker_that_its_players_ended(table):
    match = await table("cantstop", 3)
    await match.move(5)
    absent, others = await match.turn(), [0, 1, 2]
    others.remove(absent)
    await match.do(others[0], "claim", away=absent, kind="caretaker")
    await match.do(absent, "reclaim")
    await match.do(others[0], "claim", away=absent, kind="caretaker")
    await match.do(others[1], "resign")
    await match.do(others[0], "offer", kind="end")
    assert await kinds_in_the_score(match.id) == [
        match_actions.CARETAKER,
        match_actions.RECLAIMED,
        match_actions.CARETAKER,
        "left",
        ENDED,
    ]


async def test_a_match_whose_clock_ran_out_before_anybody_came(table):
    match = await table("cantstop", clock="5+3")
    heartbeat = match.service._heartbeat
    # The site is alive all the time.
    while heartbeat._now.by <= FIRST_MOVE:
        heartbeat._now.by += 1_000
        await heartbeat.once()
    assert await kinds_in_the_score(match.id) == [match_actions.ABORTED]

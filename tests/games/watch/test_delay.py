"""Watching with a delay: whoever watches knows what was, and never anything newer.

Time is the test's own: it stands still until the test lets some of it pass.
"""

import asyncio
import random
from datetime import UTC, datetime, timedelta

import orjson
import pytest
import time_machine
from channels.db import database_sync_to_async
from django.db import connection

from games.domain.messages import MoveCommand, ResignCommand
from games.domain.terms import Terms
from games.models import Ply
from games.net.hub import Hub
from games.net.tasks import tasks
from games.play import signals
from games.play.begin import create
from games.play.matches import Matches
from games.registry import GAMES
from games.store import history
from games.watch import delay
from games.watch.delay import Delays
from lobby.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)

DELAY = 30


class World:
    """The clock and the timers of everything under test."""

    def __init__(self, traveller):
        self._traveller = traveller
        self._timers = []

    def later(self, seconds, what):
        self._timers.append((datetime.now(UTC) + timedelta(seconds=seconds), what))

    async def settle(self):
        """Until everything that was set going has ended."""
        while running := list(tasks.running):
            await asyncio.gather(*running)

    async def advance(self, seconds):
        """Let time pass, and every timer ring at its moment."""
        end = datetime.now(UTC) + timedelta(seconds=seconds)
        await self.settle()
        while due := sorted((t for t in self._timers if t[0] <= end), key=lambda t: t[0]):
            self._timers.remove(due[0])
            self._traveller.move_to(max(due[0][0], datetime.now(UTC)))
            due[0][1]()
            await self.settle()
        self._traveller.move_to(end)


class Watcher:
    """Somebody without a seat: what they were told of a match that is delayed."""

    seat = None

    def __init__(self):
        self.heard = []
        self.plies = {}

    def write(self, frame):
        message = orjson.loads(frame.payload)
        self.heard.append(message)
        if message["type"] == "plies":
            self.plies |= {ply["number"]: ply for ply in message["plies"]}

    async def close(self, code): ...

    def of(self, kind):
        return [message for message in self.heard if message["type"] == kind]

    async def enter(self, hub, delays, match_id):
        """Open as a socket does; the match as the snapshot would tell it."""
        hub.join(delay.topic(match_id), self)
        live = await delays.get(match_id)
        self.first = live.ply
        return live

    def knows(self):
        return max(self.plies, default=self.first)


@pytest.fixture
def players():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture(autouse=True)
def no_lobby(monkeypatch):
    """What the lobby makes of a beginning or an end waits for the delay in real time."""
    for announcement in (signals.matches_begun, signals.match_over):
        monkeypatch.setattr(announcement, "listeners", ())


@pytest.fixture
async def hub():
    return Hub()


@pytest.fixture
async def service(hub):
    service = Matches(hub)
    yield service
    await service.close()


@pytest.fixture
async def world():
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as traveller:
        yield World(traveller)


@pytest.fixture
async def delays(hub, service, world):
    return Delays(hub, service, later=world.later)


@database_sync_to_async
def begin(players, slug="kalah"):
    return create(slug, GAMES[slug].rules.Options(), players, terms=Terms(delay=DELAY)).pk


@database_sync_to_async
def old_enough(match_id):
    """The numbers of the plies that watchers may know now, from the store."""
    until = datetime.now(UTC) - timedelta(seconds=DELAY)
    return list(Ply.objects.filter(match=match_id, at__lte=until).values_list("number", flat=True))


async def play(service, players, match_id, choose=min):
    """One legal move of whoever is on turn; False once the match is over."""
    live = await service.get(match_id)
    if live.outcome is not None:
        return False
    command = MoveCommand(type="move", id=f"command-{live.ply}", after=live.ply, move=choose(live.legal()))
    await service.play(match_id, players[live.state.turn].pk, command)
    return True


async def resign(service, players, match_id):
    live = await service.get(match_id)
    command = ResignCommand(type="resign", id=f"resign-{live.ply}", after=live.ply)
    await service.play(match_id, players[0].pk, command)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", range(4))
async def test_watcher_knows_plies_older_than_delay(hub, service, delays, world, players, slug, seed):
    choose = random.Random(seed)
    match_id, watchers = await begin(players, slug), []
    for _ in range(60):
        step = choose.random()
        if step < 0.5:
            await play(service, players, match_id, choose.choice)
        elif step < 0.9:
            await world.advance(choose.choice([0, 0.4, 3, 11, 29.9, 30, 31, 70]))
        else:
            watchers.append(Watcher())
            await watchers[-1].enter(hub, delays, match_id)
        # Timers ring a moment late: what became old enough just now is told within that moment.
        await world.advance(2 * delay.LATE_ENOUGH)
        known = await old_enough(match_id)
        for watcher in watchers:
            assert watcher.knows() == len(known)
            assert sorted(watcher.plies) == list(range(watcher.first + 1, len(known) + 1))
            assert (await delays.get(match_id)).ply == len(known)


@pytest.mark.parametrize("seed", range(5))
async def test_watcher_never_told_before_delay_over(hub, service, delays, world, players, seed):
    choose = random.Random(seed)
    match_id, watcher = await begin(players), Watcher()
    await watcher.enter(hub, delays, match_id)
    for _ in range(20):
        await play(service, players, match_id, choose.choice)
        await world.advance(choose.random() * 9)
        assert watcher.knows() <= len(await old_enough(match_id))


async def test_the_position_is_the_one_after_the_last_ply_known(hub, service, delays, world, players):
    match_id, watcher = await begin(players), Watcher()
    await play(service, players, match_id)
    await world.advance(20)
    await play(service, players, match_id)
    await world.advance(15)
    live = await watcher.enter(hub, delays, match_id)
    stored = await database_sync_to_async(history.plies_since)(match_id, 0)
    assert live.ply == 1
    assert live.state_json == stored[0].state


async def test_the_end_is_known_when_its_ply_is(hub, service, delays, world, players):
    match_id, watcher = await begin(players), Watcher()
    await resign(service, players, match_id)
    live = await watcher.enter(hub, delays, match_id)
    assert (live.ply, live.outcome, live.outcome_fields()) == (0, None, None)
    await world.advance(DELAY + 1)
    assert (await delays.get(match_id)).outcome is not None
    assert watcher.of("plies")[-1]["outcome"]["reason"] == "resigned"


async def test_a_rematch_is_told_no_sooner_than_the_end(hub, service, delays, world, players):
    match_id, watcher = await begin(players), Watcher()
    await watcher.enter(hub, delays, match_id)
    await resign(service, players, match_id)
    await world.advance(20)
    for user in players:
        await service.rematch(match_id, user.pk)
    await world.settle()
    late = Watcher()
    live = await late.enter(hub, delays, match_id)
    assert (live.offered, live.rematch) == ((), None)
    assert watcher.of("rematch") == late.of("rematch") == []
    await world.advance(11)
    kinds = [message["type"] for message in watcher.heard if message["type"] in ("plies", "rematch")]
    assert kinds == ["plies", "rematch", "rematch"]
    assert (await delays.get(match_id)).rematch == watcher.of("rematch")[-1]["match"] is not None


async def test_watcher_told_everything_at_end(hub, service, delays, world, players):
    match_id, watcher = await begin(players), Watcher()
    await resign(service, players, match_id)
    await world.advance(DELAY + 1)
    await watcher.enter(hub, delays, match_id)
    await service.rematch(match_id, players[0].pk)
    assert watcher.of("rematch") == [{"type": "rematch", "offered": [0], "match": None}]


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.dice])
async def test_words_come_with_the_first_ply_and_the_secret_with_the_last(
    hub, service, delays, world, players, slug
):
    match_id, watcher = await begin(players, slug), Watcher()
    await service.add_words(match_id, players[0].pk, "a horse")
    live = await watcher.enter(hub, delays, match_id)
    assert live.dice()["words"] == ["", ""]
    await service.add_words(match_id, players[1].pk, "a kingdom")
    await play(service, players, match_id)
    await world.advance(DELAY - 1)
    assert watcher.heard == []
    await resign(service, players, match_id)
    await world.advance(2)
    assert [message["type"] for message in watcher.heard] == ["words", "plies"]
    assert watcher.heard[0]["words"] == ["a horse", "a kingdom"]
    assert (await delays.get(match_id)).dice()["secret"] is None
    await world.advance(DELAY)
    secret = (await delays.get(match_id)).dice()["secret"]
    assert watcher.of("plies")[-1]["secret"] == secret is not None


async def test_watcher_joining_late_hears_delayed_plies(hub, service, delays, world, players):
    match_id, watcher = await begin(players), Watcher()
    await play(service, players, match_id)
    await watcher.enter(hub, delays, match_id)
    await world.advance(DELAY + 1)
    assert sorted(watcher.plies) == [1]


async def test_delay_same_after_restart(hub, service, world, players):
    match_id = await begin(players)
    before = Delays(hub, service, later=world.later)
    await Watcher().enter(hub, before, match_id)
    await play(service, players, match_id)
    await world.advance(10)
    # Another process, which finds the match in the store.
    watcher, again = Watcher(), Hub()
    restarted = Matches(again)
    world._hub = again
    await watcher.enter(again, Delays(again, restarted, later=world.later), match_id)
    await world.advance(19.9)
    assert watcher.plies == {}
    await world.advance(0.2)
    assert sorted(watcher.plies) == [1]
    await restarted.close()


async def test_a_match_that_nobody_watches_any_more_is_let_go(hub, service, delays, world, players):
    match_id, watcher = await begin(players), Watcher()
    await watcher.enter(hub, delays, match_id)
    hub.leave(delay.topic(match_id), watcher)
    delays.forget(match_id)
    assert not hub.topics("match")
    assert not hub.topics("delayed")
    assert service._memory._live == {}


def test_a_ply_that_is_stored_while_the_past_is_read_is_not_in_it(players):
    """Another process writes between two questions to the store."""
    match = create("kalah", GAMES["kalah"].rules.Options(), players, terms=Terms(delay=DELAY))
    now = datetime.now(UTC)
    unwritten = [Ply(match=match, number=1, seat=0, action="1", events="[]", state=match.start, at=now)]

    def write_meanwhile(execute, sql, params, many, context):
        answer = execute(sql, params, many, context)
        if "games_ply" in sql and unwritten:
            unwritten.pop().save(force_insert=True)
        return answer

    with connection.execute_wrapper(write_meanwhile):
        past = history.load(match.pk, now - timedelta(seconds=DELAY))
    assert Ply.objects.filter(match=match).exists()
    assert past.last is None

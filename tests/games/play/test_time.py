"""The service and its clocks, with time that passes when a test says so: a flag falls once or not at all."""

import asyncio

import orjson
import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async

from games.domain import clock, codec, instants
from games.domain.clock import DAY, FIRST_MOVE, BadClock, Clocks
from games.domain.messages import MoveCommand, OfferCommand, ResignCommand
from games.domain.refusals import GameOver, OutOfTime, Stale
from games.domain.terms import Terms
from games.models import Heartbeat, Match, Ply, Seating
from games.net.hub import Hub
from games.net.tasks import tasks
from games.net.threads import in_thread
from games.play import matches
from games.play.begin import create
from games.play.matches import Matches
from games.registry import GAMES
from games.store import history
from lobby.people.models import User
from tools.harness.patience import patience
from tools.harness.timed import Time

pytestmark = pytest.mark.django_db(transaction=True)

BLITZ = "1+2"


class Viewer:
    """A socket that keeps what it is sent."""

    seat = None

    def __init__(self):
        self.heard = []
        self.more = asyncio.Event()

    def write(self, frame):
        self.heard.append(orjson.loads(frame.payload))
        self.more.set()

    async def until(self, count):
        """The last message, once there are so many."""
        async with asyncio.timeout(patience(20)):
            while len(self.heard) < count:
                self.more.clear()
                await self.more.wait()
        return self.heard[-1]


@pytest.fixture
def players():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom", "Third")]


@pytest.fixture
def begin(players):
    """`begin(clock)`: a match of two at Kalah; `seats=3` is one of Aces."""

    def begin(notation, seats=2):
        game = GAMES["kalah" if seats == 2 else "aces"]
        options = game.rules.PRESETS.get("circle", game.rules.Options())
        return create(game.slug, options, players[:seats], terms=Terms(clock=notation))

    return begin


@pytest.fixture
def match(begin):
    return begin(BLITZ)


@pytest.fixture
def wall(match):
    """The time at which the match began."""
    return Time(instants.milliseconds(match.created))


@pytest.fixture
async def hub():
    return Hub()


@pytest.fixture
async def service(hub, wall):
    service = Matches(hub, wall)
    yield service
    await service.close()


@pytest.fixture
async def second(wall):
    """Another process, as far as the store can tell, with a time of its own."""
    service = Matches(Hub(), Time(wall.now))
    yield service
    await service.close()


def move(after, text="1"):
    return MoveCommand(type="move", id=f"command-{after}-{text}", after=after, move=text)


async def passes(service, milliseconds):
    """Time passes, and the process lives through it: its heart beats every second."""
    wall = service._heartbeat._now
    end = wall.now + milliseconds
    while wall.now < end:
        wall.now = min(end, wall.now + 1000)
        await service._heartbeat.once()


async def play(service, match, players, *texts, seconds=1):
    """Whoever is on turn plays each move, some seconds after the one before."""
    for text in texts:
        await passes(service, seconds * 1000)
        live = await service.get(match.pk)
        await service.play(match.pk, players[live.state.turn].pk, move(live.ply, text))


async def offer_and_agree(service, match, players, kind):
    for player in players[:2]:
        live = await service.get(match.pk)
        offer = OfferCommand(type="offer", id=f"command-{kind}-{player.pk}", after=live.ply, kind=kind)
        await service.play(match.pk, player.pk, offer)


@database_sync_to_async
def actions(match):
    return list(Ply.objects.filter(match=match).order_by("number").values_list("action", flat=True))


@database_sync_to_async
def fresh(match):
    return Match.objects.get(pk=match.pk)


def due(stored):
    return None if stored.deadline is None else instants.milliseconds(stored.deadline)


# What is stored and told


async def test_a_ply_has_the_clocks_after_it_and_the_match_its_deadline(service, match, players, wall):
    await play(service, match, players, "1", "1", "2")
    rows = await in_thread(history.plies_since)(match.pk, 0)
    clocks = [codec.decode(Clocks, row.clocks) for row in rows]
    assert [each.left for each in clocks] == [(60_000, 60_000), (60_000, 60_000), (61_000, 60_000)]
    assert [each.running for each in clocks] == [1, 0, 1]
    assert due(await fresh(match)) == clock.deadline(clock.parse(BLITZ), clocks[-1])
    assert clocks[-1].at == wall.now


async def test_plies_announced_with_clocks_and_time(service, hub, match, players, wall):
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    await play(service, match, players, "1")
    (message,) = viewer.heard
    assert message["time"] == wall.now
    assert message["plies"][0]["clocks"]["running"] == 1


async def test_a_match_without_a_clock_has_none_of_it(service, hub, begin, players):
    untimed = await sync_to_async(begin)("")
    viewer = Viewer()
    hub.join(matches.topic(untimed.pk), viewer)
    await play(service, untimed, players, "1")
    (message,) = viewer.heard
    assert "time" not in message
    assert "clocks" not in message["plies"][0]
    assert (await in_thread(history.plies_since)(untimed.pk, 0))[0].clocks is None
    assert (await fresh(untimed)).deadline is None


async def test_no_match_has_a_clock_that_does_not_exist(begin):
    with pytest.raises(BadClock):
        await sync_to_async(begin)("5 minutes")
    assert not await Match.objects.filter(clock="5 minutes").aexists()
    assert await Seating.objects.acount() == 0


async def test_a_rematch_has_the_same_clock(service, match, players):
    await service.play(match.pk, players[1].pk, ResignCommand(type="resign", id="resign-0", after=0))
    await service.rematch(match.pk, players[0].pk)
    begun = await Match.objects.aget(pk=await service.rematch(match.pk, players[1].pk))
    assert begun.clock == BLITZ
    assert due(begun) - instants.milliseconds(begun.created) == FIRST_MOVE


async def test_the_end_stops_the_clocks(service, second, match, players):
    await play(service, match, players, "1", "1")
    live = await service.get(match.pk)
    await service.play(match.pk, players[1].pk, ResignCommand(type="resign", id="resign-2", after=2))
    assert live.clocks.running is None
    assert (await fresh(match)).deadline is None
    assert (await second.get(match.pk)).clocks == live.clocks


async def test_measured_lag_is_credited(service, match, players):
    await play(service, match, players, "1", "1")
    await passes(service, 1_000)
    await service.play(match.pk, players[0].pk, move(2, "2"), lag=150)
    assert (await service.get(match.pk)).clocks.left[0] == 60_000 - 1_000 + 150 + 2_000


# Flags


async def test_a_flag_falls_with_nobody_looking(service, match, players):
    await play(service, match, players, "1", "1")
    service.forget(match.pk)
    await passes(service, 62_000)
    assert await actions(match) == ["1", "1", "left:0:time"]
    stored = await fresh(match)
    assert orjson.loads(stored.outcome)["winners"] == [1]
    assert orjson.loads(stored.outcome)["reason"] == "time"
    assert (stored.status, stored.deadline) == (Match.Status.FINISHED, None)
    # An alarm may have rung beside the heart that beat, and hold the match until it has looked at it.
    while running := list(tasks.running):
        await asyncio.wait(running)
    assert match.pk not in service._memory._live


async def test_a_flag_that_several_processes_let_fall_falls_once(service, second, match, players):
    await play(service, match, players, "1", "1")
    await second.get(match.pk)
    for process in (service, second):
        process._heartbeat._last = process._heartbeat._now.now = service._heartbeat._now.now + 61_000
    await asyncio.gather(*(process.flag(match.pk) for process in (service, second) for _ in range(10)))
    assert await actions(match) == ["1", "1", "left:0:time"]
    assert (await service.get(match.pk)).outcome == (await second.get(match.pk)).outcome


async def test_a_late_move_is_refused_and_lets_the_flag_fall(service, match, players):
    await play(service, match, players, "1", "1")
    service._heartbeat._last = service._heartbeat._now.now = service._heartbeat._now.now + 60_600
    with pytest.raises(OutOfTime):
        await service.play(match.pk, players[0].pk, move(2, "2"))
    assert await actions(match) == ["1", "1", "left:0:time"]


async def test_a_move_that_only_credit_could_have_saved_is_late_without_it(service, match, players):
    """Between the end of the time and the deadline."""
    await play(service, match, players, "1", "1")
    service._heartbeat._last = service._heartbeat._now.now = service._heartbeat._now.now + 60_100
    with pytest.raises(OutOfTime):
        await service.play(match.pk, players[0].pk, move(2, "2"), lag=50)
    assert await actions(match) == ["1", "1", "left:0:time"]


async def test_a_move_that_was_accepted_in_time_is_answered_alike_after_the_flag(service, match, players):
    await play(service, match, players, "1", "1", "2")
    await passes(service, 62_000)
    assert await service.play(match.pk, players[0].pk, move(2, "2")) == 3
    with pytest.raises(GameOver):
        await service.play(match.pk, players[1].pk, move(4, "2"))


async def test_resign_after_opponents_flag_wins(service, match, players):
    await play(service, match, players, "1", "1")
    service._heartbeat._last = service._heartbeat._now.now = service._heartbeat._now.now + 61_000
    # The flag has moved the match on.
    with pytest.raises(Stale):
        await service.play(match.pk, players[1].pk, ResignCommand(type="resign", id="resign-2", after=2))
    assert (await service.get(match.pk)).outcome.winners == (1,)


@pytest.mark.parametrize("turn_about", range(12))
async def test_move_and_flag_in_two_processes_store_one(service, second, match, players, turn_about):
    """One process knows that the move came in time, the other, a moment ahead, that the flag is due."""
    await play(service, match, players, "1", "1")
    await second.get(match.pk)
    service._heartbeat._last = service._heartbeat._now.now = service._heartbeat._now.now + 59_900
    second._heartbeat._last = second._heartbeat._now.now = service._heartbeat._now.now + 700
    racing = [service.play(match.pk, players[0].pk, move(2, "2")), second.flag(match.pk)]
    if turn_about % 2:
        racing.reverse()
    results = await asyncio.gather(*racing, return_exceptions=True)
    stored = await actions(match)
    assert len(stored) == 3
    if stored[2] == "2":
        assert sorted(map(str, results)) == ["3", "None"]
    else:
        assert stored[2] == "left:0:time"
        assert {type(result) for result in results} <= {type(None), Stale, OutOfTime}
        assert (await service.get(match.pk)).outcome.winners == (1,)


async def test_a_table_of_three_plays_on_without_the_one_whose_time_is_up(service, begin, players, wall):
    match = await sync_to_async(begin)(BLITZ, seats=3)
    wall.now = instants.milliseconds(match.created)
    # Everybody plays once; who is next after a throw is for the dice to say.
    while (await service.get(match.pk)).clocks.fresh:
        live = await service.get(match.pk)
        await service.play(match.pk, players[live.state.turn].pk, move(live.ply, live.legal()[0]))
    gone = (await service.get(match.pk)).state.turn
    await passes(service, 70_000)
    live = await service.get(match.pk)
    assert (await actions(match))[-1] == f"left:{gone}:time"
    assert live.outcome is None
    assert live.clocks.left[gone] == 0
    assert live.clocks.running == live.state.turn != gone
    assert due(await fresh(match)) > service._heartbeat._now.now


@pytest.mark.parametrize("early", [False, True])
async def test_an_alarm_in_the_process_lets_a_flag_fall_at_once(begin, players, early):
    """With the real time, and a heart that beats but finds nothing; a busy process may ring early."""
    match = await sync_to_async(begin)("0.05+0")
    service = Matches(Hub())
    service._heartbeat._fall = lambda _: asyncio.sleep(0)
    service.begin()
    viewer = Viewer()
    service._hub.join(matches.topic(match.pk), viewer)  # type: ignore[arg-type]
    for after in (0, 1):
        await service.play(match.pk, players[after].pk, move(after))
    if early:
        service.in_memory(match.pk).silence()
        service._memory._ring(match.pk)
    end = await viewer.until(3)
    assert end["plies"][0]["action"] == "left:0:time"
    assert end["outcome"]["winners"] == [1]
    await service.close()


# The first move


@pytest.mark.parametrize("played", [0, 1])
async def test_a_match_is_aborted_when_a_seat_does_not_begin(service, second, match, players, played):
    await play(service, match, players, *["1"] * played)
    await passes(service, FIRST_MOVE)
    assert (await actions(match))[-1] == f"aborted:{played}"
    stored, live = await fresh(match), await service.get(match.pk)
    assert orjson.loads(stored.outcome) == {"winners": [], "reason": "aborted", "scores": []}
    assert (stored.status, stored.deadline) == (Match.Status.FINISHED, None)
    again = await second.get(match.pk)
    assert (again.outcome, again.state, again.clocks) == (live.outcome, live.state, live.clocks)
    with pytest.raises(GameOver):
        await service.play(match.pk, players[played].pk, move(played + 1))


async def test_a_first_move_just_in_time_is_free(service, match, players):
    await passes(service, FIRST_MOVE - 1)
    assert await service.play(match.pk, players[0].pk, move(0)) == 1
    assert (await service.get(match.pk)).clocks.left == (60_000, 60_000)


async def test_a_process_that_hears_of_an_abort_follows(service, second, hub, match, players):
    await play(service, match, players, "1")
    there = await second.get(match.pk)
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    await passes(service, FIRST_MOVE)
    second._memory._hear(matches.topic(match.pk), orjson.dumps(viewer.heard[-1]))
    here = await service.get(match.pk)
    assert there.outcome is not None
    for field in ("ply", "state", "outcome", "clocks", "behind"):
        assert getattr(there, field) == getattr(here, field)


async def test_a_slow_match_has_no_limit_for_the_first_move_but_its_days(service, begin, players):
    slow = await sync_to_async(begin)("1d")
    service._heartbeat._now.now += DAY - 1
    assert await service.play(slow.pk, players[0].pk, move(0)) == 1
    service._heartbeat._now.now += DAY + 10
    await service._heartbeat.once()
    assert await actions(slow) == ["1", "left:1:time"]


# While the site is away


async def test_time_in_which_no_process_lived_is_charged_to_nobody(service, match, players, wall):
    await play(service, match, players, "1", "1")
    await passes(service, 10_000)
    before = due(await fresh(match))
    await service.close()
    wall.now += 600_000
    successor = Matches(Hub(), wall)
    await successor._heartbeat.once()
    assert due(await fresh(match)) == before + 600_000
    await successor.play(match.pk, players[0].pk, move(2, "2"))
    assert (await successor.get(match.pk)).clocks.left[0] == 60_000 - 10_000 + 2_000
    await passes(successor, 62_000)
    assert (await actions(match))[-1] == "left:1:time"
    await successor.close()


async def test_the_first_command_after_a_gap_is_judged_after_the_gap_is_noted(service, match, players, wall):
    """The process slept, and its heart has not beaten again yet."""
    await play(service, match, players, "1", "1")
    wall.now += 600_000
    assert await service.play(match.pk, players[0].pk, move(2, "2")) == 3
    assert (await service.get(match.pk)).clocks.left[0] == 60_000 + 2_000


async def test_the_limit_of_the_first_move_is_moved_as_well(service, match, wall):
    await passes(service, 50_000)
    wall.now += 600_000
    await service._heartbeat.once()
    await passes(service, 9_000)
    assert await actions(match) == []
    await passes(service, 2_000)
    assert await actions(match) == ["aborted:0"]


async def test_days_go_on_while_the_site_is_away(service, begin, players):
    slow = await sync_to_async(begin)("1d")
    await service.play(slow.pk, players[0].pk, move(0))
    await service._heartbeat.once()
    service._heartbeat._now.now += DAY + 1_000
    await service._heartbeat.once()
    assert await actions(slow) == ["1", "left:1:time"]


async def test_flag_rejudged_after_gap_noted_elsewhere(service, second, match, players):
    """Another process noted the gap while this one had the old clocks in memory."""
    await play(service, match, players, "1", "1")
    second._heartbeat._now.now = service._heartbeat._now.now + 600_000
    await second._heartbeat.once()
    assert (await fresh(match)).paused == 600_000
    # It believes that its heart is beating, and asks nobody.
    service._heartbeat._last = service._heartbeat._now.now = second._heartbeat._now.now + 1_000
    assert await service.play(match.pk, players[0].pk, move(2, "2")) == 3
    assert await actions(match) == ["1", "1", "2"]
    assert (await service.get(match.pk)).clocks.left[0] == 60_000 - 1_000 + 2_000
    assert (await fresh(match)).paused == 0


async def test_gap_since_a_clock_started_after_a_rest_is_charged_to_nobody(service, match, wall):
    """No process has recorded a beat since the match began."""
    await Heartbeat.objects.acreate(at=instants.moment(wall.now - DAY))
    before = due(await fresh(match))
    wall.now += 600_000
    await service._heartbeat.once()
    assert due(await fresh(match)) == before + 600_000


async def test_gap_since_the_first_clock_of_a_site_started_is_charged_to_nobody(service, match, wall):
    """No process has ever recorded a beat."""
    before = due(await fresh(match))
    wall.now += 600_000
    await service._heartbeat.once()
    assert due(await fresh(match)) == before + 600_000
    assert await actions(match) == []


async def test_rest_is_not_added_to_a_clock_that_ends_it(service, match, wall):
    await Heartbeat.objects.acreate(at=instants.moment(wall.now - DAY))
    before = due(await fresh(match))
    wall.now += 900
    await service._heartbeat.once()
    stored = await fresh(match)
    assert (due(stored), stored.paused) == (before, 0)
    assert (await Heartbeat.objects.aget()).at == instants.moment(wall.now)


async def test_rest_is_not_added_to_a_clock_that_runs_again(service, match, players, wall):
    await play(service, match, players, "1", "1")
    await offer_and_agree(service, match, players, "save")
    for _ in range(3):
        wall.now += 600_000
        await service._heartbeat.once()
    await offer_and_agree(service, match, players, "resume")
    assert (await service.get(match.pk)).clock_runs
    before = due(await fresh(match))
    wall.now += 900
    await service._heartbeat.once()
    assert due(await fresh(match)) == before
    wall.now += 600_000
    await service._heartbeat.once()
    assert due(await fresh(match)) == before + 600_000


@pytest.mark.parametrize("notation", ["", "1d"])
async def test_beat_without_a_live_clock_writes_nothing(service, begin, notation):
    await Match.objects.all().adelete()
    await sync_to_async(begin)(notation)
    await service._heartbeat.once()
    assert not await Heartbeat.objects.aexists()
    assert service._heartbeat.beating


async def test_viewers_get_the_clocks_anew_after_a_gap(service, hub, match, players, wall):
    await play(service, match, players, "1", "1")
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    began = (await service.get(match.pk)).clocks.at
    wall.now += 600_000
    await service._heartbeat.once()
    message = await viewer.until(1)
    assert (message["type"], message["ply"], message["time"]) == ("clocks", 2, wall.now)
    assert message["clocks"]["at"] == began + 600_000


async def test_a_beat_that_is_a_little_late_is_no_gap(service, match, wall):
    await service._heartbeat.once()
    before = due(await fresh(match))
    wall.now += 1_900
    await service._heartbeat.once()
    assert due(await fresh(match)) == before


async def test_processes_share_one_heartbeat(service, second, match):
    """The second one comes right after the first, reads its beat, and knows of the same gaps."""
    await service._heartbeat.once()
    second._heartbeat._now.now = service._heartbeat._now.now + 100
    await second._heartbeat.once()
    assert second._heartbeat._last == service._heartbeat._last
    assert second._heartbeat.beating

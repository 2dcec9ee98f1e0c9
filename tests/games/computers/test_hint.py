"""Hints over real connections: for the player on turn alone, in casual matches, thought about once."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import sync_to_async

from games.bots.base import Evaluation, MoveEvaluation
from games.computers import hints
from games.computers.hints import Hints
from games.domain.refusals import NoHint
from games.net.costs import WORKER_MILLISECOND, Bill
from games.net.hub import Hub
from games.play import begin
from games.play.matches import Matches
from games.registry import GAMES
from games.store import analysis_queue
from games.store.analysis_queue import Wanted
from lobby.people.models import User
from tests.helpers import thinking
from tests.helpers.waiting import eventually
from tools.harness import subprocess_call
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, command_id, seat_two
from tools.harness.timed import timed_match

SOME = Evaluation(0, (0.75, 0.25), (MoveEvaluation("3", 0.75, 4), MoveEvaluation("1", 0.5, 0)), proved=True)


@pytest.fixture
def seated(server):
    return seat_two(server)


@pytest.fixture
def first(seated):
    with seated[0].watch(seated[2]) as socket:
        yield socket


@pytest.fixture
def second(seated):
    with seated[1].watch(seated[2]) as socket:
        yield socket


def ask(socket, after=0):
    request = {"type": "hint", "id": command_id(), "after": after}
    socket.send(request)
    return request["id"]


def refusal(socket, after=0):
    asked = ask(socket, after)
    refused = socket.next("refused", "hint")
    assert refused.get("id") == asked
    return refused["code"]


def wanted(server, match_id):
    return server.rows("SELECT ply FROM games_thought WHERE match_id = ? AND look IS NULL", match_id)


def wait_for_a_wish(server, match_id):
    wait_until(lambda: bool(wanted(server, match_id)), "the wish for a thought")


def test_a_hint_goes_only_to_the_player_who_asked(store, server, seated, first, second):
    ask(first)
    wait_for_a_wish(server, seated[2])
    assert subprocess_call.call(store.database_url, thinking.know, [1.0, 0.0], True, 4) == 1
    hint = first.next("hint")
    assert hint == {"type": "hint", "ply": 0, "move": "1", "share": 1.0, "score": 4, "proved": True}
    second.send({"type": "ping", "t": 1.0})
    second.next("pong")
    assert not [message for message in second.heard if message["type"] == "hint"]


def test_moves_do_not_wait_for_a_hint(store, server, seated, first):
    ask(first)
    assert first.move(0, "1")["type"] == "accepted"
    wait_for_a_wish(server, seated[2])
    subprocess_call.call(store.database_url, thinking.know, [0.5, 0.5], False, None)
    assert first.next("hint")["ply"] == 0


def test_the_same_position_is_thought_about_once(store, server, seated, first):
    ask(first)
    wait_for_a_wish(server, seated[2])
    subprocess_call.call(store.database_url, thinking.think)
    hint = first.next("hint")
    assert hint["move"] in first.snapshot["legal"]
    ask(first)
    assert first.next("hint") == hint
    assert server.rows("SELECT count(*) FROM games_thought WHERE match_id = ?", seated[2]) == [(1,)]


def test_watchers_get_none(server, seated):
    with Person(server).watch(seated[2]) as watcher:
        assert refusal(watcher) == "not-seated"


def test_hint_for_player_off_turn_refused(second):
    assert refusal(second) == "not-your-turn"


def test_hint_for_earlier_position_refused(first):
    played = first.move(0, "1")
    assert played["type"] == "accepted", played
    assert refusal(first, after=0) == "stale"


def test_a_rated_match_has_none(server, seated):
    server.write("UPDATE games_match SET rated = ? WHERE id = ?", True, seated[2])
    with seated[0].watch(seated[2]) as first:
        assert refusal(first) == "rated"


def test_people_who_play_against_the_clock_have_none(server, seated):
    names = [name for (name,) in server.rows("SELECT username FROM lobby_user ORDER BY id DESC LIMIT 2")]
    match_id = timed_match(server, "5+3", names[::-1])
    with seated[0].watch(match_id) as one, seated[1].watch(match_id) as other:
        assert {refusal(one), refusal(other)} == {"timed"}
    page = seated[0].get(f"/m/{match_id}")
    assert 'id="hint"' not in page
    assert 'id="hint"' in seated[0].get(f"/m/{seated[2]}")


def test_a_match_that_is_over_has_none(first):
    first.ask({"type": "resign", "id": command_id(), "after": 0})
    assert refusal(first, after=1) == "game-over"


def test_a_match_that_stands_still_has_none(first):
    first.ask({"type": "offer", "id": command_id(), "after": 0, "kind": "save"})
    assert refusal(first, after=1) == "halted"


def test_hint_refused_queues_no_evaluation(server, seated, second):
    refusal(second)
    assert wanted(server, seated[2]) == []


# Without a server


async def live_match():
    users = [await User.objects.acreate(username=name) for name in ("Ulno", "Artjom")]
    game = next(slug for slug, game in GAMES.items() if not game.dice)
    match = await sync_to_async(begin.create)(game, GAMES[game].rules.Options(), users)
    return await Matches(Hub()).get(match.pk)


async def stored(live, look=SOME):
    await sync_to_async(analysis_queue.store)(Wanted(live.id, 0, live.game.slug, "", 2, None), look)


class Bell:
    """Rings when the workers are woken."""

    seat = None

    def __init__(self, hub):
        self.heard = []
        self._rung = asyncio.Event()
        hub.join("bots.due", self)

    def write(self, frame):
        self.heard.append(frame.payload)
        self._rung.set()

    async def rings(self):
        await asyncio.wait_for(self._rung.wait(), patience(10))


@pytest.mark.django_db(transaction=True)
async def test_a_hint_is_refused_in_time_without_a_worker():
    live = await live_match()
    with pytest.raises(NoHint):
        await Hints(Hub(), patience=0.2).ask(live, 0, 0)


@pytest.fixture
def reads(monkeypatch):
    """What was read from the store, which is looked at again only when a message comes."""
    read, reads = analysis_queue.look_after, []

    def counted(*position):
        look = read(*position)
        reads.append(look)
        return look

    monkeypatch.setattr(hints, "LOOK_AGAIN", 3600.0)
    monkeypatch.setattr(analysis_queue, "look_after", counted)
    return reads


@pytest.mark.django_db(transaction=True)
async def test_hint_announced_reaches_all_waiting_requests(reads):
    live, hub = await live_match(), Hub()
    Bell(hub)  # a hub delivers nothing before something has joined it
    waiting = Hints(hub, patience=3600.0)
    asked = [asyncio.ensure_future(waiting.ask(live, 0, 0)) for _ in range(2)]
    # Each reads the store once before it listens, and once after that.
    await eventually(lambda: len(reads) == 4)
    await stored(live)
    hub.tell_everyone("thought", {"match": live.id, "ply": 0})
    async with asyncio.timeout(patience(20)):
        assert {hint["move"] for hint in await asyncio.gather(*asked)} == {"3"}


@pytest.mark.django_db(transaction=True)
async def test_hint_worker_time_charged_to_waiting_user(reads):
    live, hub = await live_match(), Hub()
    Bell(hub)
    with Bill() as bill:
        hint = asyncio.ensure_future(Hints(hub, patience=3600.0).ask(live, 0, 0))
    await eventually(lambda: len(reads) == 2)
    await stored(live)
    hub.tell_everyone("thought", {"match": live.id, "ply": 0, "milliseconds": 800.0})
    await hint
    assert bill.kilobytes >= 800 * WORKER_MILLISECOND


@pytest.mark.django_db(transaction=True)
async def test_a_hint_whose_message_was_lost_is_read_from_the_store(monkeypatch):
    monkeypatch.setattr(hints, "LOOK_AGAIN", 0.05)
    live, hub = await live_match(), Hub()
    bell = Bell(hub)
    hint = asyncio.ensure_future(Hints(hub).ask(live, 0, 0))
    await bell.rings()
    await stored(live)
    assert (await hint)["score"] == 4


@pytest.mark.django_db(transaction=True)
async def test_the_worker_is_woken_once_for_what_is_not_known():
    live, hub = await live_match(), Hub()
    bell = Bell(hub)
    with pytest.raises(NoHint):
        await Hints(hub, patience=0.2).ask(live, 0, 0)
    await stored(live)
    await Hints(hub).ask(live, 0, 0)
    assert bell.heard == [b'{"type":"due"}']


async def test_a_worker_that_listens_to_nothing_tells_the_others(monkeypatch):
    hub, told = Hub(), []
    monkeypatch.setattr(hub, "tell_processes", lambda _topic, listener, message: told.append(message))
    Bell(hub)
    hub.tell_everyone("thought", {"match": "k7w2m9xqd4", "ply": 0})
    await asyncio.sleep(0)
    assert told == [{"match": "k7w2m9xqd4", "ply": 0}]

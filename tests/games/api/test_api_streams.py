"""Streams of the interface at a real server: whole, across restarts, and ended when they should be."""

from __future__ import annotations

import contextlib
import json
import re
import signal
from functools import partial

import pytest

from games.api import match_stream, streams
from games.api.access import ANONYMOUS
from games.api.streams import Stream
from games.net.connection import BACKLOG_BYTES
from games.net.hub import Frame
from games.registry import GAMES
from tests.conftest import PAIRS, Launcher
from tests.helpers.programs import Program, programs, until
from tools.harness.patience import patience, wait_until, within
from tools.harness.people import Person
from tools.harness.servers import ParlourServer


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"), API_RATE="0", API_STREAMS="3")


@pytest.fixture(scope="module")
def players(server: ParlourServer) -> list[Program]:
    return programs(server, "Anna", "Bert")


def begin(players: list[Program], **terms: object) -> str:
    """A match of the two, in which the first one moves first."""
    table = players[0].post("/tables", game=next(iter(GAMES)), first="host", **terms).fields["id"]
    match: str = players[1].post(f"/tables/{table}/sit").fields["match"]
    return match


def move(players: list[Program], match: str) -> int:
    """Whoever is to move does; the number of the last ply."""
    for player in players:
        now = player.get(f"/matches/{match}").fields
        if now.get("legal"):
            reply = player.command(match, type="move", after=now["ply"], move=now["legal"][0])
            assert reply.status == 200, reply
            return int(reply.fields["ply"])
    raise AssertionError("nobody is to move")


def told(message: dict) -> list[int]:
    """The numbers of the plies in a message."""
    return [ply["number"] for ply in message.get("plies", ())]


def test_a_player_is_told_what_the_socket_tells(players):
    match = begin(players)
    with players[0].stream(f"/matches/{match}/stream") as messages:
        snapshot = until(messages, "snapshot")
        assert (snapshot["you"], snapshot["ply"], snapshot["present"]) == (0, 0, [0])
        assert snapshot["legal"]
        last = move(players, match)
        assert told(until(messages, "plies"))[-1] == last


def test_stream_reader_counts_as_present(players):
    match = begin(players)
    with players[0].stream(f"/matches/{match}/stream") as mine:
        until(mine, "snapshot")
        with players[1].stream(f"/matches/{match}/stream") as theirs:
            until(theirs, "snapshot")
            assert next(message for message in mine if message.get("present") == [0, 1])
        assert next(message for message in mine if message.get("present") == [0])


def test_stream_continues_after_given_ply(players):
    match = begin(players)
    numbers = [move(players, match) for _ in range(3)]
    with players[0].stream(f"/matches/{match}/stream?after={numbers[0]}") as messages:
        assert until(messages, "snapshot")["ply"] == numbers[-1]
        seen = told(until(messages, "plies"))
        assert seen == list(range(numbers[0] + 1, numbers[-1] + 1))
        last = move(players, match)
        assert seen[-1] < told(until(messages, "plies"))[0] <= last


def test_stream_without_token_watches(server, players):
    match = begin(players)
    with Program(server).stream(f"/matches/{match}/stream") as messages:
        snapshot = until(messages, "snapshot")
        assert snapshot["you"] is None
        assert "legal" not in snapshot


def test_a_match_that_only_its_players_see(server, players):
    match = begin(players, watchable=False)
    assert Program(server).get(f"/matches/{match}/stream").refusal == (403, "players-only")
    assert Program(server).get(f"/matches/{match}").refusal == (403, "players-only")


def test_an_unknown_match(players):
    assert players[0].get("/matches/nosuchmatch/stream").refusal == (404, "unknown-match")


def test_streams_limited_by_user(server):
    # Others may still have streams of which the server has not noticed that they were left.
    first, second = programs(server, "Frida", "Gustav")
    with contextlib.ExitStack() as open_ones:
        for _ in range(3):
            until(open_ones.enter_context(first.stream("/events")), "hello")
        reply = first.get("/events")
        assert reply.refusal == (429, "too-many-streams")
        assert int(reply.headers["retry-after"]) > 0
        until(open_ones.enter_context(second.stream("/events")), "hello")

    def closed() -> bool:
        with contextlib.suppress(AssertionError), first.stream("/events") as messages:
            return until(messages, "hello") is not None
        return False

    wait_until(closed, "a place for another stream")


def test_stream_ends_with_deleted_account(server, players):
    (third,) = programs(server, "Cora")
    with third.stream("/events") as messages:
        until(messages, "hello")
        server_side = "DELETE FROM lobby_token WHERE user_id = (SELECT id FROM lobby_user WHERE username = ?)"
        server.write(server_side, "Cora")
        assert until(messages, "error")["code"] == "bad-token"
        assert list(messages) == []
    assert third.get("/events").refusal == (401, "bad-token")


def test_stream_ends_when_token_revoked(server):
    person = Person(server)
    person.sign_up("Dora")
    person.give_password_again()
    page = person.post("/settings/tokens", name="x", scopes="read")
    found = re.search(r"prl_[A-Za-z0-9_-]{43}", page)
    assert found is not None
    with Program(server, found[0]).stream("/events") as messages:
        until(messages, "hello")
        revoke = re.search(r'action="(/settings/tokens/\d+/revoke)"', page)
        assert revoke is not None
        with within(5):
            person.post(revoke[1])
            assert until(messages, "error")["code"] == "bad-token"


async def test_stream_with_slow_reader_drops_backlog():
    stream = Stream(ANONYMOUS, "somebody")
    frame = Frame.of({"type": "crowd", "names": ["x" * 1000]})
    for _ in range(BACKLOG_BYTES // 1000 + 1):
        stream.write(frame)
    lines = [json.loads(line) async for line in stream.payloads()]
    assert [line["code"] for line in lines] == ["too-slow"]


@pytest.mark.django_db(transaction=True)
async def test_a_silence_is_an_empty_line(monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.01)
    stream = Stream(ANONYMOUS, "somebody")
    lines = stream.payloads()
    assert [await anext(lines), await anext(lines)] == [b"", b""]
    await stream.close(4012)
    assert json.loads(await anext(lines))["code"] == "restart"


class TestGaps:
    """The hub may lose a message, or tell one twice; a stream does neither."""

    @pytest.fixture
    def viewer(self):
        class Store:
            async def plies(self, after):
                numbers = range(after + 1, 6)
                return {"type": "plies", "after": after, "plies": [{"number": n} for n in numbers]}

        return Store()

    @pytest.mark.parametrize(
        ("after", "numbers", "told"),
        [(3, [4], [4]), (2, [3, 4], [4]), (1, [2, 3], []), (4, [5], [4, 5])],
        ids=["the next one", "some known", "all known", "one missing"],
    )
    async def test_every_ply_comes_once(self, viewer, after, numbers, told):
        message = {"type": "plies", "after": after, "plies": [{"number": number} for number in numbers]}
        payload, last = await match_stream.since(viewer, 3, Frame.of(message).payload)
        assert [ply["number"] for ply in json.loads(payload or b'{"plies": []}')["plies"]] == told
        assert last == max(3, *told, 0)


class Cut:
    """Reads a stream until the server restarts, and goes on from the last number it knows."""

    def __init__(self, program: Program, path: str) -> None:
        self._program, self._path = program, path
        self.after: int | None = None
        self.numbers: list[int] = []

    def read(self, until_number: int | None) -> str:
        """Read up to a number, or to the end; the code of the last line."""
        path = self._path if self.after is None else f"{self._path}?after={self.after}"
        with self._program.stream(path) as messages:
            for message in messages:
                if message["type"] == "error":
                    return str(message["code"])
                if message["type"] in ("snapshot", "hello") and self.after is None:
                    self.after = message.get("ply", message.get("event"))
                self.numbers += told(message) or ([message["id"]] if "id" in message else [])
                if self.numbers:
                    self.after = self.numbers[-1]
                if until_number is not None and self.after is not None and self.after >= until_number:
                    return ""
        return "cut"


@pytest.mark.parametrize("pair", PAIRS)
def test_streams_complete_across_restart(launcher, pair):
    server = launcher.open(launcher.store(pair), API_RATE="0")
    players = programs(server, "Anna", "Bert")
    match = begin(players)
    plies, events = Cut(players[0], f"/matches/{match}/stream"), Cut(players[0], "/events")
    with players[0].stream("/events") as messages:
        events.after = until(messages, "hello")["event"]
    assert plies.read(0) == ""
    for rounds in (1, 2):
        last = move(players, match)
        assert plies.read(last) == ""
        # What happens between two streams is told by the next one.
        last, other = move(players, match), begin(players)
        with players[0].stream(f"/matches/{match}/stream?after={plies.after}") as reading:
            until(reading, "snapshot")
            server.signal(signal.SIGTERM)
            rest = list(reading)
            assert rest[-1]["type"] == "error"
            assert rest[-1]["code"] == "restart"
        assert server.process is not None
        assert server.process.wait(patience(20)) == 0
        server.restart()
        assert plies.read(last) == ""
        players[1].command(other, type="resign", after=0)
        # A match began and one ended, beside the first of all.
        wait_until(partial(_has_events, server, "Anna", 1 + 2 * rounds), "all events")
        assert events.read(_events_of(server, "Anna")[-1]) == ""
    assert plies.numbers == list(range(1, last + 1))
    mine = _events_of(server, "Anna")
    # The first match had begun before anybody listened.
    assert events.numbers == mine[1:]


def _has_events(server: ParlourServer, name: str, number: int) -> bool:
    return len(_events_of(server, name)) == number


def _events_of(server: ParlourServer, name: str) -> list[int]:
    whose = "SELECT id FROM lobby_user WHERE username = ?"
    return [
        row[0]
        for row in server.rows(f"SELECT id FROM lobby_event WHERE user_id = ({whose}) ORDER BY id", name)
    ]


def test_stream_tells_events_of_other_process_once(launcher):
    store = launcher.store("postgres+redis")
    here, there = (launcher.open(store, API_RATE="0") for _ in range(2))
    players = programs(here, "Anna", "Bert")
    elsewhere = [Program(there, player.token) for player in players]
    match, seen = begin(players), []
    with (
        players[0].stream(f"/matches/{match}/stream?after=0") as messages,
        players[1].stream("/events") as events,
    ):
        until(events, "hello")
        until(messages, "snapshot")
        for turn in range(6):
            last = move(elsewhere if turn % 2 else players, match)
            while not seen or seen[-1] < last:
                seen += told(until(messages, "plies"))
        table = elsewhere[0].post("/users/Bert/challenge", game=next(iter(GAMES))).fields["id"]
        assert until(events, "challenge")["table"]["id"] == table
    assert seen == list(range(1, last + 1))

"""Clients that play or watch through any fault, and write down everything they send and hear."""

from __future__ import annotations

import asyncio
import json
import math
import random
import re
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from itertools import cycle, islice
from typing import Any

from bench.fault_injection.checker import violations
from bench.fault_injection.history import History, StoredMatch, StoredPly
from games.domain import clock
from tools.harness import subprocess_call
from tools.harness.patience import wait_until
from tools.harness.people import Person
from tools.harness.reconnecting import Endpoints, Player
from tools.harness.servers import ParlourServer
from tools.harness.services import Endpoint
from tools.harness.timed import timed_match


class RecordingClient(Player):
    """One client of one match.

    Attributes:
        copies: how often each command is sent.
        lines: over how many connections at once, in turns. The first alone is listened to for all else.
        pace: seconds before each of them, so that a match outlasts a fault.
    """

    history: History
    copies: int = 1
    lines: int = 1
    pace: float = 0.0

    async def _sit(self, socket: Any) -> None:
        async with AsyncExitStack() as opened:
            others = [await opened.enter_async_context(self._line()) for _ in range(self.lines - 1)]
            listening = [asyncio.ensure_future(self._hear_answers(other)) for other in others]
            self.history.note("opened")
            try:
                await super()._sit(Noted(self, [socket, *others]))
            finally:
                for task in listening:
                    task.cancel()
                # One whose line was cut has an error; whoever is cut off comes back by the first one.
                await asyncio.gather(*listening, return_exceptions=True)

    async def _hear_answers(self, socket: Any) -> None:
        async for text in socket:
            message = json.loads(text)
            if message["type"] in ("accepted", "refused"):
                self.history.note("heard", message)

    async def _hear(self, socket: Any, message: dict[str, Any]) -> None:
        if message["type"] == "plies" and message["after"] > self.ply:
            # Something was lost on the way: the protocol says to ask.
            await socket.send(json.dumps({"type": "sync", "after": self.ply}))
            return
        await super()._hear(socket, message)


class Noted:
    """The connections of a client who writes everything down."""

    def __init__(self, client: RecordingClient, sockets: Sequence[Any]) -> None:
        self._client, self._sockets = client, sockets

    async def recv(self) -> str:
        text: str = await self._sockets[0].recv()
        self._client.history.note("heard", json.loads(text))
        return text

    async def send(self, text: str) -> None:
        message = json.loads(text)
        self._client.history.note("sent", message)
        if "id" not in message:
            await self._sockets[0].send(text)
            return
        await asyncio.sleep(self._client.pace)
        for socket in islice(cycle(self._sockets), self._client.copies):
            await socket.send(text)


def recording_client(
    endpoints: Endpoints,
    person: Person,
    match_id: str,
    seat: int | None,
    enough: int,
    rival: int = 0,
    **how: Any,
) -> RecordingClient:
    """Somebody at a match; `seat` is None for whoever watches. Rivals share one, each with their own will."""
    name = f"{match_id} {'watcher' if seat is None else f'seat {seat}'}{f' rival {rival}' * bool(rival)}"
    client = RecordingClient(endpoints, person, match_id, enough, random.Random(name))
    client.history = History(match_id, name, seat)
    client.copies, client.lines, client.pace = how.get("copies", 1), how.get("lines", 1), how.get("pace", 0.0)
    return client


def named_guest(endpoint: Endpoint) -> tuple[Person, str]:
    """Somebody who came in without an account, and the name they were given."""
    person = Person(endpoint)
    person.become_guest()
    said = re.search(r'data-me="([^"]+)"', person.get("/"))
    assert said is not None
    return person, said[1]


def seat_clients(
    server: ParlourServer,
    endpoints: Endpoints,
    matches: int,
    enough: int,
    clock: str = "3+2",
    rivals: int = 0,
    **how: Any,
) -> list[RecordingClient]:
    """So many matches of two who play and one who watches; each has `rivals` more who speak for them, too."""
    (first, one), (second, other) = named_guest(endpoints()), named_guest(endpoints())
    people = ((0, first), (1, second), (None, Person(endpoints())))
    clients = []
    for _ in range(matches):
        match_id = timed_match(server, clock, [one, other])
        clients += [
            recording_client(endpoints, person, match_id, seat, enough, rival, **how)
            for seat, person in people
            for rival in range(rivals + 1)
        ]
    return clients


def seat_against_computers(server: ParlourServer, matches: int, enough: int) -> list[RecordingClient]:
    """So many matches of one person against a computer player."""
    person, name = named_guest(server)
    ids = [subprocess_call.at(server, begin_against_computer, name) for _ in range(matches)]
    return [recording_client(lambda: server, person, match_id, 0, enough) for match_id in ids]


def begin_against_computer(name: str) -> str:
    """What `seat_against_computers` has done in a process of the site: a match; its id."""
    from games.play.begin import create
    from games.registry import GAMES
    from lobby.people.models import User

    computer, _ = User.objects.get_or_create(username="Drill-Computer")
    users, options = [User.objects.get(username=name), computer], GAMES["kalah"].rules.Options()
    return str(create("kalah", options, users, levels={1: 1}).pk)


async def play_all(
    clients: Sequence[RecordingClient], disturb: Callable[[Callable[[], float]], None]
) -> None:
    """Let all of them play until they have enough, with `disturb` going on beside.

    It is given how many commands were acknowledged so far; without end once there is nothing left to play.
    """

    def acknowledged() -> float:
        if all(client.done() for client in clients):
            return math.inf
        return sum(len(client.acknowledged) for client in clients)

    playing = asyncio.gather(*(client.play() for client in clients))
    await asyncio.to_thread(disturb, acknowledged)
    await playing


def stored(server: ParlourServer, match_id: str) -> StoredMatch:
    """A match as the store has it, past everything that the server keeps in memory."""
    asked = "SELECT number, seat, action, command, clocks FROM games_ply WHERE match_id = ? ORDER BY number"
    plies = [
        StoredPly(number, seat, action, command, None if clocks is None else json.loads(clocks))
        for number, seat, action, command, clocks in server.rows(asked, match_id)
    ]
    ((notation, status),) = server.rows("SELECT clock, status FROM games_match WHERE id = ?", match_id)
    ((results,),) = server.rows("SELECT count(*) FROM lobby_result WHERE match_id = ?", match_id)
    ((seats,),) = server.rows("SELECT count(*) FROM games_seating WHERE match_id = ?", match_id)
    finished = status == "finished"
    exported = None
    if finished and server.running:
        file = server.get(f"/m/{match_id}.json")
        exported = [ply["action"] for ply in json.loads(file.body)["plies"]] if file.status == 200 else None
    increment = clock.parse(notation).increment
    return StoredMatch(match_id, plies, increment, finished, seats, results, exported)


def settle(server: ParlourServer, match_ids: Sequence[str]) -> None:
    """Wait until every finished match has left its results, with nobody looking."""

    def settled() -> bool:
        matches = [stored(server, match_id) for match_id in match_ids]
        return all(match.results == match.seats for match in matches if match.finished)

    wait_until(settled, "that the results are settled", 30)


def judged(server: ParlourServer, clients: Sequence[RecordingClient], away: float = 0.0) -> list[str]:
    """Every promise that was broken to any of these clients; `away` is in seconds."""
    by_match: dict[str, list[History]] = {}
    for client in clients:
        by_match.setdefault(client.match_id, []).append(client.history)
    settle(server, list(by_match))
    return [
        breach
        for match_id, histories in by_match.items()
        for breach in violations(stored(server, match_id), histories, round(away * 1000))
    ]

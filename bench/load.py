"""Matches in a closed loop: the next move is sent when all viewers of the match have the last.

Or at a fixed rate: then a move waits for its moment too, and one that is late counts from that moment on.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import ClassVar, TypeVar

import orjson

from bench.client import Client, connect, hang_up
from bench.games import Game, kalah_games


@dataclass
class Table:
    """One match and its viewers, the two players first."""

    plies: int
    game: Game = ()
    """What is played, where that is known beforehand."""
    viewers: list[Client] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    waiting_for: int = 0
    sent: float = 0.0
    due: deque[float] | None = None
    """The moments at which moves are due that were not sent yet; None where each is due at once."""
    over: bool = False
    """The server has said that the match is over."""
    BINARY: ClassVar[bool] = False

    def move(self, player: int, message: bytes) -> None:
        """Send a move; the table waits until every viewer has it."""
        self.waiting_for = len(self.viewers)
        self.sent = time.perf_counter() if self.due is None else self.due.popleft()
        client = self.viewers[player]
        (client.send_bytes if self.BINARY else client.send)(message)

    def due_at(self, moment: float) -> None:
        """A move is due; it is sent now, or once all have the last."""
        assert self.due is not None
        self.due.append(moment)
        if not self.waiting_for:
            self.go_on()

    def go_on(self) -> None:
        """Send the next move of the game."""
        if not self.done.is_set():
            number = len(self.latencies)
            player, pit = self.game[number]
            self.move(player, self.message(number, player, pit))

    def message(self, number: int, player: int, pit: int) -> bytes:
        """The message by which a player sows from a pit, after so many plies."""
        raise NotImplementedError

    def heard(self) -> None:
        """One more viewer has the last move. After the last of them the next one is sent, if it is due."""
        self.waiting_for -= 1
        if self.waiting_for:
            return
        self.latencies.append(time.perf_counter() - self.sent)
        if len(self.latencies) == self.plies:
            self.done.set()
        elif self.due is None or self.due:
            self.go_on()


PLIES = b'{"type":"plies","after":'
"""How the news of a ply begins, before the number of the one before it."""


@dataclass
class ParlourTable(Table):
    """Plays on Parlour."""

    ply: dict[int, int] = field(default_factory=dict)
    """The last ply that each viewer has."""

    async def join(self, port: int, match: str, viewer: int, cookie: str | None) -> None:
        """Open a socket of the match; a player's with the cookie of their session."""
        headers = {"Origin": f"http://127.0.0.1:{port}"}
        if cookie is not None:
            headers["Cookie"] = cookie
        self.viewers.append(await connect(port, f"/ws/match/{match}", headers, self.listener(viewer)))

    def listener(self, viewer: int) -> Callable[[bytes], None]:
        """What viewer number `viewer` does with a message."""

        def on_message(payload: bytes) -> None:
            if payload.startswith(PLIES):
                if self.is_news(viewer, payload):
                    self.read(viewer, payload)
                    self.heard()
            elif payload.startswith(b'{"type":"snapshot"'):
                self.read(viewer, payload)

        return on_message

    def is_news(self, viewer: int, payload: bytes) -> bool:
        """Whether a viewer does not have it yet: a server that reads what was lost sends it again."""
        number = int(payload[len(PLIES) : payload.index(b",", len(PLIES))]) + 1
        before, self.ply[viewer] = self.ply.get(viewer, 0), number
        return number > before

    def read(self, viewer: int, payload: bytes) -> None:
        """Learn from a message what is needed to go on."""
        self.over = self.over or b'"outcome":{' in payload

    def message(self, number: int, player: int, pit: int) -> bytes:
        return _move(number, str(pit + 1))


def _move(number: int, move: str) -> bytes:
    return orjson.dumps({"type": "move", "id": f"bench-{number:06d}", "after": number, "move": move})


@dataclass
class EndlessTable(ParlourTable):
    """Plays Morris without draws: once all men are placed each player slides one back and forth."""

    turn: int = 0
    legal: tuple[str, ...] = ()
    slid: dict[int, str] = field(default_factory=dict)

    def read(self, viewer: int, payload: bytes) -> None:
        if b'"legal":[' in payload:
            self.turn, self.legal = viewer, tuple(orjson.loads(payload)["legal"])

    def go_on(self) -> None:
        if not self.done.is_set():
            self.move(self.turn, _move(len(self.latencies), self.choose(self.legal)))

    def choose(self, legal: tuple[str, ...]) -> str:
        """Back again, where that is possible."""
        back = "-".join(reversed(self.slid.get(self.turn, "").split("-")))
        chosen = back if back in legal else legal[-1]
        if "-" in chosen:
            self.slid[self.turn] = chosen
        return chosen


class RelayTable(ParlourTable):
    """Sends messages as long as Parlour's through the relay, which knows no rules."""

    text = orjson.dumps({"type": "plies", "padding": "x" * 560})

    def listener(self, viewer: int) -> Callable[[bytes], None]:
        return lambda _: self.heard()

    def message(self, number: int, player: int, pit: int) -> bytes:
        self.over = number == len(self.game) - 1
        return self.text


@dataclass
class BareTable(Table):
    """Plays on the bare WebSocket server: JSON in both directions."""

    async def join(self, port: int, match: str, viewer: int, cookie: str | None) -> None:
        path = f"/{match}" + (f"?seat={viewer}" if viewer < 2 else "")
        self.viewers.append(await connect(port, path, {}, self.on_message))

    def on_message(self, payload: bytes) -> None:
        self.over = payload.endswith(b'"over":true}')
        self.heard()

    def message(self, number: int, player: int, pit: int) -> bytes:
        return orjson.dumps({"type": "move", "after": number, "move": pit})


@dataclass
class BoardgameTable(Table):
    """Plays on boardgame.io, over Socket.IO as its own clients do."""

    match: str = ""
    state: int = 0
    """The number of the state that the next move is made in."""
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def join(self, port: int, match: str, viewer: int, cookie: str | None) -> None:
        """Ask for the match; the first to ask creates it."""
        self.match = match
        path = "/socket.io/?EIO=4&transport=websocket"
        client = await connect(port, path, {}, self.listener(viewer))
        self.viewers.append(client)
        player = str(viewer) if viewer < 2 else None
        for message in (b"40/kalah,", b"42/kalah," + orjson.dumps(["sync", match, player, None, 2])):
            await self._answer()
            client.send(message)
        await self._answer()

    async def _answer(self) -> None:
        await self.answered.wait()
        self.answered.clear()

    def listener(self, viewer: int) -> Callable[[bytes], None]:
        """What viewer number `viewer` does with a message."""

        def on_message(payload: bytes) -> None:
            if payload.startswith(b'42/kalah,["update"'):
                if viewer == 0:
                    state = orjson.loads(payload[9:])[2]
                    self.state, self.over = state["_stateID"], "gameover" in state["ctx"]
                self.heard()
            elif payload == b"2":
                self.viewers[viewer].send(b"3")
            elif payload.startswith((b"0", b"40/kalah", b'42/kalah,["sync"')):
                self.answered.set()

        return on_message

    def message(self, number: int, player: int, pit: int) -> bytes:
        payload = {"type": "sow", "args": [pit], "playerID": str(player), "credentials": None}
        action = {"type": "MAKE_MOVE", "payload": payload}
        return b"42/kalah," + orjson.dumps(["update", action, self.state, self.match, str(player)])


@dataclass
class ColyseusTable(Table):
    """Plays on Colyseus: a seat is reserved by HTTP, all else are binary messages of its protocol."""

    BINARY = True
    JOIN, DATA, STATE, PATCH = (bytes([code]) for code in (10, 13, 14, 15))
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def join(self, port: int, match: str, viewer: int, cookie: str | None) -> None:
        seat = {"match": match, "seat": viewer if viewer < 2 else None}
        reserved = await asyncio.to_thread(_reserve, port, orjson.dumps(seat))
        path = f"/{reserved['processId']}/{reserved['roomId']}?sessionId={reserved['sessionId']}"
        client = await connect(port, path, {}, self.on_message)
        self.viewers.append(client)
        await self._answer()
        client.send_bytes(self.JOIN)
        await self._answer()

    async def _answer(self) -> None:
        await self.answered.wait()
        self.answered.clear()

    def on_message(self, payload: bytes) -> None:
        if payload.startswith(self.PATCH):
            self.heard()
        elif payload.startswith((self.JOIN, self.STATE)):
            self.answered.set()

    def message(self, number: int, player: int, pit: int) -> bytes:
        # An illegal move is not answered: who has all patches has seen the match to its end.
        self.over = number == len(self.game) - 1
        return self.DATA + b"\xa4move" + bytes([pit])


def _reserve(port: int, seat: bytes) -> dict[str, str]:
    """What Colyseus says of a seat in the room of a match."""
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/matchmake/joinOrCreate/kalah", seat, {"Content-Type": "application/json"})
    answer = orjson.loads(connection.getresponse().read())
    connection.close()
    return {**answer, "processId": answer.get("processId", "")}


Kind = TypeVar("Kind", ParlourTable, EndlessTable, RelayTable, BareTable, BoardgameTable, ColyseusTable)


async def open_tables(
    kind: type[Kind],
    port: int,
    matches: Sequence[str],
    cookies: Sequence[Sequence[str]],
    watchers: int,
    plies: int,
    others: Sequence[int] = (),
) -> list[Kind]:
    """Connect every viewer of every match, in turns to the server at `port` and to those at `others`.

    The matches take turns, too, so that the first players are spread over the servers. `cookies` are the
    session cookies of the two players by match. Where `plies` are 0 the caller sets them.
    """
    ports = [port, *others]
    games = kalah_games(plies) if plies and kind is not EndlessTable else ((),)
    tables = [kind(plies, games[number % len(games)]) for number in range(len(matches))]
    for number, (table, match, players) in enumerate(zip(tables, matches, cookies, strict=True)):
        for viewer in range(2 + watchers):
            at = ports[(viewer + number) % len(ports)]
            await table.join(at, match, viewer, players[viewer] if viewer < 2 else None)
    return tables


PATIENCE = 120
"""Seconds after which a server that has not answered all moves is given up."""


class Unfinished(Exception):
    """A match was not played to the end of its game."""


async def play(tables: Sequence[Table], rate: int = 0) -> float:
    """Play all tables at once, at `rate` moves a second unless that is 0; seconds until the last is done.

    Raises Unfinished where a server answered all moves of a game and did not say that it is over, and
    TimeoutError where it did not answer them all.
    """
    begun = time.perf_counter()
    if rate:
        await _keep_time(tables, rate, begun)
    else:
        for table in tables:
            table.go_on()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(table.done.wait() for table in tables))
    if any(table.game and not table.over for table in tables):
        raise Unfinished
    return time.perf_counter() - begun


async def _keep_time(tables: Sequence[Table], rate: int, begun: float) -> None:
    """Have a move be due at one table after the other, until all are done."""
    for table in tables:
        table.due = deque()
    playing = deque(tables)
    for number in itertools.count():
        moment = begun + number / rate
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        while playing and playing[0].done.is_set():
            playing.popleft()
        if not playing:
            return
        playing[0].due_at(moment)
        playing.rotate(-1)


async def close(tables: Sequence[Table]) -> None:
    """Close all connections."""
    await hang_up([client for table in tables for client in table.viewers])

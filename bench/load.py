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
from typing import Any

import orjson

from bench.client import Client, connect, hang_up


@dataclass
class Table:
    """One match and its viewers, the two players first."""

    plies: int
    viewers: list[Client] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    waiting_for: int = 0
    sent: float = 0.0
    due: deque[float] | None = None
    """The moments at which moves are due that were not sent yet; None where each is due at once."""

    def move(self, player: int, message: bytes) -> None:
        """Send a move; the table waits until every viewer has heard of it."""
        self.waiting_for = len(self.viewers)
        self.sent = time.perf_counter() if self.due is None else self.due.popleft()
        self.viewers[player].send(message)

    def due_at(self, moment: float) -> None:
        """A move is due; it is sent now, or once all have the last."""
        assert self.due is not None
        self.due.append(moment)
        if not self.waiting_for:
            self.go_on()

    def go_on(self) -> None:
        """Send what comes next."""
        raise NotImplementedError

    def heard(self) -> bool:
        """One more viewer has it; True for the last of them."""
        self.waiting_for -= 1
        if self.waiting_for:
            return False
        self.latencies.append(time.perf_counter() - self.sent)
        if len(self.latencies) == self.plies:
            self.done.set()
        return self.due is None or bool(self.due)


PLIES = b'{"type":"plies","after":'
"""How the news of a ply begins, before the number of the one before it."""


@dataclass
class ParlourTable(Table):
    """Plays the match by the server's own lists of legal moves."""

    turn: int = 0
    legal: tuple[str, ...] = ()
    ply: int = 0
    known: dict[int, int] = field(default_factory=dict)
    """The last ply that each viewer has heard of."""

    def listener(self, viewer: int) -> Callable[[bytes], None]:
        """What viewer number `viewer` does with a message."""

        def on_message(payload: bytes) -> None:
            if payload.startswith(PLIES):
                if b'"legal":[' in payload:
                    self.remember(viewer, payload)
                elif b'"outcome":{' in payload:
                    self.legal = ()
                if self.is_news(viewer, payload) and self.heard():
                    self.go_on()
            elif payload.startswith(b'{"type":"snapshot"') and b'"legal":' in payload:
                self.remember(viewer, payload)

        return on_message

    def is_news(self, viewer: int, payload: bytes) -> bool:
        """Whether a viewer has not heard of it before: a server that reads what was lost tells it again."""
        number = int(payload[len(PLIES) : payload.index(b",", len(PLIES))]) + 1
        before, self.known[viewer] = self.known.get(viewer, 0), number
        return number > before

    def remember(self, viewer: int, payload: bytes) -> None:
        self.turn, self.legal = viewer, tuple(orjson.loads(payload)["legal"])

    def go_on(self) -> None:
        """Send the next move, or be done early when the match is over."""
        self.ply = len(self.latencies)
        if not self.legal:
            self.done.set()
        elif not self.done.is_set():
            legal, self.legal = self.legal, ()
            message = {
                "type": "move",
                "id": f"bench-{self.ply:06d}",
                "after": self.ply,
                "move": self.choose(legal),
            }
            self.move(self.turn, orjson.dumps(message))

    def choose(self, legal: tuple[str, ...]) -> str:
        """The last pits first makes long games of Kalah."""
        return legal[-1]


@dataclass
class EndlessTable(ParlourTable):
    """Plays Morris without draws: once all men are placed each player slides one to and fro."""

    slid: dict[int, str] = field(default_factory=dict)

    def choose(self, legal: tuple[str, ...]) -> str:
        """Back again, where that is possible."""
        back = "-".join(reversed(self.slid.get(self.turn, "").split("-")))
        chosen = back if back in legal else super().choose(legal)
        if "-" in chosen:
            self.slid[self.turn] = chosen
        return chosen


class RelayTable(Table):
    """Sends messages as long as Parlour's through the relay, the two players in turns."""

    message = orjson.dumps({"type": "plies", "padding": "x" * 560})

    def listener(self, viewer: int) -> Callable[[bytes], None]:
        """What viewer number `viewer` does with a message."""

        def on_message(payload: bytes) -> None:
            if self.heard() and not self.done.is_set():
                self.go_on()

        return on_message

    def go_on(self) -> None:
        """Send the next message."""
        self.move(len(self.latencies) % 2, self.message)


@dataclass
class NeighbourTable(Table):
    """Plays Kalah on boardgame.io, whose clients know the rules themselves: over Socket.IO, as they do."""

    board: tuple[int, ...] = ()
    turn: int = 0
    ply: int = 0
    over: bool = False
    room: str = ""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    """What was asked for by whoever connects has been answered."""

    async def greet(self, room: str, viewer: int) -> None:
        """Ask for the match; who asks first makes it. Players have numbers, watchers none."""
        self.room = room
        player = str(viewer) if viewer < 2 else None
        for message in (b"40/kalah,", b"42/kalah," + orjson.dumps(["sync", room, player, None, 2])):
            await self.answered()
            self.viewers[viewer].send(message)
        await self.answered()

    async def answered(self) -> None:
        await self.ready.wait()
        self.ready.clear()

    def listener(self, viewer: int) -> Callable[[bytes], None]:
        """What viewer number `viewer` does with a message."""

        def on_message(payload: bytes) -> None:
            if payload == b"2":
                self.viewers[viewer].send(b"3")
            elif payload.startswith((b"0", b"40/kalah")):
                self.ready.set()
            elif payload.startswith(b'42/kalah,["sync"'):
                if viewer == 0:
                    self.remember(orjson.loads(payload[9:])[2]["state"])
                self.ready.set()
            elif payload.startswith(b'42/kalah,["update"'):
                if viewer == 0:
                    self.remember(orjson.loads(payload[9:])[2])
                if self.heard():
                    self.go_on()

        return on_message

    def remember(self, state: dict[str, Any]) -> None:
        self.board, self.turn = tuple(state["G"]["board"]), int(state["ctx"]["currentPlayer"])
        self.ply, self.over = state["_stateID"], "gameover" in state["ctx"]

    def go_on(self) -> None:
        """Send the next move, or be done early when the match is over."""
        if self.over:
            self.done.set()
        elif not self.done.is_set():
            side = self.board[self.turn * 7 : self.turn * 7 + 6]
            player = str(self.turn)
            # The last pits first, as at the other table.
            pit = max(place for place, seeds in enumerate(side) if seeds)
            payload = {"type": "sow", "args": [pit], "playerID": player, "credentials": None}
            move = {"type": "MAKE_MOVE", "payload": payload}
            event = orjson.dumps(["update", move, self.ply, self.room, player])
            self.move(self.turn, b"42/kalah," + event)


async def open_neighbours(port: int, rooms: list[str], watchers: int, plies: int) -> list[NeighbourTable]:
    """Connect every viewer of every room to boardgame.io."""
    tables = [NeighbourTable(plies) for _ in rooms]
    for table, room in zip(tables, rooms, strict=True):
        for viewer in range(2 + watchers):
            path = "/socket.io/?EIO=4&transport=websocket"
            table.viewers.append(await connect(port, path, {}, table.listener(viewer)))
            await table.greet(room, viewer)
    return tables


async def open_tables(
    kind: type[ParlourTable] | type[RelayTable],
    port: int,
    rooms: list[str],
    cookies: list[tuple[str, str]],
    watchers: int,
    plies: int,
    others: Sequence[int] = (),
) -> list[ParlourTable] | list[RelayTable]:
    """Connect every viewer of every room, in turns to the server at `port` and to those at `others`.

    The rooms take turns, too: Kalah as it is played here ends with a move of its first player, and what
    follows the end is done where that one is. `cookies` are the session cookies of the two players by room.
    """
    ports = [port, *others]
    tables = [kind(plies) for _ in rooms]
    for number, (table, room, players) in enumerate(zip(tables, rooms, cookies, strict=True)):
        for viewer in range(2 + watchers):
            at = ports[(viewer + number) % len(ports)]
            headers = {"Origin": f"http://127.0.0.1:{at}"}
            if viewer < 2:
                headers["Cookie"] = players[viewer]
            client = await connect(at, f"/ws/match/{room}", headers, table.listener(viewer))
            table.viewers.append(client)
    return tables


async def play(tables: Sequence[Table], rate: int = 0) -> float:
    """Play all tables at once, at `rate` moves a second unless that is 0; seconds until the last is done."""
    begun = time.perf_counter()
    if rate:
        await _keep_time(tables, rate, begun)
    else:
        for table in tables:
            table.go_on()
    await asyncio.gather(*(table.done.wait() for table in tables))
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
    """Hang up everywhere."""
    await hang_up([client for table in tables for client in table.viewers])

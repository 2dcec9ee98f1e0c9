"""Very many sockets at once, and floods: how long somebody waits meanwhile who is inside and plays."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.client import Client, connect, hang_up
from games.net.sockets import CLOSE_UNKNOWN
from tools.harness.patience import patience
from tools.harness.people import Person, plies_up_to, seat_two
from tools.harness.raw_websocket import Peer, frame
from tools.harness.servers import ParlourServer
from tools.harness.services import Endpoint

HELLO = (b'{"type":"lobby"', b'{"type":"snapshot"')
IN_SECONDS = 10.0
P95 = 0.2
HISTORIES = 100
"""Sockets of one address that ask for long histories."""
HISTORIES_MEMORY = 50 * 10**6
"""Bytes that the server may need for them."""
FESTIVAL_SECONDS = 10.0
"""Within which all guests of a festival come."""
SETTLE = 5.0
"""Seconds in which others go on being measured after a flood."""
SECONDS = 60.0
"""After which whoever is not in yet is counted as left outside."""


class Inside:
    """Somebody at a match, who asks every 20 ms how things stand, and how long each answer took."""

    def __init__(self, server: Endpoint, every: float = 0.02) -> None:
        self._server, self._every = server, every
        self._over = threading.Event()
        self.waits: list[float] = []

    @contextlib.contextmanager
    def asking(self, person: Person, match_id: str) -> Iterator[None]:
        """While this is open, they ask."""
        with person.watch(match_id, self._server) as playing:

            def ask() -> None:
                while True:
                    began = time.monotonic()
                    playing.send({"type": "ping", "t": began})
                    playing.next("pong")
                    waited = time.monotonic() - began
                    # Had they asked on meanwhile, each of these questions would have waited, too.
                    self.waits += [waited, *_each(self._every, waited - self._every)]
                    if self._over.wait(self._every):
                        return

            thread = threading.Thread(target=ask)
            thread.start()
            try:
                yield
            finally:
                self._over.set()
                thread.join()

    @property
    def p95(self) -> float:
        """The 95th percentile in seconds."""
        return statistics.quantiles(self.waits, n=20)[-1] if len(self.waits) > 1 else max(self.waits)

    @property
    def breaches(self) -> list[str]:
        """What was promised to them and not kept."""
        return [self.words] if self.p95 > patience(P95) else []

    @property
    def words(self) -> str:
        """The same for people."""
        return f"p95 of a connected client {self.p95 * 1000:.0f} ms"


class Bystander:
    """A lobby socket and a page, used meanwhile: how long each answer took.

    Attributes:
        waits: seconds of each answer, by "socket" and "page".
    """

    def __init__(self, server: ParlourServer) -> None:
        self.waits: dict[str, list[float]] = {"socket": [], "page": []}
        self._server, self._over = server, threading.Event()
        self._pool = ThreadPoolExecutor(2)

    def __enter__(self) -> Bystander:
        self._done = [self._pool.submit(each) for each in (self._talk, self._read)]
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._pool.shutdown()
        for each in self._done:
            each.result()

    def p95(self, kind: str) -> float:
        """The 95th percentile in seconds."""
        return statistics.quantiles(self.waits[kind], n=20)[-1]

    @property
    def words(self) -> str:
        """Both figures for people."""
        socket, page = (self.p95(kind) * 1000 for kind in ("socket", "page"))
        return f"p95 of a connected client {socket:.0f} ms, of a page {page:.0f} ms"

    @property
    def breaches(self) -> list[str]:
        """What was promised to them and not kept."""
        return [self.words] if max(map(self.p95, self.waits)) > patience(P95) else []

    def _talk(self) -> None:
        with Person(self._server).lobby() as lobby:
            # Within the rate limit of a socket.
            while not self._over.wait(0.15):
                began = time.monotonic()
                lobby.send({"type": "ping", "t": began})
                lobby.next("pong")
                self.waits["socket"].append(time.monotonic() - began)

    def _read(self) -> None:
        while not self._over.wait(0.2):
            began = time.monotonic()
            answer = self._server.get("/rules/kalah")
            if answer.status != 200:
                raise AssertionError(f"a page was refused: {answer.status} {answer.text[:200]}")
            self.waits["page"].append(time.monotonic() - began)


def _each(step: float, most: float) -> Iterator[float]:
    """So many seconds, and always a step less, down to nothing."""
    while most > 0:
        yield most
        most -= step


def come_and_go(servers: Sequence[Endpoint], number: int) -> tuple[list[str], list[str]]:
    """So many come at once, half to the lobby and half to a match; all are cut off, and come again.

    Figures, and what was promised and not kept.
    """
    mover, other, match_id = seat_two(servers[0])
    inside = Inside(servers[0])
    with inside.asking(mover, match_id):
        first, second = asyncio.run(_twice(servers, number, other, match_id))
    said = [f"{came} of {number} connected after {took:.1f} s" for came, took in (first, second)]
    late = [
        words
        for words, (came, took) in zip(said, (first, second), strict=True)
        if came < number or took > patience(IN_SECONDS)
    ]
    return [*said, inside.words], late + inside.breaches


async def _twice(
    servers: Sequence[Endpoint], number: int, person: Person, match_id: str
) -> list[tuple[int, float]]:
    said = []
    for _ in range(2):
        opened, told = await _come(servers, number, person, match_id)
        await hang_up(opened)
        said.append((len(told), max(told, default=0.0)))
    return said


async def _come(
    servers: Sequence[Endpoint], number: int, person: Person, match_id: str
) -> tuple[list[Client], list[float]]:
    told: list[float] = []
    all_in, began = asyncio.Event(), time.monotonic()

    def hear(payload: bytes) -> None:
        if payload.startswith(HELLO):
            told.append(time.monotonic() - began)
            if len(told) == number:
                all_in.set()

    async def one(index: int) -> Client:
        server = servers[index % len(servers)]
        path = f"/ws/match/{match_id}" if index % 2 else "/ws/lobby"
        return await connect(server.port, path, {**person.headers(), "Origin": server.url}, hear)

    coming = [asyncio.ensure_future(one(index)) for index in range(number)]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(all_in.wait(), SECONDS)
    for each in coming:
        each.cancel()
    clients = [
        each for each in await asyncio.gather(*coming, return_exceptions=True) if isinstance(each, Client)
    ]
    return clients, told


def too_many(server: ParlourServer, number: int, limit: int) -> tuple[list[str], list[str]]:
    """So many sockets of one address, which has a limit: how many it gets, and what one of them costs."""
    mover, _, match_id = seat_two(server)
    inside = Inside(server)
    with inside.asking(mover, match_id):
        opened, grown = asyncio.run(_open_all(server, number))
    figures = [f"{opened} of {number} opened, {grown / max(1, opened) / 1000:.1f} kB each", inside.words]
    # The one inside is of the same address.
    outside = [] if opened == limit - 1 else [f"{figures[0]}; the limit per address is {limit}"]
    return figures, outside + inside.breaches


async def _open_all(server: ParlourServer, number: int) -> tuple[int, int]:
    """How many of these were let in, and what memory they take."""
    clients, before = [], memory(server)
    for _ in range(number):
        with contextlib.suppress(OSError):
            clients.append(await connect(server.port, "/ws/lobby", {"Origin": server.url}, lambda _: None))
    grown = memory(server) - before
    for client in clients:
        client.close()
    return len(clients), grown


def flood(server: ParlourServer, opcode: int, seconds: float) -> tuple[list[str], list[str]]:
    """Frames of a kind as fast as they go, by somebody who comes back as soon as they are cut off."""
    mover, _, match_id = seat_two(server)
    # Slowly enough for its own limit.
    inside, before, most, sent, cut = Inside(server, 0.15), memory(server), 0, 0, 0
    words = json.dumps({"type": "ping", "t": 1}).encode() if opcode == 1 else b""
    many = frame(words, opcode) * 1000
    with inside.asking(mover, match_id):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with contextlib.suppress(OSError, AssertionError):
                peer = Peer(server.port, "/ws/lobby")
                try:
                    while time.monotonic() < until:
                        peer.send(many)
                        sent += 1000
                except OSError:
                    cut += 1
            most = max(most, memory(server))
    rate = sent / seconds
    said = [f"{rate:,.0f}/s, disconnected {cut} times", f"+{(most - before) / 1e6:.0f} MB", inside.words]
    return said, inside.breaches


def long_histories(server: ParlourServer, match_id: str) -> tuple[list[str], list[str]]:
    """100 sockets of one address ask for a long history, never read it, then flood."""
    bystander = Bystander(server)
    with bystander:
        time.sleep(SETTLE)
        before = memory(server)
        ask_and_flood(server, match_id)
        time.sleep(SETTLE)
    grown = memory(server, "VmHWM") - before
    figures = [f"+{grown / 1e6:.0f} MB", bystander.words]
    return figures, figures[:1] * (grown > HISTORIES_MEMORY) + bystander.breaches


def ask_and_flood(server: ParlourServer, match_id: str) -> None:
    """What each of the 100 sockets of `long_histories` sends."""
    sync = frame(b'{"type":"sync","after":0}')
    # Of another address than those that measure: limits by address count all sockets of one together.
    peers = [Peer(server.port, f"/ws/match/{match_id}", "127.0.0.2") for _ in range(HISTORIES)]

    def flood(peer: Peer) -> None:
        with contextlib.suppress(ConnectionError, TimeoutError):
            peer.send(sync * 45)
            for _ in range(100):
                peer.send(frame(b"x" * 16_000))

    # Few threads: they share the interpreter with those that measure.
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(flood, peers))


def histories_within_limits(server: ParlourServer, match_id: str) -> tuple[list[str], list[str]]:
    """Ten sockets of one address ask for a long history ten times a second for ten seconds, and read it."""

    def ask(_: int) -> None:
        with Person(server).watch(match_id) as socket:
            ends = time.monotonic() + 10
            while time.monotonic() < ends:
                socket.send({"type": "sync", "after": 0})
                socket.next("plies")
                time.sleep(0.1)

    bystander = Bystander(server)
    with bystander, ThreadPoolExecutor(10) as pool:
        list(pool.map(ask, range(10)))
    return [bystander.words], bystander.breaches


def festival(server: ParlourServer, matches: int) -> tuple[list[str], list[str]]:
    """Two new guests of one address for each match, all coming within ten seconds: how many matches begin.

    A match has begun when both players heard its first move on their sockets.
    """
    began = time.monotonic()

    def play(number: int) -> float:
        time.sleep(max(0.0, began + FESTIVAL_SECONDS * number / matches - time.monotonic()))
        mover, other, match_id = seat_two(server)
        with mover.watch(match_id) as moving, other.watch(match_id) as waiting:
            answer = moving.move(0, moving.snapshot["legal"][0])
            if answer["type"] != "accepted":
                raise AssertionError(f"refused: {answer}")
            plies_up_to(waiting, 1)
        return time.monotonic() - began

    bystander = Bystander(server)
    with bystander, ThreadPoolExecutor(matches) as pool:
        playing = [pool.submit(play, number) for number in range(matches)]
        refused = [
            f"match {index}: {each.exception()}" for index, each in enumerate(playing) if each.exception()
        ]
        last = time.monotonic() - began
    begun = matches - len(refused)
    figures = [f"{begun} of {matches} matches began, the last after {last:.0f} s", bystander.words]
    return figures, refused


def refused(server: ParlourServer, number: int) -> tuple[list[str], list[str]]:
    """So many come to a match that is not there and speak at once: how many read why they are sent away."""
    words = frame(json.dumps({"type": "ping", "t": 1}).encode()) * 20
    peers = [Peer(server.port, "/ws/match/nowhere") for _ in range(number)]
    for peer in peers:
        with contextlib.suppress(OSError):
            peer.send(words)
    told = sum(_read_why(peer) for peer in peers)
    figures = [f"{told} of {number} read the reason"]
    return figures, figures if told < number else []


def _read_why(peer: Peer) -> bool:
    try:
        return peer.rest()[-1:] == [(8, CLOSE_UNKNOWN.to_bytes(2, "big"))]
    except OSError:
        # Cut off without a word.
        return False


def memory(server: ParlourServer, field: str = "VmRSS") -> int:
    """Memory of a server in bytes; `VmHWM` is the most it ever used."""
    assert server.process is not None
    found = re.search(rf"{field}:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def open_files(server: ParlourServer) -> int:
    """How many files a server has open, sockets among them."""
    assert server.process is not None
    return len([*Path(f"/proc/{server.process.pid}/fd").iterdir()])

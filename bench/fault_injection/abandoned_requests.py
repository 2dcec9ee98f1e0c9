"""Clients that burden a site and do not wait: how long others wait meanwhile, and what the server needs.

The clients run in a process of their own and have another address than those who are measured. They and the
pages that are measured come through one address: that of the server itself, or a proxy in front of it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import re
import socket
import ssl
import statistics
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from urllib.parse import urlsplit

from tools.harness.patience import patience
from tools.harness.people import Socket, plies_up_to, seat_two
from tools.harness.servers import ParlourServer

ADDRESS = "127.0.0.2"
"""The address of the clients."""
PAGE = "/"
SECONDS = 15.0
"""How long they come."""
SETTLE = 5.0
"""Seconds in which others go on being measured."""
MATCHES = 8
PAGE_P95 = 1.0
MOVE_P95 = 0.3
MEMORY = 50 * 10**6
"""Bytes that the server may need for them."""
THREADS = 64
"""Threads that a server may have."""
UPLOAD = b"POST /files HTTP/1.1\r\nHost: %s\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n"
HEADERS = b"GET / HTTP/1.1\r\nHost: %s\r\nX: "


def leave(
    server: ParlourServer, address: str, number: int, seconds: float = SECONDS
) -> tuple[list[str], list[str]]:
    """So many times: connect, ask for a page, close. Figures, and what was promised and not kept."""
    return _with_others(server, address, partial(leave_clients, seconds=seconds), number)


def upload(server: ParlourServer, address: str, number: int) -> tuple[list[str], list[str]]:
    """So many uploads at once that come byte by byte. Figures, and what was promised and not kept."""
    # More than Caddy keeps to itself.
    return _with_others(server, address, partial(slow_clients, beginning=UPLOAD + b"x" * 10_000), number)


def trickle(server: ParlourServer, address: str, number: int) -> tuple[list[str], list[str]]:
    """So many requests whose headers come byte by byte. Figures, and what was promised and not kept."""
    return _with_others(server, address, partial(slow_clients, beginning=HEADERS), number)


def _with_others(
    server: ParlourServer, address: str, clients: Callable[[str, int], str], number: int
) -> tuple[list[str], list[str]]:
    reader, player, burden = Reader(address), Player(server), Burden(server)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as apart:
        # Whatever the server loads and keeps for pages is no part of the burden.
        with ThreadPoolExecutor(20) as pool:
            list(pool.map(lambda _: reader.ask(PAGE), range(60)))
        with burden, reader, player:
            time.sleep(1)
            done = apart.submit(clients, address, number).result()
            time.sleep(SETTLE)
    ready = reader.ask("/readyz")
    figures = [done, *reader.words, *player.words, *burden.words, f"/readyz returned {ready}"]
    breaches = [*reader.breaches, *player.breaches, *burden.breaches]
    if ready != 200:
        breaches.append(figures[-1])
    return figures, breaches


# The clients


def leave_clients(address: str, number: int, seconds: float) -> str:
    """Come within `seconds` and leave at once."""
    request = f"GET {PAGE} HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n\r\n".encode()
    begun = time.monotonic()

    def visit(index: int) -> bool:
        time.sleep(max(0.0, begun + seconds * index / number - time.monotonic()))
        with contextlib.suppress(OSError), _connected(address) as connection:
            connection.sendall(request)
            return True
        return False

    with ThreadPoolExecutor(8) as pool:
        come = sum(pool.map(visit, range(number)))
    return f"{come:,} of {number:,} clients came in {time.monotonic() - begun:.0f} s"


def slow_clients(address: str, number: int, beginning: bytes) -> str:
    """Begin a request, and send a byte now and then for `SECONDS`."""
    request = beginning % urlsplit(address).netloc.encode()
    begun: list[socket.socket] = []
    with ExitStack() as stack:
        for _ in range(number):
            with contextlib.suppress(OSError):
                begun.append(stack.enter_context(_connected(address)))
                begun[-1].sendall(request)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            for connection in begun:
                with contextlib.suppress(OSError):
                    connection.sendall(b"x")
            time.sleep(1)
        answered = sum(_is_answered(connection) for connection in begun)
    return f"{len(begun):,} of {number:,} requests began, {answered:,} were answered"


def _connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    assert parts.hostname is not None
    assert parts.port is not None
    connection = socket.create_connection((parts.hostname, parts.port), 10, (ADDRESS, 0))
    if parts.scheme == "https":
        return _trusting().wrap_socket(connection, server_hostname=parts.hostname)
    return connection


def _is_answered(connection: socket.socket) -> bool:
    """Whether the server said something, or cut the connection."""
    connection.settimeout(0.001)
    try:
        connection.recv(1)
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@cache
def _trusting() -> ssl.SSLContext:
    """Accepts any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


# Those who are measured


class _Measured:
    """Does something again and again while it is entered."""

    name = ""
    limit = 0.0
    pause = 0.2

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.failures: list[str] = []
        self._over = threading.Event()

    def once(self) -> None:
        """Do it and record how long it took."""
        raise NotImplementedError

    def __enter__(self) -> None:
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self.pause):
            self.once()

    @property
    def p95(self) -> float:
        """The 95th percentile in seconds."""
        return statistics.quantiles(self.waits, n=20)[-1] if len(self.waits) > 1 else float("inf")

    @property
    def words(self) -> list[str]:
        """Figures for people."""
        failed = f", {len(self.failures)} failed ({self.failures[0]})" if self.failures else ""
        return [f"p95 of {self.name} {self.p95 * 1000:.0f} ms{failed}"]

    @property
    def breaches(self) -> list[str]:
        """What was promised to them and not kept."""
        return self.words if self.failures or self.p95 > patience(self.limit) else []


class Reader(_Measured):
    """Reads a page through the address."""

    name, limit = "a page", PAGE_P95

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=_trusting())
        )

    def ask(self, path: str) -> int:
        """The status of a page."""
        try:
            with self._opener.open(self._address + path, timeout=patience(30)) as response:
                response.read()
                return int(response.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def once(self) -> None:
        began = time.monotonic()
        try:
            status = self.ask(PAGE)
            if status != 200:
                self.failures.append(str(status))
        except OSError as error:
            self.failures.append(str(error))
        self.waits.append(time.monotonic() - began)


class Player(_Measured):
    """Plays matches between two people at the server itself, move by move."""

    name, limit = "a move", MOVE_P95

    def __init__(self, server: ParlourServer) -> None:
        super().__init__()
        self._server, self._random = server, random.Random(1)

    def _run(self) -> None:
        with ExitStack() as stack:
            matches = []
            for _ in range(MATCHES):
                *people, match_id = seat_two(self._server)
                matches.append([stack.enter_context(person.watch(match_id)) for person in people])
            self._moves = (wait for players in matches for wait in self._played(players))
            super()._run()

    def once(self) -> None:
        try:
            self.waits += [wait for wait, _ in zip(self._moves, range(1), strict=False)]
        except (OSError, AssertionError, TimeoutError) as error:
            self.failures.append(str(error))

    def _played(self, players: Sequence[Socket]) -> Iterator[float]:
        """Play a match to its end; the seconds until each move was acknowledged."""
        message, turn = players[0].snapshot, players[0].snapshot["state"]["turn"]
        legal = players[turn].snapshot["legal"]
        while message["outcome"] is None:
            after = message["ply"] if message["type"] == "snapshot" else message["plies"][-1]["number"]
            began = time.monotonic()
            answer = players[turn].move(after, self._random.choice(legal))
            yield time.monotonic() - began
            assert answer["type"] == "accepted", answer
            heard = [plies_up_to(player, answer["ply"]) for player in players]
            message = heard[0]
            turn = message["plies"][-1]["state"]["turn"]
            legal = heard[turn].get("legal")


class Burden(_Measured):
    """Looks at the memory and the threads of the server."""

    pause = 0.1

    def __init__(self, server: ParlourServer) -> None:
        super().__init__()
        assert server.process is not None
        self._status = Path(f"/proc/{server.process.pid}/status")
        self._before = self._most = self._threads = 0

    def __enter__(self) -> None:
        self._before = self._read("VmRSS") * 1024
        super().__enter__()

    def once(self) -> None:
        self._most = max(self._most, self._read("VmRSS") * 1024)
        self._threads = max(self._threads, self._read("Threads"))

    def _read(self, field: str) -> int:
        found = re.search(rf"^{field}:\s+(\d+)", self._status.read_text(), re.MULTILINE)
        assert found is not None
        return int(found[1])

    @property
    def grown(self) -> int:
        """Bytes more than before, at most."""
        return self._most - self._before

    @property
    def words(self) -> list[str]:
        return [f"+{self.grown / 1e6:.0f} MB", f"{self._threads} threads"]

    @property
    def breaches(self) -> list[str]:
        too_much = self.grown > MEMORY, self._threads > THREADS
        return [words for words, is_too_much in zip(self.words, too_much, strict=True) if is_too_much]

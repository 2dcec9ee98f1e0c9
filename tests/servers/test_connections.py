"""Connections of a real server: where a request ends, how many sockets there are, what comes too early."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from bench.client import hang_up
from bench.fault_injection.floods import memory
from bench.scaling_invariance import come
from tests.conftest import Launcher
from tools.harness.patience import patience, wait_until, within
from tools.harness.people import Person, guest
from tools.harness.raw_websocket import Peer
from tools.harness.servers import ParlourServer, parlour_environment
from tools.harness.services import ROOT

HASTY = """
import asyncio
from config import server

async def application(scope, receive, send):
    if scope["path"] == "/slow":
        await asyncio.sleep(5)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})

built = server.build("127.0.0.1", 0, lambda: application)
install = built.install

def hasty():
    install()
    built.http_factory.timeOut = 1

built.install = hasty
built.run()
"""

HEAD = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HANDSHAKE = (
    b"GET /ws/lobby HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
)


@pytest.fixture(scope="module")
def hasty() -> Iterator[int]:
    """The port of a server that waits seconds where others wait a minute."""
    with subprocess.Popen(
        [sys.executable, "-c", HASTY], cwd=ROOT, env=parlour_environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = re.search(r":(\d+)", process.stdout.readline())
        assert said is not None
        yield int(said[1])
        process.kill()


@contextlib.contextmanager
def line_to(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=patience(30)) as peer:
        yield peer


def everything(peer: socket.socket) -> bytes:
    """What the server says until it closes."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while data := peer.recv(65536):
            said += data
    return said


# How a request ends, and how long a connection may be idle


def test_a_body_in_small_pieces_is_taken(hasty: int) -> None:
    with line_to(hasty) as peer:
        piece = b"100\r\n" + b"x" * 256 + b"\r\n"
        peer.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + piece * 12_000 + b"0\r\n\r\n")
        assert peer.recv(65536).startswith(b"HTTP/1.1 200 ")


NEXT = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
LENGTH, CHUNKED, END = b"Content-Length: 5", b"Transfer-Encoding: chunked", b"0\r\n\r\n"
DOUBTFUL_HEADS = [
    *([LENGTH, CHUNKED], [CHUNKED, LENGTH], [LENGTH, b"Content-Length: 6"], [LENGTH, LENGTH]),
    *([CHUNKED, CHUNKED], [CHUNKED, b"Transfer-Encoding: identity"]),
    *([b"Transfer-Encoding: identity", LENGTH], [b"Transfer-Encoding:", b" chunked", LENGTH]),
    *([b"X: y\n" + CHUNKED, LENGTH], [b"X: y\r" + CHUNKED, LENGTH]),
    *([b"Transfer-Encoding : chunked"], [b"Content-Length : 5"]),
    *([b"Content-Length: " + said] for said in (b"5, 5", b"+5", b"-5", b"0x5", b"0_5", b"5 5", b"", b"5\0")),
    *([b"Content-Length: " + "٥".encode()],),
    *([b"Transfer-Encoding: " + said] for said in (b"xchunked", b"chunked, identity", b"identity, chunked")),
    *([b"Transfer-Encoding: " + said, LENGTH] for said in (b"gzip, chunked", b"\x0bchunked")),
]
DOUBTFUL_BODIES = [
    *(b"0x0\r\n\r\n", b"+0\r\n\r\n", b"-0\r\n\r\n", b"0_0\r\n\r\n", b" 0\r\n\r\n", b"0\n\r\n"),
    *(b"1;a\nb\r\nx\r\n" + END, b"1\r\nxy\r\n" + END),
]


@pytest.mark.parametrize(
    "request_",
    [
        *(HEAD + b"\r\n".join(lines) + b"\r\n\r\n" + END for lines in DOUBTFUL_HEADS),
        *(HEAD + CHUNKED + b"\r\n\r\n" + body for body in DOUBTFUL_BODIES),
        *(b"GET /\r\n", b"GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
    ],
)
def test_a_request_with_two_possible_ends_is_refused(hasty: int, request_: bytes) -> None:
    """Where a proxy could see another end of it, it is refused, and what follows is not read."""
    with line_to(hasty) as peer, within(3):
        peer.sendall(request_ + NEXT)
        assert re.findall(rb"HTTP/1\.\d (\d+)", everything(peer)) == [b"400"]


@pytest.mark.parametrize("lines", [LENGTH, CHUNKED, b"transfer-encoding:\tChunked"])
def test_a_request_has_one_end_and_the_next_begins_there(hasty: int, lines: bytes) -> None:
    with line_to(hasty) as peer, within(3):
        peer.sendall(HEAD + lines + b"\r\n\r\n" + END + NEXT)
        assert re.findall(rb"HTTP/1\.\d (\d+)", everything(peer)) == [b"200", b"200"]


@pytest.mark.parametrize("head", [b"", b"GET / HTTP/1.1\r\n", HEAD + LENGTH + b"\r\n\r\n"])
def test_idle_connection_is_closed(hasty: int, head: bytes) -> None:
    with line_to(hasty) as peer, within(4):
        peer.sendall(head)
        assert everything(peer) == b""


def test_the_answer_may_take_longer_than_the_request(hasty: int) -> None:
    with line_to(hasty) as peer:
        peer.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert everything(peer).endswith(b"ok")


# How many one may have


@pytest.fixture(scope="module")
def narrow(launcher: Launcher) -> ParlourServer:
    """A server that lets an address have few connections, and a person fewer sockets."""
    return launcher.open(launcher.store("sqlite"), CONNECTIONS_PER_ADDRESS="12", SOCKETS_PER_PERSON="4")


def test_sockets_and_requests_of_all_are_limited_and_given_back(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), CONNECTIONS="8")
    for _ in range(2):
        with contextlib.ExitStack() as stack:
            for number in range(8):
                person = Peer(server.port, "/ws/lobby", f"127.0.0.{number % 4 + 1}")
                stack.callback(person.reset)
            with line_to(server.port) as socket_above:
                socket_above.sendall(HANDSHAKE + b"\r\n")
                assert everything(socket_above).startswith(b"HTTP/1.1 403 ")
            assert server.get("/healthz").status == 503
        wait_until(lambda: server.get("/healthz").status == 200, "that the places are given back")
    assert "Traceback" not in server.log


def socket_of(server: ParlourServer, person: Person | None = None, **headers: str) -> ClientConnection:
    more = person.headers() if person is not None else {}
    return connect(
        f"{server.ws_url}/ws/lobby",
        origin=Origin(server.url),
        additional_headers={**more, **headers},
        proxy=None,
    )


def test_an_address_has_so_many_sockets_and_gets_them_back(narrow: ParlourServer) -> None:
    before = connections(narrow)
    for _ in range(2):
        with contextlib.ExitStack() as stack:
            for _ in range(12):
                stack.enter_context(socket_of(narrow)).recv(timeout=patience(20))
            with socket_of(narrow) as one_more:
                assert last_words(one_more) == ("too-many-sockets", 4008)
        wait_until(lambda: connections(narrow) <= before, "that the sockets are gone")


def last_words(client: ClientConnection) -> tuple[str, int | None]:
    said = ""
    with contextlib.suppress(ConnectionClosed):
        while True:
            said = str(client.recv(timeout=patience(20)))
    return json.loads(said)["code"], client.close_code


def test_a_person_has_so_many_sockets_and_gets_them_back(narrow: ParlourServer) -> None:
    person, before = guest(narrow), connections(narrow)
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(socket_of(narrow, person)).recv(timeout=patience(20))
        with socket_of(narrow, person) as fifth:
            assert last_words(fifth) == ("too-many-sockets", 4008)
        with socket_of(narrow, guest(narrow)) as others:
            assert json.loads(others.recv(timeout=patience(20)))["type"] == "lobby"
    wait_until(lambda: connections(narrow) <= before, "that the sockets are gone")
    with socket_of(narrow, person) as again:
        assert json.loads(again.recv(timeout=patience(20)))["type"] == "lobby"


def test_sockets_counted_by_visitor_behind_proxy(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), CONNECTIONS_PER_ADDRESS="3", BEHIND_PROXY="1")

    def visitor(address: str) -> ClientConnection:
        # A proxy that appends leaves before its own word what the visitor says.
        return socket_of(server, None, **{"X-Forwarded-For": f"{address}, 2001:db8:0:7::1"})

    with contextlib.ExitStack() as stack:
        for number in range(3):
            stack.enter_context(visitor(f"198.51.100.{number}")).recv(timeout=patience(20))
        with visitor("198.51.100.9") as fourth:
            assert last_words(fourth) == ("too-many-sockets", 4008)
        same_network = stack.enter_context(
            socket_of(server, None, **{"X-Forwarded-For": "2001:db8:0:7:ffff::2"})
        )
        assert last_words(same_network) == ("too-many-sockets", 4008)
        other = stack.enter_context(socket_of(server, None, **{"X-Forwarded-For": "2001:db8:0:8::1"}))
        assert json.loads(other.recv(timeout=patience(20)))["type"] == "lobby"


def connections(server: ParlourServer | subprocess.Popen[str]) -> int:
    """How many the process has open, those of its own included."""
    process = server.process if isinstance(server, ParlourServer) else server
    assert process is not None
    found = 0
    for each in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            found += str(each.readlink()).startswith("socket:")
    return found


# What may come before a socket is open


def frames(count: int) -> bytes:
    return b"\x81\x81\0\0\0\0x" * count


@pytest.mark.parametrize("resets", [False, True])
def test_a_handshake_that_is_refused_is_no_fault(sqlite_server: ParlourServer, resets: bool) -> None:
    whole = HANDSHAKE + b"\r\n"
    refused = [
        whole.replace(b"Sec-WebSocket-Key:", b"X:"),
        whole.replace(b"Version: 13", b"Version: 99"),
        whole.replace(b"Connection: Upgrade", b"Connection: close"),
        whole.replace(b"Host: 127.0.0.1", b"Host: 127.0.0.1:x"),
        whole.replace(b"GET", b"POST"),
        HANDSHAKE + b"Origin: http://[\r\n\r\n",
    ]
    at = len(sqlite_server.log)
    for handshake in refused:
        with line_to(sqlite_server.port) as peer:
            peer.sendall(handshake)
            assert peer.recv(65536).startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 405 "))
            if resets:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert sqlite_server.get("/readyz").status == 200
    assert "Traceback" not in sqlite_server.log[at:]


def test_handshake_abandoned_logs_no_error(sqlite_server: ParlourServer) -> None:
    at = len(sqlite_server.log)
    for number in range(40):
        with line_to(sqlite_server.port) as peer:
            peer.sendall(HANDSHAKE + (b"\r\n" if number % 2 else b"Sec-WebSocket-Protocol: \r\n\r\n"))
            time.sleep(number / 4000)  # whoever goes at once is not taken up at all
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with Person(sqlite_server).lobby():
        assert "Traceback" not in sqlite_server.log[at:]


def test_a_socket_begins_without_a_body(sqlite_server: ParlourServer) -> None:
    body = frames(400_000)
    with line_to(sqlite_server.port) as peer, within(5):
        peer.sendall(HANDSHAKE + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert everything(peer).startswith(b"HTTP/1.1 400 ")
    assert "Traceback" not in sqlite_server.log


SECOND = HANDSHAKE + b"Daphne-Root-Path: http://attacker.example\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n"


@pytest.mark.parametrize("early", [SECOND, frames(1), b"x"], ids=["handshake", "frame", "byte"])
def test_handshake_with_early_data_ends_connection(sqlite_server: ParlourServer, early: bytes) -> None:
    """Which is a race, so that it is tried often: what comes too early ends the connection, and no more."""

    def knock(_number: int) -> bytes:
        with line_to(sqlite_server.port) as peer:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            peer.sendall(HANDSHAKE + b"\r\n")
            time.sleep(0.001)
            # Whoever was cut off already has no end of their own to announce.
            with contextlib.suppress(OSError):
                for _ in range(20):
                    peer.sendall(early)
                peer.shutdown(socket.SHUT_WR)
            return everything(peer)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(knock, range(40)))
    assert not any(b" 500 " in answer.partition(b"\r\n")[0] for answer in answers)
    assert "Traceback" not in sqlite_server.log


# What a socket takes


@pytest.mark.full
def test_an_idle_socket_takes_little_memory(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), CONNECTIONS_PER_ADDRESS="0")

    async def grown() -> float:
        first = await come(server.port, "/ws/lobby", 400)
        before = memory(server)
        clients = await come(server.port, "/ws/lobby", 3000)
        each = (memory(server) - before) / len(clients)
        await hang_up([*first, *clients])
        return each

    # 33 to 35 kB as the system counts, in whole pages of memory and with what the collector has still to
    # free. With fewer sockets that would weigh more.
    assert asyncio.run(grown()) < 36_000

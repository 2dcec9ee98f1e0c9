"""Sockets that close leave no reference cycles.

Cycles stay until the garbage collector runs, which stops every match of the process: 60 to 80 ms for three
hundred sockets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

from tests.conftest import Launcher
from tools.harness.servers import served_by

SERVER = """
import collections, gc, json
from config import server

def site():
    from config.asgi import application as site

    async def application(scope, receive, send):
        if scope["path"] != "/cycles":
            return await site(scope, receive, send)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found = collections.Counter(type(each).__name__ for each in gc.garbage)
        gc.garbage.clear()
        gc.freeze()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(found).encode()})

    gc.disable()
    return application

server.build("127.0.0.1", 0, site).run()
"""
TIMES = 5


@pytest.fixture(scope="module")
def served(launcher: Launcher, var_dir: Path) -> Iterator[tuple[int, int]]:
    """A server without automatic garbage collection: its process, and its port."""
    store = launcher.store("sqlite")
    with served_by(SERVER, DATABASE_URL=store.database_url, VAR_DIR=str(var_dir)) as (process, port):
        yield process.pid, port


@pytest.fixture
def port(served: tuple[int, int]) -> int:
    return served[1]


def cycles(port: int) -> dict[str, int]:
    """How many objects of each type the collector has found since the last call."""
    with urlopen(f"http://127.0.0.1:{port}/cycles") as answer:
        found: dict[str, int] = json.load(answer)
    return found


def visit(port: int, path: str) -> None:
    """Come TIMES times, and go."""
    for _ in range(TIMES):
        if path.startswith("/ws/"):
            with connect(f"ws://127.0.0.1:{port}{path}", origin=f"http://127.0.0.1:{port}") as socket:
                socket.recv(10)
        else:
            with urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                answer.read()


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/ws/lobby", ("FastPathWebSocketProtocol", "LobbySocket", "MessageQueue", "Server")),
        ("/ws/nowhere", ("FastPathWebSocketProtocol", "UnknownAddress", "MessageQueue", "Server")),
    ],
)
def test_leaves_no_cycle(port: int, path: str, kept: tuple[str, ...]) -> None:
    visit(port, path)
    # What is made once is none of it.
    cycles(port)
    visit(port, path)
    found = cycles(port)
    assert {name: found[name] for name in kept if name in found} == {}


def logs_of_the_store(pid: int) -> int:
    """How often a process has the log of its SQLite open: once for each connection."""
    found = 0
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            found += file.readlink().name.endswith("-wal")
    return found


def test_a_page_leaves_no_connection_to_the_store(served: tuple[int, int]) -> None:
    pid, port = served
    visit(port, "/")
    before = logs_of_the_store(pid)
    for _ in range(4):
        visit(port, "/")
    # Threads that serve everybody may have begun meanwhile; a page each would be twenty.
    assert logs_of_the_store(pid) < before + 4 * TIMES / 2

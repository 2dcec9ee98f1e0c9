"""A page gives back its connection to the store, also without the garbage collector."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.conftest import Launcher
from tools.harness.servers import served_by

SERVER = """
import gc
from config import server

def site():
    from config.asgi import application

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


def visit(port: int) -> None:
    for _ in range(TIMES):
        with urlopen(f"http://127.0.0.1:{port}/") as answer:
            answer.read()


def logs_of_the_store(pid: int) -> int:
    """How often a process has the log of its SQLite open: once for each connection."""
    found = 0
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            found += file.readlink().name.endswith("-wal")
    return found


def test_page_keeps_no_connection_to_the_store(served: tuple[int, int]) -> None:
    pid, port = served
    visit(port)
    before = logs_of_the_store(pid)
    for _ in range(4):
        visit(port)
    # Threads that serve everybody may have begun meanwhile; a page each would be twenty.
    assert logs_of_the_store(pid) < before + 4 * TIMES / 2

"""What is done to servers and services while people play."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

import psycopg

from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer
from tools.harness.services import Service

STEPPED = """
import os, time
seconds, nanoseconds, step = time.time, time.time_ns, os.environ["STEP"]

def off():
    with open(step) as file:
        return float(file.read())

time.time = lambda: seconds() + off()
time.time_ns = lambda: nanoseconds() + int(off() * 1e9)
"""
"""What Python runs before all else: the time of day, some seconds off, from a file that says how many."""


@dataclass
class Fault:
    """When it struck and was over; `away` is for how many seconds the site was not there at all."""

    struck: list[float] = field(default_factory=list)
    healed: list[float] = field(default_factory=list)
    away: float = 0.0

    @contextlib.contextmanager
    def strikes(self, everything: bool = False) -> Iterator[None]:
        """It is there inside, and with `everything` the whole site is away."""
        self.struck.append(time.monotonic())
        yield
        self.healed.append(time.monotonic())
        if everything:
            # A beat of the site may be seconds old when it goes, and the next one seconds young.
            self.away += self.healed[-1] - self.struck[-1] + 4


def crash(fault: Fault, server: ParlourServer, whole: bool = True) -> None:
    """kill -9, and begin again."""
    with fault.strikes(whole):
        server.kill9()
        server.start()


def crashes(servers: Sequence[ParlourServer]) -> Callable[[], None]:
    """A strike that crashes the only server, or each of several in turn."""
    turns = cycle(servers)
    return lambda: crash(Fault(), next(turns), whole=len(servers) == 1)


def upgrade(
    fault: Fault,
    server: ParlourServer,
    whole: bool = True,
    meanwhile: AbstractContextManager[None] | None = None,
) -> float:
    """SIGTERM, `meanwhile` it ends, and begin again; seconds until it had ended."""
    with fault.strikes(whole):
        with meanwhile or nullcontext():
            began = time.monotonic()
            code = server.terminate()
            ended = time.monotonic() - began
        assert code == 0, f"it ended with {code}:\n{server.log}"
        server.start()
    return ended


@contextlib.contextmanager
def locked(server: ParlourServer, sessions: bool = False) -> Iterator[None]:
    """Somebody else keeps the store from being written, and on PostgreSQL sessions from being read."""
    if server.database_url.startswith("sqlite:///"):
        path = server.database_url.removeprefix("sqlite:///")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(server.database_url) as other:
            other.execute("SELECT * FROM games_match FOR UPDATE")
            if sessions:
                other.execute("LOCK TABLE django_session IN ACCESS EXCLUSIVE MODE")
            yield


def pause(fault: Fault, service: Service, seconds: float, whole: bool = True) -> None:
    """It stands still, and knows nothing of it."""
    with fault.strikes(whole):
        service.signal(signal.SIGSTOP)
        time.sleep(seconds)
        service.signal(signal.SIGCONT)


def kill_workers(server: ParlourServer) -> int:
    """kill -9 for every process in which computer players think; how many there were."""
    assert server.process is not None
    killed = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == server.process.pid:
                os.kill(int(status.parent.name), signal.SIGKILL)
                killed += 1
    return killed


class StepClock:
    """Sets the time of day of servers that are started with its `settings`."""

    def __init__(self, directory: Path) -> None:
        (directory / "sitecustomize.py").write_text(STEPPED)
        self._file = directory / "step"
        self.set(0)
        self.settings = {"STEP": str(self._file), "PYTHONPATH": f"{directory}:{Path.cwd()}"}

    def set(self, seconds: float) -> None:
        """So many seconds off from now on."""
        fresh = self._file.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.rename(self._file)


def copy_of(server: ParlourServer, path: Path) -> None:
    """A copy of an SQLite store, made while people play, as docs/guide/hosting.md has it."""
    source = server.database_url.removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(source, timeout=20)) as store:
        store.execute("VACUUM INTO ?", (str(path),))


@contextlib.contextmanager
def full_disk(directory: Path) -> Iterator[None]:
    """No byte is left on the disk of this directory, which is one of its own."""
    ballast = directory / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(65536))
    yield
    ballast.unlink()


def until_more(acknowledged: Callable[[], float], more: int) -> None:
    """Wait until people have played on by so many moves, or to the end."""
    begun = acknowledged()
    wait_until(lambda: acknowledged() >= begun + more, "playing on")

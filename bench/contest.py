"""The servers that `make bench` measures beside each other, each in processes of its own."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from bench import load
from bench.measure import processor_time, spent_by
from bench.site import running
from tools.harness.services import Postgres, Redis
from tools.programs import postgres_bin, redis_server

ROOT = Path(__file__).parent.parent
NEIGHBOUR = Path(__file__).parent / "neighbour"
MODULES = NEIGHBOUR / "node_modules"
INSTALL = "npm install --prefix bench/neighbour"

Matches: TypeAlias = Sequence[tuple[str, Sequence[str]]]
"""Ids of matches, and their players' cookies."""


def anonymous(number: int) -> Matches:
    """Matches on servers that know neither people nor what was played before."""
    return [(secrets.token_hex(6), ("", "")) for _ in range(number)]


@dataclass(frozen=True)
class Contestant:
    """A server, and how it is measured.

    Attributes:
        pid: the process that is played on.
        clocks: by what they are of, what say how many seconds of processor time have been used.
        new: makes so many matches.
        settled: returns once what follows the ends of these matches is stored.
    """

    name: str
    kind: type[Any]
    pid: int
    port: int
    clocks: dict[str, Callable[[], float]]
    new: Callable[[int], Matches] = anonymous
    settled: Callable[[Sequence[str]], object] = lambda ids: None
    spent: dict[str, float] = field(default_factory=dict)

    def clock(self) -> float:
        """Seconds of processor time of all that is counted."""
        return sum(clock() for clock in self.clocks.values())


@contextmanager
def neighbour(name: str, kind: type[Any], program: str) -> Iterator[Contestant]:
    """A server of another framework, on Node."""
    if not MODULES.exists():
        sys.exit(f"{name} is not installed: {INSTALL}")
    with running("node", str(NEIGHBOUR / program)) as (pid, port):
        yield Contestant(name, kind, pid, port, {"server": partial(processor_time, pid)})


@contextmanager
def relay() -> Iterator[Contestant]:
    """What the tutorial of Channels does, on the site's own server program."""
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as scratch:
        settings = {"SECRET_KEY": secrets.token_hex(32), "VAR_DIR": scratch, "LOG_LEVEL": "ERROR"}
        command = "env", *(f"{name}={value}" for name, value in settings.items())
        with running(*command, sys.executable, "-m", "bench.relay_server", "--port") as (pid, port):
            yield Contestant(
                "group_send", load.RelayTable, pid, port, {"server": partial(processor_time, pid)}
            )


@contextmanager
def parlour(
    name: str,
    checkout: Path = ROOT,
    services: Mapping[str, Callable[[], float]] | None = None,
    **settings: object,
) -> Iterator[Contestant]:
    """The site from a checkout; `services` are the clocks of those that it uses."""
    settings = {"LOG_LEVEL": "ERROR", **settings}
    command = [sys.executable, "-P", str(ROOT / "bench" / "checkout.py"), json.dumps(settings)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=checkout, **pipes) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        questions, answers = child.stdin, child.stdout

        def ask(what: str, value: object) -> Any:
            questions.write(json.dumps([what, value]) + "\n")
            questions.flush()
            return answer()

        def answer() -> Any:
            line = answers.readline()
            return json.loads(line) if line else sys.exit(f"the site of {checkout} ended")

        (pid, port), *_ = answer()
        clocks: dict[str, Callable[[], float]] = {"server": partial(processor_time, pid), **(services or {})}
        try:
            yield Contestant(
                name, load.ParlourTable, pid, port, clocks, partial(ask, "matches"), partial(ask, "settled")
            )
        finally:
            questions.close()


@contextmanager
def parlour_on_postgres(name: str) -> Iterator[Contestant]:
    """The site on PostgreSQL and Redis, with a second, idle server beside the one that is played on."""
    with ExitStack() as running_now:
        postgres, redis = Postgres(str(postgres_bin()), durable=True), Redis(str(redis_server()))
        clocks = {}
        for service, known in ((postgres, "PostgreSQL"), (redis, "Redis")):
            running_now.callback(service.discard)
            service.start()
            clocks[known] = partial(spent_by, service)
        urls: dict[str, Any] = {"DATABASE_URL": postgres.url("postgres"), "REDIS_URL": redis.url()}
        yield running_now.enter_context(parlour(name, services=clocks, servers=2, BOT_PROCESSES="0", **urls))


PARLOUR, ON_POSTGRES, BOARDGAME = "Parlour", "Parlour, PostgreSQL and Redis", "boardgame.io"

CONTESTANTS: dict[str, Callable[[], Any]] = {
    "parlour": partial(parlour, PARLOUR, BOT_PROCESSES="1"),
    "postgres": partial(parlour_on_postgres, ON_POSTGRES),
    "boardgame.io": partial(neighbour, BOARDGAME, load.BoardgameTable, "boardgame-io.cjs"),
    "colyseus": partial(neighbour, "Colyseus", load.ColyseusTable, "colyseus.mjs"),
    "ws": partial(neighbour, "bare ws", load.BareTable, "ws.cjs"),
    "relay": relay,
}
"""What can be measured, by how it is called on the command line."""

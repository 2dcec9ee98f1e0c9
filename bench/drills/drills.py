"""The drills: each plays matches through a fault and has the checker decide."""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench.drills import crowds, faults
from bench.drills.faults import Fault
from bench.drills.grounds import Ground, Grounds
from bench.drills.witness import (
    Witness,
    judged,
    play_all,
    seat_against_computers,
    seat_witnesses,
    witness,
)
from tests.helpers.relay import Relay
from tests.helpers.servers import ParlourServer

Acknowledged = Callable[[], float]
Nemesis = Callable[[Fault, list[ParlourServer], Acknowledged], str | None]


@dataclass
class Report:
    """What came of a drill: figures for people, and every promise that was broken."""

    name: str
    shape: str
    figures: list[str] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Drill:
    """One row of docs/reliability.md; `run` fills its report in."""

    name: str
    shape: str
    run: Callable[[Grounds, Report], None]


DRILLS: list[Drill] = []


def drill(name: str, shape: str) -> Callable[[Callable[[Grounds, Report], None]], None]:
    """A function is a drill."""

    def enter(run: Callable[[Grounds, Report], None]) -> None:
        DRILLS.append(Drill(name, shape, run))

    return enter


def everybody_back(fault: Fault, clients: Sequence[Witness]) -> str:
    """When the last who still played heard something: since it struck, and since it was over."""
    waits = [(0.0, 0.0)]
    for client in clients:
        for struck, healed in zip(fault.struck, fault.healed, strict=True):
            waits += [(at - struck, at - healed) for at in client.history.heard_at() if at > healed][:1]
    struck, healed = (max(column) for column in zip(*waits, strict=True))
    return f"everybody back {struck:.1f} s after it struck, {healed:.1f} s after it was over"


def back_elsewhere(fault: Fault, clients: Sequence[Witness]) -> str:
    """When the last who lost their server heard something from another, while that was away."""
    waits = [0.0]
    for client in clients:
        for events in client.history.connections():
            heard = next((event.at for event in events if event.kind == "heard"), None)
            for struck, healed in zip(fault.struck, fault.healed, strict=True):
                if heard is not None and struck < events[0].at < healed:
                    waits.append(heard - struck)
    return f"whoever was cut off heard from the other server {max(waits):.1f} s after it struck"


def struck_nobody(fault: Fault, clients: Sequence[Witness]) -> list[str]:
    """A fault says something only if people still played when it was over."""
    last = max(at for client in clients for at in client.history.heard_at())
    missed = sum(healed > last for healed in fault.healed)
    return [f"nobody played any more after {missed} of {len(fault.healed)}"] if missed else []


def through(
    report: Report,
    servers: list[ParlourServer],
    nemesis: Nemesis,
    *,
    matches: int = 6,
    enough: int = 60,
    clock: str = "3+2",
    apart: bool = False,
    back: Callable[[Fault, Sequence[Witness]], str] = everybody_back,
    **how: float,
) -> list[Witness]:
    """Play matches on all servers, by lot for each connection, through what the nemesis does.

    With `apart` the servers do not hear each other, and so many are played at each of them. `back` says when
    people were there again.
    """
    lot, fault = random.Random(1), Fault()
    sites = [[server] for server in servers] if apart else [servers]
    clients = [
        client
        for site in sites
        for client in seat_witnesses(site[0], partial(lot.choice, site), matches, enough, clock, **how)
    ]
    said: list[str | None] = []
    asyncio.run(play_all(clients, lambda acknowledged: said.append(nemesis(fault, servers, acknowledged))))
    report.breaches += judged(servers[0], clients, fault.away)
    commands = sum(len(client.acknowledged) for client in clients)
    sent = commands * int(how.get("copies", 1))
    report.figures.append(f"{commands} commands acknowledged" + (f" of {sent} copies" * (sent > commands)))
    if fault.healed:
        report.figures.append(back(fault, clients))
        report.breaches += struck_nobody(fault, clients)
    report.figures += [words for words in said if words]
    return clients


# One process on SQLite


@drill("kill -9 of the server, five times", "SQLite")
def _kill(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for _ in range(5):
            faults.until_more(acknowledged, 10)
            faults.crash(fault, servers[0])

    with grounds.servers(grounds.sqlite()) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("every command twenty times", "SQLite")
def _storm(grounds: Grounds, report: Report) -> None:
    with grounds.servers(grounds.sqlite()) as servers:
        through(report, servers, lambda *_: None, copies=20)


@drill("every command twenty times, two servers", "PostgreSQL, Redis")
def _storm_on_two(grounds: Grounds, report: Report) -> None:
    with grounds.servers(grounds.shared(), 2) as servers:
        through(report, servers, lambda *_: None, copies=20)


@drill("SIGTERM and a restart", "SQLite")
def _restart(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> str:
        faults.until_more(acknowledged, 10)
        return f"ended after {faults.upgrade(fault, servers[0]):.1f} s"

    with grounds.servers(grounds.sqlite()) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("the server stands still for 20 s", "SQLite")
def _pause(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        faults.pause(fault, servers[0], 20)

    with grounds.servers(grounds.sqlite()) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("the clock of the computer is set back and forth by an hour", "SQLite")
def _clock(grounds: Grounds, report: Report) -> None:
    clock = faults.StepClock(Path(tempfile.mkdtemp(dir=grounds.directory)))

    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for hours in (-1, 0, 1, 0):
            faults.until_more(acknowledged, 10)
            clock.set(hours * 3600)
            fault.away += 3600

    with grounds.servers(grounds.sqlite(), **clock.settings) as servers:
        through(report, servers, nemesis, pace=0.2, matches=3)


@drill("two servers on one file, one of them killed", "SQLite")
def _two_on_one_file(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for _ in range(2):
            faults.until_more(acknowledged, 10)
            faults.crash(fault, servers[1], whole=False)

    with grounds.servers(grounds.sqlite(), 2) as servers:
        # Without a layer a server tells nobody else.
        through(report, servers, nemesis, pace=1, matches=3, apart=True)


@drill("every process in which computers think is killed, five times", "SQLite")
def _workers(grounds: Grounds, report: Report) -> None:
    with grounds.servers(grounds.sqlite(), BOT_PROCESSES="1", BOT_PACE="0.1") as servers:
        clients = seat_against_computers(servers[0], 3, 60)

        def kill(acknowledged: Acknowledged) -> None:
            for _ in range(5):
                faults.until_more(acknowledged, 4)
                faults.kill_workers(servers[0])

        asyncio.run(play_all(clients, kill))
        report.breaches += judged(servers[0], clients)
        moves = sum(len(client.acknowledged) for client in clients)
        report.figures.append(f"{moves} commands acknowledged, every match played on")


@drill("a copy is made while people play, and played on from", "SQLite")
def _restore(grounds: Grounds, report: Report) -> None:
    copy = grounds.directory / "copy.sqlite3"

    def nemesis(_: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        faults.copy_of(servers[0], copy)

    with grounds.servers(grounds.sqlite()) as servers:
        clients = through(report, servers, nemesis, pace=0.1, matches=3)
    with grounds.servers(Ground(f"sqlite:///{copy}")) as servers:
        again = [witness_again(servers[0], client) for client in clients if client.history.seat is not None]
        asyncio.run(play_all(again, lambda _: None))
        report.breaches += judged(servers[0], again, away=3600)
        report.figures.append(f"{sum(len(client.acknowledged) for client in again)} acknowledged on the copy")


def witness_again(server: ParlourServer, client: Witness) -> Witness:
    """The same person at the same match on another server."""
    return witness(lambda: server, client.person, client.match_id, client.history.seat, client.enough)


@drill("the disk is full for 5 s", "SQLite")
def _full(grounds: Grounds, report: Report) -> None:
    disk = Path(tempfile.mkdtemp(dir=grounds.directory))
    with mounted(disk), grounds.servers(grounds.sqlite(disk)) as servers:

        def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> str:
            faults.until_more(acknowledged, 10)
            # A site that cannot note that it is alive is away, and nobody is charged for that.
            with fault.strikes(everything=True), faults.full_disk(disk):
                time.sleep(5)
                said = servers[0].get("/readyz").text.strip()
                page = servers[0].get("/").status
            return f"/readyz said “{said}”, the front page {page}"

        through(report, servers, nemesis, pace=0.2)


@contextlib.contextmanager
def mounted(directory: Path) -> Iterator[None]:
    """A small disk at a directory; only root may have one."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", directory], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", directory], check=True)


# Two servers on PostgreSQL and Redis


@drill("kill -9 of one of two servers, five times", "PostgreSQL, Redis")
def _kill_one(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for number in range(5):
            faults.until_more(acknowledged, 10)
            faults.crash(fault, servers[number % 2], whole=False)

    with grounds.servers(grounds.shared(), 2) as servers:
        # So slowly that people still play when the last of them is back.
        through(report, servers, nemesis, pace=2.5, back=back_elsewhere)


@drill("an upgrade: SIGTERM for one after the other", "PostgreSQL, Redis")
def _upgrade(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> str:
        seconds = []
        for server in servers:
            faults.until_more(acknowledged, 10)
            seconds.append(faults.upgrade(fault, server, whole=False))
        return f"ended after {max(seconds):.1f} s at worst"

    with grounds.servers(grounds.shared(), 2) as servers:
        through(report, servers, nemesis, pace=1, back=back_elsewhere)


@drill("kill -9 of PostgreSQL, three times", "PostgreSQL, Redis")
def _kill_postgres(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, _: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for _again in range(3):
            faults.until_more(acknowledged, 10)
            with fault.strikes(everything=True):
                assert grounds.postgres is not None
                grounds.postgres.restart()

    with grounds.servers(grounds.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("PostgreSQL is out of reach for 20 s", "PostgreSQL, Redis")
def _out_of_reach(grounds: Grounds, report: Report) -> None:
    ground = grounds.shared()
    assert grounds.postgres is not None
    wire = Relay(grounds.postgres.port)
    beyond = Ground(
        ground.database_url.replace(f":{grounds.postgres.port}/", f":{wire.port}/"), ground.redis_url
    )

    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> str:
        faults.until_more(acknowledged, 10)
        with fault.strikes(everything=True):
            wire.fall_silent()
            time.sleep(18)
            began = time.monotonic()
            said = servers[0].get("/readyz").text.strip()
            took = time.monotonic() - began
            wire.speak()
        healed = time.monotonic()
        faults.until_more(acknowledged, 1)
        return f"/readyz “{said}” in {took:.1f} s, the first move {time.monotonic() - healed:.1f} s after"

    with grounds.servers(beyond, 2) as servers:
        through(report, servers, nemesis, pace=0.1)
    wire.close()


@drill("kill -9 of Redis, and again", "PostgreSQL, Redis")
def _kill_redis(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, _: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for _again in range(2):
            faults.until_more(acknowledged, 10)
            with fault.strikes():
                assert grounds.redis is not None
                grounds.redis.kill9()
                time.sleep(2)
                grounds.redis.start()

    with grounds.servers(grounds.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("Redis forgets everything", "PostgreSQL, Redis")
def _forget(grounds: Grounds, report: Report) -> None:
    def nemesis(_: Fault, __: list[ParlourServer], acknowledged: Acknowledged) -> None:
        import redis

        assert grounds.redis is not None
        for _again in range(3):
            faults.until_more(acknowledged, 10)
            with contextlib.closing(redis.Redis.from_url(grounds.redis.url())) as client:
                client.flushall()

    with grounds.servers(grounds.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("three of ten messages between servers are lost", "PostgreSQL, Redis")
def _lossy(grounds: Grounds, report: Report) -> None:
    lossy = {"DJANGO_SETTINGS_MODULE": "tests.helpers.lossy_settings", "LOSS_SEED": "1"}
    with grounds.servers(grounds.shared(), 2, **lossy) as servers:
        through(report, servers, lambda *_: None, pace=0.05)


@drill("one of two servers stands still for 20 s", "PostgreSQL, Redis")
def _pause_one(grounds: Grounds, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        faults.pause(fault, servers[1], 20, whole=False)

    with grounds.servers(grounds.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.3)


# Crowds


@drill("1,000 sockets come at once, and again", "SQLite")
def _crowd(grounds: Grounds, report: Report) -> None:
    with grounds.servers(grounds.sqlite()) as servers:
        report.figures, report.breaches = crowds.come_and_go(servers, 1000)


@drill("1,000 sockets come at once, and again, two servers", "PostgreSQL, Redis")
def _crowd_on_two(grounds: Grounds, report: Report) -> None:
    with grounds.servers(grounds.shared(), 2) as servers:
        report.figures, report.breaches = crowds.come_and_go(servers, 1000)


@drill("2,000 sockets of one address", "SQLite")
def _address(grounds: Grounds, report: Report) -> None:
    with grounds.servers(grounds.sqlite(), CONNECTIONS_PER_ADDRESS="500") as servers:
        report.figures, report.breaches = crowds.too_many(servers[0], 2000)


@drill("pings as fast as they go, by somebody who reads nothing", "SQLite")
def _pings(grounds: Grounds, report: Report) -> None:
    with grounds.servers(grounds.sqlite(), SOCKET_RATE="10") as servers:
        report.figures, report.breaches = crowds.flood(servers[0], 9, 10.0)


@drill("words as fast as they go", "SQLite")
def _words(grounds: Grounds, report: Report) -> None:
    with grounds.servers(grounds.sqlite(), SOCKET_RATE="10") as servers:
        report.figures, report.breaches = crowds.flood(servers[0], 1, 10.0)

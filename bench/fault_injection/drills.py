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
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.fault_injection import abandoned_requests, costly_messages, faults, floods, tournaments
from bench.fault_injection.clients import (
    RecordingClient,
    judged,
    named_guest,
    play_all,
    recording_client,
    seat_against_computers,
    seat_clients,
    stored,
)
from bench.fault_injection.environments import Environment, Store
from bench.fault_injection.faults import Fault
from tools.harness import subprocess_call
from tools.harness.patience import patience, wait_until
from tools.harness.proxy import Caddy, Proxy
from tools.harness.recorded import store_long_match
from tools.harness.relay import Relay
from tools.harness.scenario import HEARD_WITHIN, Evening
from tools.harness.servers import ParlourServer
from tools.harness.services import Endpoint
from tools.harness.timed import timed_match
from tools.programs import caddy, nginx

Acknowledged = Callable[[], float]
Nemesis = Callable[[Fault, list[ParlourServer], Acknowledged], None]

BACK = 5.0
"""Seconds until everybody is back: from when a server went, or what it needs came back."""
SOAK_SECONDS = 300
FEW_FILES = 20
"""More of them may be open in the end: connections that linger, and threads that have the store open."""
ENDED = 8.0
"""Seconds that a server may take that is asked to end."""
USED_AGAIN = 5.0
"""Seconds until a PostgreSQL that was out of reach is used again."""
DEFAULT_LIMITS = {
    **{"SOCKET_RATE": "10", "SOCKETS_PER_PERSON": "50", "CONNECTIONS_PER_ADDRESS": "500"},
    **{"COST_PERSON_LIMIT": "5000/10s", "COST_ADDRESS_LIMIT": "40000/20s"},
}
"""The limits that a host has who sets none."""
READY = 4.0
"""Seconds that `/readyz` may take, whatever does not answer."""


@dataclass
class Report:
    """What came of a drill: figures for people, and every promise that was broken."""

    name: str
    shape: str
    figures: list[str] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)

    def timed(self, words: str, seconds: float, most: float) -> None:
        """Record a duration, and a breach if it exceeds the limit."""
        allowed = patience(most)
        stretched = f" (limit on this busy machine: {allowed:.0f} s)" if allowed > most else ""
        self.figures.append(words.format(f"{seconds:.1f} s") + stretched * (seconds > most))
        if seconds > allowed:
            self.breaches.append(f"late: {self.figures[-1]}; the limit is {most:.0f} s")


Back = Callable[[Report, Fault, Sequence[RecordingClient]], None]


@dataclass(frozen=True)
class Drill:
    """One row of docs/explanation/reliability.md; `run` fills its report in."""

    name: str
    shape: str
    run: Callable[[Environment, Report], None]


CLUSTER = "nginx, two servers, a worker"
"""What `make cluster` begins, on PostgreSQL and Redis."""

DRILLS: list[Drill] = []


def drill(name: str, shape: str) -> Callable[[Callable[[Environment, Report], None]], None]:
    """A function is a drill."""

    def enter(run: Callable[[Environment, Report], None]) -> None:
        DRILLS.append(Drill(name, shape, run))

    return enter


def everybody_back(report: Report, fault: Fault, clients: Sequence[RecordingClient]) -> None:
    """When the last who still played heard something, after it was over."""
    report.timed("all clients back {} after the fault ended", _last_heard(fault.healed, fault, clients), BACK)


def back_after_restart(report: Report, fault: Fault, clients: Sequence[RecordingClient]) -> None:
    """The same since it struck: for that long nobody could play."""
    report.timed("all clients back {} after the fault began", _last_heard(fault.struck, fault, clients), BACK)


def _last_heard(since: Sequence[float], fault: Fault, clients: Sequence[RecordingClient]) -> float:
    """After how many seconds the last client heard something once the fault was over, at its worst."""
    waits = [0.0]
    for client in clients:
        for begun, healed in zip(since, fault.healed, strict=True):
            waits += [at - begun for at in client.history.heard_at() if at > healed][:1]
    return max(waits)


def back_elsewhere(report: Report, fault: Fault, clients: Sequence[RecordingClient]) -> None:
    """When the last who lost their server heard something from another, while that was away."""
    waits = []
    for client in clients:
        for events in client.history.connections():
            heard = next((event.at for event in events if event.kind == "heard"), None)
            for struck, healed in zip(fault.struck, fault.healed, strict=True):
                if heard is not None and struck < events[0].at < healed:
                    waits.append(heard - struck)
    if not waits:
        report.breaches.append("no client was disconnected")
        return
    report.timed("disconnected clients back on the other server {} after the fault began", max(waits), BACK)


def struck_nobody(fault: Fault, clients: Sequence[RecordingClient]) -> list[str]:
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
    endpoints: Sequence[Endpoint] = (),
    back: Back = everybody_back,
    **how: Any,
) -> list[RecordingClient]:
    """Play matches on all servers, by lot for each connection, through what the nemesis does.

    With `apart` the servers do not hear each other, and so many are played at each of them. `endpoints` are
    where people come in, if not at the servers themselves. `back` says when people were there again.
    """
    lot, fault = random.Random(1), Fault()
    sites: list[Sequence[Endpoint]] = [[server] for server in servers] if apart else [endpoints or servers]
    clients = [
        client
        for server, site in zip(servers, sites, strict=False)
        for client in seat_clients(server, partial(lot.choice, site), matches, enough, clock, **how)
    ]
    asyncio.run(play_all(clients, lambda acknowledged: nemesis(fault, servers, acknowledged)))
    report.breaches += judged(servers[0], clients, fault.away)
    report.figures.insert(0, counted(clients))
    if fault.healed:
        back(report, fault, clients)
        report.breaches += struck_nobody(fault, clients)
    return clients


def counted(clients: Sequence[RecordingClient]) -> str:
    """How many commands were acknowledged and refused, and how often that was said."""
    answers = [answer for client in clients for answer in client.history.heard("accepted", "refused")]
    acknowledged = sum(len(client.acknowledged) for client in clients)
    refused = len({answer["id"] for answer in answers if answer["type"] == "refused"})
    words = f"{acknowledged} commands acknowledged" + f", {refused} refused" * bool(refused)
    return words + f", in {len(answers):,} answers" * any(client.copies > 1 for client in clients)


# One process on SQLite


@drill("kill -9 of the server, five times", "SQLite")
def _kill(environment: Environment, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for _ in range(5):
            faults.until_more(acknowledged, 10)
            faults.crash(fault, servers[0])

    with environment.servers(environment.sqlite()) as servers:
        through(report, servers, nemesis, pace=0.1, back=back_after_restart)


STORM: dict[str, Any] = {"copies": 20, "lines": 3, "rivals": 1}


@drill("every command sent 20 times over three sockets, two clients per seat", "SQLite")
def _storm(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite()) as servers:
        through(report, servers, lambda *_: None, **STORM)


@drill("every command sent 20 times over three sockets, two clients per seat", "PostgreSQL, Redis")
def _storm_on_two(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2) as servers:
        through(report, servers, lambda *_: None, **STORM)


@drill("SIGTERM and restart", "SQLite")
def _restart(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite()) as servers:
        through(report, servers, upgraded(report), pace=0.1, back=back_after_restart)


def upgraded(report: Report, whole: bool = True) -> Nemesis:
    """Each server is asked to end and begins again, one after the other."""

    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        took = []
        for server in servers:
            faults.until_more(acknowledged, 10)
            took.append(faults.upgrade(fault, server, whole=whole))
        report.timed("shut down in {}", max(took), ENDED)

    return nemesis


@drill("the connections of half of the clients stall for 20 s", "SQLite")
def _silent(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite()) as servers:
        wire = Relay(servers[0].port)

        def nemesis(fault: Fault, _: list[ParlourServer], acknowledged: Acknowledged) -> None:
            faults.until_more(acknowledged, 10)
            with fault.strikes():
                wire.fall_silent()
                time.sleep(20)
                wire.speak()

        through(report, servers, nemesis, pace=0.3, endpoints=[servers[0], wire])
        wire.close()


@drill("the server is paused (SIGSTOP) for 20 s", "SQLite")
def _pause(environment: Environment, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        faults.pause(fault, servers[0], 20)

    with environment.servers(environment.sqlite()) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("the system clock jumps back and forth by an hour, then ahead by a day", "SQLite")
def _clock(environment: Environment, report: Report) -> None:
    clock = faults.StepClock(Path(tempfile.mkdtemp(dir=environment.directory)))

    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for before, hours in pairwise((0, -1, 0, 1, 0, 25)):
            faults.until_more(acknowledged, 10)
            with fault.strikes():
                clock.set(hours * 3600)
            fault.away += abs(hours - before) * 3600

    with environment.servers(environment.sqlite(), **clock.settings) as servers:
        names = [named_guest(servers[0])[1] for _ in range(2)]
        by_days = timed_match(servers[0], "1d", names)
        clients = through(report, servers, nemesis, pace=0.2, matches=3)
        live = {client.match_id for client in clients}
        report.breaches += [
            f"a flag fell in {match_id}" for match_id in live if flagged(servers[0], match_id)
        ]
        wait_until(lambda: flagged(servers[0], by_days), "the fall of a flag after a day")
        report.figures.append("only the one-day clock ran out")


def flagged(server: ParlourServer, match_id: str) -> bool:
    """Whether somebody's time was up in a match."""
    return any(ply.action.endswith(":time") for ply in stored(server, match_id).plies)


@drill("two servers on one SQLite file, one of them killed", "SQLite")
def _two_on_one_file(environment: Environment, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for _ in range(2):
            faults.until_more(acknowledged, 10)
            faults.crash(fault, servers[1], whole=False)

    with environment.servers(environment.sqlite(), 2) as servers:
        # Without a layer a server tells nobody else.
        through(report, servers, nemesis, pace=1, matches=3, apart=True)


@drill("all bot worker processes are killed, five times", "SQLite")
def _workers(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), BOT_PROCESSES="1", BOT_PACE="0.1") as servers:
        clients, killed = seat_against_computers(servers[0], 3, 60), list[int]()

        def kill(acknowledged: Acknowledged) -> None:
            for _ in range(5):
                faults.until_more(acknowledged, 4)
                killed.append(faults.kill_workers(servers[0]))

        asyncio.run(play_all(clients, kill))
        if 0 in killed:
            report.breaches.append(f"there was nothing to kill: {killed}")
        report.breaches += judged(servers[0], clients)
        moves = sum(len(client.acknowledged) for client in clients)
        report.figures.append(f"{moves} commands acknowledged; every match continued")


@drill("a backup is made during play, then restored", "SQLite")
def _restore(environment: Environment, report: Report) -> None:
    copy = environment.directory / "copy.sqlite3"

    before: set[str] = set()

    with environment.servers(environment.sqlite()) as servers:
        clients = seat_clients(servers[0], lambda: servers[0], 3, 60, pace=0.1)

        def nemesis(acknowledged: Acknowledged) -> None:
            faults.until_more(acknowledged, 10)
            before.update(command for client in clients for command in list(client.acknowledged))
            faults.copy_of(servers[0], copy)

        asyncio.run(play_all(clients, nemesis))
        report.breaches += judged(servers[0], clients)
    with environment.servers(Store(f"sqlite:///{copy}")) as servers:
        there = {ply.command for client in clients for ply in stored(servers[0], client.match_id).plies}
        report.breaches += [f"lost: {command} is not on the copy" for command in before - there]
        again = [client_again(servers[0], client) for client in clients if client.history.seat is not None]
        asyncio.run(play_all(again, lambda _: None))
        report.breaches += judged(servers[0], again, away=3600)
        played_on = sum(len(client.acknowledged) for client in again)
        report.figures.append(f"{len(before)} commands acknowledged before; {played_on} after the restore")
        if not played_on:
            report.breaches.append("nobody played on")


def client_again(server: ParlourServer, client: RecordingClient) -> RecordingClient:
    """The same person at the same match on another server."""
    return recording_client(
        lambda: server, client.person, client.match_id, client.history.seat, client.enough
    )


@drill("the disk is full for 5 s", "SQLite")
def _full(environment: Environment, report: Report) -> None:
    disk = Path(tempfile.mkdtemp(dir=environment.directory))
    with mounted(disk, "8m"), environment.servers(environment.sqlite(disk)) as servers:
        through_a_full_disk(report, servers, disk)


def through_a_full_disk(report: Report, servers: list[ParlourServer], disk: Path) -> None:
    """Play while there is no room, and see that everybody who asks is told so."""

    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        # A site that cannot note that it is alive is away, and nobody is charged for that.
        with fault.strikes(everything=True), faults.full_disk(disk):
            time.sleep(5)
            said = servers[0].get("/readyz").text.strip()
            page = servers[0].get("/").status
        report.figures.append(f"/readyz returned “{said}”, the front page {page}")
        if (said, page) != ("the disk is full", 200):
            report.breaches.append(f"a full disk was not reported: {report.figures[-1]}")

    through(report, servers, nemesis, pace=0.2)


@contextlib.contextmanager
def mounted(directory: Path, size: str) -> Iterator[None]:
    """A small disk at a directory; only root may have one."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", directory], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", directory], check=True)


@drill("five minutes of matches in a row", "SQLite")
def _soak(environment: Environment, report: Report) -> None:
    # Every six matches have guests of their own, more in an hour than one address may make.
    with environment.servers(environment.sqlite(), GUESTS_PER_HOUR="0") as servers:
        server, until = servers[0], time.monotonic() + SOAK_SECONDS
        acknowledged, sizes = 0, [(floods.memory(server), floods.open_files(server))]
        while time.monotonic() < until:
            clients = seat_clients(server, lambda: server, 6, 60, pace=0.05)
            asyncio.run(play_all(clients, lambda _: None))
            report.breaches += judged(server, clients)
            acknowledged += sum(len(client.acknowledged) for client in clients)
            sizes.append((floods.memory(server), floods.open_files(server)))
    memory, files = zip(*(sizes[0], sizes[len(sizes) // 2], sizes[-1]), strict=True)
    report.figures += [
        f"{acknowledged:,} commands acknowledged",
        "memory at start, middle and end: " + ", ".join(f"{each / 1e6:.0f} MB" for each in memory),
        "open files: {}, {}, {}".format(*files),
    ]
    if files[2] > files[0] + FEW_FILES:
        report.breaches.append(f"files stay open: {report.figures[-1]}")


# Two servers on PostgreSQL and Redis


@drill("kill -9 of one of two servers, five times", "PostgreSQL, Redis")
def _kill_one(environment: Environment, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for number in range(5):
            faults.until_more(acknowledged, 10)
            faults.crash(fault, servers[number % 2], whole=False)

    with environment.servers(environment.shared(), 2) as servers:
        # So slowly that people still play when the last of them is back.
        through(report, servers, nemesis, pace=2.5, back=back_elsewhere)


@drill("rolling upgrade: SIGTERM to one server after another", "PostgreSQL, Redis")
def _upgrade(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2) as servers:
        through(report, servers, upgraded(report, whole=False), pace=1, back=back_elsewhere)


@drill("rolling upgrade: SIGTERM to one server after another", CLUSTER)
def _upgrade_behind(environment: Environment, report: Report) -> None:
    with environment.cluster() as site:
        assert isinstance(site.proxy, Proxy)
        nemesis = upgraded(report, whole=False)
        through(report, site.servers, nemesis, pace=1, endpoints=[site.proxy], back=back_elsewhere)


@drill("SIGTERM while moves wait for a lock", "PostgreSQL, Redis")
def _locked(environment: Environment, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        # While the store is locked nobody plays, at the other server neither.
        took = faults.upgrade(fault, servers[1], meanwhile=faults.locked(servers[0]))
        report.timed("shut down in {}", took, ENDED)

    with environment.servers(environment.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.3)


@drill("kill -9 of PostgreSQL, three times", "PostgreSQL, Redis")
def _kill_postgres(environment: Environment, report: Report) -> None:
    def nemesis(fault: Fault, _: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for _again in range(3):
            faults.until_more(acknowledged, 10)
            with fault.strikes(everything=True):
                assert environment.postgres is not None
                environment.postgres.restart()

    with environment.servers(environment.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("PostgreSQL is unreachable for 20 s", "PostgreSQL, Redis")
def _out_of_reach(environment: Environment, report: Report) -> None:
    store = environment.shared()
    assert environment.postgres is not None
    wire = Relay(environment.postgres.port)
    beyond = Store(
        store.database_url.replace(f":{environment.postgres.port}/", f":{wire.port}/"), store.redis_url
    )

    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        with fault.strikes(everything=True):
            wire.fall_silent()
            time.sleep(18)
            began = time.monotonic()
            said = servers[0].get("/readyz").text.strip()
            report.timed(f"/readyz returned “{said}” within {{}}", time.monotonic() - began, READY)
            wire.speak()
        healed = time.monotonic()
        faults.until_more(acknowledged, 1)
        report.timed("first move {} after the fault ended", time.monotonic() - healed, USED_AGAIN)

    with environment.servers(beyond, 2) as servers:
        through(report, servers, nemesis, pace=0.1)
    wire.close()


@drill("kill -9 of Redis, twice", "PostgreSQL, Redis")
def _kill_redis(environment: Environment, report: Report) -> None:
    def nemesis(fault: Fault, _: list[ParlourServer], acknowledged: Acknowledged) -> None:
        for _again in range(2):
            faults.until_more(acknowledged, 10)
            with fault.strikes():
                assert environment.redis is not None
                environment.redis.kill9()
                time.sleep(2)
                environment.redis.start()

    with environment.servers(environment.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.1)


@drill("Redis stalls for 20 s", "PostgreSQL, Redis")
def _silent_redis(environment: Environment, report: Report) -> None:
    store = environment.shared()
    assert environment.redis is not None
    wire = Relay(environment.redis.port)
    beyond = Store(
        store.database_url, store.redis_url.replace(f":{environment.redis.port}/", f":{wire.port}/")
    )

    def nemesis(fault: Fault, _: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        with fault.strikes():
            wire.fall_silent()
            time.sleep(20)
            wire.speak()

    with environment.servers(beyond, 2) as servers:
        through(report, servers, nemesis, pace=0.3)
    wire.close()


@drill("FLUSHALL on Redis, three times", "PostgreSQL, Redis")
def _forget(environment: Environment, report: Report) -> None:
    import redis

    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        assert environment.redis is not None
        with (
            contextlib.closing(Evening(servers)) as evening,
            contextlib.closing(redis.Redis.from_url(environment.redis.url())) as client,
        ):
            took = []
            for _ in range(3):
                faults.until_more(acknowledged, 10)
                with fault.strikes():
                    client.flushall()
                began = time.monotonic()
                try:
                    evening.go_on()
                except AssertionError as error:
                    report.breaches.append(f"lost: {error}")
                took.append(time.monotonic() - began)
            report.timed("moves and chat reached the other server after {}", max(took), HEARD_WITHIN)

    with environment.servers(environment.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.3)


@drill("30 % of messages between servers are lost", "PostgreSQL, Redis")
def _lossy(environment: Environment, report: Report) -> None:
    lossy = {"DJANGO_SETTINGS_MODULE": "tools.harness.lossy_settings", "LOSS_SEED": "1"}
    with environment.servers(environment.shared(), 2, **lossy) as servers:
        through(report, servers, lambda *_: None, pace=0.05)


@drill("the database's disk is full for 5 s", "PostgreSQL, Redis")
def _full_tables(environment: Environment, report: Report) -> None:
    disk = environment.directory_of_postgres()
    with mounted(disk, "64m"), environment.shared_on(disk) as store, environment.servers(store, 2) as servers:
        through_a_full_disk(report, servers, disk)


@drill("one of two servers is paused (SIGSTOP) for 20 s", "PostgreSQL, Redis")
def _pause_one(environment: Environment, report: Report) -> None:
    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        faults.pause(fault, servers[1], 20, whole=False)

    with environment.servers(environment.shared(), 2) as servers:
        through(report, servers, nemesis, pace=0.3)


# Tournaments

PLAYERS, ROUNDS = 8, 5


def play_tournament(
    report: Report,
    servers: list[ParlourServer],
    strike: Callable[[], None],
    players: int = PLAYERS,
    rounds: int = ROUNDS,
    format: str = "swiss",
) -> None:
    """Play a tournament to its end, and strike whenever a round is paired."""
    lot = random.Random(1)
    run = tournaments.begin(servers[0], lambda: lot.choice(servers), players, rounds, format)
    run.play(tournaments.whenever_paired(rounds, strike))
    report.breaches += run.breaches(rounds * (players // 2))
    report.figures.append(
        f"{run.pairings} pairings in {rounds} rounds, one match each, {run.waited:.1f} s after the"
        " kill at most, with the restart; standings as replayed from the plies"
    )


@drill("kill -9 of the server whenever a tournament round is paired", "SQLite")
def _kill_cup(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), API_RATE="0") as servers:
        play_tournament(report, servers, faults.crashes(servers))


@drill("kill -9 of one of two servers whenever a tournament round is paired", "PostgreSQL, Redis")
def _kill_cup_on_one(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2, API_RATE="0") as servers:
        play_tournament(report, servers, faults.crashes(servers))


@drill("kill -9 of both servers at once whenever a tournament round is paired", "PostgreSQL, Redis")
def _kill_cup_on_both(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2, API_RATE="0") as servers:

        def strike() -> None:
            for server in servers:
                server.kill9()
            for server in servers:
                server.start()

        play_tournament(report, servers, strike)


FIGHTERS, STRIKES = 20, 3


def play_battle(
    report: Report,
    servers: list[ParlourServer],
    strike: Callable[[], None],
    players: int = FIGHTERS,
    strikes: int = STRIKES,
) -> None:
    """Play a team battle of two clubs, strike so many times when players are paired, and let it end."""
    lot = random.Random(1)
    run = tournaments.begin(servers[0], lambda: lot.choice(servers), players, 0, "team_battle")
    struck = list[int]()

    def counted() -> None:
        struck.append(run.pairings)
        strike()

    def disturb(run: tournaments.TournamentRun) -> None:
        tournaments.whenever_paired(strikes, counted)(run)
        tournaments.end_of_time(run)

    run.play(disturb)
    report.breaches += run.breaches(run.pairings)
    if len({*struck}) < strikes:
        report.breaches.append(f"no new pairings at each kill: {struck}")
    report.figures.append(
        f"{players} players of two clubs, {run.pairings} pairings, one match each, {len(run.acknowledged)}"
        f" acknowledged moves, {len(run.lost)} lost, matches made {run.waited:.1f} s after the kill at most,"
        " with the restart; standings of players and clubs as replayed from the plies"
    )


@drill("kill -9 of the server three times as players of a team battle are paired", "SQLite")
def _kill_battle(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), API_RATE="0") as servers:
        play_battle(report, servers, faults.crashes(servers))


@drill(
    "kill -9 of one of two servers three times as players of a team battle are paired", "PostgreSQL, Redis"
)
def _kill_battle_on_one(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2, API_RATE="0") as servers:
        play_battle(report, servers, faults.crashes(servers))


BOARDS = 30


def play_simul(
    report: Report, servers: list[ParlourServer], strike: Callable[[], None], boards: int = BOARDS
) -> None:
    """Play a simul to its end, and strike when the boards are paired and three times in between."""
    lot = random.Random(1)
    run = tournaments.begin_simul(servers[0], lambda: lot.choice(servers), boards)
    run.play(tournaments.in_between(STRIKES, boards, strike))
    report.breaches += run.breaches(boards)
    report.figures.append(
        f"{boards} boards of one host, {len(run.acknowledged)} acknowledged moves, {len(run.lost)} lost,"
        f" boards made {run.waited:.1f} s after the kill, with the restart; result as replayed from the plies"
    )


@drill("kill -9 of the server when a simul is paired, and three times in between", "SQLite")
def _kill_simul(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), API_RATE="0") as servers:
        play_simul(report, servers, faults.crashes(servers))


@drill(
    "kill -9 of one of two servers when a simul is paired, and three times in between", "PostgreSQL, Redis"
)
def _kill_simul_on_one(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2, API_RATE="0") as servers:
        play_simul(report, servers, faults.crashes(servers))


# Crowds


@drill("1,000 sockets connect at once, twice", "SQLite")
def _crowd(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite()) as servers:
        report.figures, report.breaches = floods.come_and_go(servers, 1000)


@drill("1,000 sockets connect at once, twice, to two servers", "PostgreSQL, Redis")
def _crowd_on_two(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2) as servers:
        report.figures, report.breaches = floods.come_and_go(servers, 1000)


@drill("2,000 sockets connect at once, twice", CLUSTER)
def _crowd_behind(environment: Environment, report: Report) -> None:
    with environment.cluster() as site:
        assert isinstance(site.proxy, Proxy)
        report.figures, report.breaches = floods.come_and_go([site.proxy], 2000)


@drill("60 sockets send data and are then rejected", "SQLite")
def _refused(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite()) as servers:
        report.figures, report.breaches = floods.refused(servers[0], 60)


@drill("2,000 sockets from one address", "SQLite")
def _address(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), CONNECTIONS_PER_ADDRESS="500") as servers:
        report.figures, report.breaches = floods.too_many(servers[0], 2000, 500)


@drill("100 sockets of one address request long histories, never read, then flood", "SQLite")
def _histories(environment: Environment, report: Report) -> None:
    _with_long_match(environment.sqlite(), environment, report, floods.long_histories)


@drill("100 sockets of one address request long histories, never read, then flood", "PostgreSQL, Redis")
def _histories_shared(environment: Environment, report: Report) -> None:
    _with_long_match(environment.shared(), environment, report, floods.long_histories)


@drill("10 sockets request long histories within every limit", "SQLite")
def _histories_within_limits(environment: Environment, report: Report) -> None:
    _with_long_match(environment.sqlite(), environment, report, floods.histories_within_limits)


@drill("10 sockets request long histories within every limit", "PostgreSQL, Redis")
def _histories_within_limits_shared(environment: Environment, report: Report) -> None:
    _with_long_match(environment.shared(), environment, report, floods.histories_within_limits)


@drill("the dearest messages of one guest with eight connections", "SQLite")
def _dearest(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), **DEFAULT_LIMITS) as servers:
        report.figures, report.breaches = costly_messages.one_guest(servers[0])


@drill("the dearest messages of one guest with eight connections", "PostgreSQL, Redis")
def _dearest_shared(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), **DEFAULT_LIMITS) as servers:
        report.figures, report.breaches = costly_messages.one_guest(servers[0])


@drill("one guest asks for sockets and leaves, 400 times a second", "SQLite")
def _opened_and_left(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), **DEFAULT_LIMITS) as servers:
        report.figures, report.breaches = costly_messages.opened_and_left(servers[0])


def _with_long_match(
    store: Store,
    environment: Environment,
    report: Report,
    crowd: Callable[[ParlourServer, str], tuple[list[str], list[str]]],
) -> None:
    with environment.servers(store, **DEFAULT_LIMITS) as servers:
        match_id = subprocess_call.call(servers[0].database_url, store_long_match, 900)
        report.figures, report.breaches = crowd(servers[0], match_id)


@drill("a festival: 600 guests of one address begin 300 matches", "SQLite")
def _festival(environment: Environment, report: Report) -> None:
    _with_festival(environment.sqlite(), environment, report)


@drill("a festival: 600 guests of one address begin 300 matches", "PostgreSQL, Redis")
def _festival_shared(environment: Environment, report: Report) -> None:
    _with_festival(environment.shared(), environment, report)


def _with_festival(store: Store, environment: Environment, report: Report) -> None:
    with environment.servers(store, **DEFAULT_LIMITS, CROWDED_NETWORKS="127.0.0.0/8") as servers:
        report.figures, report.breaches = floods.festival(servers[0], 300)


@drill("WebSocket ping flood from a client that never reads", "SQLite")
def _pings(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), SOCKET_RATE="10") as servers:
        report.figures, report.breaches = floods.flood(servers[0], 9, 10.0)


@drill("message flood", "SQLite")
def _words(environment: Environment, report: Report) -> None:
    with environment.servers(environment.sqlite(), SOCKET_RATE="10") as servers:
        report.figures, report.breaches = floods.flood(servers[0], 1, 10.0)


@drill("WebSocket ping flood from a client that never reads", "PostgreSQL, Redis")
def _pings_on_one(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2, SOCKET_RATE="10") as servers:
        report.figures, report.breaches = floods.flood(servers[0], 9, 10.0)


@drill("message flood", "PostgreSQL, Redis")
def _words_on_one(environment: Environment, report: Report) -> None:
    with environment.servers(environment.shared(), 2, SOCKET_RATE="10") as servers:
        report.figures, report.breaches = floods.flood(servers[0], 1, 10.0)


# Clients that do not wait


def _door(front: str, server: ParlourServer, stack: contextlib.ExitStack) -> str:
    """The address of a server, or of a proxy in front of it."""
    if front == "nginx":
        proxy: Proxy | Caddy = Proxy(str(nginx()), [server.port])
    elif front == "Caddy":
        proxy = Caddy(str(caddy()), server.port)
    else:
        return server.url
    stack.callback(proxy.discard)
    return proxy.start().url


FRONTS = {"": "", "nginx": ", nginx", "Caddy": ", Caddy"}


def _in_front(
    front: str,
    store: Callable[[Environment], Store],
    crowd: Callable[[ParlourServer, str], tuple[list[str], list[str]]],
    environment: Environment,
    report: Report,
) -> None:
    # As many connections as 1,024 open files allow, which is what most systems give a process.
    behind = {"CONNECTIONS": "896", **({"BEHIND_PROXY": "1"} if front else {})}
    with (
        contextlib.ExitStack() as stack,
        environment.servers(store(environment), **DEFAULT_LIMITS, **behind) as servers,
    ):
        report.figures, report.breaches = crowd(servers[0], _door(front, servers[0], stack))


for _store, _ground in (("SQLite", Environment.sqlite), ("PostgreSQL, Redis", Environment.shared)):
    for _front, _words_of_front in FRONTS.items():
        drill("3,000 clients of one address ask for a page in 15 s and leave", f"{_store}{_words_of_front}")(
            partial(_in_front, _front, _ground, partial(abandoned_requests.leave, number=3000))
        )
        if _front:
            drill("1,000 slow uploads from one address", f"{_store}{_words_of_front}")(
                partial(_in_front, _front, _ground, partial(abandoned_requests.upload, number=1000))
            )
            drill("1,000 slow connections from one address", f"{_store}{_words_of_front}")(
                partial(_in_front, _front, _ground, partial(abandoned_requests.trickle, number=1000))
            )

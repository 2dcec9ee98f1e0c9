"""`make drills` in short: a kill -9 and a storm of copies, decided by the same checker."""

from __future__ import annotations

import pytest

from bench.fault_injection import abandoned_requests, faults
from bench.fault_injection.drills import (
    Acknowledged,
    Report,
    play_battle,
    play_simul,
    play_tournament,
    through,
)
from bench.fault_injection.faults import Fault
from tests.conftest import Launcher
from tests.helpers.samples import in_full
from tools.harness.servers import ParlourServer


def test_drill_of_kill_9(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")

    def nemesis(fault: Fault, servers: list[ParlourServer], acknowledged: Acknowledged) -> None:
        faults.until_more(acknowledged, 10)
        faults.crash(fault, servers[0])

    report = Report("kill -9", "SQLite")
    clients = through(report, [server], nemesis, matches=2, enough=16, pace=0.05)
    assert report.breaches == []
    assert sum(len(client.acknowledged) for client in clients) > 20


@pytest.mark.full
@pytest.mark.parametrize("format", ["swiss", "team_match"])
def test_a_tournament_through_a_kill_9_whenever_a_round_is_paired(launcher: Launcher, format: str) -> None:
    server = launcher.open(launcher.store("sqlite"), API_RATE="0")
    report = Report("tournament", "SQLite")
    play_tournament(
        report, [server], lambda: faults.crash(Fault(), server), players=4, rounds=2, format=format
    )
    assert report.breaches == []


@pytest.mark.full
def test_a_team_battle_through_a_kill_9(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), API_RATE="0")
    report = Report("team battle", "SQLite")
    play_battle(report, [server], lambda: faults.crash(Fault(), server), players=4, strikes=1)
    assert report.breaches == []


@pytest.mark.full
def test_a_simul_through_a_kill_9_in_between(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), API_RATE="0")
    report = Report("simul", "SQLite")
    play_simul(report, [server], lambda: faults.crash(Fault(), server), boards=4)
    assert report.breaches == []


@pytest.mark.parametrize("pair", in_full("postgres+redis", "sqlite"))
def test_drill_of_duplicated_messages(launcher: Launcher, pair: str) -> None:
    store = launcher.store(pair)
    servers = [launcher.open(store, SOCKET_RATE="0") for _ in range(1 if pair == "sqlite" else 2)]
    report = Report("copies", pair)
    clients = through(report, servers, lambda *_: None, matches=2, enough=10, copies=20)
    assert report.breaches == []
    assert sum(len(client.acknowledged) for client in clients) >= 20


@pytest.mark.parametrize("pair", in_full("postgres+redis", "sqlite"))
def test_drill_of_abandoned_requests(launcher: Launcher, pair: str) -> None:
    server = launcher.open(launcher.store(pair), DATABASE_POOL="8", CONNECTIONS_PER_ADDRESS="500")
    _, breaches = abandoned_requests.leave(server, server.url, 500, seconds=3)
    assert breaches == []

"""What nobody means well by, at random, against a real server: no fault, no traceback, and others go on.

A few seconds of it belong to every run. `make fuzz` does it for minutes, with other seeds, and says how long
others waited meanwhile; FUZZ_SEED and FUZZ_SECONDS choose.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bench.fault_injection.floods import Bystander, memory
from tests.conftest import PAIRS, Launcher
from tests.helpers import accounts, fuzz
from tests.helpers.fuzz import Found, Fuzz
from tests.helpers.programs import programs
from tools.harness.patience import patience
from tools.harness.people import Person, seat_two
from tools.harness.servers import ParlourServer

SEED = int(os.environ.get("FUZZ_SEED", "1"))
SECONDS = float(os.environ.get("FUZZ_SECONDS", "60"))
HANDS = 4
"""Who send at the same time."""
REQUESTS = 200
SPEECHES = 0.2
"""Which part of what is sent goes over sockets."""
GROWTH = 150 * 10**6
"""Bytes that the server may need beyond what it began with."""
OTHERS_P95 = 0.2
UNLIMITED = {"API_RATE": "0", "API_STREAMS": "0", "SOCKET_RATE": "0"}


class Attacker:
    """Somebody who has an account, a token, a match, a tournament, a club and an evening."""

    def __init__(self, server: ParlourServer, seed: int) -> None:
        self.server = server
        (account,) = accounts.registered(server, f"Fuzz-{seed}")
        (program,) = programs(server, f"Program-{seed}")
        host, _other, self.match_id = seat_two(server)
        self.cookies = f"sessionid={account.session}"
        person = Person(server)
        person.remember("sessionid", account.session)
        cup = {"title": f"Cup {seed}", "format": "swiss", "rounds": "3", "preset": "circle"}
        made = [
            person.submit("/tournaments/new/kalah", **cup),
            person.submit("/clubs/new", name=f"Club {seed}", joining="open"),
            person.submit("/evening/open", game="kalah", minutes="60"),
        ]
        tournament, self.club, evening = (path.rsplit("/", 1)[1] for path in made)
        names = [account.name, tournament, self.club, evening]
        known = [self.match_id, *names, "kalah", "1", "circle", "follow"]
        self.fuzz = Fuzz(seed, known, self.cookies, program.token)
        self.of_host = "; ".join(host.headers().values())

    def send(self, seconds: float, most: int) -> Found:
        """Send until the time is up or it was enough; what came of it."""
        found, goes_on, done = Found(), fuzz.until(seconds, most), 0
        while goes_on(done):
            if self.fuzz.rng.random() < SPEECHES:
                self._speak(found)
            else:
                request = self.fuzz.request()
                found.add(request, fuzz.ask(self.server.port, request))
            done += 1
        return found

    def _speak(self, found: Found) -> None:
        rng = self.fuzz.rng
        of_match = [f"/ws/match/{self.match_id}", f"/ws/chat/{self.match_id}"]
        page = f"/ws/page/match/{self.match_id}?feeds=match+chat+me+lobby+boards"
        path = rng.choice(["/ws/lobby", "/ws/me", "/ws/watch", *of_match, f"/ws/club/{self.club}", page])
        cookies, frames = rng.choice([self.cookies, self.of_host]), self.fuzz.frames()
        found.add(path.encode() + b" " + frames, fuzz.speak(self.server.port, path, cookies, frames))


def attack(server: ParlourServer, seed: int, seconds: float, most: int) -> Found:
    """Several at once; what came of all of it."""
    attackers = [Attacker(server, seed * HANDS + number) for number in range(HANDS)]
    with ThreadPoolExecutor(HANDS) as pool:
        founds = list(pool.map(lambda each: each.send(seconds, most // HANDS), attackers))
    whole = Found()
    for found in founds:
        whole.statuses += found.statuses
        whole.faults += found.faults
    return whole


def tracebacks(server: ParlourServer) -> list[str]:
    """What the server stumbled over, each with what it said before."""
    return re.findall(r"(?:.*\n){0,3}Traceback \(most recent call last\):\n(?:.*\n){0,60}", server.log)


@pytest.mark.parametrize("pair", PAIRS)
def test_no_fault_and_no_traceback(launcher: Launcher, pair: str) -> None:
    server = launcher.open(launcher.store(pair), **UNLIMITED)
    before = memory(server)
    found = attack(server, SEED, 60, REQUESTS)
    assert found.faults == []
    assert tracebacks(server) == []
    # Otherwise it was refused before anybody looked at it.
    looked_at = [found.statuses[each] for each in (200, 302, 101)]
    assert sum(looked_at) > REQUESTS / 4
    assert min(looked_at) > 0
    assert memory(server, "VmHWM") - before < GROWTH
    assert server.get("/readyz").status == 200


@pytest.mark.deep
@pytest.mark.parametrize("pair", ["sqlite", "postgres+redis"])
@pytest.mark.parametrize("limits", [{}, UNLIMITED], ids=["limited", "unlimited"])
def test_minutes_of_it(launcher: Launcher, pair: str, limits: dict[str, str]) -> None:
    server = launcher.open(launcher.store(pair), **limits)
    with Bystander(server) as quiet:
        time.sleep(5)
    before = memory(server)
    with Bystander(server) as others:
        found = attack(server, SEED + 1, SECONDS, 10**9)
    report: dict[str, Any] = {
        "store": pair,
        "limits": "as a host has them" if not limits else "none",
        "requests": sum(found.statuses.values()),
        "statuses": dict(sorted(found.statuses.items())),
        "megabytes": [round(each / 1e6) for each in (before, memory(server), memory(server, "VmHWM"))],
        "p95_ms_before": {kind: round(quiet.p95(kind) * 1000, 1) for kind in quiet.waits},
        "others_p95_ms": {kind: round(others.p95(kind) * 1000, 1) for kind in others.waits},
        "seed": SEED,
    }
    print(json.dumps(report))  # noqa: T201 - the figures are what it is run for
    assert found.faults == []
    assert tracebacks(server) == []
    assert memory(server, "VmHWM") - before < GROWTH
    assert max(others.p95(kind) for kind in others.waits) < patience(OTHERS_P95)


def test_the_same_seed_sends_the_same() -> None:
    def sent(seed: int) -> Sequence[bytes]:
        made = Fuzz(seed, ["kalah"], "")
        return [made.request() for _ in range(50)] + [made.frames() for _ in range(10)]

    assert sent(7) == sent(7)
    assert sent(7) != sent(8)


def test_every_page_is_among_what_is_asked_for() -> None:
    assert {"/m/<str:match_id>", "/@/<str:name>", "/api/v1/tables", "/admin/login/"} <= set(fuzz.patterns())

"""The dearest messages of one guest, within all limits: how long moves of others take meanwhile."""

from __future__ import annotations

import contextlib
import json
import re
import statistics
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from websockets.exceptions import ConnectionClosed

from bench.fault_injection.clients import named_guest
from games.registry import GAMES
from tools.harness import subprocess_call
from tools.harness.conditional import costly_lines
from tools.harness.patience import patience
from tools.harness.people import Person, plies_up_to, seat_two
from tools.harness.raw_websocket import asked
from tools.harness.servers import ParlourServer
from tools.harness.timed import timed_match

SECONDS = 20.0
FOLLOWED = 500
P95 = 0.1
"""Seconds that a move may take meanwhile, if it takes less than half of that before."""
OPENED = 0.5
"""Seconds in which a socket is open meanwhile."""
EVERY = 0.25
"""Seconds between the messages of each of four sockets: within the rate of one person."""


class Players:
    """Two who play one match after the other, and how long each of their moves took."""

    def __init__(self, server: ParlourServer) -> None:
        self._server, self._over = server, threading.Event()
        self.waits: list[float] = []

    @contextlib.contextmanager
    def playing(self) -> Iterator[None]:
        """While this is open, they play."""
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(self._play)
            try:
                yield
            finally:
                self._over.set()
                done.result()

    def _play(self) -> None:
        while not self._over.is_set():
            first, second, match_id = seat_two(self._server)
            with first.watch(match_id) as one, second.watch(match_id) as other:
                ply, turn, legal = 0, one, one.snapshot["legal"]
                while legal and not self._over.wait(0.03):
                    began = time.monotonic()
                    ply = turn.move(ply, legal[0])["ply"]
                    self.waits.append(time.monotonic() - began)
                    told = [(each, plies_up_to(each, ply).get("legal", [])) for each in (one, other)]
                    turn, legal = max(told, key=lambda each: len(each[1]))

    @property
    def p95(self) -> float:
        """The 95th percentile in seconds."""
        return statistics.quantiles(self.waits, n=20)[-1]


def one_guest(server: ParlourServer) -> tuple[list[str], list[str]]:
    """One guest with eight connections: how long moves of others take before, and meanwhile."""
    guest, name = named_guest(server)
    _, opponent = named_guest(server)
    match_id = timed_match(server, "1d", [opponent, name], "morris")
    subprocess_call.at(server, follow_many, name, FOLLOWED)
    quiet, busy, over = Players(server), Players(server), threading.Event()
    with quiet.playing():
        time.sleep(SECONDS / 2)
    with busy.playing(), ThreadPoolExecutor(8) as pool:
        done = [pool.submit(_ask, guest, over) for _ in range(4)]
        done += [pool.submit(_keep_lines, guest, match_id, over) for _ in range(4)]
        time.sleep(SECONDS)
        over.set()
    answers = sum(each.result() for each in done)
    figures = [
        f"p95 of a move of others {quiet.p95 * 1000:.0f} ms before, {busy.p95 * 1000:.0f} ms meanwhile",
        f"{answers / SECONDS:.0f} answers a second",
    ]
    return figures, figures[:1] if busy.p95 > max(P95, 2 * quiet.p95) else []


def _ask(guest: Person, over: threading.Event) -> int:
    answers = 0
    with contextlib.suppress(ConnectionClosed), guest.me() as page:
        while not over.wait(EVERY):
            for kind in ("people", "saved", "pairing"):
                page.send({"type": kind})
                page.next(kind)
                answers += 1
    return answers


def _keep_lines(guest: Person, match_id: str, over: threading.Event) -> int:
    rules, answers = GAMES["morris"].rules, 0
    lines = costly_lines(rules, rules.setup(rules.Options(), 2, 0))
    token = re.search(r"csrftoken=([^;]+)", guest.headers()["Cookie"])
    assert token is not None
    request = urllib.request.Request(
        f"{guest.server.url}/m/{match_id}/conditional",
        json.dumps({"after": 0, "lines": lines}).encode(),
        {
            **guest.headers(),
            "Content-Type": "application/json",
            "X-CSRFToken": token[1],
            "Origin": guest.server.url,
        },
    )
    while not over.is_set():
        try:
            with urllib.request.urlopen(request, timeout=patience(60)) as answer:
                answer.read()
            answers += 1
        except urllib.error.HTTPError as refused:
            with refused:
                over.wait(float(refused.headers.get("Retry-After", 1)))
    return answers


def follow_many(name: str, count: int) -> None:
    """Have a user follow so many new ones. For `subprocess_call.at`."""
    from lobby.people.models import Relationship, User

    user = User.objects.get(username=name)
    names = [f"Followed{number}" for number in range(count)]
    others = User.objects.bulk_create(
        User(username=each, folded_name=each.lower(), skeleton=each.lower()) for each in names
    )
    Relationship.objects.bulk_create(
        Relationship(user=user, other=other, kind=Relationship.Kind.FOLLOW) for other in others
    )


class Newcomer:
    """Somebody who opens a socket again and again, and how long it took each time until its first message."""

    def __init__(self, server: ParlourServer) -> None:
        self._person, _ = named_guest(server)
        self.waits: list[float] = []

    def come(self, seconds: float) -> None:
        """Open and close sockets for so long."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            began = time.monotonic()
            with self._person.me():
                self.waits.append(time.monotonic() - began)
            time.sleep(0.2)

    @property
    def p95(self) -> float:
        """The 95th percentile in seconds."""
        return statistics.quantiles(self.waits, n=20)[-1]


def opened_and_left(server: ParlourServer) -> tuple[list[str], list[str]]:
    """A guest of another address asks for sockets, and leaves at once: how long others wait for one."""
    guest, _ = named_guest(server)
    quiet, busy, over = Newcomer(server), Newcomer(server), threading.Event()
    quiet.come(SECONDS / 2)
    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(_open_and_leave, server, guest, over) for _ in range(4)]
        try:
            busy.come(SECONDS)
        finally:
            over.set()
    opened = sum(each.result() for each in done)
    figures = [
        f"p95 of opening a socket {quiet.p95 * 1000:.0f} ms before, {busy.p95 * 1000:.0f} ms meanwhile",
        f"{opened / SECONDS:.0f} asked for a second",
    ]
    return figures, figures[:1] if busy.p95 > patience(OPENED) else []


def _open_and_leave(server: ParlourServer, guest: Person, over: threading.Event) -> int:
    opened = 0
    while not over.wait(1 / 100):
        with contextlib.suppress(OSError):
            asked(server.port, "/ws/me", "127.0.0.2", **guest.headers()).close()
            opened += 1
    return opened

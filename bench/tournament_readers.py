"""What readers of a large tournament cost a move: `python -m bench.tournament_readers`.

200 players are in a Swiss that changes every second. First nobody looks, then 20 visitors do, whose pages are
fetched again every eight seconds; `--pause` says otherwise. Meanwhile two guests play a match.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.site import fresh
from tools.harness.people import plies_up_to, seat_two
from tools.harness.servers import ParlourServer

PLAYERS, READERS = 200, 20
SECONDS = 15.0
PAUSE = 8.0
"""Seconds after which an open page asks again (static/lobby/tournament-live.js)."""
WITHIN = 2.0
"""Times the quiet p95 that a move may take meanwhile."""
NO_LIMITS: dict[str, Any] = {"COST_SOCKET_LIMIT": "0", "COST_PERSON_LIMIT": "0", "COST_ADDRESS_LIMIT": "0"}
"""The readers share an address here, and would not elsewhere."""


def main() -> None:
    """Print a row for each."""
    parser = argparse.ArgumentParser(description="What readers of a large tournament cost a move.")
    parser.add_argument("--pause", type=float, default=PAUSE, help="seconds between two pages of a reader")
    pause = parser.parse_args().pause
    with fresh(TOURNAMENT_PLAYERS=str(PLAYERS), GUESTS_PER_HOUR="0", **NO_LIMITS):
        tournament_id = play_two_rounds()
        server = ParlourServer(
            os.environ["DATABASE_URL"], "", Path(os.environ["VAR_DIR"]), cold=True, **NO_LIMITS
        )
        server.start()
        try:
            with changing(tournament_id):
                quiet, _ = moves(server, tournament_id, 0, pause)
                busy, pages = moves(server, tournament_id, READERS, pause)
        finally:
            server.discard()
    print("| readers | pages | p95 of a move | p95 of a page |\n|---|---|---|---|")
    print(f"| 0 | 0 | {quiet * 1000:.1f} ms | – |")
    print(f"| {READERS} | {len(pages)} | {busy * 1000:.1f} ms | {p95(pages) * 1000:.0f} ms |")
    print(f"{busy / quiet:.2f} times the quiet p95; {WITHIN} at most")


def play_two_rounds() -> str:
    """Make a tournament whose third round is in play; its id."""
    from django.utils import timezone

    from games.models import Match
    from games.rules.base import Leave
    from lobby.people.models import User
    from lobby.tournaments import director, entries, organising, plans
    from tests.helpers import finished
    from tests.helpers.tournaments import CIRCLE

    people = [User.objects.create_user(f"player-{number}") for number in range(PLAYERS)]
    cup = organising.create(
        people[0], plans.Plan("Cup", "kalah", CIRCLE, "swiss", clock="5+3", rounds=9), "create"
    )
    for person in people:
        entries.enter(person, cup.pk, "", f"enter-{person.pk}")
    organising.start(people[0], cup.pk, "start")
    for _ in range(3):
        for match in Match.objects.exclude(status=Match.Status.FINISHED):
            finished.play(match, Leave(1))
        director.step(cup.pk, timezone.now(), set(), sure=False)
    return cup.pk


@contextmanager
def changing(tournament_id: str) -> Iterator[None]:
    """Change a tournament every second."""
    from django.db import connection
    from django.db.models import F

    from lobby.tournaments.models import Tournament

    over = threading.Event()

    def change() -> None:
        while not over.wait(1.0):
            Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1)
        connection.close()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def moves(server: ParlourServer, tournament_id: str, readers: int, pause: float) -> tuple[float, list[float]]:
    """The p95 of a move, in seconds, and how long each page took, while so many read a tournament."""
    over, pages = threading.Event(), list[float]()

    def read(number: int) -> None:
        over.wait(pause * number / READERS)
        while not over.is_set():
            began = time.monotonic()
            with urllib.request.urlopen(f"{server.url}/tournament/{tournament_id}", timeout=60) as page:
                page.read()
            pages.append(time.monotonic() - began)
            over.wait(pause)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(readers)]
    for thread in threads:
        thread.start()
    waits: list[float] = []
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        waits += one_match(server, until)
    over.set()
    for thread in threads:
        thread.join()
    return p95(waits), pages


def one_match(server: ParlourServer, until: float) -> list[float]:
    """How long each move of a match took, until it is over or a time has come."""
    lot, waits = random.Random(1), list[float]()
    first, second, match_id = seat_two(server)
    with ExitStack() as stack:
        players = [stack.enter_context(person.watch(match_id)) for person in (first, second)]
        message = players[0].snapshot
        turn, legal = message["state"]["turn"], players[message["state"]["turn"]].snapshot["legal"]
        while message["outcome"] is None and time.monotonic() < until:
            after = message["ply"] if message["type"] == "snapshot" else message["plies"][-1]["number"]
            began = time.monotonic()
            answer = players[turn].move(after, lot.choice(legal))
            waits.append(time.monotonic() - began)
            heard = [plies_up_to(each, answer["ply"]) for each in players]
            message = heard[0]
            turn = message["plies"][-1]["state"]["turn"]
            legal = heard[turn].get("legal")
            time.sleep(0.05)
    return waits


def p95(seconds: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(seconds, n=20)[-1]


if __name__ == "__main__":
    main()

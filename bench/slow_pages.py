"""`python -m bench.slow_pages`, part of `make bench`: cost of pages on a site with a past, the dearest first.

Django's test client asks for them in this process, so that nothing but the page is measured.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from dataclasses import dataclass
from typing import Any

from bench.seed_data import Past, fill
from bench.site import fresh

TIMES = 5
"""How often each page is asked for; the median counts. The first time of all is not counted."""
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Cost:
    """What a page took: milliseconds of processor time, queries, and its size."""

    name: str
    milliseconds: float
    queries: int
    kilobytes: float

    def row(self) -> str:
        return f"| {self.name} | {self.milliseconds:.0f} | {self.queries} | {self.kilobytes:.0f} |"


def pages(past: Past) -> dict[str, tuple[Any, str]]:
    """Who asks for which address, by what it is."""
    busy, usual, kalah = past.busy, past.usual, past.played["kalah"]
    found: dict[str, tuple[Any, str]] = {
        "front page, a visitor": (None, "/"),
        "front page, the busy person": (busy, "/"),
        "front page, somebody": (usual, "/"),
        "profile of the busy person, a visitor": (None, f"/@/{busy}"),
        "profile of the busy person, themselves": (busy, f"/@/{busy}"),
        "the middle of their matches": (None, f"/@/{busy}?{MIDDLE}"),
        "the last of their matches": (None, f"/@/{busy}?{LAST}"),
        "profile of somebody": (None, f"/@/{usual}"),
        "leaderboards": (None, "/leaderboards"),
        "people one follows": (usual, "/people"),
        "settings": (busy, "/settings"),
        "tokens": (busy, "/settings/tokens"),
        "webhooks": (busy, "/settings/webhooks"),
        "a table": (usual, f"/t/{past.table}"),
        "set a table": (busy, "/new/kalah"),
        "play the computer": (busy, "/computer/kalah"),
        "challenge": (usual, f"/challenge/{busy}"),
        "dice of a match": (None, f"/m/{past.played['cantstop']}/dice"),
        "match as text": (None, f"/m/{kalah}.txt"),
        "match as JSON": (None, f"/m/{kalah}.json"),
        "log in": (None, "/accounts/login/"),
        "rules": (None, "/rules/kalah"),
        "API: games": (None, "/api/v1/games"),
        "API: matches in play": (None, "/api/v1/matches"),
        "API: tables": (None, "/api/v1/tables"),
    }
    for game, match_id in past.played.items():
        found[f"leaderboard, {game}"] = (busy, f"/leaderboards/{game}")
        found[f"match, {game}"] = (None, f"/m/{match_id}")
        found[f"analysis, {game}"] = (None, f"/m/{match_id}/analysis")
    return found


MIDDLE, LAST = "page=100", "page=last"


def costs(past: Past, times: int = TIMES) -> list[Cost]:
    """What each page costs, the dearest first."""
    from django.test import Client

    found = []
    clients: dict[Any, Any] = {None: Client(headers={"accept-encoding": "gzip"})}
    for person in (past.busy, past.usual):
        clients[person] = Client(headers={"accept-encoding": "gzip"})
        clients[person].force_login(person, backend="lobby.auth.backends.PasswordBackend")
    for name, (person, address) in pages(past).items():
        found.append(cost(clients[person], name, address, times))
    return sorted(found, key=lambda each: -each.milliseconds)


def cost(client: Any, name: str, address: str, times: int = TIMES) -> Cost:
    """Ask for a page some times."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
        number = len(queries)
    assert answer.status_code == 200, (address, answer.status_code)
    taken = []
    for _ in range(times):
        begun = time.process_time()
        client.get(address)
        taken.append(time.process_time() - begun)
    return Cost(name, statistics.median(taken) * 1e3, number, len(answer.content) / 1000)


def measure(people: int, finished: int) -> None:
    """Fill the database that is set up, and print what pages cost."""
    begun = time.perf_counter()
    past = fill(people, finished)
    print(
        f"\n{people} people and {finished} finished matches, written in {time.perf_counter() - begun:.0f} s"
    )
    found = costs(past)
    print("| page | CPU ms | queries | kB |\n|---|---|---|---|")
    print("\n".join(each.row() for each in found[:SHOWN]))
    print(
        f"All others ({len(found) - SHOWN}): {found[SHOWN].milliseconds:.0f} ms or less; "
        f"half of all {statistics.median(each.milliseconds for each in found):.0f} ms or less."
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.slow_pages", description=re.sub(r"\s+", " ", __doc__ or ""))
    parser.add_argument("--people", type=int, default=20_000)
    parser.add_argument("--finished", type=int, default=100_000)
    options = parser.parse_args()
    with fresh(BOT_PROCESSES="0", ALLOWED_HOSTS="testserver", API_RATE="0"):
        measure(options.people, options.finished)


if __name__ == "__main__":
    main()

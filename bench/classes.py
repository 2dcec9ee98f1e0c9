"""A class of thirty over two lessons: `python -m bench.classes` writes a row of reliability.md.

`python -m bench.classes postgres` holds them on PostgreSQL and Redis instead of SQLite.
Thirty pupils behind one address log in by name and PIN, at a server with its real limits. Their teacher pairs
rounds by one press, and they play them on sockets. Between the lessons, while a round is in play, the server
is killed and started again. At the end every move that was accepted is looked for in the database, each round
is replayed from its plies, and the class is erased.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.evening import LIMITS
from bench.fault_injection.environments import Environment, Store
from bench.fault_injection.tournaments import verified
from tools.harness import subprocess_call
from tools.harness.patience import wait_until
from tools.harness.people import Person, command_id
from tools.harness.servers import ParlourServer

PUPILS, ROUNDS = 30, 3
"""Pupils, and rounds of each lesson."""
SECONDS_TO_JOIN, SECONDS_TO_PAIR = 120, 10
"""The goals: so long until everybody is in, and from the press until everybody sees their board."""
SECONDS = 300
"""So long a round may take here."""
MOVES = 2
"""Plies after which whoever is to move resigns; in the round before the restart nobody does."""
PAUSE = 0.1
CARD = re.compile(r'pupil-card-name">(.*?)<.*?<dt>PIN</dt><dd[^>]*>(\d+)<', re.DOTALL)
"""The name and the PIN on a printed card."""
REPORT = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "reliability.md"
STORES: dict[str, tuple[str, Callable[[Environment], Store]]] = {
    "sqlite": ("SQLite", Environment.sqlite),
    "postgres": ("PostgreSQL, Redis", Environment.shared),
}
"""What the row calls each store, and what makes it."""


@dataclass
class Lesson:
    """A lesson of a class at a server.

    Attributes:
        pins: the PINs of the pupils, by name.
        seated: when a pupil saw the board of a match, by name and match.
        accepted: the plies that the server has accepted, by match and number.
        goes_on: whether nobody resigns, so that the matches go on in the next lesson.
        over: whether everybody may stop.
    """

    server: ParlourServer
    code: str
    pins: dict[str, str]
    seated: dict[tuple[str, str], float] = field(default_factory=dict)
    accepted: set[tuple[str, int]] = field(default_factory=set)
    goes_on: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)


def pupil(lesson: Lesson, name: str) -> None:
    """Log in by name and PIN, and play every match until the lesson is over."""
    person = Person(lesson.server)
    person.submit("/classes/log-in", code=lesson.code, name=name, pin=lesson.pins[name])
    while not lesson.over.is_set():
        # The server may be away, and a socket is closed when it goes.
        with suppress(Exception), person.me() as pages:
            hello = pages.snapshot
            waiting = [each["match"] for each in hello["next"]] + list(hello["waiting"])
            while not lesson.over.is_set():
                for match in waiting:
                    _play(lesson, person, name, match)
                told = pages.receive()
                waiting = [told["next"]["match"]] if told["type"] == "next-match" else []
        time.sleep(PAUSE)


def _play(lesson: Lesson, person: Person, name: str, match: str) -> None:
    """Move in turn; after so many plies whoever is to move resigns, unless the match is to go on."""
    with person.watch(match) as board:
        lesson.seated.setdefault((name, match), time.monotonic())
        now = board.snapshot
        while now.get("outcome") is None and not lesson.over.is_set():
            if now.get("legal") and now["ply"] < MOVES:
                answer = board.move(now["ply"], now["legal"][0])
                if answer["type"] == "accepted":
                    lesson.accepted.add((match, answer["ply"]))
                now = {**now, "ply": answer["ply"], "legal": None}
            elif now["ply"] >= MOVES and lesson.goes_on.is_set():
                return
            elif now.get("legal"):
                board.ask({"type": "resign", "id": command_id(), "after": now["ply"]})
                return
            else:
                told = board.next("plies")
                last = told["plies"][-1]["number"] if told["plies"] else now["ply"]
                now = {**now, "outcome": told["outcome"], "ply": last, "legal": told.get("legal")}


def hold(server: ParlourServer, store: str) -> str:
    """Both lessons, and what came of them as a row of the report."""
    teacher = Person(server)
    teacher.sign_up("Teacher")
    code = teacher.submit("/classes/make", title="5b").rpartition("/")[2]
    names = [f"Pupil {number}" for number in range(PUPILS)]
    teacher.submit(f"/class/{code}/add", names="\n".join(names))
    pins = dict(CARD.findall(teacher.get(f"/class/{code}/cards")))
    assert len(pins) == PUPILS
    first = Lesson(server, code, pins)
    joined, paired = [], list[float]()
    joined.append(_lesson(first, teacher, paired, restarts=True))
    server.kill9()
    server.start()
    second = Lesson(server, code, pins, accepted=first.accepted)
    joined.append(_lesson(second, teacher, paired, restarts=False))
    lost = [each for each in second.accepted if each not in _stored(server)]
    rounds = server.rows("SELECT number, tournament_id FROM lobby_classround ORDER BY number")
    found = [breach for _, key in rounds for breach in subprocess_call.at(server, verified, key)]
    again = [pair for pair, times in _meetings(server).items() if times > 1]
    teacher.submit(f"/class/{code}/end/now", kind="erase", confirmed="on")
    wait_until(lambda: not server.rows("SELECT id FROM lobby_schoolclass"), "the class to be erased")
    left = sum(
        server.rows(f"SELECT count(*) FROM {table}")[0][0]
        for table in ("games_match", "lobby_tournament", "lobby_pupilcard", "lobby_classround")
    )
    good = (
        not (lost or found or again or left)
        and [number for number, _ in rounds] == list(range(1, 2 * ROUNDS + 1))
        and max(joined) <= SECONDS_TO_JOIN
        and max(paired) <= SECONDS_TO_PAIR
    )
    print(*found, lost, again, [round(each, 2) for each in paired], sep="\n", file=sys.stderr)
    what = (
        f"everybody in after {joined[0]:.1f} and {joined[1]:.1f} s; {len(rounds)} rounds, numbered over both"
        f" lessons; from the press to the last board {min(paired):.1f} to {max(paired):.1f} s;"
        f" {len(again)} pairs met twice; {len(second.accepted)} moves accepted, {len(lost)} lost; results"
        f" {'not ' if found else ''}as replayed from the plies; rows left after erasing: {left}"
    )
    drill = f"a class of {PUPILS} behind one address, two lessons, kill -9 between them in round {ROUNDS}"
    return f"| {drill} | {store} | {what} | {'pass' if good else 'FAIL'} |"


def _lesson(lesson: Lesson, teacher: Person, paired: list[float], *, restarts: bool) -> float:
    """Hold a lesson; returns the seconds until everybody was in. Notes how long each pairing took."""
    began = time.monotonic()
    with ThreadPoolExecutor(PUPILS) as pool:
        playing = [pool.submit(pupil, lesson, name) for name in lesson.pins]
        try:
            here = f"{PUPILS} of {PUPILS} pupils are here"
            page = f"/class/{lesson.code}/lesson"
            wait_until(lambda: here in teacher.get(page), "everybody to come in", seconds=SECONDS)
            joined = time.monotonic() - began
            # After a restart the round of the lesson before is played to its end first.
            wait_until(lambda: _open(lesson.server) == 0, "the round to end", seconds=SECONDS)
            for number in range(ROUNDS):
                if restarts and number == ROUNDS - 1:
                    lesson.goes_on.set()
                paired.append(_round(lesson, teacher))
        finally:
            lesson.over.set()
        for each in playing:
            each.result()
    return joined


def _round(lesson: Lesson, teacher: Person) -> float:
    """Pair a round by one press, and have it played; returns the seconds until everybody saw their board."""
    before, began = len(lesson.seated), time.monotonic()
    teacher.submit(f"/class/{lesson.code}/round", game="kalah", clock="", level="0")
    wait_until(lambda: len(lesson.seated) >= before + PUPILS, "everybody to see a board", seconds=SECONDS)
    seated = max(lesson.seated.values()) - began
    if lesson.goes_on.is_set():
        wait_until(lambda: _plies(lesson.server) == MOVES * PUPILS // 2, "moves", seconds=SECONDS)
    else:
        wait_until(lambda: _open(lesson.server) == 0, "the round to end", seconds=SECONDS)
    return seated


def _open(server: ParlourServer) -> int:
    """How many rounds are in play."""
    return int(server.rows("SELECT count(*) FROM lobby_tournament WHERE state = 'running'")[0][0])


def _plies(server: ParlourServer) -> int:
    """How many plies the matches in play have."""
    in_play = "SELECT id FROM games_match WHERE status = 'playing'"
    return int(server.rows(f"SELECT count(*) FROM games_ply WHERE match_id IN ({in_play})")[0][0])


def _stored(server: ParlourServer) -> set[tuple[Any, ...]]:
    return set(server.rows("SELECT match_id, number FROM games_ply"))


def _meetings(server: ParlourServer) -> Counter[tuple[int, ...]]:
    """How often pupils have met."""
    sql = "SELECT pairing_id, user_id FROM lobby_pairingseat JOIN lobby_entrant e ON e.id = entrant_id"
    tables: dict[int, list[int]] = {}
    for pairing, user in server.rows(sql):
        tables.setdefault(pairing, []).append(user)
    return Counter(tuple(sorted(users)) for users in tables.values())


def write(row: str, store: str) -> None:
    """Put the row into the report, in place of that of the same store or after the last one."""
    rows = re.compile(r"^\| a class of .*\n", re.MULTILINE)
    text = REPORT.read_text()
    known = [each.group() for each in rows.finditer(text)]
    others = [each for each in known if each.split(" | ")[1] != store]
    REPORT.write_text(text.replace("".join(known), "".join(sorted([*others, f"{row}\n"], reverse=True))))


def main() -> None:
    """Hold the lessons, and write their row into the report."""
    parser = ArgumentParser(prog="bench.classes", description=__doc__)
    parser.add_argument("store", nargs="?", choices=STORES, default="sqlite")
    name, make = STORES[parser.parse_args().store]
    with (
        closing(Environment()) as environment,
        environment.servers(make(environment), **LIMITS, CLASSES="open") as (server,),
    ):
        row = hold(server, name)
    print(row)
    write(row, name)
    if not row.endswith("| pass |"):
        sys.exit(1)


if __name__ == "__main__":
    main()

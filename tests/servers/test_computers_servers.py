"""Computer players on real servers and in real workers, one of which is killed in the middle."""

from __future__ import annotations

import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.conftest import PAIRS, Store
from tools.harness.patience import wait_until
from tools.harness.people import seat_two
from tools.harness.servers import ParlourServer, parlour_environment
from tools.harness.services import Service


class Worker(Service):
    """`manage.py runbots` as a host runs it, beside the servers of that store."""

    def __init__(self, store: Store, var_dir: Path) -> None:
        super().__init__("bots")
        self._store, self._var_dir = store, var_dir
        self._starts = 0

    def start(self):
        self._starts += 1
        return super().start()

    def environment(self):
        store = self._store
        return parlour_environment(
            DATABASE_URL=store.database_url, REDIS_URL=store.redis_url, VAR_DIR=str(self._var_dir)
        )

    def command(self):
        return [sys.executable, "manage.py", "runbots"]

    def ready(self):
        return self.log.count("Computer players think here") == self._starts


@pytest.fixture
def worker(var_dir) -> Iterator:
    made = []

    def start(store):
        made.append(Worker(store, var_dir).start())
        return made[-1]

    yield start
    for each in made:
        each.discard()


def give_to_computers(server: ParlourServer, match: str, *seats: int) -> None:
    """Have computer players sit at those seats of a match that nobody has looked at yet."""
    for seat in seats:
        server.write("UPDATE games_seating SET level = 1 WHERE match_id = ? AND seat = ?", match, seat)
    if 0 in seats:
        server.write("UPDATE games_match SET bot_due = created WHERE id = ?", match)


def played(server: ParlourServer, match: str) -> int:
    return server.rows("SELECT count(*) FROM games_ply WHERE match_id = ?", match)[0][0]


def over(server: ParlourServer, match: str) -> bool:
    return server.rows("SELECT status FROM games_match WHERE id = ?", match) == [("finished",)]


def go_on(server: ParlourServer, matches: Sequence[str], plies: int) -> Callable[[], bool]:
    """Whether each of these matches has gone on by so many plies from now, or to its end."""
    before = {match: played(server, match) for match in matches if not over(server, match)}
    assert before, "all were over too soon to show anything"
    return lambda: all(
        over(server, match) or played(server, match) >= number + plies for match, number in before.items()
    )


def no_move_was_played_twice(server: ParlourServer, match: str) -> bool:
    commands = server.rows("SELECT command FROM games_ply WHERE match_id = ? AND command IS NOT NULL", match)
    return max(Counter(commands).values()) == 1


@pytest.mark.full
@pytest.mark.parametrize("pair", PAIRS)
def test_a_server_with_bot_processes_plays_for_computers(launcher, pair):
    server = launcher.open(launcher.store(pair), BOT_PROCESSES="1")
    host, _, match = seat_two(server)
    give_to_computers(server, match, 1)
    with host.watch(match) as socket:
        assert socket.snapshot["match"]["seats"][1]["level"] == 1
        assert socket.snapshot["present"] == [0, 1] or 1 in socket.next("crowd")["present"]
        assert socket.move(0, "1")["type"] == "accepted"
        while socket.next("plies")["plies"][-1]["state"]["turn"] != 0:
            pass


def test_computers_play_on_after_their_server_was_killed(launcher):
    server = launcher.open(launcher.store("sqlite"), BOT_PROCESSES="1")
    _, _, match = seat_two(server)
    give_to_computers(server, match, 0, 1)
    wait_until(lambda: played(server, match) > 2, "the first moves")
    children = children_of(server.process.pid)
    assert children
    # Not its whole group, which those who think for it are in.
    server.signal(signal.SIGKILL)
    wait_until(lambda: not any(alive(child) for child in children), "the end of who thought for it")
    server.restart()
    before = played(server, match)
    wait_until(lambda: played(server, match) > before + 2, "more moves")
    assert no_move_was_played_twice(server, match)


@pytest.mark.full
def test_matches_of_a_killed_worker_are_played_by_another(launcher, worker):
    store = launcher.store("postgres+redis")
    server = launcher.open(store)
    # Long ones: a match that is over shows nothing any more.
    tables = [seat_two(server, "morris", "nine") for _ in range(3)]
    matches = [match for _, _, match in tables]
    for match in matches:
        give_to_computers(server, match, 0, 1)
    with tables[0][0].watch(matches[0]) as viewer:
        workers = [worker(store), worker(store)]
        for killed in (0, 1, 0):
            wait_until(go_on(server, matches, 2), "moves")
            workers[killed].kill9()
            wait_until(go_on(server, matches, 1), "the other worker's moves")
            workers[killed].start()
        last = played(server, matches[0])
        while not over(server, matches[0]) and viewer.next("plies")["plies"][-1]["number"] <= last:
            pass
    for match in matches:
        assert no_move_was_played_twice(server, match)
    assert children_of(server.process.pid) == []
    for each in workers:
        assert each.terminate() == 0


def test_a_server_process_never_loads_the_compiler(launcher):
    """The compiler that the kernels bring along is in no process that serves."""
    server = launcher.open(launcher.store("sqlite"), BOT_PROCESSES="1")
    _, _, match = seat_two(server)
    give_to_computers(server, match, 0, 1)
    wait_until(lambda: played(server, match) > 1, "the first moves")
    wait_until(lambda: any(map(compiles, children_of(server.process.pid))), "the compiler", 60)
    assert not compiles(server.process.pid)


def compiles(process: int) -> bool:
    return "llvmlite" in Path(f"/proc/{process}/maps").read_text()


def children_of(process: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(status.parent.name))
    return found


def alive(process: int) -> bool:
    try:
        return re.search(r"^State:\s+Z", Path(f"/proc/{process}/status").read_text(), re.MULTILINE) is None
    except OSError:
        return False

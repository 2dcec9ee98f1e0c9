"""The commands of docker-compose.yml and docs/guide/hosting.md that back up the database and restore it,
and those that guard Redis, run as they stand there; and backups that are made while people play, taken back
elsewhere or in the place of what was there, and played on.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bench.load import EndlessTable
from tests.architecture.test_packaging import SERVICES
from tests.conftest import Launcher, Store
from tests.helpers.samples import in_full
from tools.harness import prepared
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, Socket, plies_up_to, seat_two
from tools.harness.servers import ParlourServer, manage, parlour_environment
from tools.harness.services import ROOT, PostgresClient, Redis, free_port
from tools.programs import postgres_bin, redis_server

PASSWORD = "letters-and-digits-1"
COPY = "copy.sqlite3"
HOSTING = (ROOT / "docs" / "guide" / "hosting.md").read_text()


def run(
    name: str, volume: Path, postgres: PostgresClient, database: str = "parlour"
) -> subprocess.CompletedProcess[str]:
    """The job of a service, with its volume at `volume`."""
    command = [word.replace("$$", "$") for word in SERVICES[name]["command"]]
    environment = {**at(postgres), "PGDATABASE": database}
    return subprocess.run(command, cwd=volume, env=environment, capture_output=True, text=True, check=False)


def at(postgres: PostgresClient) -> dict[str, str]:
    """The environment in which PostgreSQL's own programs find it."""
    server = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres.port), "PGUSER": "parlour"}
    return {**os.environ, **server, "PATH": f"{postgres_bin()}:{os.environ['PATH']}"}


def follow(words: str, directory: Path, environment: Mapping[str, str]) -> None:
    """Run the commands that docs/guide/hosting.md gives after a line with these words, to the letter."""
    found = re.search(rf"{re.escape(words)}.*\n\n((?: {{4}}.*\n)+)", HOSTING)
    assert found is not None, f"nothing is told after “{words}”"
    done = subprocess.run(
        ["sh", "-ec", textwrap.dedent(found[1])],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def names(postgres: PostgresClient) -> list[str]:
    with psycopg.connect(postgres.url("parlour")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM people ORDER BY name")]


@pytest.fixture
def database(postgres: PostgresClient) -> PostgresClient:
    postgres.execute("DROP DATABASE IF EXISTS parlour WITH (FORCE)")
    postgres.execute("CREATE DATABASE parlour")
    postgres.execute("CREATE TABLE people (name text)", "parlour")
    postgres.execute("INSERT INTO people VALUES ('Ulno')", "parlour")
    return postgres


def test_a_copy_brings_back_what_was_there(database: PostgresClient, tmp_path: Path) -> None:
    assert run("backup", tmp_path, database).returncode == 0
    database.execute("DELETE FROM people", "parlour")
    database.execute("INSERT INTO people VALUES ('Somebody-Else')", "parlour")
    restored = run("restore", tmp_path, database)
    assert (restored.returncode, restored.stderr) == (0, "")
    assert names(database) == ["Ulno"]


def test_a_second_copy_keeps_the_first(database: PostgresClient, tmp_path: Path) -> None:
    run("backup", tmp_path, database)
    first = (tmp_path / "parlour.dump").read_bytes()
    run("backup", tmp_path, database)
    assert (tmp_path / "before.dump").read_bytes() == first
    assert {path.name for path in tmp_path.iterdir()} == {"parlour.dump", "before.dump"}


def test_a_copy_that_is_broken_changes_nothing(database: PostgresClient, tmp_path: Path) -> None:
    run("backup", tmp_path, database)
    copy = tmp_path / "parlour.dump"
    copy.write_bytes(copy.read_bytes()[:-200])
    assert run("restore", tmp_path, database).returncode != 0
    assert names(database) == ["Ulno"]


def test_a_copy_that_fails_leaves_the_last_good_one(database: PostgresClient, tmp_path: Path) -> None:
    run("backup", tmp_path, database)
    database.execute("DROP DATABASE parlour")
    assert run("backup", tmp_path, database).returncode != 0
    assert (tmp_path / "parlour.dump").stat().st_size > 0


def test_redis_answers_nobody_without_the_password() -> None:
    client = shutil.which("redis-cli")
    if redis_server() is None or client is None:
        pytest.skip("Redis is not installed")
    port = free_port()
    words = [word.replace("$$", "$") for word in SERVICES["redis"]["command"]]
    words[-1] += f" --port {port} --bind 127.0.0.1"
    environment = {**os.environ, "REDISCLI_AUTH": PASSWORD}

    def ask(**changes: str) -> str:
        asked = {name: value for name, value in (environment | changes).items() if value}
        said = subprocess.run(
            [client, "-p", str(port), "ping"], env=asked, capture_output=True, text=True, check=False
        )
        return said.stdout.strip()

    with subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL) as running:
        try:
            wait_until(lambda: ask() == "PONG", "Redis' answer")
            assert ask(REDISCLI_AUTH="").startswith("NOAUTH")
            assert (
                PASSWORD
                not in subprocess.run(
                    ["ps", "-eo", "args"], capture_output=True, text=True, check=True
                ).stdout
            )
        finally:
            subprocess.run([client, "-p", str(port), "shutdown", "nosave"], env=environment, check=False)
            running.wait(patience(10))


# Rehearsals


ENDLESS = {"game": "morris", "preset": "nine", "rule_threefold": "false", "rule_fifty": "false"}


class Going:
    """A match that is played without a pause by a thread, and that no rule ends.

    Args:
        players: their sockets, by seat.
        making: a file that is there as long as a copy is being made.
    """

    def __init__(self, players: tuple[Socket, Socket], making: Path) -> None:
        self.stored = 0
        self.meanwhile = 0
        """How many plies were sent and told while `making` was there."""
        self._players, self._making, self._over = players, making, threading.Event()
        self._table = EndlessTable(0)
        self._remember(players[0].snapshot["state"]["turn"], [each.snapshot for each in players])
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _remember(self, turn: int, told: list[dict[str, Any]]) -> None:
        self._table.turn, self._table.legal = turn, tuple(told[turn]["legal"])

    def _play(self) -> None:
        while not self._over.is_set():
            made_before = self._making.exists()
            move = self._table.choose(self._table.legal)
            sent = {"type": "move", "id": f"going-{self.stored:08d}", "after": self.stored, "move": move}
            self._players[self._table.turn].send(sent)
            told = [each.next("plies") for each in self._players]
            last = told[0]["plies"][-1]
            self.stored = last["number"]
            self.meanwhile += made_before and self._making.exists()
            self._remember(last["state"]["turn"], told)

    def end(self) -> None:
        self._over.set()
        self._thread.join(patience(30))


@dataclass(frozen=True, slots=True)
class Copying:
    """How docs/guide/hosting.md makes a backup: `make()`, during which the file `making` is there."""

    make: Callable[[], object]
    making: Path


def copying(kind: str, store: Store, request: pytest.FixtureRequest, directory: Path) -> Copying:
    if kind == "sqlite":
        backup = functools.partial(manage, "backup", str(directory / COPY), DATABASE_URL=store.database_url)
        return Copying(backup, directory / f"{COPY}.unfinished")

    def dump() -> None:
        name = store.database_url.rpartition("/")[2]
        assert run("backup", directory, request.getfixturevalue("postgres"), name).returncode == 0

    return Copying(dump, directory / "new.dump")


def taken_back_elsewhere(kind: str, request: pytest.FixtureRequest, directory: Path) -> Store:
    if kind == "sqlite":
        assert (directory / COPY).stat().st_mode & 0o077 == 0, "others may read it"
        return Store(f"sqlite:///{directory / COPY}")
    postgres: PostgresClient = request.getfixturevalue("postgres")
    postgres.execute("CREATE DATABASE restored")
    restored = run("restore", directory, postgres, "restored")
    assert (restored.returncode, restored.stderr) == (0, "")
    return Store(postgres.url("restored"), request.getfixturevalue("redis").url(15))


def plies_of(server: ParlourServer, match: str) -> list[int]:
    """The numbers of the plies that are stored."""
    asked = "SELECT number FROM games_ply WHERE match_id = ? ORDER BY number"
    return [number for (number,) in server.rows(asked, match)]


def goes_on(server: ParlourServer, match: str, *people: Person) -> None:
    """Who was signed in still is, sees the last ply that is stored there, and plays the next one."""
    numbers = plies_of(server, match)
    with people[0].watch(match, server) as one, people[1].watch(match, server) as two:
        assert one.snapshot["ply"] == two.snapshot["ply"] == len(numbers)
        assert one.snapshot["outcome"] is None
        mover = (one, two)[one.snapshot["state"]["turn"]]
        assert mover.move(len(numbers), mover.snapshot["legal"][-1])["type"] == "accepted"
        assert [plies_up_to(each, len(numbers) + 1)["outcome"] for each in (one, two)] == [None, None]


@pytest.mark.parametrize("kind", in_full("sqlite", "postgres+redis"))
def test_a_copy_made_while_people_play_is_played_on_elsewhere(
    kind: str, launcher: Launcher, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store = launcher.store(kind)
    first = launcher.open(store, SOCKET_RATE="0")
    *people, match = seat_two(first, **ENDLESS)
    copy = copying(kind, store, request, tmp_path)
    before = 0

    def made_while_they_played() -> bool:
        nonlocal before
        before = going.stored
        copy.make()
        return going.meanwhile > 0

    with people[0].watch(match) as one, people[1].watch(match) as two:
        going = Going((one, two), copy.making)
        wait_until(lambda: going.stored >= 3, "the first moves")
        # A machine that is busy elsewhere may leave no ply the time.
        wait_until(made_while_they_played, "a ply in the middle of a copy")
        after = going.stored
        going.end()
    second = launcher.open(taken_back_elsewhere(kind, request, tmp_path), SOCKET_RATE="0")
    numbers = plies_of(second, match)
    assert numbers == list(range(1, len(numbers) + 1)), "a hole"
    assert 3 <= before <= len(numbers) <= after + 1, "an answered move is missing, or there is one too many"
    goes_on(second, match, *people)


@pytest.mark.full
def test_a_copy_of_sqlite_is_taken_back_as_it_is_told(
    launcher: Launcher, var_dir: Path, tmp_path: Path
) -> None:
    var = tmp_path / "var"
    var.mkdir()
    shutil.copy(var_dir / "template.sqlite3", var / "parlour.sqlite3")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "manage.py").symlink_to(ROOT / "manage.py")
    url = f"sqlite:///{var / 'parlour.sqlite3'}"
    environment = parlour_environment(DATABASE_URL=url, VAR_DIR=str(var))
    server = launcher.open(Store(url))
    *people, match = seat_two(server, **ENDLESS)
    for _ in range(3):
        goes_on(server, match, *people)
    follow("To back up while people play", tmp_path, environment)
    for _ in range(2):
        goes_on(server, match, *people)
    server.kill9()
    assert (var / "parlour.sqlite3-wal").stat().st_size > 0, "no log is in the way"
    follow("To restore, stop the server", tmp_path, environment)
    server.restart()
    assert plies_of(server, match) == [1, 2, 3]
    goes_on(server, match, *people)
    with contextlib.closing(sqlite3.connect(var / "before" / "parlour.sqlite3")) as before:
        assert before.execute("SELECT max(number) FROM games_ply").fetchone() == (5,)


@pytest.mark.full
@pytest.mark.parametrize("by", ["containers", "commands"])
def test_a_site_on_postgresql_is_taken_back_in_its_place(
    by: str,
    launcher: Launcher,
    postgres: PostgresClient,
    redis: Redis,
    tmp_path: Path,
) -> None:
    postgres.execute("DROP DATABASE IF EXISTS parlour WITH (FORCE)")
    postgres.execute(f"CREATE DATABASE parlour TEMPLATE {prepared.POSTGRES_TEMPLATE}")

    def work(job: str, words: str) -> None:
        if by == "commands":
            follow(words, tmp_path, at(postgres))
        else:
            done = run(job, tmp_path, postgres)
            assert (done.returncode, done.stderr) == (0, "")

    server = launcher.open(Store(postgres.url("parlour"), redis.url(14)))
    *people, match = seat_two(server, **ENDLESS)
    for _ in range(3):
        goes_on(server, match, *people)
    work("backup", "To back up PostgreSQL while people play")
    for _ in range(2):
        goes_on(server, match, *people)
    assert server.terminate() == 0
    # A later release has come since, and its tables lean on those of the copy.
    postgres.execute("CREATE TABLE later (match_id varchar REFERENCES games_match)", "parlour")
    work("restore", "To restore it, stop every process of the site")
    manage("migrate", "--no-input", DATABASE_URL=postgres.url("parlour"))
    server.restart()
    assert plies_of(server, match) == [1, 2, 3]
    assert server.rows("SELECT to_regclass('later')") == [(None,)]
    goes_on(server, match, *people)
    assert [path.name for path in tmp_path.iterdir()] == ["parlour.dump"]


def test_backup_over_an_older_copy_says_so_and_over_anything_else_is_refused(
    launcher: Launcher, tmp_path: Path
) -> None:
    url = launcher.store("sqlite").database_url
    database, copy, letter = (
        Path(url.removeprefix("sqlite:///")),
        tmp_path / "copy.sqlite3",
        tmp_path / "letter",
    )
    letter.write_text("Dear Ulno")
    assert "is written" in manage("backup", str(copy), DATABASE_URL=url)
    assert "is replaced" in manage("backup", str(copy), DATABASE_URL=url)
    for other in (letter, database):
        before = other.read_bytes()
        with pytest.raises(AssertionError, match="There is no copy"):
            manage("backup", str(other), DATABASE_URL=url)
        assert other.read_bytes() == before


def test_a_copy_of_sqlite_takes_the_place_of_the_last_one_only_when_it_is_whole(
    launcher: Launcher, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite3"
    good = b"SQLite format 3\0the last good one"
    copy.write_bytes(good)
    with pytest.raises(AssertionError, match="There is no copy"):
        manage("backup", str(copy), DATABASE_URL=f"sqlite:///{tmp_path / 'missing' / 'parlour.sqlite3'}")
    assert copy.read_bytes() == good
    assert [path.name for path in tmp_path.iterdir()] == ["copy.sqlite3"]

"""The commands of docker-compose.yml that make a copy of the database and take it back, and that guard Redis,
run as they stand there; and copies that are made while people play, taken back elsewhere and played on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from pathlib import Path

import psycopg
import pytest

from tests.conftest import House, Store
from tests.helpers.people import Socket, seat_two
from tests.helpers.servers import manage
from tests.helpers.services import Postgres, free_port, wait_until
from tests.house.test_packaging import SERVICES
from tools.programs import postgres_bin, redis_server

PASSWORD = "letters-and-digits-1"


def run(
    name: str, copies: Path, postgres: Postgres, database: str = "parlour"
) -> subprocess.CompletedProcess[str]:
    """The job of a service, with its volume at `copies`."""
    command = [
        word.replace("/copies", str(copies))
        .replace("$$", "$")
        .replace("--dbname=parlour", f"--dbname={database}")
        for word in SERVICES[name]["command"]
    ]
    server = {
        "PGHOST": "127.0.0.1",
        "PGPORT": str(postgres.port),
        "PGUSER": "parlour",
        "PGDATABASE": database,
    }
    environment = {**os.environ, **server, "PATH": f"{postgres_bin()}:{os.environ['PATH']}"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def names(postgres: Postgres) -> list[str]:
    with psycopg.connect(postgres.url("parlour")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM people ORDER BY name")]


@pytest.fixture
def database(postgres: Postgres) -> Postgres:
    postgres.execute("DROP DATABASE IF EXISTS parlour")
    postgres.execute("CREATE DATABASE parlour")
    postgres.execute("CREATE TABLE people (name text)", "parlour")
    postgres.execute("INSERT INTO people VALUES ('Ulno')", "parlour")
    return postgres


def test_a_copy_brings_back_what_was_there(database: Postgres, tmp_path: Path) -> None:
    assert run("backup", tmp_path, database).returncode == 0
    database.execute("DELETE FROM people", "parlour")
    database.execute("INSERT INTO people VALUES ('Somebody-Else')", "parlour")
    restored = run("restore", tmp_path, database)
    assert (restored.returncode, restored.stderr) == (0, "")
    assert names(database) == ["Ulno"]


def test_a_second_copy_keeps_the_first(database: Postgres, tmp_path: Path) -> None:
    run("backup", tmp_path, database)
    first = (tmp_path / "parlour.dump").read_bytes()
    run("backup", tmp_path, database)
    assert (tmp_path / "before.dump").read_bytes() == first
    assert {path.name for path in tmp_path.iterdir()} == {"parlour.dump", "before.dump"}


def test_a_copy_that_is_broken_changes_nothing(database: Postgres, tmp_path: Path) -> None:
    run("backup", tmp_path, database)
    copy = tmp_path / "parlour.dump"
    copy.write_bytes(copy.read_bytes()[:-200])
    assert run("restore", tmp_path, database).returncode != 0
    assert names(database) == ["Ulno"]


def test_a_copy_that_fails_leaves_the_last_good_one(database: Postgres, tmp_path: Path) -> None:
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
            running.wait(10)


# Rehearsals


class Going:
    """A match that is played without a pause, by a thread, as long as it lasts."""

    def __init__(self, *players: Socket) -> None:
        self.stored = 0
        self._players, self._over = players, threading.Event()
        self._legal = players[players[0].snapshot["state"]["turn"]].snapshot["legal"]
        self._turn = players[0].snapshot["state"]["turn"]
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        while not self._over.is_set() and self._legal:
            mover = self._players[self._turn]
            mover.send(
                {
                    "type": "move",
                    "id": f"going-{self.stored:08d}",
                    "after": self.stored,
                    "move": self._legal[0],
                }
            )
            told = [each.next("plies") for each in self._players]
            last = told[0]["plies"][-1]
            self.stored, self._turn = last["number"], last["state"]["turn"]
            self._legal = told[self._turn].get("legal", ())

    def end(self) -> None:
        self._over.set()
        self._thread.join(30)


def copied(kind: str, store: Store, request: pytest.FixtureRequest, directory: Path) -> Store:
    """What docs/hosting.md says: a copy while people play, taken back into a fresh place."""
    if kind == "sqlite":
        copy = directory / "copy.sqlite3"
        manage("backup", str(copy), DATABASE_URL=store.database_url)
        assert copy.stat().st_mode & 0o077 == 0, "others may read it"
        return Store(f"sqlite:///{copy}")
    postgres: Postgres = request.getfixturevalue("postgres")
    name = store.database_url.rpartition("/")[2].partition("?")[0]
    assert run("backup", directory, postgres, name).returncode == 0
    postgres.execute("CREATE DATABASE restored")
    restored = run("restore", directory, postgres, "restored")
    assert (restored.returncode, restored.stderr) == (0, "")
    return Store(postgres.url("restored"), request.getfixturevalue("redis").url(15))


@pytest.mark.parametrize("kind", ["sqlite", "postgres+redis"])
def test_a_copy_made_while_people_play_is_played_on_elsewhere(
    kind: str, house: House, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store = house.store(kind)
    first = house.open(store, SOCKET_RATE="0")
    host, other, match = seat_two(first)
    with host.watch(match) as one, other.watch(match) as two:
        going = Going(one, two)
        wait_until(lambda: going.stored >= 3, "the first moves")
        before = going.stored
        copy = copied(kind, store, request, tmp_path)
        going.end()
    second = house.open(copy, SOCKET_RATE="0")
    numbers = [
        n for (n,) in second.rows("SELECT number FROM games_ply WHERE match_id = ? ORDER BY number", match)
    ]
    assert numbers == list(range(1, len(numbers) + 1)), "a hole"
    assert len(numbers) >= before, "an answered move is missing"
    with host.watch(match, second) as one, other.watch(match, second) as two:
        assert one.snapshot["ply"] == two.snapshot["ply"] == len(numbers)
        assert one.snapshot["ply"] <= going.stored
        mover = (one, two)[one.snapshot["state"]["turn"]]
        if one.snapshot["outcome"] is None:
            assert mover.move(len(numbers), mover.snapshot["legal"][0])["type"] == "accepted"


def test_a_copy_of_sqlite_takes_the_place_of_the_last_one_only_when_it_is_whole(
    house: House, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite3"
    copy.write_text("the last good one")
    with pytest.raises(AssertionError, match="There is no copy"):
        manage("backup", str(copy), DATABASE_URL=f"sqlite:///{tmp_path / 'missing' / 'parlour.sqlite3'}")
    assert copy.read_text() == "the last good one"
    assert [path.name for path in tmp_path.iterdir()] == ["copy.sqlite3"]

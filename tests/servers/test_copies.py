"""The commands of docker-compose.yml that make a copy of the database and take it back, and that guard Redis,
run as they stand there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest

from tests.helpers.services import Postgres, free_port, wait_until
from tests.house.test_packaging import SERVICES
from tools.programs import postgres_bin, redis_server

PASSWORD = "letters-and-digits-1"


def run(name: str, copies: Path, postgres: Postgres) -> subprocess.CompletedProcess[str]:
    """The job of a service, with its volume at `copies`."""
    command = [word.replace("/copies", str(copies)).replace("$$", "$") for word in SERVICES[name]["command"]]
    server = {
        "PGHOST": "127.0.0.1",
        "PGPORT": str(postgres.port),
        "PGUSER": "parlour",
        "PGDATABASE": "parlour",
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

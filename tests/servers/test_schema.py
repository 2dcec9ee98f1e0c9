"""Tables of another release: every server refuses them in one sentence, and `/readyz` too."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config.lifespan import lifespan
from tools.harness.patience import patience
from tools.harness.servers import parlour_environment
from tools.harness.services import ROOT

NEWER = (
    "The database belongs to a newer release, with the migration lobby.9999_later: "
    "install that release, or restore a backup of this one."
)
LATEST = max(path.stem for path in (ROOT / "lobby" / "migrations").glob("0*.py"))
OLDER = (
    f"The database lacks migrations (1, first lobby.{LATEST}): "
    "stop all servers and workers, and run `manage.py migrate`."
)


@pytest.fixture
def newer(transactional_db: None) -> None:
    MigrationRecorder(connection).record_applied("lobby", "9999_later")


@pytest.fixture
def older(transactional_db: None) -> None:
    MigrationRecorder(connection).record_unapplied("lobby", LATEST)


def test_readyz_on_newer_tables_says_so(newer: None, client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, f"{NEWER}\n")


def test_readyz_on_older_tables_is_ready_once_they_are_migrated(older: None, client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, f"{OLDER}\n")
    MigrationRecorder(connection).record_applied("lobby", LATEST)
    assert client.get("/readyz").status_code == 200


def test_readyz_compares_the_tables_once(transactional_db: None, client: Client) -> None:
    assert client.get("/readyz").status_code == 200
    MigrationRecorder(connection).record_applied("lobby", "9999_later")
    assert client.get("/readyz").status_code == 200


def test_readyz_on_tables_of_squashed_migrations_is_ready(transactional_db: None, client: Client) -> None:
    recorder = MigrationRecorder(connection)
    for squashed in MigrationLoader(connection).replacements.values():
        recorder.record_unapplied(squashed.app_label, squashed.name)
        for replaced in squashed.replaces:
            recorder.record_applied(*replaced)
    assert client.get("/readyz").status_code == 200


def test_runbots_on_newer_tables_ends_with_one_sentence(newer: None) -> None:
    with pytest.raises(CommandError, match="belongs to a newer release"):
        call_command("runbots")


def test_lifespan_on_older_tables_fails_with_one_sentence(older: None) -> None:
    sent = []

    async def receive() -> dict[str, Any]:
        return {"type": "lifespan.startup"}

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    asyncio.run(lifespan({"type": "lifespan"}, receive, send))
    assert sent == [{"type": "lifespan.startup.failed", "message": OLDER}]


def run(*command: str, database: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=parlour_environment(DATABASE_URL=f"sqlite:///{database}", VAR_DIR=str(database.parent)),
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_server_on_no_tables_ends_with_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    code, said, problem = run("-m", "config.server", "--port", "0", database=tmp_path / "new.sqlite3")
    assert (code, said) == (1, "")
    assert problem.startswith("The database lacks migrations (")
    assert problem.count("\n") == 1


def test_make_run_on_newer_tables_ends_with_one_sentence(var_dir: Path, tmp_path: Path) -> None:
    database = tmp_path / "newer.sqlite3"
    shutil.copy(var_dir / "template.sqlite3", database)
    with closing(sqlite3.connect(database)) as rows, rows:
        rows.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('lobby', '9999_later', 0)")
    code, said, problem = run("-m", "tools.run", "--port", "0", database=database)
    assert (code, problem) == (1, f"{NEWER}\n")
    assert said.startswith("Loading the site")

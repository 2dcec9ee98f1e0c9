"""Tests of services that are about locks, numbers and lengths, where databases differ: on PostgreSQL too."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import Launcher
from tools.harness.patience import patience

TESTS = (
    "tests/games/play/test_conditional.py",
    "tests/games/play/test_life.py::TestIdle",
    "tests/games/play/test_life.py::TestExpiry",
    "tests/lobby/people/test_naming.py",
    "tests/lobby/auth/test_accounts_signup.py::TestTooLong",
    "tests/lobby/moderation/test_moderation.py::TestAppeals",
    "tests/lobby/tournaments/test_director.py",
    "tests/lobby/tournaments/test_team_battle.py",
    "tests/lobby/tournaments/test_team_match.py",
    "tests/lobby/tournaments/test_simuls.py",
    "tests/lobby/lessons/test_rounds.py",
    "tests/lobby/homework",
    "tests/lobby/schoolyear",
    "tests/lobby/clubs/test_faults.py",
    "tests/lobby/clubs/test_club_chat.py",
    "tests/lobby/inbox/test_inbox.py::TestWhatIsStored",
    "tests/lobby/test_commands.py::TestAtOnce",
    "tests/lobby/classes/test_classes.py",
    "tests/lobby/classes/test_entrance.py",
    "tests/lobby/evenings/test_evenings.py::TestPeople",
    "tests/lobby/evenings/test_evenings.py::TestPlan",
    "tests/lobby/evenings/test_evenings.py::TestErasing",
    "tests/lobby/accounts/test_accounts_leaving.py::TestAtOnce",
)


@pytest.mark.full
def test_service_tests_pass_on_postgres(launcher: Launcher) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["TEST_DATABASE_URL"] = launcher.store("postgres+redis").database_url
    # A busy machine may take longer for a statement than a server waits.
    environment["STATEMENT_SECONDS"] = str(round(patience(15)))
    # The journal of each test keeps its connection until the garbage collector finds it.
    environment["DATABASE_POOL"] = "24"
    # PostgreSQL has no statistics of an open transaction: on a busy machine two hundred entrants take minutes
    many = "--deselect=tests/lobby/tournaments/test_team_battle.py::TestManyClubs"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", many, *TESTS]
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout[-10_000:]

"""A server for pages and sockets alone: it needs no packages of computer players and no bundler."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.lifespan import lifespan
from games.computers import pool
from tests.conftest import Launcher
from tools.harness.patience import patience
from tools.harness.people import seat_two
from tools.harness.servers import parlour_environment
from tools.harness.services import ROOT

pytestmark = pytest.mark.cold

LEFT_OUT = ("deno", "llvmlite", "numba", "numpy")
"""What the extras of pyproject.toml install on top of requirements-web.txt."""
WITHOUT = f"""
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {LEFT_OUT} else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Without
"""
"""Hides the packages. Python runs it at start-up under the name `sitecustomize`."""
IMPORT_ALL = """
import sys
import config.asgi
from django.urls import get_resolver
get_resolver().url_patterns
print([name for name in ("deno", "llvmlite", "numba", "numpy", "psycopg", "redis") if name in sys.modules])
"""
PROBLEM = (
    "Computer players need numba and numpy: install requirements.txt, "
    "or set BOT_PROCESSES=0 and let `manage.py runbots` play elsewhere.\n"
)


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PYTHONPATH on which the packages cannot be found."""
    directory = tmp_path_factory.mktemp("hidden")
    (directory / "sitecustomize.py").write_text(WITHOUT)
    return str(directory)


def run(*command: str, **settings: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=parlour_environment(**settings),
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_server_imports_no_packages_of_extras_or_other_stores() -> None:
    assert run("-c", IMPORT_ALL)[:2] == (0, "[]\n")


def test_server_without_packages_of_extras_serves_match(launcher: Launcher, hidden: str) -> None:
    server = launcher.open(launcher.store("sqlite"), PYTHONPATH=hidden)
    host, *_, match_id = seat_two(server)
    with host.watch(match_id) as socket:
        assert socket.move(0, "1")["type"] == "accepted"


@pytest.mark.parametrize("module", ["config.server", "tools.run"])
def test_server_with_computer_players_but_no_packages_ends_with_one_sentence(
    module: str, hidden: str, tmp_path: Path
) -> None:
    (tmp_path / "static").mkdir()
    url = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    settings = {"DATABASE_URL": url, "VAR_DIR": str(tmp_path), "PYTHONPATH": hidden, "BOT_PROCESSES": "1"}
    code, _said, problem = run("-m", module, "--port", "0", **settings)
    assert (code, problem) == (1, PROBLEM)


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "find_spec", lambda _name: None)


def test_runbots_without_packages_ends_with_one_sentence(no_packages: None) -> None:
    with pytest.raises(CommandError, match=r"^Computer players need numba and numpy"):
        call_command("runbots")


@pytest.mark.django_db(transaction=True)
def test_lifespan_without_packages_fails_with_one_sentence(no_packages: None, settings: Any) -> None:
    settings.BOT_PROCESSES = 1
    sent = []

    async def receive() -> dict[str, Any]:
        return {"type": "lifespan.startup"}

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    asyncio.run(lifespan({"type": "lifespan"}, receive, send))
    assert sent == [{"type": "lifespan.startup.failed", "message": PROBLEM.strip()}]

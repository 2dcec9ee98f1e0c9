"""Parlour itself, run for tests and measurements as a host runs it."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psycopg

from tools.harness import preloaded
from tools.harness.patience import patience
from tools.harness.services import ROOT, Running, Service

HOST_SETTINGS = "config.settings"
settings_module = HOST_SETTINGS
"""The settings of the processes to come, but for those that start as a host starts them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer, read to its end; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class ParlourServer(Service):
    """`python -m config.server` as a host runs it, with the database and the services it is given.

    Args:
        database_url: a database that is migrated already.
        redis_url: the channel layer; none if empty.
        var_dir: where the collected static files are.
        root: the checkout to run.
        cold: start it by its command line, as a host does, and not from a process that has it loaded.
        settings: more variables of its environment.
    """

    def __init__(
        self,
        database_url: str,
        redis_url: str,
        var_dir: Path,
        *,
        root: Path = ROOT,
        cold: bool = False,
        **settings: str,
    ) -> None:
        super().__init__("server")
        self.root = root
        self._cold = cold or root != ROOT
        self.database_url = database_url
        self.port = 0
        self._settings = {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "VAR_DIR": str(var_dir),
            **settings,
        }

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def environment(self) -> Mapping[str, str]:
        settings = {"DJANGO_SETTINGS_MODULE": HOST_SETTINGS} if self._cold else {}
        return parlour_environment(**settings | self._settings)

    def command(self) -> Sequence[str]:
        return [sys.executable, "-m", *self._module()]

    def launch(self, log: IO[bytes]) -> Running:
        if self._cold:
            return super().launch(log)
        return preloaded.start(*self._module(), environment=self.environment(), out=log, err=log)

    def _module(self) -> list[str]:
        return ["config.server", "--host", "127.0.0.1", "--port", str(self.port)]

    def ready(self) -> bool:
        said = re.search(r"^Parlour is at http://127\.0\.0\.1:(\d+)", self.log, re.MULTILINE)
        if said is None:
            return False
        self.port = int(said[1])
        try:
            return self.get("/readyz").status == 200
        except OSError:
            return False

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """What a plain GET is answered, redirects and errors as they are."""
        request = urllib.request.Request(self.url + path, headers=dict(headers or {}))
        with contextlib.closing(_open(request)) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, headers, response.read())

    def rows(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Read the server's database directly, past everything it keeps in memory; `?` marks a parameter."""
        if self.database_url.startswith("sqlite:///"):
            path = self.database_url.removeprefix("sqlite:///")
            with contextlib.closing(sqlite3.connect(path, timeout=patience(20))) as connection:
                return connection.execute(sql, parameters).fetchall()
        with psycopg.connect(self.database_url) as postgres:
            return postgres.execute(sql.replace("?", "%s"), parameters).fetchall()

    def write(self, sql: str, *parameters: Any) -> None:
        """Change the server's database behind its back; `?` marks a parameter."""
        if self.database_url.startswith("sqlite:///"):
            path = self.database_url.removeprefix("sqlite:///")
            with contextlib.closing(sqlite3.connect(path, timeout=patience(20))) as connection, connection:
                connection.execute(sql, parameters)
        else:
            with psycopg.connect(self.database_url) as postgres:
                postgres.execute(sql.replace("?", "%s"), parameters)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Has redirects raised as `HTTPError`, as errors are."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def _open(request: urllib.request.Request) -> Any:
    try:
        return _opener.open(request, timeout=patience(30))
    except urllib.error.HTTPError as error:
        return error


def parlour_environment(**settings: str) -> dict[str, str]:
    """The environment of a production server under test, whatever the developer's own says."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": settings_module,
        "SECRET_KEY": "only-for-tests-" + "x" * 40,
        "DEBUG": "0",
        "HTTPS": "0",
        "BEHIND_PROXY": "0",
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "TRUSTED_ORIGINS": "",
        # All guests of all tests come from one address.
        "GUESTS_PER_HOUR": "0",
        # A process that thinks takes longer to begin than all else; those who need one say so.
        "BOT_PROCESSES": "0",
        **settings,
    }


@contextlib.contextmanager
def served_by(program: str, **settings: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A Python program that builds a server of its own and prints where it listens; it, and its port."""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=parlour_environment(**settings),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            said = re.search(r":(\d+)", process.stdout.readline())
            assert said is not None
            yield process, int(said[1])
        finally:
            process.kill()


def manage(*arguments: str, root: Path = ROOT, **settings: str) -> None:
    """Run a management command of the checkout `root` with the environment of a server under test."""
    environment = parlour_environment(**settings)
    process: Running
    with tempfile.TemporaryFile() as said:
        if root == ROOT:
            process = preloaded.start("manage", *arguments, environment=environment, out=said, err=said)
        else:
            environment["DJANGO_SETTINGS_MODULE"] = HOST_SETTINGS
            command = [sys.executable, "manage.py", *arguments]
            process = subprocess.Popen(
                command, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )
        code = process.wait()
        said.seek(0)
        assert code == 0, said.read().decode()

"""Parlour servers for tests and measurements, run as in production."""

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
from tools.harness.services import ROOT, Endpoint, Running, Service

HOST_SETTINGS = "config.settings"
settings_module = HOST_SETTINGS
"""The settings module of new processes, except cold starts."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response, read to its end; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as UTF-8 text."""
        return self.body.decode()


class ParlourServer(Service, Endpoint):
    """`python -m config.server` as in production, with the given database and services.

    Args:
        database_url: a migrated database.
        redis_url: the channel layer; none if empty.
        var_dir: where the collected static files are.
        root: the checkout to run.
        cold: start it by its command line, not by forking a loaded process.
        settings: more environment variables.
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

    def environment(self) -> Mapping[str, str]:
        """The environment of the server; a cold one has the settings of a host."""
        settings = {"DJANGO_SETTINGS_MODULE": HOST_SETTINGS} if self._cold else {}
        return parlour_environment(**settings | self._settings)

    def command(self) -> Sequence[str]:
        """The server's module, run by this Python."""
        return [sys.executable, "-m", *self._module()]

    def launch(self, log: IO[bytes]) -> Running:
        """Start the process, forked from a loaded one unless the server is cold."""
        if self._cold:
            return super().launch(log)
        return preloaded.start(*self._module(), environment=self.environment(), out=log, err=log)

    def _module(self) -> list[str]:
        return ["config.server", "--host", "127.0.0.1", "--port", str(self.port)]

    def ready(self) -> bool:
        """Whether the server has named its port and answers there."""
        said = re.search(r"^Parlour is at http://127\.0\.0\.1:(\d+)", self.log, re.MULTILINE)
        if said is None:
            return False
        self.port = int(said[1])
        try:
            return self.get("/readyz").status == 200
        except OSError:
            return False

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """The response to a plain GET, without following redirects or raising errors."""
        request = urllib.request.Request(self.url + path, headers=dict(headers or {}))
        with contextlib.closing(_open(request)) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, headers, response.read())

    def rows(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Query the server's database directly, past its caches; `?` marks a parameter."""
        if self.database_url.startswith("sqlite:///"):
            path = self.database_url.removeprefix("sqlite:///")
            with contextlib.closing(sqlite3.connect(path, timeout=patience(20))) as connection:
                return connection.execute(sql, parameters).fetchall()
        with psycopg.connect(self.database_url) as postgres:
            return postgres.execute(sql.replace("?", "%s"), parameters).fetchall()

    def write(self, sql: str, *parameters: Any) -> None:
        """Change the server's database directly; `?` marks a parameter."""
        if self.database_url.startswith("sqlite:///"):
            path = self.database_url.removeprefix("sqlite:///")
            with contextlib.closing(sqlite3.connect(path, timeout=patience(20))) as connection, connection:
                connection.execute(sql, parameters)
        else:
            with psycopg.connect(self.database_url) as postgres:
                postgres.execute(sql.replace("?", "%s"), parameters)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Raises redirects as `HTTPError`, like errors."""

    def redirect_request(self, *_: Any) -> None:
        """Follow no redirect, so that the caller sees its status."""


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def _open(request: urllib.request.Request) -> Any:
    try:
        return _opener.open(request, timeout=patience(30))
    except urllib.error.HTTPError as error:
        return error


def parlour_environment(**settings: str) -> dict[str, str]:
    """The environment of a production server under test, independent of the developer's."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": settings_module,
        "SECRET_KEY": "only-for-tests-" + "x" * 40,
        "DEBUG": "0",
        "HTTPS": "0",
        "BEHIND_PROXY": "0",
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "TRUSTED_ORIGINS": "",
        # All guests of all tests have the same address.
        "GUESTS_PER_HOUR": "0",
        "COST_PERSON_LIMIT": "0",
        "COST_ADDRESS_LIMIT": "0",
        # Bot processes start slowly; tests that need one set this.
        "BOT_PROCESSES": "0",
        **settings,
    }


@contextlib.contextmanager
def served_by(program: str, **settings: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A Python program that builds its own server and prints its address; the process and its port."""
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


def manage(*arguments: str, **settings: str) -> str:
    """Run a management command in the environment of a server under test. Returns what it says."""
    with tempfile.TemporaryFile() as said:
        environment = parlour_environment(**settings)
        code = preloaded.start("manage", *arguments, environment=environment, out=said, err=said).wait()
        said.seek(0)
        text = said.read().decode()
        assert code == 0, text
        return text

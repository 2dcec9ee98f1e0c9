"""The site as it is measured: a server in a process of its own, and people and matches made for it."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

if TYPE_CHECKING:
    from lobby.people.models import User


@contextmanager
def fresh(**settings: str) -> Iterator[None]:
    """A database and static files of its own, on SQLite unless BENCH_DATABASE_URL or `settings` name one."""
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as scratch:
        usual = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": secrets.token_hex(32),
            "VAR_DIR": scratch,
            "DATABASE_URL": os.environ.get("BENCH_DATABASE_URL", f"sqlite:///{scratch}/bench.sqlite3"),
            "REDIS_URL": "",
            "SOCKET_RATE": "0",
            "CONNECTIONS": "0",
            "CONNECTIONS_PER_ADDRESS": "0",
            "SOCKETS_PER_PERSON": "0",
            "LOG_LEVEL": "ERROR",
        }
        os.environ.update({**usual, **settings})
        _set_up()
        yield


def _set_up() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def serving(module: str) -> AbstractContextManager[tuple[int, int]]:
    """A server of ours in a process of its own: (pid, port)."""
    return running(sys.executable, "-m", module, "--port")


@contextmanager
def running(*command: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own, which takes its port as the last argument: (pid, port)."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([*command, str(port)], stdout=subprocess.PIPE, text=True)
    try:
        if process.stdout is None or not process.stdout.readline():
            sys.exit(f"{command} did not start")
        yield process.pid, port
    finally:
        process.terminate()
        process.wait()


def wait_until_ready(port: int) -> None:
    """Return once the site answers."""
    deadline = time.monotonic() + 30
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz") as answer:
                if answer.status == 200:
                    return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def signed_in() -> tuple[User, str]:
    """A new user, and the cookie of their session."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from lobby.people.models import User

    user = User.objects.create_user(f"bench-{secrets.token_hex(6)}")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return user, f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def new_match(game: str, preset: str, seats: int = 2) -> tuple[str, list[str]]:
    """A match of signed-in players: its id, and their cookies."""
    from games.registry import GAMES

    return new_match_by(game, GAMES[game].rules.PRESETS[preset], seats)


def kalah_match() -> tuple[str, list[str]]:
    """A match of Kalah by two: its id, and their cookies."""
    return new_match("kalah", "kalaha")


def endless_match() -> tuple[str, list[str]]:
    """A match of Morris by two that no rule ends."""
    from games.rules.morris import Options

    return new_match_by("morris", Options(threefold=False, fifty=False))


def new_match_by(game: str, options: Any, seats: int = 2) -> tuple[str, list[str]]:
    """The same by options of the game's rules."""
    from games.play.begin import create

    players = [signed_in() for _ in range(seats)]
    return create(game, options, [user for user, _ in players]).pk, [cookie for _, cookie in players]


def prepare(
    number: int, new: Callable[[], tuple[str, list[str]]] = kalah_match
) -> tuple[list[str], list[list[str]]]:
    """So many matches, which `new` makes, written in one transaction: their ids, and the players' cookies."""
    from django.db import transaction

    with transaction.atomic():
        made = [new() for _ in range(number)]
    return [match_id for match_id, _ in made], [cookies for _, cookies in made]

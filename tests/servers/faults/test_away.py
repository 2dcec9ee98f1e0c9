"""PostgreSQL is out of reach: who asks is told in time, and play goes on as soon as it is back."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import psycopg
import pytest

from tests.conftest import Launcher, Store
from tests.servers.test_connections import HANDSHAKE, line_to
from tools.harness import subprocess_call
from tools.harness.patience import patience
from tools.harness.people import command_id, seat_two
from tools.harness.relay import Relay
from tools.harness.services import PostgresClient

BACK_SECONDS = 5.0
PROBE_SECONDS = 4.0
"""For how long config.probe waits."""
AWAY_SECONDS = 8.0
"""Long enough for connections to be tried anew more than once."""
COMING = 40
"""People who come meanwhile: more than a server has threads."""


@pytest.fixture
def wire(postgres: PostgresClient) -> Iterator[Relay]:
    relay = Relay(postgres.port)
    yield relay
    relay.close()


def test_postgresql_used_again_soon_after_return(
    launcher: Launcher, postgres: PostgresClient, wire: Relay
) -> None:
    store = launcher.store("postgres+redis")
    url = store.database_url.replace(f":{postgres.port}/", f":{wire.port}/")
    server = launcher.open(Store(url))
    mover, _, match_id = seat_two(server)
    message = {"type": "move", "id": command_id(), "after": 0, "move": "1"}
    cookie = mover.headers()["Cookie"]
    handshake = HANDSHAKE + f"Origin: http://127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode()
    with mover.watch(match_id) as playing, ExitStack() as coming:
        wire.fall_silent()
        began = time.monotonic()
        playing.send(message)
        for _ in range(COMING):
            # Whose session each of them has is asked for by a thread, and there are not so many.
            coming.enter_context(line_to(server.port)).sendall(handshake)
        while time.monotonic() - began < AWAY_SECONDS:
            asked = time.monotonic()
            answer = server.get("/readyz")
            assert (answer.status, answer.text) == (503, "the database does not answer\n")
            assert time.monotonic() - asked < patience(PROBE_SECONDS)
        wire.speak()
        back = time.monotonic()
        while (answered := playing.next("accepted", "refused"))["type"] == "refused":
            assert answered["code"] == "unavailable"
            playing.send(message)
        assert time.monotonic() - back < patience(BACK_SECONDS)
        assert answered == {"type": "accepted", "id": message["id"], "ply": 1}
    assert server.get("/readyz").status == 200


def test_a_connection_has_deadlines(launcher: Launcher) -> None:
    """On both ends: the database too lets go of what somebody has locked who is gone."""
    told = subprocess_call.call(launcher.store("postgres+redis").database_url, _deadlines)
    assert told == {
        "user_timeout": 3000,
        "keepalive": [1, 2, 1, 2],
        "statement_timeout": "15s",
        "idle_in_transaction_session_timeout": "15s",
        "tcp_user_timeout": "3000",
        "tcp_keepalives_idle": "2",
    }


def _deadlines() -> dict[str, object]:
    from django.db import connection

    with connection.cursor() as cursor:
        handle = cursor.connection.fileno()
        with socket.socket(fileno=socket.dup(handle)) as line:
            tcp = [
                line.getsockopt(socket.IPPROTO_TCP, option)
                for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            ]
            user_timeout = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            alive = line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        told: dict[str, object] = {"user_timeout": user_timeout, "keepalive": [alive, *tcp]}
        for name in (
            *("statement_timeout", "idle_in_transaction_session_timeout"),
            *("tcp_user_timeout", "tcp_keepalives_idle"),
        ):
            cursor.execute(f"SHOW {name}")
            told[name] = cursor.fetchone()[0]
    return told


def test_a_statement_that_takes_too_long_is_given_up(launcher: Launcher) -> None:
    store = launcher.store("postgres+redis")
    server = launcher.open(store, STATEMENT_SECONDS="1")
    mover, _, match_id = seat_two(server)
    with mover.watch(match_id) as playing, psycopg.connect(server.database_url) as other:
        other.execute("SELECT * FROM games_match FOR UPDATE")
        assert playing.move(0, "1")["code"] == "unavailable"
        other.rollback()
        assert playing.move(0, "1")["type"] == "accepted"

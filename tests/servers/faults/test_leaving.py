"""A server that is asked to end does so within eight seconds, whatever still waits, and all are back soon."""

from __future__ import annotations

import contextlib
import signal
import threading
import time

import psycopg
import pytest

from bench.fault_injection.faults import locked
from tests.conftest import Launcher
from tests.helpers.samples import FULL, in_full
from tests.servers.test_computers_servers import give_to_computers
from tests.servers.test_connections import HANDSHAKE, everything, line_to
from tests.servers.test_run import stubborn_peer
from tools.harness.cluster import BotWorker
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, command_id, guest, seat_two
from tools.harness.servers import ParlourServer
from tools.harness.services import Service

pytestmark = [pytest.mark.cold] if FULL else []

END_SECONDS = 8.0
BACK_SECONDS = 10.0


def ends_in_time(program: Service) -> None:
    """It has said nothing false, and is gone."""
    assert program.process is not None
    program.signal(signal.SIGTERM)
    assert program.process.wait(timeout=patience(END_SECONDS)) == 0
    assert "Traceback" not in program.log


@pytest.mark.parametrize("pair", in_full("postgres+redis", "sqlite"))
def test_a_move_that_waits_for_a_lock_holds_nothing_up(launcher: Launcher, pair: str) -> None:
    server = launcher.open(launcher.store(pair))
    mover, _, match_id = seat_two(server)
    message = {"type": "move", "id": command_id(), "after": 0, "move": "1"}
    with mover.watch(match_id) as socket:
        with locked(server):
            socket.send(message)
            socket.send({"type": "ping", "t": 1})
            ends_in_time(server)
        said = [each["type"] for each in socket.heard]
        assert "accepted" not in said
        assert "plies" not in said


def test_a_handshake_that_waits_holds_nothing_up(launcher: Launcher) -> None:
    """One that was never sent to its end, and one whose session cannot be read."""
    server = launcher.open(launcher.store("postgres+redis"))
    person = guest(server)
    with line_to(server.port) as half, locked(server, sessions=True), line_to(server.port) as whole:
        half.sendall(HANDSHAKE)
        cookie = person.headers()["Cookie"]
        whole.sendall(HANDSHAKE + f"Origin: http://127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode())
        wait_until(lambda: waiting(server) > 0, "that the session is asked for")
        ends_in_time(server)


def test_a_socket_that_was_not_let_in_yet_is_refused(launcher: Launcher) -> None:
    """With 503, as all that come later are; the session of its person could not be read so far."""
    server = launcher.open(launcher.store("postgres+redis"))
    cookie = guest(server).headers()["Cookie"]
    with line_to(server.port) as peer:
        with locked(server, sessions=True):
            peer.sendall(HANDSHAKE + f"Origin: http://127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode())
            wait_until(lambda: waiting(server) > 0, "that the session is asked for")
            server.signal(signal.SIGTERM)
            wait_until(lambda: server.get("/readyz").status == 503, "the start of the leave", 5)
        assert everything(peer).startswith(b"HTTP/1.1 503 ")
    assert "Traceback" not in server.log


@pytest.mark.full
def test_a_computer_whose_move_waits_holds_nothing_up(launcher: Launcher) -> None:
    store = launcher.store("postgres+redis")
    server = launcher.open(store)
    *_, match_id = seat_two(server)
    worker = BotWorker({"DATABASE_URL": store.database_url, "REDIS_URL": store.redis_url, "BOT_PACE": "0"})
    with contextlib.closing(psycopg.connect(server.database_url)) as other:
        # Who plays may still take the match up, and read it.
        other.execute("LOCK TABLE games_ply IN SHARE MODE")
        try:
            worker.start()
            give_to_computers(server, match_id, 0, 1)
            wait_until(lambda: waiting(server) > 0, "a move to be stored")
            ends_in_time(worker)
        finally:
            worker.discard()
        assert other.execute("SELECT count(*) FROM games_ply").fetchone() == (0,)


def waiting(server: ParlourServer) -> int:
    """How many wait for a lock in the database."""
    asked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return int(server.rows(f"{asked} AND datname = current_database()")[0][0])


def test_clients_reconnect_soon_after_restart(launcher: Launcher) -> None:
    """On SQLite, where the next process begins when the last one has ended; one peer is dead."""
    server = launcher.open(launcher.store("sqlite"))
    mover, _, match_id = seat_two(server)
    people: list[Person] = [mover, *(guest(server) for _ in range(3))]
    back: list[float] = []

    def come_back(person: Person) -> None:
        while True:
            try:
                with person.watch(match_id) as socket:
                    if socket.snapshot["type"] == "snapshot":
                        back.append(time.monotonic())
                        return
            except Exception:  # as long as nobody is there
                time.sleep(0.1)

    with contextlib.ExitStack() as stack:
        for person in people:
            stack.enter_context(person.watch(match_id))
        stack.enter_context(contextlib.closing(stubborn_peer(server)))
        began = time.monotonic()
        assert server.terminate() == 0
        threads = [threading.Thread(target=come_back, args=[person]) for person in people]
        for thread in threads:
            thread.start()
        server.start()
        for thread in threads:
            thread.join()
    assert max(back) - began < patience(BACK_SECONDS)

"""The site on a stock ASGI server, by public ASGI alone."""

from __future__ import annotations

import random
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.conftest import Launcher
from tools.harness.patience import wait_until
from tools.harness.people import play_out, seat_two
from tools.harness.servers import ParlourServer
from tools.harness.services import free_port

pytestmark = pytest.mark.cold

RESTARTS = (4012, 1012)
"""Close codes that have clients reconnect: the site's own, and that of uvicorn, which may come first."""


class UvicornServer(ParlourServer):
    """`uvicorn config.asgi:application`."""

    def command(self) -> Sequence[str]:
        self.port = free_port()
        return [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(self.port)]

    def ready(self) -> bool:
        try:
            return self.get("/readyz").status == 200
        except OSError:
            return False


@pytest.fixture(scope="module")
def uvicorn(launcher: Launcher, var_dir: Path) -> Iterator[UvicornServer]:
    server = UvicornServer(launcher.store("sqlite").database_url, "", var_dir, cold=True)
    server.start()
    yield server
    server.discard()


def test_pages_and_static_files_are_served(uvicorn: UvicornServer) -> None:
    page = uvicorn.get("/rules/kalah")
    assert page.status == 200
    assert page.text.endswith("</html>\n")
    _, _, sheet = page.text.partition('rel="stylesheet" href="')
    assert uvicorn.get(sheet.partition('"')[0]).status == 200


def test_a_match_is_played_to_its_end_and_rated(uvicorn: UvicornServer) -> None:
    *people, match_id = seat_two(uvicorn)
    sockets = tuple(person.watch(match_id) for person in people)
    assert play_out(sockets, random.Random(5))["outcome"] is not None  # type: ignore[arg-type]
    for socket in sockets:
        socket.close()
    # The loops of the site run as well: somebody settles the match.
    wait_until(
        lambda: uvicorn.rows("SELECT count(*) FROM lobby_result WHERE match_id = ?", match_id) == [(2,)],
        "the results of the match",
    )
    assert "Traceback" not in uvicorn.log


def test_a_restart_has_clients_reconnect_and_loses_nothing(uvicorn: UvicornServer) -> None:
    host, _, match_id = seat_two(uvicorn)
    with host.watch(match_id) as socket:
        assert socket.move(0, "1")["type"] == "accepted"
        uvicorn.signal(signal.SIGTERM)
        assert socket.closed_with() in RESTARTS
    assert uvicorn.process is not None
    uvicorn.process.wait(60)
    uvicorn.restart()
    with host.watch(match_id) as socket:
        assert socket.snapshot["ply"] == 1

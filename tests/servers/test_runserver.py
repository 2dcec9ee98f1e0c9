"""`manage.py runserver`, by which developers serve the site."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tools.harness import prepared
from tools.harness.patience import wait_until
from tools.harness.people import seat_two
from tools.harness.servers import ParlourServer
from tools.harness.services import ROOT, free_port

pytestmark = pytest.mark.cold


class DevelopmentServer(ParlourServer):
    """The same server, run by the command; it keeps its port when it starts anew."""

    def command(self) -> Sequence[str]:
        self.port = free_port()
        return [sys.executable, "manage.py", "runserver", str(self.port)]


@pytest.fixture
def development(tmp_path: Path) -> Iterator[DevelopmentServer]:
    path = tmp_path / "parlour.sqlite3"
    shutil.copy(prepared.sqlite_file(), path)
    server = DevelopmentServer(f"sqlite:///{path}", "", tmp_path, cold=True, DEBUG="1")
    server.start()
    yield server
    server.discard()


def test_runserver_serves_pages_sockets_and_static_files_and_reloads(development: DevelopmentServer) -> None:
    assert development.get("/static/net/socket.js").status == 200
    host, _, match_id = seat_two(development)
    with host.watch(match_id) as socket:
        assert socket.move(0, "1")["type"] == "accepted"
        os.utime(ROOT / "manage.py")
        assert socket.closed_with() == 4012
    wait_until(lambda: development.log.count("Parlour is at") == 2, "a second start")
    assert development.ready()

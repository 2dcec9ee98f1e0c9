"""The clock of the computer is set while a server runs: dead peers are let go as ever, and nobody else is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.helpers.pinging_server import PINGING_SERVER
from tools.harness.patience import patience, within
from tools.harness.raw_websocket import Peer
from tools.harness.servers import served_by
from tools.harness.services import ROOT

STEPPED = """
import os, time
real = time.time
time.time = lambda: real() + float(open(os.environ["STEP"]).read())
"""
"""What Python runs before all else: the time of day, some seconds off, from a file that says how many."""


@contextmanager
def set_clock(directory: Path) -> Iterator[tuple[int, Path]]:
    """A server that pings every second, its port, and the file by which its time of day is set."""
    (directory / "sitecustomize.py").write_text(STEPPED)
    step = directory / "step"
    step.write_text("0")
    paths = os.pathsep.join([str(directory), str(ROOT)])
    with served_by(PINGING_SERVER, STEP=str(step), PYTHONPATH=paths) as (_, port):
        yield port, step


@pytest.mark.parametrize("hours", [-1, 1, 25])
def test_a_dead_peer_is_let_go_and_a_living_one_is_not(tmp_path: Path, hours: int) -> None:
    with (
        set_clock(tmp_path) as (port, step),
        connect(f"ws://127.0.0.1:{port}/", proxy=None) as living,
        closing(Peer(port, "/")._socket) as dead,
    ):
        step.write_text(str(hours * 3600))
        with within(8), suppress(ConnectionResetError):
            while dead.recv(4096):
                pass
        assert living.ping().wait(patience(10))
        assert living.protocol.state.name == "OPEN"

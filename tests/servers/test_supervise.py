"""Nothing outlives a run of the tests, and the time of the processor is that of all its processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tools.harness.patience import patience, wait_until
from tools.harness.services import ROOT

ORPHAN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while time.process_time() < 0.5:
    pass
open(sys.argv[1], "w").write(str(os.getpid()))
time.sleep(float(sys.argv[2]))
"""
PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", sys.argv[1], *sys.argv[3:]], start_new_session=True)
time.sleep(float(sys.argv[2]))
"""


def supervised(directory: Path, parent_seconds: str, orphan_seconds: str) -> subprocess.Popen[bytes]:
    """A command that starts a process in a session of its own, which ignores SIGTERM."""
    command = [sys.executable, "-c", PARENT, ORPHAN, parent_seconds, str(directory / "pid"), orphan_seconds]
    return subprocess.Popen(
        [sys.executable, "-m", "tools.supervise", str(directory / "report"), *command], cwd=ROOT
    )


def orphan(directory: Path) -> int:
    path = directory / "pid"
    wait_until(lambda: path.exists() and path.read_text() != "", "the start of the process")
    return int(path.read_text())


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_sigterm_ends_every_process_of_a_command(tmp_path: Path) -> None:
    supervisor = supervised(tmp_path, "1000", "1000")
    pid = orphan(tmp_path)
    supervisor.terminate()
    assert supervisor.wait(patience(20)) == 128 + signal.SIGTERM
    assert not is_there(pid)


def test_time_of_a_process_without_its_parent_is_counted(tmp_path: Path) -> None:
    assert supervised(tmp_path, "0", "0").wait(patience(20)) == 0
    report = json.loads((tmp_path / "report").read_text())
    assert report["killed"] == []
    assert 0.5 < report["seconds"] < 5

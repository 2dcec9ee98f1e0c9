"""Run a command, end every process it leaves behind, and measure the processor time of all of them.

`python -m tools.supervise REPORT COMMAND...` exits like the command and writes a `Report` to the file REPORT
as JSON. SIGTERM ends the command and everything it started.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

END_SECONDS = 10
"""Seconds for the command to end after SIGTERM, and for other processes to end after the command."""
# From linux/prctl.h and linux/capability.h.
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER = 1, 24, 36
CAP_SYS_NICE = 23


@dataclass(frozen=True, slots=True)
class Report:
    """Processor seconds, and the command lines of killed processes."""

    seconds: float
    killed: list[str] = field(default_factory=list)


def run(command: list[str]) -> tuple[int, Report]:
    """Run the command and everything it started to the end; its exit code, and the report."""
    if sys.platform == "linux":
        _prepare()
    process = subprocess.Popen(command, start_new_session=True)
    seconds = END_SECONDS

    def kill(*_: object) -> None:
        os.killpg(process.pid, signal.SIGKILL)

    def end(*_: object) -> None:
        nonlocal seconds
        seconds = 0
        os.killpg(process.pid, signal.SIGTERM)
        signal.signal(signal.SIGALRM, kill)
        signal.alarm(END_SECONDS)

    # Ctrl-C reaches every process of the terminal; the parent of this one sends SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end)
    pid, status = os.wait()
    while pid != process.pid:
        pid, status = os.wait()
    process.returncode = os.waitstatus_to_exitcode(status)
    signal.alarm(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    killed = _end_children(seconds)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process.returncode, Report(used.ru_utime + used.ru_stime, killed)


def _prepare() -> None:
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    # Orphaned processes become children of this one.
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    # Chromium as root raises its priority above all others.
    libc.prctl(PR_CAPBSET_DROP, CAP_SYS_NICE)


def _end_children(seconds: float) -> list[str]:
    """Wait until all children have ended, and kill the late ones; their command lines."""
    killed: list[str] = []
    deadline = time.monotonic() + seconds
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return killed
        if time.monotonic() > deadline:
            for pid, command in _children().items():
                killed.append(command)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def _children() -> dict[int, str]:
    """The command lines of running children, by process id."""
    found = {}
    for directory in Path("/proc").glob("[0-9]*"):
        # Any of them may end meanwhile.
        with contextlib.suppress(OSError):
            state, parent = (directory / "stat").read_text().rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state != "Z":
                found[int(directory.name)] = (directory / "cmdline").read_text().replace("\0", " ").strip()
    return found


def main(report: str, *command: str) -> int:
    """Run `command`, write what it used to the file `report` as JSON, and return its exit code."""
    code, found = run(list(command))
    Path(report).write_text(json.dumps(asdict(found)))
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Install missing programs of `tools.programs` with apt, if possible."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.programs import PROGRAMS, Program

POLICY = Path("/usr/sbin/policy-rc.d")
START_NOTHING = "#!/bin/sh\nexit 101\n"


def provide() -> list[Program]:
    """Install what is missing; returns what is still missing."""
    wanted = [program for program in PROGRAMS if (program.better or program.find)() is None]
    apt = shutil.which("apt-get")
    if wanted and apt and os.geteuid() == 0:
        with nothing_started():
            run([apt, "-q", "update"])
            # One by one: an unavailable package should not block the others.
            for program in wanted:
                install(apt, program)
    absent = missing()
    for program in absent:
        say(f"{program.name} is missing, so {program.needed_by} are skipped. {remedy(program)}")
    return absent


def nothing_may_be_skipped() -> bool:
    """Whether missing programs are a failure: `make test REQUIRE_ALL=1`."""
    return os.environ.get("REQUIRE_ALL", "") not in ("", "0")


def missing() -> list[Program]:
    """The programs of `tools.programs` that are not installed."""
    return [program for program in PROGRAMS if program.find() is None]


def install(apt: str, program: Program) -> None:
    """Install a program with apt, from its second packages if the first fail."""
    say(f"Installing {program.name} for {program.needed_by}.")
    for packages in filter(None, (program.packages, program.instead)):
        if packages is program.instead and program.find():
            return
        done = run([apt, "-q", "-y", "--no-install-recommends", "install", *packages])
        if done.returncode == 0:
            return
    said = done.stdout.strip().splitlines() or ["nothing"]
    say(f"apt could not install {program.name}: {said[-1]}")


def remedy(program: Program) -> str:
    """How to install a program by hand."""
    if shutil.which("apt-get") and os.geteuid():
        return f"To have them: sudo apt-get install {' '.join(program.packages)}"
    return f"To have them, install {program.name} the way this system does."


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and capture its output, standard error included."""
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        check=False,
    )


def say(sentence: str) -> None:
    """Print a sentence to standard error."""
    print(sentence, file=sys.stderr, flush=True)


@contextlib.contextmanager
def nothing_started() -> Iterator[None]:
    """Keep packages from starting services: the tests start their own."""
    if POLICY.exists():
        yield
        return
    try:
        POLICY.write_text(START_NOTHING)
        POLICY.chmod(0o755)
        yield
    finally:
        POLICY.unlink(missing_ok=True)

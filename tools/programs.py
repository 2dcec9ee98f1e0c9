"""The programs that tests use besides Python: their paths, and their Debian and Ubuntu packages."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

NODE = (18, 19)


@dataclass(frozen=True, slots=True)
class Program:
    """A program to install with apt, how to find it, and what is skipped without it.

    `instead` are the packages for systems without all of `packages`; `better` finds the program from
    `packages` if `find` accepts others too.
    """

    name: str
    find: Callable[[], str | None]
    packages: tuple[str, ...]
    needed_by: str
    instead: tuple[str, ...] = ()
    better: Callable[[], str | None] | None = None


def redis_server() -> str | None:
    """Path of redis-server; None if it is not installed."""
    return shutil.which("redis-server")


def postgres_bin() -> str | None:
    """The directory of the newest PostgreSQL server programs; Debian keeps it off the PATH."""
    on_path = shutil.which("initdb")
    if on_path and shutil.which("postgres"):
        # initdb needs postgres in its own directory, which a link is not in.
        return str(Path(on_path).resolve().parent)
    releases = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3])
    )
    return str(releases[-1].parent) if releases else None


def nginx() -> str | None:
    """nginx; Debian keeps it off the PATH of ordinary users."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def caddy() -> str | None:
    """Path of Caddy; None if it is not installed."""
    return shutil.which("caddy")


def chromium() -> str | None:
    """A Chromium that starts: Ubuntu's package may be a stub for a snap.

    The headless one is the same engine for half the processor time.
    """
    names = "chromium chromium-browser google-chrome google-chrome-stable"
    return headless_shell() or _first_that_starts(*names.split())


def headless_shell() -> str | None:
    """Path of Chromium's headless shell; None if none starts."""
    return _first_that_starts("chromium-headless-shell")


def _first_that_starts(*names: str) -> str | None:
    for name in names:
        path = shutil.which(name)
        if path and _version(path):
            return path
    return None


def node() -> str | None:
    """A Node with a test runner and `--import`."""
    for name in ("node", "nodejs"):
        path = shutil.which(name)
        version = re.match(r"v(\d+)\.(\d+)", _version(path) if path else "")
        if version and (int(version[1]), int(version[2])) >= NODE:
            return path
    return None


def npm() -> str | None:
    """Path of npm; None if it is not installed."""
    return shutil.which("npm")


def _version(path: str) -> str:
    """Its version output; empty if it does not start."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return said.stdout.strip()


PROGRAMS = (
    Program("Redis", redis_server, ("redis-server",), "the tests on PostgreSQL and Redis"),
    Program("PostgreSQL", postgres_bin, ("postgresql",), "the tests on PostgreSQL and Redis"),
    Program("nginx", nginx, ("nginx",), "the tests of several servers behind a proxy"),
    Program("Caddy", caddy, ("caddy",), "the tests of the proxy of docker-compose.yml"),
    # Without a font the browser draws no text.
    Program(
        "Chromium",
        chromium,
        ("chromium-headless-shell", "fonts-dejavu-core"),
        "the tests in a browser",
        instead=("chromium", "fonts-dejavu-core"),
        better=headless_shell,
    ),
    Program("Node 18.19", node, ("nodejs",), "the tests of the browser modules by themselves"),
    Program("npm", npm, ("npm",), "the types and the lint of the browser modules"),
)

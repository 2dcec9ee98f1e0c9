"""Fixtures of a test run, made once: static files, and databases with their tables.

They are cached in var/prepared until a source file changes.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tools.harness.servers import manage
from tools.harness.services import ROOT, Postgres
from tools.programs import postgres_bin

PREPARED = ROOT / "var" / "prepared"
KEPT_SECONDS = 24 * 60 * 60
"""A run that began before a change may still use an older one."""
STATIC = (
    "static/**/*",
    "config/assets/**/*.py",
    "config/settings.py",
    "requirements.txt",
)
TABLES = (
    "games/**/migrations/*.py",
    "games/**/models*.py",
    "lobby/**/migrations/*.py",
    "lobby/**/models*.py",
    "config/settings.py",
    "requirements.txt",
)
POSTGRES_TEMPLATE = "template_parlour"
"""The database with all tables in `postgres_archive`."""


def static_files() -> Path:
    """The static files as on a public server: bundled, hashed, compressed."""
    return _kept("static", STATIC, _collect) / "static"


def sqlite_file() -> Path:
    """An SQLite database with all tables and no rows except those of the migrations."""
    return _kept("sqlite", TABLES, _migrate_sqlite) / "parlour.sqlite3"


def postgres_archive() -> Path:
    """A cluster for `Postgres(archive=...)`, whose `POSTGRES_TEMPLATE` has all tables."""
    return _kept("postgres", TABLES, _migrate_postgres) / "data.tar"


def _kept(name: str, patterns: tuple[str, ...], make: Callable[[Path], None]) -> Path:
    """The cached directory that `make` filled from the files matching the patterns."""
    PREPARED.mkdir(parents=True, exist_ok=True)
    directory = PREPARED / f"{name}-{_fingerprint(patterns)}"
    with (PREPARED / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not directory.exists():
            for older in PREPARED.glob(f"{name}-*"):
                if older.stat().st_mtime < time.time() - KEPT_SECONDS:
                    shutil.rmtree(older)
            with tempfile.TemporaryDirectory(dir=PREPARED) as scratch:
                (Path(scratch) / "made").mkdir()
                make(Path(scratch) / "made")
                (Path(scratch) / "made").rename(directory)
    return directory


def _fingerprint(patterns: tuple[str, ...]) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()):
        digest.update(f"{path.relative_to(ROOT)}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _collect(directory: Path) -> None:
    manage("collectstatic", "--no-input", "--verbosity=0", VAR_DIR=str(directory), DATABASE_URL="sqlite://")


def _migrate_sqlite(directory: Path) -> None:
    _migrate(f"sqlite:///{directory / 'parlour.sqlite3'}")


def _migrate_postgres(directory: Path) -> None:
    server = Postgres(str(postgres_bin())).start()
    try:
        server.execute(f"CREATE DATABASE {POSTGRES_TEMPLATE}")
        _migrate(server.url(POSTGRES_TEMPLATE))
        server.terminate()
        subprocess.run(["tar", "-cf", directory / "data.tar", "-C", server.data, "."], check=True)
    finally:
        server.discard()


def _migrate(url: str) -> None:
    manage("migrate", "--no-input", "--verbosity=0", DATABASE_URL=url)


if __name__ == "__main__":
    # Once, and not in each process of a parallel run.
    static_files()
    sqlite_file()
    if postgres_bin():
        postgres_archive()

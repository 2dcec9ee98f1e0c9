"""Where compiled kernels are kept: in a folder of the user, so that another copy of the site finds them.

What they have made is kept there, too.

Servers ask here whether all is compiled, so this module loads no compiler; `games.bots.compiler` does.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

BOTS = Path(__file__).parent
CAME_COMPILED = Path(__file__).parents[2] / "kernels"
"""Kernels compiled at build time, for images whose user has no folder."""


def folder() -> Path:
    """The folder of compiled kernels: `NUMBA_CACHE_DIR`, which is set for child processes if it was not."""
    if "NUMBA_CACHE_DIR" not in os.environ:
        os.environ["NUMBA_CACHE_DIR"] = str(_chosen())
    return Path(os.environ["NUMBA_CACHE_DIR"])


def configure(locator: str) -> None:
    """Have numba, once it is imported, keep compiled code in the folder, where a class of this name says."""
    folder()
    os.environ["NUMBA_CACHE_LOCATOR_CLASSES"] = locator


def is_complete() -> bool:
    """Whether all kernels of this release are compiled."""
    return _mark().exists()


def complete() -> None:
    """Note that all kernels of this release are compiled."""
    with suppress(OSError):
        _mark().touch()


def keep(file: Path, content: bytes) -> None:
    """Write a file of the folder, which others see only once it is whole. Raises `OSError`."""
    unfinished = tempfile.NamedTemporaryFile(dir=file.parent, delete=False)  # noqa: SIM115 - renamed
    try:
        with unfinished:
            unfinished.write(content)
        Path(unfinished.name).replace(file)
    except OSError:
        Path(unfinished.name).unlink()
        raise


def _mark() -> Path:
    return folder() / f"{_digest()}.complete"


@cache
def _digest() -> str:
    """A hash of all that compiled code depends on, except the processor, which numba compares itself."""
    digest = sha256(f"{version('numba')} {sys.version}".encode())
    for source in sorted(BOTS.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _chosen() -> Path:
    """A folder of the user, or a temporary one; new ones start with the kernels compiled at build time."""
    caches = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    user = os.geteuid() if hasattr(os, "geteuid") else ""  # not on Windows
    for place in (
        Path(caches).expanduser() / "parlour" / "kernels",
        Path(tempfile.gettempdir()) / f"parlour-kernels-{user}",
    ):
        with suppress(OSError):
            _copy(CAME_COMPILED, place)
            if _is_ours_alone(place):
                return place
    return _new_folder()


def _is_ours_alone(place: Path) -> bool:
    """Whether only this user can write to the folder: its files are executed, and /tmp is world-writable."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        place.mkdir(mode=0o700)
    status = place.lstat()
    if not hasattr(os, "geteuid"):
        return stat.S_ISDIR(status.st_mode)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077


def _new_folder() -> Path:
    """A temporary folder for this process and its children, without compiled kernels; deleted at exit."""
    place = tempfile.mkdtemp(prefix="parlour-kernels-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return Path(place)


def _copy(source: Path, target: Path) -> None:
    """Copy a folder if it exists and the target does not. Safe for concurrent processes."""
    if not source.is_dir() or target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    own = Path(tempfile.mkdtemp(dir=target.parent))
    shutil.copytree(source, own, dirs_exist_ok=True)
    # copytree has copied the permissions of the source.
    own.chmod(0o700)
    try:
        own.rename(target)
    except OSError:
        # Another process was first.
        shutil.rmtree(own)

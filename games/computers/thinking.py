"""The jobs of pool processes: choosing moves and evaluating positions. Uses no database and no server.

Only this module imports the players' modules, since they load a compiler.
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import stat
import tempfile
import threading
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import cast

from games.bots.any_game import AnyGame
from games.bots.base import Evaluation, Player
from games.domain import codec
from games.registry import GAMES

BOTS = Path(__file__).parents[1] / "bots"
CAME_COMPILED = Path(__file__).parents[2] / "kernels"
"""Kernels compiled at build time, for images whose code directory is read-only."""
WARM_UP_EFFORT = 0.01
"""An effort small enough for a warm-up that still runs all code paths."""
NICE = 10
"""Niceness of pool processes, below servers."""


def player_of(slug: str) -> Player:
    """The computer player of a game: its own, or the generic one."""
    name = f"games.bots.{slug}"
    if find_spec(name) is None:
        return AnyGame(GAMES[slug].rules)
    return cast(Player, importlib.import_module(name))


def prepare() -> None:
    """Set up a pool process: lower its priority, and let it end with its parent."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICE)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_exit_with, args=(parent,), daemon=True).start()
    keep_compiled_code()


def keep_compiled_code() -> None:
    """Choose where numba caches compiled kernels. Call it before the first of them is imported.

    If the code directory is read-only, use a folder that starts as a copy of the kernels compiled at build
    time.
    """
    if not os.access(BOTS, os.W_OK) and "NUMBA_CACHE_DIR" not in os.environ:
        kept = Path(tempfile.gettempdir()) / f"parlour-kernels-{os.geteuid()}"
        _copy(CAME_COMPILED, kept)
        os.environ["NUMBA_CACHE_DIR"] = str(kept if _is_ours_alone(kept) else _new_folder())


def _is_ours_alone(folder: Path) -> bool:
    """Whether only this user can write to the folder: its files are executed, and /tmp is world-writable."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077


def _new_folder() -> str:
    """A temporary folder for this process, without compiled kernels; deleted at exit."""
    folder = tempfile.mkdtemp(prefix="parlour-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


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


def choose(slug: str, state: str, level: int, effort: float, seed: str) -> str:
    """The move of a computer player of a level. `state` is JSON, `effort` as for `Player.choose`."""
    position = codec.decode_state(GAMES[slug].rules, state)
    return str(player_of(slug).choose(position, level, effort, Random(seed)))  # noqa: S311 - no secret


def look(slug: str, state: str, seats: int, seed: str) -> Evaluation:
    """The strongest level's evaluation of a position in which a player is to move."""
    position = codec.decode_state(GAMES[slug].rules, state)
    return player_of(slug).look(position, seats, Random(seed))  # noqa: S311 - no secret


def warm_up(slug: str) -> None:
    """Import the player of a game and compile its kernels, which takes a while if none are cached."""
    game = GAMES[slug]
    rules = game.rules
    seats = rules.SEATS[0]
    first = rules.setup(next(iter(rules.PRESETS.values())), seats)
    for state in (first, *getattr(player_of(slug), "TO_WARM_UP", ())):
        text = codec.encode_state(rules, state).decode()
        for level in range(1, len(game.levels) + 1):
            choose(slug, text, level, WARM_UP_EFFORT, "warm")
        look(slug, text, seats, "warm")


def _exit_with(parent: BaseProcess) -> None:
    """Exit once the server process has died: it may be killed without a shutdown."""
    parent.join()
    os._exit(0)


if __name__ == "__main__":
    keep_compiled_code()
    for each in GAMES:
        warm_up(each)

"""What a process that thinks is asked: moves and looks. It knows neither the database nor the server.

The modules of the players are imported here alone, since they bring a compiler along.
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
"""Where an image that nobody can write to has its kernels, compiled while it was built."""
SLIGHT = 0.01
"""An effort that leaves nothing out but work."""
NICE = 10
"""Who thinks makes way for who serves."""


def player_of(slug: str) -> Player:
    """The computer player of a game: its own, or the one that plays any game."""
    name = f"games.bots.{slug}"
    if find_spec(name) is None:
        return AnyGame(GAMES[slug].rules)
    return cast(Player, importlib.import_module(name))


def prepare() -> None:
    """Make this process one that thinks: behind those who serve, and only for as long as they live."""
    os.nice(NICE)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    keep_compiled_code()


def keep_compiled_code() -> None:
    """See to it that compiled kernels are kept somewhere, before the first of them is imported.

    Where the code itself cannot be written that is a folder of its own, which begins with what came compiled.
    """
    if not os.access(BOTS, os.W_OK) and "NUMBA_CACHE_DIR" not in os.environ:
        kept = Path(tempfile.gettempdir()) / f"parlour-kernels-{os.geteuid()}"
        _copy(CAME_COMPILED, kept)
        os.environ["NUMBA_CACHE_DIR"] = str(kept if _is_ours_alone(kept) else _new_folder())


def _is_ours_alone(folder: Path) -> bool:
    """Whether nobody else can put anything there: what is there is run, and everybody can write to /tmp."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077


def _new_folder() -> str:
    """A folder of this process alone, which compiles anew; it goes when the process does."""
    folder = tempfile.mkdtemp(prefix="parlour-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _copy(source: Path, target: Path) -> None:
    """Copy a folder to where none is yet, if there is one; several processes may do so at once."""
    if not source.is_dir() or target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    own = Path(tempfile.mkdtemp(dir=target.parent))
    shutil.copytree(source, own, dirs_exist_ok=True)
    # Copying gave it the rights of the source.
    own.chmod(0o700)
    try:
        own.rename(target)
    except OSError:
        # Another process was first.
        shutil.rmtree(own)


def choose(slug: str, state: str, level: int, effort: float, seed: str) -> str:
    """The move of a computer player of that level; `state` is JSON, `effort` as for `Player.choose`."""
    position = codec.decode_state(GAMES[slug].rules, state)
    return str(player_of(slug).choose(position, level, effort, Random(seed)))  # noqa: S311 - no secret


def look(slug: str, state: str, seats: int, seed: str) -> Evaluation:
    """What the best level makes of a position in which somebody is to move."""
    position = codec.decode_state(GAMES[slug].rules, state)
    return player_of(slug).look(position, seats, Random(seed))  # noqa: S311 - no secret


def warm_up(slug: str) -> None:
    """Import the player of a game and have its kernels compiled, which takes a while where none are kept."""
    game = GAMES[slug]
    rules = game.rules
    seats = rules.SEATS[0]
    state = rules.setup(next(iter(rules.PRESETS.values())), seats)
    text = codec.encode_state(rules, state).decode()
    for level in range(1, len(game.levels) + 1):
        choose(slug, text, level, SLIGHT, "warm")
    look(slug, text, seats, "warm")


def _end_with(parent: BaseProcess) -> None:
    """Whoever serves may be killed without a word; nobody would ask this process anything then."""
    parent.join()
    os._exit(0)


if __name__ == "__main__":
    keep_compiled_code()
    for each in GAMES:
        warm_up(each)

"""The jobs of pool processes: choosing moves and evaluating positions. Uses no database and no server.

Only this module imports the players' modules, since they load a compiler.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from random import Random
from time import monotonic, process_time
from typing import Any, cast

from games.bots import kernel_cache
from games.bots.any_game import AnyGame
from games.bots.base import Evaluation, Player
from games.computers.reports import Channel
from games.domain import codec
from games.registry import GAMES

WARM_UP_EFFORT = 0.01
"""An effort small enough for a warm-up that still runs all code paths."""
LEAST_PAUSE = 0.05
"""Seconds between two reports of a search: nobody reads the first depths one by one."""
NICE = 10
"""Niceness of pool processes, below servers."""


_channel: Channel | None = None
"""Where this process reports to, if it belongs to a pool."""


def player_of(slug: str) -> Player:
    """The computer player of a game: its own, or the generic one."""
    name = f"games.bots.{slug}"
    if find_spec(name) is None:
        return AnyGame(GAMES[slug].rules)
    return cast(Player, importlib.import_module(name))


def has_kernels(slug: str) -> bool:
    """Whether the player of a game has kernels, `games.bots.<slug>_kernel`."""
    return find_spec(f"games.bots.{slug}_kernel") is not None


def prepare(channel: Channel) -> None:
    """Set up a pool process: lower its priority, let it end with its parent, and report to `channel`."""
    global _channel
    _channel = channel
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICE)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_exit_with, args=(parent,), daemon=True).start()


def choose(slug: str, state: str, level: int, effort: float, seed: str) -> str:
    """The move of a computer player of a level. `state` is JSON, `effort` as for `Player.choose`."""
    position = codec.decode_state(GAMES[slug].rules, state)
    rng = Random(seed)  # noqa: S311 - no secret
    # Before the module of the player is imported, which loads the compiler.
    if simple := GAMES[slug].levels[level - 1].choose:
        return str(simple(position, rng))
    return str(player_of(slug).choose(position, level, effort, rng))


def look(slug: str, state: str, seats: int, seed: str) -> Evaluation:
    """The strongest level's evaluation of a position in which a player is to move."""
    position = codec.decode_state(GAMES[slug].rules, state)
    return player_of(slug).look(position, seats, Random(seed))  # noqa: S311 - no secret


def timed_look(slug: str, state: str, seats: int, seed: str) -> tuple[Evaluation, float]:
    """The same with the milliseconds of processor time that it took."""
    began = process_time()
    evaluation = look(slug, state, seats, seed)
    return evaluation, (process_time() - began) * 1000


def deepen(slug: str, state: str, seats: int, seed: str, place: int) -> tuple[Evaluation | None, float]:
    """The same as `timed_look`, and what each depth finds is reported; None if the job was stopped.

    Args:
        place: of the job in `games.computers.reports`.
    """
    assert _channel is not None
    began, reported, look = process_time(), monotonic() - LEAST_PAUSE, None
    position = codec.decode_state(GAMES[slug].rules, state)
    for look in _looks(player_of(slug), position, seats, Random(seed)):  # noqa: S311 - no secret
        if _channel.stopped[place]:
            return None, (process_time() - began) * 1000
        if monotonic() - reported >= LEAST_PAUSE:
            reported = monotonic()
            _channel.tell(place, seed, look, (process_time() - began) * 1000)
    return look, (process_time() - began) * 1000


def _looks(player: Player, position: Any, seats: int, rng: Random) -> Iterator[Evaluation]:
    if deepen := getattr(player, "deepen", None):
        yield from deepen(position, seats, rng)
    else:
        yield player.look(position, seats, rng)


def warm_up_moves(slug: str) -> None:
    """Import the player of a game, and compile or load the kernels that its moves need."""
    game, player = GAMES[slug], player_of(slug)
    first = game.rules.setup(next(iter(game.rules.PRESETS.values())), game.rules.SEATS[0])
    for state in (first, *getattr(player, "TO_WARM_UP", ())):
        for level in range(1, len(game.levels) + 1):
            player.choose(state, level, WARM_UP_EFFORT, Random("warm"))  # noqa: S311 - no secret


def warm_up_look(slug: str) -> None:
    """Compile or load the kernels that only evaluations need."""
    player = player_of(slug)
    for state in getattr(player, "TO_WARM_UP_LOOK", ()):
        player.look(state, GAMES[slug].rules.SEATS[0], Random("warm"))  # noqa: S311 - no secret


WARM_UPS = (warm_up_moves, warm_up_look)
"""In this order: people wait for moves, and less often for evaluations."""


def make_tables(slug: str) -> None:
    """Make the tables of exact endings that a game needs, if they are missing."""
    if make := getattr(player_of(slug), "make_tables", None):
        make()


def compile_all() -> None:
    """Compile all kernels that are not compiled, and make the tables that are missing."""
    for slug in filter(has_kernels, GAMES):
        for work in (*WARM_UPS, make_tables):
            work(slug)
    kernel_cache.complete()


def _exit_with(parent: BaseProcess) -> None:
    """Exit once the server process has died: it may be killed without a shutdown."""
    parent.join()
    os._exit(0)


if __name__ == "__main__":
    compile_all()

"""While nobody is there and no live clock runs, the periodic work of a server writes nothing."""

from __future__ import annotations

import ast
import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from tests.conftest import Launcher
from tests.helpers.waiting import eventually
from tools.harness import subprocess_call

ROOT = Path(__file__).resolve().parent.parent.parent
ON_SQLITE = {
    *("AbandonedTables._look", "Checkpoints.once", "ConditionalPlayer.once"),
    *("CountBroadcaster._count", "DeliveryWorker._tidy_and_take_up", "Director.once"),
    *("end_classes", "HeartbeatLoop.once", "keep_ladders", "MatchCache.tidy", "Matches.end_idle"),
    *("pair_queue", "purge_commands", "send_reminders", "Sessions.look", "Sweeper._sweep"),
    *("tell_clubs", "WatchedBroadcaster._tell"),
}
ON_REDIS = {
    *("LastNumber._tell", "MatchCache.catch_up", "MessageBus._listen", "MessageBus._send_batch"),
    "SharedState._repeat_now",
}
"""Only with Redis. It compares what processes have told each other, and writes nothing either."""
COMPUTERS = "Computers._take_up"
"""Begins only with processes for computer players."""
A_WRITE = "a write"
"""What shows that a write is noticed."""


def test_idle_server_writes_nothing(launcher: Launcher) -> None:
    store = launcher.store("sqlite")
    written = subprocess_call.call(store.database_url, written_by_each)
    assert written.pop(A_WRITE)
    assert written == dict.fromkeys({*ON_SQLITE, COMPUTERS}, False)


def test_each_periodic_work_is_known() -> None:
    begun = [
        node
        for folder in ("config", "games", "lobby")
        for path in (ROOT / folder).rglob("*.py")
        if path != ROOT / "games/net/tasks.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        if "every" in _names(node.func) or "Periodic" in _names(*node.args)
    ]
    assert len(begun) == len({*ON_SQLITE, *ON_REDIS, COMPUTERS})


def _names(*nodes: ast.expr) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def written_by_each() -> dict[str, bool]:
    """To be called inside a process: whether each periodic work writes on a site where nothing happens."""
    return asyncio.run(_written_by_each())


async def _written_by_each() -> dict[str, bool]:
    from django.conf import settings

    from config import lifespan
    from games.computers.pool import Pool
    from games.computers.worker import Computers
    from games.domain import instants
    from games.net.hub import hub
    from games.net.tasks import tasks
    from games.net.threads import in_thread
    from games.play.matches import matches
    from games.store import heartbeat

    lifespan.start()
    await eventually(lambda: tasks.periodic.keys() >= ON_SQLITE)
    works: dict[str, Callable[[], Awaitable[object]]] = {
        **tasks.periodic,
        COMPUTERS: Computers(matches, hub, Pool(1)).once,
        A_WRITE: partial(in_thread(heartbeat.beat), instants.now(), write=True),
    }
    # Some write once after a start.
    for work in tasks.periodic.values():
        await work()
    with sqlite3.connect(settings.DATABASES["default"]["NAME"]) as other:
        written = {}
        for name, work in works.items():
            before = _commits(other)
            await work()
            written[name] = _commits(other) != before
    await lifespan.finish()
    return written


def _commits(connection: sqlite3.Connection) -> int:
    """Changes with each commit of another connection."""
    (number,) = connection.execute("PRAGMA data_version").fetchone()
    return int(number)

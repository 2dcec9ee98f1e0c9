"""A client written from docs/reference/protocol.md alone plays, loses its connection, and resumes."""

from __future__ import annotations

import ast
import asyncio
import json
import random
import sys
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from games.registry import GAMES
from tests.strangers.client import VERSION, Match, Stranger, Visitor, begin_match

LONGEST = 12
"""Messages after which a connection is lost at the latest."""
PATIENCE = 240
"""Seconds for a whole match; two cores may be busy with much else."""
LAST_PLY = "SELECT max(number) FROM games_ply WHERE match_id = ?"
OWN = {path.stem for path in Path(__file__).parents[2].iterdir() if path.is_dir() or path.suffix == ".py"}


class Table:
    """Two players and somebody who watches, none of whom shares anything with the others."""

    def __init__(self, sites: list[str], game: str) -> None:
        chance = random.Random(f"strangers at {game}")
        host, other = Visitor(sites[0]), Visitor(sites[-1])
        for visitor in (host, other):
            visitor.become_guest()
        self.match = begin_match(host, other, game, next(iter(GAMES[game].rules.PRESETS)))
        self.people = [
            Stranger(sites, self.match, session, chance=random.Random(chance.random()), longest=LONGEST)
            for session in (host.session, other.session, "")
        ]

    async def play(self, *beside) -> None:
        """Everybody stays to the end, whatever else goes on `beside`."""
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as together:
            for person in self.people:
                together.create_task(person.stay())
            for work in beside:
                together.create_task(work)

    def hold_against(self, server) -> None:
        """All know the same, the store has it once, and nothing that was promised is missing."""
        first, *others = (person.match for person in self.people)
        for match in others:
            assert (match.ply, match.state, match.outcome) == (first.ply, first.state, first.outcome)
            assert match.plies == first.plies
        assert [ply["number"] for ply in first.plies] == list(range(1, first.ply + 1))
        self._hold_against_store(server, first)

    def _hold_against_store(self, server, first: Match) -> None:
        rows = server.rows(
            "SELECT number, seat, action, command FROM games_ply WHERE match_id = ? ORDER BY number",
            self.match,
        )
        assert rows == [
            tuple(ply[key] for key in ("number", "seat", "action", "command")) for ply in first.plies
        ]
        made = {(seat, command): number for number, seat, _, command in rows if command is not None}
        assert len(made) == sum(command is not None for *_, command in rows)
        for person in self.people:
            mine = {command: number for (seat, command), number in made.items() if seat == person.seat}
            assert person.accepted.keys() == mine.keys()
            assert all(mine[command] <= last for command, last in person.accepted.items())


@pytest.fixture(scope="module")
def alone(launcher):
    return launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")


@pytest.mark.parametrize("game", GAMES)
def test_strangers_play_a_match_to_its_end(alone, game):
    table = Table([alone.url], game)
    asyncio.run(table.play())
    table.hold_against(alone)
    one, two, watcher = table.people
    assert (one.seat, two.seat, watcher.seat) == (0, 1, None)
    assert sum(person.connections for person in table.people) > 3


def test_client_survives_restart_of_one_of_two_servers(launcher):
    store = launcher.store("postgres+redis")
    stays, goes = (launcher.open(store, SOCKET_RATE="0") for _ in range(2))
    table = Table([stays.url, goes.url], "cantstop")
    one, _, watcher = table.people
    # Without this player the match does not go on.
    one.sites = [goes.url]
    watcher.sites = [stays.url]

    stood = []

    async def restart() -> None:
        await _plies(watcher, 20)
        await asyncio.to_thread(goes.terminate)
        stood.append(await asyncio.to_thread(stays.rows, LAST_PLY, table.match))
        await asyncio.to_thread(goes.start)

    asyncio.run(table.play(restart()))
    table.hold_against(stays)
    assert 20 <= stood[0][0][0] < watcher.match.ply
    assert sum(person.repeated for person in table.people) > 0


async def _plies(person: Stranger, number: int) -> None:
    """Return once somebody knows so many plies."""
    while len(person.match.plies) < number:
        await person.news.wait()
        person.news.clear()


def test_the_client_knows_nothing_of_ours():
    tree = ast.parse((Path(__file__).parent / "client.py").read_text())
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add((node.module or "").partition(".")[0])
    assert imported <= {*sys.stdlib_module_names, "websockets"}
    assert not imported & OWN


SOCKETS = ("/ws/match/nowhere", "/ws/lobby", "/ws/me", "/ws/watch", "/ws/chat/nowhere")


async def _hello(server, path: str, *versions: str) -> tuple[str | None, dict, int | None]:
    """The subprotocol agreed on, the first message, and the close code if that is an error."""
    async with connect(server.ws_url + path, subprotocols=versions or None, proxy=None) as socket:  # type: ignore[arg-type]
        first = json.loads(await socket.recv())
        if first["type"] == "error":
            await socket.wait_closed()
        return socket.subprotocol, first, socket.close_code


@pytest.mark.parametrize("path", SOCKETS)
def test_a_version_that_is_not_spoken_is_refused_in_words(alone, path):
    subprotocol, error, code = asyncio.run(_hello(alone, path, "parlour.v0", "parlour.v9"))
    assert (subprotocol, error["code"], code) == ("parlour.v0", "unknown-version", 4406)


def test_subprotocol_known_version_selected(alone):
    subprotocol, hello, _ = asyncio.run(_hello(alone, "/ws/watch", "parlour.v9", VERSION))
    assert (subprotocol, hello) == (VERSION, {"type": "hello"})


def test_subprotocol_missing_means_first_version(alone):
    subprotocol, hello, _ = asyncio.run(_hello(alone, "/ws/watch"))
    assert (subprotocol, hello) == (None, {"type": "hello"})

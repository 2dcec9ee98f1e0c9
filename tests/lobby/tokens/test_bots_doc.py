"""The bot of docs/guide/bots.md plays every game of the site to its end, against a real server."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from games.registry import GAMES
from tests.conftest import Launcher
from tests.helpers.programs import Program, programs, until
from tools.harness.servers import ParlourServer
from tools.harness.services import ROOT

CODE = re.search(r"```python\n(.*?)```", (ROOT / "docs/guide/bots.md").read_text(), re.DOTALL)
assert CODE is not None


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"), API_RATE="0")


@pytest.fixture(scope="module")
def challenger(server: ParlourServer) -> Iterator[Program]:
    """Somebody who can challenge the bot, which runs meanwhile."""
    bot, somebody = programs(server, "Sprocket", "Ulno")
    assert bot.post("/bot/upgrade").fields["bot"]
    assert CODE is not None
    with subprocess.Popen(
        [sys.executable, "-c", CODE[1]],
        env={**os.environ, "PARLOUR_SITE": server.url, "PARLOUR_TOKEN": bot.token, "no_proxy": "*"},
    ) as process:
        yield somebody
        assert process.poll() is None
        process.terminate()


@pytest.mark.parametrize("game", GAMES)
def test_bot_plays_whole_match(challenger, game):
    with challenger.stream("/events") as events:
        hello = until(events, "hello")
        table = challenger.post("/users/Sprocket/challenge", game=game, first="host").fields
        match = until(events, "match")["match"]["id"]
        assert challenger.get(f"/tables/{table['id']}").fields["match"] == match
        outcome = _play(challenger, match)
        over = until(events, "match-over")
    assert over["id"] > hello["event"]
    assert (over["match"], over["outcome"]) == (match, outcome)


def _play(program: Program, match: str) -> dict[str, Any]:
    """Play at random until the match is over; its outcome."""
    chance = random.Random(match)
    with program.stream(f"/matches/{match}/stream") as messages:
        for message in messages:
            if message.get("outcome"):
                outcome: dict[str, Any] = message["outcome"]
                return outcome
            if message.get("legal"):
                after = message["plies"][-1]["number"] if message["type"] == "plies" else message["ply"]
                move = chance.choice(message["legal"])
                reply = program.command(match, type="move", after=after, move=move)
                assert reply.status == 200, reply
    raise AssertionError("the stream ended before the match")

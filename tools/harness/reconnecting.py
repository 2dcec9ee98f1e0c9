"""Many matches played at once by clients that reconnect whatever happens to the server."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tools.harness.patience import patience
from tools.harness.people import Person, command_id
from tools.harness.servers import ParlourServer
from tools.harness.services import Endpoint

Endpoints = Callable[[], Endpoint]


@dataclass
class Player:
    """One seat of one match, playing random moves until `enough` plies.

    Attributes:
        endpoints: returns the server for each connection.
        acknowledged: the acknowledged commands: id -> number of the ply.
    """

    endpoints: Endpoints
    person: Person
    match_id: str
    enough: int
    choose: random.Random
    acknowledged: dict[str, int] = field(default_factory=dict)
    ply: int = 0
    over: bool = False
    pending: dict[str, Any] | None = None
    legal: list[str] | None = None

    async def play(self) -> None:
        """Play on, through any number of lost connections."""
        while not self.done():
            try:
                async with self._line() as socket:
                    await self._sit(socket)
            except (OSError, WebSocketException, TimeoutError):
                # The server is down or was just killed: this player retries.
                await asyncio.sleep(0.05)

    def _line(self) -> connect:
        """A connection to the match."""
        endpoint = self.endpoints()
        return connect(
            f"{endpoint.ws_url}/ws/match/{self.match_id}",
            additional_headers=self.person.headers(),
            origin=endpoint.url,  # type: ignore[arg-type]
            proxy=None,
            max_queue=None,
        )

    def done(self) -> bool:
        """Whether the match is over, or long enough with nothing unanswered."""
        return self.over or (self.ply >= self.enough and self.pending is None)

    async def _sit(self, socket: Any) -> None:
        if self.pending is not None:
            await socket.send(json.dumps(self.pending))
        while not self.done():
            message = json.loads(await asyncio.wait_for(socket.recv(), patience(20)))
            await self._hear(socket, message)

    async def _hear(self, socket: Any, message: dict[str, Any]) -> None:
        match message["type"]:
            case "snapshot":
                self.ply = max(self.ply, message["ply"])
            case "plies" if message["plies"]:
                self.ply = max(self.ply, message["plies"][-1]["number"])
            case "accepted":
                self.acknowledged[message["id"]] = message["ply"]
                self._answered(message["id"])
            case "refused":
                self._answered(message["id"])
        self.over = self.over or message.get("outcome") is not None
        if "ply" in message or message["type"] == "plies":
            # A position replaces the last one; `accepted` contains none.
            self.legal = message.get("legal", self.legal if message["type"] == "accepted" else None)
        if self.legal and self.pending is None and self.ply < self.enough:
            move = self.choose.choice(self.legal)
            self.pending = {"type": "move", "id": command_id(), "after": self.ply, "move": move}
            await socket.send(json.dumps(self.pending))

    def _answered(self, answered_id: str | None) -> None:
        if self.pending is not None and self.pending["id"] == answered_id:
            self.pending = None


def check_store(server: ParlourServer, players: list[Player]) -> None:
    """Assert that every acknowledged ply is stored exactly once, and that no match has a gap."""
    for match_id in {player.match_id for player in players}:
        rows = server.rows(
            "SELECT number, command FROM games_ply WHERE match_id = ? ORDER BY number", match_id
        )
        assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
        stored = {command: number for number, command in rows}
        assert len(stored) == len(rows)
        for player in players:
            if player.match_id == match_id:
                missing = player.acknowledged.items() - stored.items()
                assert not missing, f"acknowledged and lost: {missing}"

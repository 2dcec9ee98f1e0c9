"""A client of the match socket, written from docs/protocol.md alone; it imports nothing of the server's.

It plays legal moves by chance or only watches, and loses its connection at any moment, also between a
command and its answer.
"""

import asyncio
import json
import random
import secrets

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

QUIET = 10  # seconds without a message after which a client asks whether the connection lives
PATIENCE = 5  # seconds in which that is answered, or the connection is dead
LONGEST_PAUSE = 5.0  # seconds before coming back
GIVE_UP = {4403, 4404}
SIGN_IN_AGAIN = 4401


class ProtocolError(Exception):
    """The server said or did what the document does not allow."""


class Lost(Exception):
    """The connection is gone, whoever ended it."""


class Match:
    """What a client knows of a match: all its plies since the first, and the position after the last."""

    def __init__(self) -> None:
        self.plies: list[dict] = []
        self.ply = 0
        self.state: object = None
        self.outcome: dict | None = None
        self.legal: list[str] = []

    @property
    def complete(self) -> bool:
        """Whether every ply up to the position is known."""
        return len(self.plies) >= self.ply

    def take_snapshot(self, message: dict) -> None:
        if message["ply"] < len(self.plies):
            raise ProtocolError(f"ply {len(self.plies)} was sent, and now there are {message['ply']}")
        self.outcome = message["outcome"]
        self._stand(message)

    def take_plies(self, message: dict) -> None:
        """Apply what is new. What comes after a gap is left for the answer to `sync`."""
        for ply in message["plies"]:
            self._append(ply)
        last = message["plies"][-1] if message["plies"] else {"number": message["after"], "state": self.state}
        if last["number"] < self.ply or last["number"] > len(self.plies):
            return
        self.outcome = message["outcome"]
        self._stand({"ply": last["number"], "state": last["state"], "legal": message.get("legal", [])})

    def take_refusal(self, message: dict) -> None:
        if message.get("ply", -1) >= self.ply:
            self._stand(message)

    def _append(self, ply: dict) -> None:
        number = ply["number"]
        if number <= len(self.plies):
            if self.plies[number - 1] != ply:
                raise ProtocolError(f"ply {number} has changed")
        elif number == len(self.plies) + 1:
            self.plies.append(ply)

    def _stand(self, position: dict) -> None:
        self.ply, self.state = position["ply"], position["state"]
        self.legal = position.get("legal", [])


class Stranger:
    """Somebody at a match, with or without a seat, over as many connections as it takes.

    `site` is the address of a server such as `http://127.0.0.1:8000`; `loss` the chance of losing the
    connection at each message heard and each command sent, from 0 to 1.
    """

    def __init__(self, site: str, match: str, cookie: str = "", *, chance: random.Random, loss: float) -> None:
        self.sites = [site]
        self.path = f"/ws/match/{match}"
        self.cookie = cookie
        self.chance = chance
        self.loss = loss
        self.match = Match()
        self.seat: int | None = None
        self.waiting: dict | None = None
        self.accepted: dict[str, int] = {}
        self.connections = 0
        self.lost_answers = 0
        self._failures = 0

    async def stay(self) -> None:
        """Stay until the match has ended, every ply of it is known and every command is answered."""
        while not self._done():
            try:
                await self._visit()
            except (ConnectionClosed, InvalidHandshake, OSError, Lost) as error:
                self._heed(error)
                await self._pause()

    def _done(self) -> bool:
        return self.match.outcome is not None and self.match.complete and self.waiting is None

    async def _visit(self) -> None:
        site = self.chance.choice(self.sites)
        headers = {"Cookie": self.cookie} if self.cookie else {}
        address = site.replace("http", "ws", 1) + self.path
        async with connect(address, origin=site, additional_headers=headers) as socket:
            self.connections += 1
            await self._open(socket)
            while not self._done():
                await self._act(socket)
                await self._take(socket, await self._hear(socket))

    async def _open(self, socket: ClientConnection) -> None:
        snapshot = await self._hear(socket)
        if snapshot["type"] == "error":
            return
        if snapshot["type"] != "snapshot":
            raise ProtocolError(f"the server speaks first with a snapshot, not {snapshot['type']}")
        self._failures = 0
        self.seat = snapshot["you"]
        self.match.take_snapshot(snapshot)
        if self.waiting:
            await self._say(socket, self.waiting)
        if not self.match.complete:
            await self._sync(socket)

    async def _act(self, socket: ClientConnection) -> None:
        """Decide something if it is the turn of this seat and nothing is waiting for an answer."""
        match = self.match
        if self.waiting or match.outcome or not match.legal:
            return
        self.waiting = {
            "type": "move",
            "id": secrets.token_hex(8),
            "after": match.ply,
            "move": self.chance.choice(match.legal),
        }
        await self._say(socket, self.waiting)

    async def _say(self, socket: ClientConnection, message: dict) -> None:
        self._perhaps_lose(socket)
        await socket.send(json.dumps(message))
        if self.chance.random() < self.loss:
            self.lost_answers += 1
            await socket.ping()  # what was written before is flushed with it, so the command does arrive
            self._lose(socket)

    async def _sync(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps({"type": "sync", "after": len(self.match.plies)}))

    async def _hear(self, socket: ClientConnection) -> dict:
        try:
            text = await asyncio.wait_for(socket.recv(), QUIET)
        except TimeoutError:
            await socket.send(json.dumps({"type": "ping", "t": self.connections}))
            try:
                text = await asyncio.wait_for(socket.recv(), PATIENCE)
            except TimeoutError:
                raise Lost from None
        self._perhaps_lose(socket)
        return json.loads(text)

    async def _take(self, socket: ClientConnection, message: dict) -> None:
        match message["type"]:
            case "plies":
                self.match.take_plies(message)
                if message["after"] > len(self.match.plies):
                    await self._sync(socket)
            case "accepted":
                self._settle(message)
            case "refused":
                await self._refused(socket, message)
            case "probe":
                await socket.send(json.dumps({"type": "probe", "n": message["n"]}))
            case "pong":
                if message["ply"] > len(self.match.plies):
                    await self._sync(socket)

    def _settle(self, message: dict) -> None:
        before = self.accepted.setdefault(message["id"], message["ply"])
        if before != message["ply"]:
            raise ProtocolError(f"{message['id']} made ply {before}, and now {message['ply']}")
        if self.waiting and self.waiting["id"] == message["id"]:
            self.waiting = None

    async def _refused(self, socket: ClientConnection, message: dict) -> None:
        if message["id"] in self.accepted:
            raise ProtocolError(f"{message['id']} was accepted, and is refused now")
        if not self.waiting or message["id"] != self.waiting["id"]:
            raise ProtocolError(f"refused without a command: {message}")
        if message["code"] == "unavailable":
            raise Lost
        if message["code"] != "stale":
            raise ProtocolError(f"a legal move was refused: {message}")
        self.waiting = None
        self.match.take_refusal(message)
        if not self.match.complete:
            await self._sync(socket)

    def _perhaps_lose(self, socket: ClientConnection) -> None:
        if self.chance.random() < self.loss:
            self._lose(socket)

    def _lose(self, socket: ClientConnection) -> None:
        socket.transport.abort()
        raise Lost

    def _heed(self, error: Exception) -> None:
        code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else None
        if code in GIVE_UP or code == SIGN_IN_AGAIN:
            raise ProtocolError(f"closed with {code}") from error

    async def _pause(self) -> None:
        """Growing, random pauses, so that not everybody comes back at once."""
        await asyncio.sleep(self.chance.random() * min(LONGEST_PAUSE, 0.05 * 2**self._failures))
        self._failures += 1

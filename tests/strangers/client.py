"""A client of the match socket, written from docs/reference/protocol.md alone; it imports no server code.

It plays legal moves by chance or only watches, and loses its connection at any moment, also between a
command and its answer.
"""

import asyncio
import json
import random
import secrets
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

VERSION = "parlour.v1"
QUIET = 10  # seconds without a message after which a client asks whether the connection lives
PATIENCE = 5  # seconds in which that is answered, or the connection is dead
FIRST_PAUSE = 0.1  # seconds before coming back, the first time
LONGEST_PAUSE = 15.0
TOO_MUCH = 4008
TOO_MUCH_PAUSE = 3.0
RETRY = 0.5  # seconds before a command is sent again that could not be stored
FOR_GOOD = {4400, 4401, 4403, 4404, 4406}


class ProtocolError(Exception):
    """The server said or did what the document does not allow."""


class Lost(Exception):
    """The connection is gone, whoever ended it."""


class Visitor:
    """Somebody with a session of a site, such as `http://127.0.0.1:8000`; blocks while it asks."""

    def __init__(self, site: str) -> None:
        self.site = site
        self._cookies = CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self._cookies)
        )

    def become_guest(self) -> None:
        self.get("/")
        self.post("/guest")

    def get(self, path: str) -> str:
        """The path to which an address leads."""
        with self._opener.open(self.site + path) as answer:
            return urllib.parse.urlsplit(answer.url).path

    def post(self, path: str, **fields: str) -> str:
        """Send a form; the path to which that leads."""
        headers = {"X-CSRFToken": self._cookie("csrftoken"), "Origin": self.site}
        form = urllib.parse.urlencode(fields).encode()
        request = urllib.request.Request(self.site + path, form, headers)
        with self._opener.open(request) as answer:
            return urllib.parse.urlsplit(answer.url).path

    @property
    def session(self) -> str:
        """The cookie that says who this is, as a socket sends it."""
        return f"sessionid={self._cookie('sessionid')}"

    def _cookie(self, name: str) -> str:
        return next(str(cookie.value) for cookie in self._cookies if cookie.name == name)


def begin_match(host: Visitor, other: Visitor, game: str, preset: str) -> str:
    """Seat two guests at a new table; the id of the match that begins."""
    table = host.post(f"/new/{game}", preset=preset, seats="2", first="host")
    other.post(f"{table}/sit")
    match = host.get(table)
    if not match.startswith("/m/"):
        raise ProtocolError(f"the table leads to {match}")
    return match.removeprefix("/m/")


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
        """Stand where it says, unless it comes from a server that is behind."""
        if message["ply"] >= self.ply:
            self.outcome = message["outcome"]
            self._stand(message)

    def take_plies(self, message: dict) -> None:
        """Apply what is new. What comes after a gap is left for the answer to `sync`."""
        for ply in message["plies"]:
            self._append(ply)
        last = message["plies"][-1] if message["plies"] else {"number": message["after"], "state": self.state}
        if last["number"] > len(self.plies):
            # What was legal belongs to a position that is over; the one after the gap is to come.
            self.legal = []
            return
        if last["number"] < self.ply:
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

    `sites` are the addresses of one site's servers, of which each connection takes any. The connection is
    lost again and again after 1 to `longest` occasions, which are each message heard, and the moments before
    and after each command. `news` is set whenever something was heard.
    """

    def __init__(
        self, sites: list[str], match: str, session: str = "", *, chance: random.Random, longest: int
    ) -> None:
        self.sites = sites
        self.path = f"/ws/match/{match}"
        self.session = session
        self.chance = chance
        self.longest = longest
        self.match = Match()
        self.seat: int | None = None
        self.waiting: dict | None = None
        self.accepted: dict[str, int] = {}
        self.connections = 0
        self.repeated = 0
        self.news = asyncio.Event()
        self._failures = 0
        self._occasions = chance.randint(1, longest)

    async def stay(self) -> None:
        """Stay until the match has ended, every ply of it is known and every command is answered."""
        while not self._done():
            try:
                await self._visit()
            except (ConnectionClosed, InvalidHandshake, OSError, Lost) as error:
                await self._come_back(_close_code(error))

    def _done(self) -> bool:
        return self.match.outcome is not None and self.match.complete and self.waiting is None

    async def _visit(self) -> None:
        site = self.chance.choice(self.sites)
        address = site.replace("http", "ws", 1) + self.path
        named: dict[str, Any] = {
            "subprotocols": [VERSION],
            "origin": site,
            "additional_headers": {"Cookie": self.session},
        }
        async with connect(address, proxy=None, **named) as socket:
            if socket.subprotocol != VERSION:
                raise ProtocolError(f"the server answers with {socket.subprotocol}")
            self.connections += 1
            await self._open(socket)
            while not self._done():
                await self._act(socket)
                await self._take(socket, await self._hear(socket))

    async def _open(self, socket: ClientConnection) -> None:
        snapshot = await self._hear(socket)
        while snapshot["type"] != "snapshot":
            snapshot = await self._hear(socket)
        self._failures = 0
        self.seat = snapshot["you"]
        self.match.take_snapshot(snapshot)
        if self.waiting:
            self.repeated += 1
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
        if self._unlucky():
            # A close waits for what was written, so the command arrives, and nobody hears the answer.
            await socket.close()
            raise Lost

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
        self.news.set()
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
            await asyncio.sleep(RETRY)
            await self._say(socket, self.waiting)
            return
        if message["code"] != "stale":
            raise ProtocolError(f"a legal move was refused: {message}")
        self.waiting = None
        self.match.take_refusal(message)
        if not self.match.complete:
            await self._sync(socket)

    def _unlucky(self) -> bool:
        self._occasions -= 1
        if self._occasions > 0:
            return False
        self._occasions = self.chance.randint(1, self.longest)
        return True

    def _perhaps_lose(self, socket: ClientConnection) -> None:
        if self._unlucky():
            socket.transport.abort()
            raise Lost

    async def _come_back(self, code: int | None) -> None:
        """Growing, random pauses, so that not everybody comes back at once."""
        if code in FOR_GOOD:
            raise ProtocolError(f"closed with {code}")
        least = TOO_MUCH_PAUSE if code == TOO_MUCH else 0
        await asyncio.sleep(
            least + self.chance.random() * min(LONGEST_PAUSE, FIRST_PAUSE * 2**self._failures)
        )
        self._failures += 1


def _close_code(error: Exception) -> int | None:
    """The code with which the server closed the connection, if it did."""
    return error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else None

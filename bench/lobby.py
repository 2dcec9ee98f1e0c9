"""The lobby under change: many who only look, and tables that are set and cancelled all the time."""

from __future__ import annotations

import asyncio
import contextlib
import time
import urllib.parse
from dataclasses import dataclass, field

import orjson

from bench.client import Client, connect, hang_up

TOKEN = "x" * 32
"""Django compares the form's token with the cookie's; both are ours."""


@dataclass
class Change:
    """One change of the lobby: when it was asked for, and who has still to hear of it."""

    asked: float
    missing: int
    heard: float = 0.0


@dataclass
class Lobby:
    """Everyone who looks at the lobby, and how long each change took to reach the last of them."""

    clients: list[Client] = field(default_factory=list)
    unlisted: int = 0
    listed: asyncio.Event = field(default_factory=asyncio.Event)
    expected: int = 0
    told: asyncio.Event = field(default_factory=asyncio.Event)
    asked: dict[str, float] = field(default_factory=dict)
    changes: dict[int, Change] = field(default_factory=dict)

    def on_message(self, payload: bytes) -> None:
        """A browser has heard something. Only the first one to hear of a change reads it whole."""
        if payload.startswith(b'{"type":"lobby"'):
            self.unlisted -= 1
            if self.unlisted == 0:
                self.listed.set()
        elif b'"number":' in payload[-24:]:
            number = int(payload[payload.rindex(b":") + 1 : -1])
            change = self.changes.get(number)
            if change is None:
                change = self.changes[number] = Change(self._asked(payload), len(self.clients))
            change.missing -= 1
            if change.missing == 0:
                change.heard = time.perf_counter()
                self.expected -= 1
                if self.expected == 0:
                    self.told.set()

    def _asked(self, payload: bytes) -> float:
        """When the request was sent that made this change."""
        message = orjson.loads(payload)
        name = message["id"] if message["type"] == "table-gone" else message["table"]["host"]
        return self.asked[name]

    def latencies(self) -> list[float]:
        """Seconds from the request to the last browser, of all changes that everyone has heard of."""
        return [change.heard - change.asked for change in self.changes.values() if change.missing == 0]


async def watch(port: int, watchers: int) -> Lobby:
    """Open the lobby that often; returns when everyone has the list."""
    lobby = Lobby(unlisted=watchers)
    headers = {"Origin": f"http://127.0.0.1:{port}"}
    for _ in range(watchers):
        lobby.clients.append(await connect(port, "/ws/lobby", headers, lobby.on_message))
    await lobby.listed.wait()
    return lobby


async def change(port: int, lobby: Lobby, hosts: list[tuple[str, str]], rate: float, seconds: float) -> None:
    """Set and cancel tables in turns, `rate` changes a second; `hosts` are names with their cookies."""
    begun, requests, pairs = time.perf_counter(), [], int(rate * seconds / 2)
    lobby.changes.clear()
    lobby.expected = 2 * pairs
    lobby.told.clear()
    for number in range(pairs):
        name, cookie = hosts[number % len(hosts)]
        await asyncio.sleep(max(0.0, begun + 2 * number / rate - time.perf_counter()))
        requests.append(asyncio.create_task(_set_and_cancel(port, lobby, name, cookie, 1 / rate)))
    await asyncio.gather(*requests)
    with contextlib.suppress(TimeoutError):
        # What nobody has heard of after this long is lost, and reported as such.
        await asyncio.wait_for(lobby.told.wait(), 30)


async def _set_and_cancel(port: int, lobby: Lobby, name: str, cookie: str, pause: float) -> None:
    fields = {"preset": "kalaha", "seats": "2", "first": "host"}
    lobby.asked[name] = time.perf_counter()
    table = (await _post(port, "/new/kalah", cookie, fields)).removeprefix("/t/")
    await asyncio.sleep(pause)
    lobby.asked[table] = time.perf_counter()
    await _post(port, f"/t/{table}/stand", cookie, {})


async def _post(port: int, path: str, cookie: str, fields: dict[str, str]) -> str:
    """Send a form; the path it leads to. Raises ConnectionError where it leads nowhere."""
    body = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": TOKEN})
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        f"Cookie: {cookie}; csrftoken={TOKEN}",
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write("\r\n".join([*lines, "", body]).encode())
    head = (await reader.read()).decode("latin-1").partition("\r\n\r\n")[0]
    writer.close()
    for line in head.split("\r\n"):
        if line.lower().startswith("location:"):
            return line.partition(":")[2].strip()
    raise ConnectionError(head)


async def close(lobby: Lobby) -> None:
    """Hang up everywhere."""
    await hang_up(lobby.clients)

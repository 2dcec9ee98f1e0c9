"""What the processes of a site say to each other, over Redis: one message per turn and receiving process.

Each process hears two channels: its own, and one that all are on. It tells all which topics it is on, each
of them confirms that, and from then on it is sent, on its own channel, what they say on these topics, and
nothing else. So a topic that nobody listens to elsewhere costs nothing, and Redis keeps nothing that it
could forget. A channel for each topic would cost a message for each move, also where nobody listens.

Redis may lose messages: with a connection, or by a restart. Messages are numbered, a `beat` says now and
then how many there were, and whoever misses one says so (`missed`).

A message is lines: a header, and a parcel for each thing that was said. Both are JSON, which has neither
line breaks nor tabs; what the parts of a parcel are is separated by tabs.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Coroutine, Sequence
from functools import partial
from typing import Any, NamedTuple

import hiredis
import orjson
import redis
from redis.asyncio.connection import parse_url

from games.net.measures import measures
from games.net.peers import SILENT_AFTER, Announcement, Peers
from games.net.periodic import every
from games.net.redis_line import RedisLine
from games.rules.base import Seat

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.5
"""How soon a lost connection is opened again."""
ANSWER_SECONDS = 2.0
"""How long Redis has to let a process in, and to take a message of one that stays outside."""
CONFIRM_SECONDS = 2.0
"""How long somebody waits at most until all others know of a topic."""
ANNOUNCE_SECONDS = 0.02
"""How soon one announcement may follow another: each is heard and confirmed by every process of the site."""
BEAT_SECONDS = 2.0
"""How often a process says that it is there, and how much it has said."""

EVERYWHERE = "process.all"
"""The topic that every process of the site is on, for what processes tell each other."""
ALL = "all"
"""The channel that every process hears; each has another one, by its name."""

INTRODUCTION = "process.itself"
"""What changes when all that others know of this process has to be said anew."""

Own = Sequence[tuple[Seat, bytes]]
"""Seats with what they alone are told, as JSON."""


class Parcel(NamedTuple):
    """Something said on a topic: to its sockets, or to the named listener of each process."""

    topic: str
    payload: bytes
    own: Own = ()
    listener: str | None = None

    def packed(self) -> bytes:
        """As a line of a message."""
        fields = [orjson.dumps([self.topic, self.listener]), self.payload]
        for seat, extra in self.own:
            fields += (b"%d" % seat, extra)
        return b"\t".join(fields)

    @classmethod
    def unpacked(cls, line: bytes) -> Parcel:
        """What a line of a message holds."""
        head, payload, *own = line.split(b"\t")
        topic, listener = orjson.loads(head)
        extras = zip(map(int, own[::2]), own[1::2], strict=True)
        return cls(topic, payload, [*extras], listener)


class Processes:
    """This process among those of its site. All of it in the event loop.

    Args:
        url: the Redis between them; sites on other numbered databases of it are other sites.
        name: of this process; no other has it.
        topics: those that this process is on, as they are when it is asked.
        hear: is given what others say.
        missed: is called when something may have been said that was not heard.
    """

    def __init__(
        self,
        url: str,
        name: str,
        topics: Callable[[], Collection[str]],
        hear: Callable[[Parcel], None],
        missed: Callable[[], None],
    ) -> None:
        self.name = name
        self._topics, self._hear, self._missed = topics, hear, missed
        self._url, self._prefix = url, _prefix(url)
        self._own = (self._prefix + name).encode()
        self._line: RedisLine | None = None
        self._peers = Peers(name)
        self._connected = self._away = False
        self._heard_at, self._beat_at = float("-inf"), time.monotonic()
        # What is to be said in this turn of the loop.
        self._sending = False
        self._parcels: defaultdict[str, list[bytes]] = defaultdict(list)
        self._headers: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        self._changed: set[str] = set()
        self._next: asyncio.Future[None] | None = None
        # How much was said on each channel, and what has still to be confirmed.
        self._numbers: Counter[str] = Counter()
        self._announced = 0
        self._announced_at = float("-inf")
        self._open: dict[int, tuple[Announcement, asyncio.Future[None]]] = {}
        self._introduction: int | None = None

    def works(self) -> list[Coroutine[Any, Any, None]]:
        """What has to run for as long as the process does."""
        return [
            every(RETRY_SECONDS, self._hear_until_lost),
            every(BEAT_SECONDS, self._beat),
        ]

    @property
    def heard_at(self) -> float:
        """When Redis last brought anything, be it what this process said itself."""
        return self._heard_at

    # Topics

    def changed(self, topic: str) -> None:
        """This process has joined a topic, or left it."""
        self._changed.add(topic)
        if self._next is None and not self._away:
            self._next = asyncio.get_running_loop().create_future()
        self._send_soon()

    async def confirmed(self) -> None:
        """Wait until the others know of every change made before. Nobody waits for a Redis that is away."""
        waiting = [future for _, future in self._open.values()]
        if self._next is not None:
            waiting.append(self._next)
        if waiting:
            await asyncio.wait(waiting, timeout=CONFIRM_SECONDS)

    # Saying

    def tell(self, topic: str, payload: bytes, own: Own = (), listener: str | None = None) -> None:
        """Tell the other processes on a topic, together with all else that is said in this turn."""
        channels = self._channels(topic)
        if channels:
            parcel = Parcel(topic, payload, own, listener).packed()
            for channel in channels:
                self._parcels[channel].append(parcel)
            self._send_soon()

    def _channels(self, topic: str) -> Collection[str]:
        if self._introduction is not None or not self._connected:
            return (ALL,)  # nobody knows yet who listens to what
        if topic == EVERYWHERE:
            return (ALL,) if self._peers else ()
        return self._peers.listening(topic)

    def _send_soon(self) -> None:
        if not self._sending:
            self._sending = True
            asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        self._sending = False
        if self._line is None and not self._away:
            return  # it is sent once the first connection is there
        messages, announced = self._messages()
        if self._line is None:
            # Whoever misses it sees that by the numbers, or has lost the same Redis.
            measures.layer_losses += len(messages)
            return
        for channel, message in messages:
            taken = partial(self._taken, announced if channel == ALL else None)
            self._line.publish(self._prefix + channel, message, taken)

    def _taken(self, announced: int | None, receivers: int | hiredis.ReplyError) -> None:
        """Redis has passed a message on to so many, this process among them where it was for all."""
        if isinstance(receivers, hiredis.ReplyError):
            measures.layer_losses += 1
            logger.warning("what was said to other processes is lost: %s", receivers)
        elif announced is not None and announced in self._open:
            self._open[announced][0].reached(receivers - 1)
            self._look_at(announced)

    def _messages(self) -> tuple[list[tuple[str, bytes]], int | None]:
        """What there is to say by channel, to all last, and the number of the announcement in that."""
        announced = self._announce() if self._may_announce() else None
        parcels, self._parcels = self._parcels, defaultdict(list)
        headers, self._headers = self._headers, defaultdict(dict)
        messages = []
        for channel in sorted(parcels.keys() | headers.keys(), key=ALL.__eq__):
            header = headers[channel]
            if "topics" in header:
                header["topics"] = [*self._topics()]
            if "numbers" in header:
                header["numbers"] = self._numbers
            self._numbers[channel] += 1
            head = orjson.dumps({"from": self.name, "number": self._numbers[channel], **header})
            messages.append((channel, b"\n".join([head, *parcels[channel]])))
        return messages, announced

    def _may_announce(self) -> bool:
        """Whether there is something to announce, and none was said just now; then it is for later."""
        if not self._connected or not self._changed:
            return False
        wait = self._announced_at + ANNOUNCE_SECONDS - time.monotonic()
        if wait > 0:
            asyncio.get_running_loop().call_later(wait, self._send_soon)
        return wait <= 0

    def _announce(self) -> int:
        """Have the header to all say what has changed; the number by which others confirm that."""
        now, here = time.monotonic(), self._topics()
        self._announced_at = now
        self._announced += 1
        number, changed, self._changed = self._announced, self._changed, set()
        silent = self._peers.silent(now)
        future, self._next = self._next or asyncio.get_running_loop().create_future(), None
        self._open[number] = Announcement(self._peers.speaking(now), len(silent)), future
        asyncio.get_running_loop().call_later(CONFIRM_SECONDS, self._close, number)
        introduces = INTRODUCTION in changed
        if introduces:
            self._introduction = number
        self._headers[ALL] |= {
            "announced": number,
            "whole": introduces,
            "joined": [*here] if introduces else [topic for topic in changed if topic in here],
            "left": [] if introduces else [topic for topic in changed if topic not in here],
        }
        return number

    def _look_at(self, number: int) -> None:
        if number in self._open and self._open[number][0].done:
            self._close(number)

    def _close(self, number: int) -> None:
        """Everybody knows of an announcement, or it has been waited for long enough."""
        if number == self._introduction:
            self._introduction = None
        _, future = self._open.pop(number, (None, None))
        if future is not None and not future.done():
            future.set_result(None)

    async def _beat(self) -> None:
        """Say that this process is there, and how much it said: whoever missed the last of it then knows."""
        now, before = time.monotonic(), self._beat_at
        self._beat_at = now
        self._headers[ALL]["numbers"] = {}
        self._send_soon()
        for gone in self._peers.forget(now):
            del self._numbers[gone]
        if before + SILENT_AFTER < now and self._connected:
            # This process stood still, and others may have stopped waiting for it.
            self._introduce()

    def _introduce(self) -> None:
        """Say all that others know of this process, have them do the same, and heal what was missed."""
        self._introduction = 0
        self.changed(INTRODUCTION)
        self._missed()

    # Hearing

    async def _hear_until_lost(self) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                self._line = await RedisLine.open(self._url, self._heard)
                await self._line.subscribe(self._prefix + self.name, self._prefix + ALL)
            self._subscribed()
            logger.warning("Redis is away: %s", await self._silence(self._line))
        except OSError as error:  # a deadline that has passed among them
            logger.warning("Redis is away: %s", error or "it does not answer")
        finally:
            self._lost()

    async def _silence(self, line: RedisLine) -> str:
        """Wait until nothing comes any more; why that is."""
        while (patience := self._heard_at + SILENT_AFTER - time.monotonic()) > 0:
            await asyncio.wait({line.lost}, timeout=patience)
            if line.lost.done():
                return line.lost.result()
        return "it brings nothing"

    def _subscribed(self) -> None:
        """Whatever others say from now on is heard, as soon as they know who listens to what."""
        self._heard_at = time.monotonic()
        self._connected, self._away = True, False
        self._peers.expect_anything()
        self._introduce()

    def _lost(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            measures.layer_losses += line.untaken
            line.close()
        self._connected, self._away = False, True
        if self._next is not None:
            self._next.set_result(None)
            self._next = None
        for number in tuple(self._open):
            self._close(number)

    def _heard(self, channel: bytes, message: bytes) -> None:
        self._heard_at = time.monotonic()
        head, *lines = message.split(b"\n")
        header = orjson.loads(head)
        peer = header["from"]
        if peer == self.name:
            return
        if header["number"]:
            self._follow(peer, self.name if channel == self._own else ALL, header)
        for line in lines:
            self._hear(Parcel.unpacked(line))

    def _follow(self, peer: str, channel: str, header: dict[str, Any]) -> None:
        """What processes say of themselves."""
        whole = self._peers.heard(peer, channel, header["number"], time.monotonic())
        if "numbers" in header:
            whole &= self._peers.all_heard(peer, header["numbers"].get(self.name, 0))
        if header.get("whole") and self._peers.introduced(peer):
            # It was cut off, and what it said meanwhile has gone astray.
            whole = False
        if not whole:
            logger.warning("something that %s said may be lost", peer)
            self._headers[peer]["ask"] = True
            self._missed()
        if "announced" in header:
            self._peers.changes_topics(peer, header["joined"], header["left"], header["whole"])
            self._headers[peer].setdefault("confirmed", []).append(header["announced"])
        if "topics" in header:
            self._peers.changes_topics(peer, header["topics"], (), whole=True)
        if header.get("whole") or header.get("ask"):
            self._headers[peer]["topics"] = ()
        for number in header.get("confirmed", ()):
            if number in self._open:
                self._open[number][0].confirmed(peer)
                self._look_at(number)
        if peer in self._headers:
            self._send_soon()


def tell_from_outside(url: str, topic: str, payload: bytes, listener: str | None = None) -> None:
    """Tell every process of a site, from one that is not among them: it has no event loop."""
    head = orjson.dumps({"from": "", "number": 0})
    with redis.Redis.from_url(url, socket_timeout=ANSWER_SECONDS) as connection:
        message = b"\n".join([head, Parcel(topic, payload, listener=listener).packed()])
        connection.publish(_prefix(url) + ALL, message)


def _prefix(url: str) -> str:
    """Before the name of every channel, since Redis has one set of them for all its databases."""
    return f"parlour.{parse_url(url).get('db', 0)}."

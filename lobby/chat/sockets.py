"""The chat feed of a match."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import orjson
from django.db import DatabaseError
from django.utils import timezone

from games.domain.refusals import UnknownMatch
from games.domain.terms import Terms
from games.net.hub import hub
from games.net.process import process
from games.net.sockets import CLOSE_PLAYERS_ONLY, CLOSE_UNKNOWN, Feed, Socket
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.rules.base import gettext_noop
from games.watch.visibility import PlayersOnly
from lobby.chat import lines, match_rooms
from lobby.chat.lines import Room
from lobby.chat.match_rooms import Standing
from lobby.sockets.consumers import close_unavailable, parsed, said
from lobby.sockets.messages import ChatRequest, PresetCommand, TalkCommand, TalkIncoming, talk_incoming

MATCH_OVER = "talk-over"
"""Name of the message between processes that a match has ended."""


class TalkFeed(Feed):
    """A user in the chat of a match: a player if seated, otherwise a spectator."""

    def __init__(self, socket: Socket, name: str = "") -> None:
        super().__init__(socket, name)
        self._standing: Standing | None = None
        # Sends states in the order in which they were read.
        self._telling = asyncio.Lock()

    async def opened(self) -> None:
        """Send the rooms of the match, and listen to them."""
        self.match_id = self.about["match_id"]
        # Join first: an end in between may be noticed twice, but is not missed.
        self.join(topic(self.match_id))
        self.join(lines.NAMES)
        await self._with_store(self._tell_rooms())

    async def received(self, text: str) -> None:
        """Answer a message."""
        message = await parsed(self, text, talk_incoming)
        if message is not None:
            await self._with_store(self._answer(message))

    async def resync(self) -> None:
        """Send the rooms again."""
        if self._standing is not None:
            await self._with_store(self._tell_rooms())

    async def look_again(self) -> None:
        """Send the rooms again if the user may read or write in others by now."""
        if self._standing is not None and not self._standing.lasting:
            await self._with_store(self._tell_rooms(changed_only=True))

    async def _with_store(self, work: Any) -> None:
        try:
            await work
        except UnknownMatch:
            await self.close_with(CLOSE_UNKNOWN, "unknown-match", gettext_noop("This match does not exist."))
        except PlayersOnly as error:
            await self.close_with(CLOSE_PLAYERS_ONLY, "players-only", error.sentence)
        except DatabaseError as error:
            await close_unavailable(self, error)

    async def _answer(self, message: TalkIncoming) -> None:
        if isinstance(message, TalkCommand | PresetCommand):
            self.tell(await in_thread(self._say)(message))
        elif isinstance(message, ChatRequest):
            await self._tell_rooms()
        else:
            self.tell({"type": "pong", "t": message.t})
            # Redis may have lost the end of the match, and no message announces the end of a delay.
            await self.look_again()

    async def _tell_rooms(self, changed_only: bool = False) -> None:
        async with self._telling:
            now = timezone.now()
            standing = await in_thread(match_rooms.standing)(self.match_id, self.user_id, now)
            if self not in hub.sockets(topic(self.match_id)):
                return  # closed meanwhile: nothing would undo the joins below
            if changed_only and standing == self._standing:
                return
            self._standing = standing
            for kind in standing.read:
                self.join(Room(kind, self.match_id).topic)
            async with self.news_held():
                self.tell(await in_thread(match_rooms.rooms)(self.match_id, self.user_id, standing))

    def _say(self, command: TalkCommand | PresetCommand) -> dict[str, Any]:
        where = (self.match_id, self.user_id, command.id, command.room)
        if isinstance(command, PresetCommand):
            say = partial(match_rooms.say_preset, *where, command.preset, address=self.network)
        else:
            say = partial(match_rooms.say, *where, command.text, address=self.network)
        return said(command.id, self.language, say)


def topic(match_id: str) -> str:
    """The hub topic of all chat feeds of a match; only for `match_over`, lines have topics of their own."""
    return f"talk.{match_id}"


async def match_over(match_id: str, _terms: Terms) -> None:
    """Have every process open the spectators' room to the players of an ended match."""
    hub.tell_everyone(MATCH_OVER, {"match": match_id})


def _hear_over(_topic: str, payload: bytes) -> None:
    for feed in hub.sockets(topic(orjson.loads(payload)["match"])):
        spawn(feed.look_again())


process.at_start(hub.listen, MATCH_OVER, _hear_over)

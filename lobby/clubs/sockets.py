"""The chat feed of a club."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from django.db import DatabaseError

from games.net import rights
from games.net.hub import hub
from games.net.sockets import CLOSE_PLAYERS_ONLY, CLOSE_UNKNOWN, Feed, Socket
from games.net.threads import in_thread
from lobby.chat import lines
from lobby.clubs import club_chat, lookup
from lobby.clubs.club_chat import MembersOnly
from lobby.clubs.models import Club
from lobby.clubs.refusals import UnknownClub
from lobby.people.models import User
from lobby.sockets.consumers import close_unavailable, parsed, said
from lobby.sockets.messages import ChatRequest, ClubIncoming, SayCommand, club_incoming


class ClubFeed(Feed):
    """A member in the chat of a club."""

    def __init__(self, socket: Socket, name: str = "") -> None:
        super().__init__(socket, name)
        # By its id: a new name changes the address of a club.
        self._club_id = ""
        # Sends lists in the order in which they were read.
        self._telling = asyncio.Lock()

    async def opened(self) -> None:
        """Send the last lines, and listen to the chat, if the user is a member."""
        await self._with_store(self._enter())

    async def received(self, text: str) -> None:
        """Answer a message."""
        message = await parsed(self, text, club_incoming)
        if message is not None:
            await self._with_store(self._answer(message))

    async def resync(self) -> None:
        """Send the last lines again."""
        if self._club_id:
            await self._with_store(self._tell_lines())

    async def look_again(self) -> None:
        """End the feed unless its user is still a member."""
        await self._with_store(in_thread(club_chat.check)(self._club_id, self.user_id))

    async def _with_store(self, work: Any) -> None:
        try:
            await work
        except UnknownClub as error:
            await self.close_with(CLOSE_UNKNOWN, "unknown-club", error.sentence)
        except MembersOnly as error:
            await self.close_with(CLOSE_PLAYERS_ONLY, "members-only", error.sentence)
        except DatabaseError as error:
            await close_unavailable(self, error)

    async def _enter(self) -> None:
        club = await in_thread(lookup.at)(self.about["club"])
        # Join first: a removal in between may be noticed twice, but is not missed.
        self._club_id = club.pk
        self.join(topic(club.pk))
        await self._tell_lines()

    async def _answer(self, message: ClubIncoming) -> None:
        if isinstance(message, SayCommand):
            self.tell(await in_thread(self._say)(message))
        elif isinstance(message, ChatRequest):
            await self._tell_lines()
        else:
            self.tell({"type": "pong", "t": message.t})
            # Redis may have lost a removal.
            await self.look_again()

    async def _tell_lines(self) -> None:
        async with self._telling:
            await in_thread(club_chat.check)(self._club_id, self.user_id)
            if self not in hub.sockets(topic(self._club_id)):
                return  # closed meanwhile: nothing would undo the joins below
            self.join(club_chat.room(self._club_id).topic)
            self.join(lines.NAMES)
            async with self.news_held():
                self.tell(await in_thread(club_chat.latest)(self._club_id, self.user_id))

    def _say(self, command: SayCommand) -> dict[str, Any]:
        say = partial(club_chat.say, self._club_id, self.user_id, command.id, command.text, self.network)
        return said(command.id, self.language, say)


def topic(club_id: str) -> str:
    """The hub topic of all chat feeds of a club; only for `rights`, lines have a topic of their own."""
    return f"club.{club_id}"


def member_gone(club: Club, user: User) -> None:
    """End the feeds of a user who is no member any more."""
    rights.ended(topic(club.pk), user.pk)


def club_closing(club: Club, _owner: User) -> None:
    """End all feeds of a club that is about to be deleted."""
    rights.ended(topic(club.pk))

"""The feed of the lobby, and the personal feed of every page of a signed-in user."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db import DatabaseError
from django.utils import timezone, translation
from pydantic import TypeAdapter, ValidationError

from games.domain import strict_json
from games.net.hub import hub
from games.net.process import process
from games.net.sockets import CLOSE_MALFORMED, CLOSE_RESTART, CLOSE_SIGNED_OUT, Feed
from games.net.tasks import every, spawn
from games.net.threads import in_thread
from games.rules.base import gettext_noop
from games.store.disk import unstored
from lobby.accounts import traces
from lobby.chat import lines
from lobby.chat.lines import ChatError
from lobby.commands import CommandError
from lobby.feed import lobby_feed, rating_changes
from lobby.feed.counts import TOPIC as COUNTS
from lobby.feed.counts import count_broadcaster
from lobby.feed.saved_matches import saved_pages
from lobby.notices.page_visibility import looking
from lobby.pairing import queue
from lobby.people.following import watchers
from lobby.people.person import SEEN_EVERY, saw, topic_in
from lobby.people.person import topic as person_topic
from lobby.people.presence import presence
from lobby.sockets.greeting import greeting
from lobby.sockets.messages import (
    ChatRequest,
    Incoming,
    ListRequest,
    LookingNote,
    PairingRequest,
    PeopleRequest,
    RatingRequest,
    SavedRequest,
    SayCommand,
    incoming,
    personal_incoming,
)

FRESH_SECONDS = 1.0
"""Cache lifetime of the sequence number that is sent to sockets."""


class LastNumber:
    """The sequence number of the last change, cached for all sockets of the process."""

    def __init__(self) -> None:
        self._number = 0
        self._read = float("-inf")
        self._told = 0
        self._lock = asyncio.Lock()

    async def get(self) -> int:
        """The number, at most `FRESH_SECONDS` old."""
        async with self._lock:
            if time.monotonic() - self._read > FRESH_SECONDS:
                self._number = await in_thread(lobby_feed.number)()
                self._read = time.monotonic()
            return self._number

    def begin(self) -> None:
        """Send new numbers to sockets, so that they notice a change that Redis lost."""
        if hub.remote:
            spawn(every(FRESH_SECONDS, self._tell))

    async def _tell(self) -> None:
        topics = hub.topics("lobby")
        number = await self.get() if topics else self._told
        if number != self._told:
            self._told = number
            for topic in topics:
                hub.tell_here(topic, {"type": "latest", "number": number})


last_number = process.part(LastNumber)


class LobbyFeed(Feed):
    """The feed of the lobby and of tables, for users and visitors."""

    async def opened(self) -> None:
        """Send the lobby, and listen to its changes."""
        # Join first: a change in between may arrive twice, but is not missed.
        self.join(lobby_feed.topic(self.language))
        await self._answer(ListRequest(type="list"), self.tell_answer)
        self.join(COUNTS)

    async def received(self, text: str) -> None:
        """Answer a message."""
        message = await parsed(self, text, incoming)
        if message is not None:
            await self._answer(message, self.tell_costly)

    async def resync(self) -> None:
        """Send the chat again; the lobby's changes are numbered, so its page asks by itself."""
        if lines.LOBBY.topic in self._topics:
            await self._answer(ChatRequest(type="chat"), self.tell_answer)

    async def _answer(
        self, message: Incoming, tell: Callable[[Callable[[], Awaitable[dict[str, Any]]]], Awaitable[None]]
    ) -> None:
        try:
            if isinstance(message, ListRequest):
                async with self.news_held():
                    await tell(self._everything)
            elif isinstance(message, ChatRequest):
                self.join(lines.LOBBY.topic)
                self.join(lines.NAMES)
                async with self.news_held():
                    await tell(partial(in_thread(lines.latest), self.user_id))
            elif isinstance(message, SayCommand):
                self.tell(await in_thread(self._say)(message))
            else:
                # The number reveals a lost change to the client.
                self.tell({"type": "pong", "t": message.t, "number": await last_number.get()})
        except DatabaseError as error:
            await close_unavailable(self, error)

    async def _everything(self) -> dict[str, Any]:
        everything = await in_thread(self._read_everything)()
        count_broadcaster.compare(everything["counts"])
        return everything

    def _read_everything(self) -> dict[str, Any]:
        with translation.override(self.language):
            return {
                **lobby_feed.everything(self.user_id, lobby_feed.recently_listed()),
                "counts": count_broadcaster.counts(),
            }

    def _say(self, command: SayCommand) -> dict[str, Any]:
        say = partial(lines.say, self.user_id, command.id, command.text, address=self.network)
        return said(command.id, self.language, say)


class PersonFeed(Feed):
    """The feed of a signed-in user or guest, on any page of the site.

    While it is open the user is online (`lobby.people.presence`).
    """

    async def opened(self) -> None:
        """Send what concerns the user, and listen to changes; close the socket of a visitor."""
        user_id = self.user_id
        if user_id is None:
            await self.close_with(CLOSE_SIGNED_OUT, "signed-out", gettext_noop("You are not logged in."))
            return
        self.join(person_topic(user_id))
        self.join(topic_in(user_id, self.language))
        presence.came(user_id)
        self._seen: datetime = self.socket.user.seen
        self._note_seen(user_id)
        spawn(in_thread(traces.note)(user_id, self.network, [self.socket.session or ""]))
        await self._tell_of_store(self._hello, user_id)

    async def resync(self) -> None:
        """Send everything again."""
        await self._tell_of_store(self._hello, self.user_id)

    def closed(self) -> None:
        """Note that a page of the user was closed."""
        if self.user_id is not None:
            presence.went(self.user_id)
        watchers.forget(self)
        saved_pages.forget(self)
        looking.forget(self)

    async def received(self, text: str) -> None:
        """Answer a message."""
        message = await parsed(self, text, personal_incoming)
        if self._over:
            return  # closed while the message waited for its turn: nothing would undo what follows
        if isinstance(message, PeopleRequest):
            await watchers.watch(self)
        elif isinstance(message, SavedRequest):
            await saved_pages.watch(self)
        elif isinstance(message, PairingRequest):
            await self._tell_of_store(self._pairing, self.user_id)
        elif isinstance(message, RatingRequest):
            await self._tell_of_store(partial(rating_changes.change, message.match), self.user_id)
        elif isinstance(message, LookingNote):
            if self.user_id is not None:
                looking.note(self, self.user_id, message.at)
        elif message is not None:
            self.tell({"type": "pong", "t": message.t})
            self._note_seen(self.user_id)

    def _note_seen(self, user_id: int | None) -> None:
        """Store from time to time that the user is online."""
        now = timezone.now()
        if user_id is not None and now - self._seen >= SEEN_EVERY:
            self._seen = now
            spawn(in_thread(saw)(user_id))

    async def _tell_of_store(self, read: Callable[[Any], dict[str, Any]], user_id: int | None) -> None:
        try:
            async with self.news_held():
                self.tell(await in_thread(read)(user_id))
        except DatabaseError as error:
            await close_unavailable(self, error)

    def _hello(self, user_id: int) -> dict[str, Any]:
        with translation.override(self.language):
            return greeting(user_id)

    def _pairing(self, user_id: int) -> dict[str, Any]:
        with translation.override(self.language):
            return {"type": "pairing", **queue.situation(user_id)}


async def close_unavailable(feed: Feed, error: DatabaseError) -> None:
    """Close the socket of a feed whose database does not answer; the client tries again."""
    await feed.close_with(CLOSE_RESTART, "unavailable", unstored(error).sentence)


def said(command_id: str, language: str, say: Callable[[], object]) -> dict[str, Any]:
    """Say something in a chat; the answer to the command, in the language of the page."""
    with translation.override(language):
        try:
            say()
        except (ChatError, CommandError) as error:
            return {"type": "refused", "id": command_id, "code": error.code, "detail": error.words}
    return {"type": "accepted", "id": command_id}


async def parsed(feed: Feed, text: str, adapter: TypeAdapter[Any]) -> Any:
    """Parse a message; for an invalid one, close the socket and return None."""
    try:
        return strict_json.adapted(adapter, text)
    except ValidationError:
        sentence = gettext_noop("The lobby does not understand this message.")
        await feed.close_with(CLOSE_MALFORMED, "malformed", sentence)
        return None

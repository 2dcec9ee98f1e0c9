"""The lobby socket: what is going on, now and from now on."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from django.db import DatabaseError
from django.utils import translation
from pydantic import ValidationError

from games.hub import hub
from games.matches import TryAgain
from games.rules.base import gettext_noop
from games.sockets import CLOSE_RESTART, Socket
from games.threads import in_thread
from lobby import news
from lobby.messages import Incoming, ListRequest, incoming

CLOSE_MALFORMED = 4400
FRESH_SECONDS = 1.0
"""How old a number may be that sockets are told as that of the last change."""

logger = logging.getLogger(__name__)


class LastNumber:
    """The number of the last change, read once for all sockets of the process."""

    def __init__(self) -> None:
        self._number = 0
        self._read = float("-inf")
        self._lock = asyncio.Lock()
        self._telling = False

    async def get(self) -> int:
        """The number, at most `FRESH_SECONDS` old."""
        async with self._lock:
            if time.monotonic() - self._read > FRESH_SECONDS:
                self._number = await in_thread(news.number)()
                self._read = time.monotonic()
            return self._number

    def keep_telling(self) -> None:
        """Tell sockets the number as it grows, since a channel layer may lose a change on its way here."""
        if hub.remote and not self._telling:
            self._telling = True
            hub.spawn(self._tell())

    async def _tell(self) -> None:
        told = 0
        while True:
            await asyncio.sleep(FRESH_SECONDS)
            try:
                number = await self.get()
            except DatabaseError:
                # It may be away for a while; this must still run when it is back.
                logger.exception("could not read the number of the last change")
                continue
            if number != told:
                told = number
                for topic in hub.topics("lobby"):
                    hub.tell_here(topic, {"type": "latest", "number": number})


last_number = LastNumber()


class LobbySocket(Socket):
    """Somebody who looks at the lobby or at a table, signed in or not."""

    async def opened(self) -> None:
        # Join first: a change that falls between the two is known twice rather than not at all.
        self.join(news.topic(self._language))
        last_number.keep_telling()
        await self._answer(ListRequest(type="list"))

    async def received(self, text: str) -> None:
        try:
            message = incoming.validate_json(text)
        except ValidationError:
            sentence = gettext_noop("The lobby does not understand this message.")
            await self.close_with(CLOSE_MALFORMED, "malformed", sentence)
            return
        await self._answer(message)

    async def _answer(self, message: Incoming) -> None:
        try:
            if isinstance(message, ListRequest):
                await self._tell_everything()
            else:
                # A change that was lost on the way shows as a number that is too high.
                self.tell({"type": "pong", "t": message.t, "number": await last_number.get()})
        except DatabaseError:
            # Whoever comes back in a moment may find it there again.
            await self.close_with(CLOSE_RESTART, "unavailable", TryAgain.sentence)

    async def _tell_everything(self) -> None:
        self.tell(await in_thread(self._everything)())

    def _everything(self) -> dict[str, Any]:
        with translation.override(self._language):
            return news.everything(self.user_id)

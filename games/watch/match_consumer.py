"""The match socket: who is it, what do they want, and what is the answer."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import Any

from django.db import DatabaseError

from games.computers.hints import hints
from games.domain.messages import (
    Command,
    HintRequest,
    Malformed,
    OddsRequest,
    Ping,
    ProbeAnswer,
    SyncRequest,
    parse,
)
from games.domain.refusals import Refused, TryAgain, UnknownMatch
from games.net.connection import after_flush
from games.net.hub import hub
from games.net.lag import Lag
from games.net.limits import Bucket
from games.net.measures import measures
from games.net.message_queue import Work
from games.net.sockets import CLOSE_PLAYERS_ONLY, CLOSE_RESTART, CLOSE_UNKNOWN, Socket
from games.play import permissions
from games.rules.base import IllegalMove, gettext_noop
from games.store.disk import unstored
from games.watch.viewer import PLIES_OF_PAGE, Viewer, carry_out, look_at
from games.watch.visibility import PlayersOnly

logger = logging.getLogger(__name__)

NOWHERE = (TryAgain, UnknownMatch, DatabaseError)
"""What happens where there is no position to send along: the store is what would know it."""
SLOW = 0.1
"""Seconds that a command may take."""
# A disk that hangs keeps everybody waiting; some lines say so.
_complaints = Bucket.full(2.0, 20.0, time.monotonic())


class MatchSocket(Socket):
    """One viewer of one match: a player if the session holds a seat, else a watcher."""

    def __init__(self) -> None:
        super().__init__()
        self._lag = Lag()
        self._measured = False
        self._inside = False

    async def opened(self) -> None:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        try:
            await self._enter(await look_at(self.match_id, self.user_id))
        except UnknownMatch:
            await self.close_with(CLOSE_UNKNOWN, "unknown-match", gettext_noop("There is no such match."))
        except PlayersOnly as error:
            await self.close_with(CLOSE_PLAYERS_ONLY, "players-only", error.sentence)
        except TryAgain as error:
            await self.close_with(CLOSE_RESTART, error.code, error.sentence)

    async def _enter(self, viewer: Viewer) -> None:
        self.viewer, self.seat, self._inside = viewer, viewer.seat, True
        # Only a live clock credits anybody with lag.
        self._measured = viewer.live_clock and self.seat is not None
        # Join first: a ply that falls between the two is sent twice rather than not at all.
        self.join(viewer.topic)
        viewer.came()
        self.tell(await viewer.snapshot())
        self._probe()

    def closed(self) -> None:
        self.viewer.went()

    def received(self, text: str) -> Work | None:
        if not self._inside:
            return None  # it was said why, and the socket is being closed
        try:
            message = parse(text)
        except Malformed as error:
            self._refuse(None, error)
            return None
        match message:
            case HintRequest():
                # It is answered when somebody has thought about it; what is said meanwhile does not wait.
                hub.spawn(self._hint(message))
                return None
            case Ping() | ProbeAnswer() | SyncRequest() | OddsRequest():
                return self._answer(message)
            case _:
                return self._command(message)

    async def _answer(self, question: Ping | ProbeAnswer | SyncRequest | OddsRequest) -> None:
        try:
            match question:
                case Ping(t=t):
                    live = await self.viewer.known()
                    self.tell({"type": "pong", "t": t, "ply": live.ply})
                    self._probe()
                case ProbeAnswer(n=number):
                    self._lag.answered(number, time.monotonic())
                case SyncRequest(after=after):
                    measures.resyncs["browser"] += 1
                    await self.tell_costly(partial(self.viewer.plies, after, PLIES_OF_PAGE))
                case OddsRequest():
                    live = await self.viewer.known()
                    self.tell({"type": "odds", "ply": live.ply, "chance": live.odds()})
        except NOWHERE as error:
            await self._refuse_where_it_stands(None, error)

    async def _command(self, command: Command) -> None:
        received_at = self._messages.received_at
        try:
            ply = await carry_out(self.match_id, self.user_id, command, self._lag.milliseconds)
        except (Refused, IllegalMove, DatabaseError) as error:
            await self._refuse_where_it_stands(command.id, error)
        else:
            self.tell({"type": "accepted", "id": command.id, "ply": ply})
            after_flush(self._measure, command.id, received_at)

    def _measure(self, command_id: str, received_at: float) -> None:
        """A command was carried out, told to all who look on here, and answered."""
        seconds = time.perf_counter() - received_at
        measures.move_seconds.note(seconds)
        if seconds > SLOW and _complaints.take(time.monotonic()):
            milliseconds = round(seconds * 1000)
            about = {"match": self.match_id, "person": self.user_id, "command": command_id}
            logger.warning(
                "a command took %d ms", milliseconds, extra={"milliseconds": milliseconds, **about}
            )

    async def _hint(self, request: HintRequest) -> None:
        try:
            live = await self.viewer.known()
            self.tell(await hints.ask(live, self.seat, request.after))
        except (Refused, DatabaseError) as error:
            await self._refuse_where_it_stands(request.id, error)

    def _probe(self) -> None:
        """Ask for an answer whose way can be timed; browsers ping every ten seconds, and so does this."""
        if self._measured:
            self.tell({"type": "probe", "n": self._lag.ask(time.monotonic())})

    async def _refuse_where_it_stands(
        self, command_id: str | None, error: Refused | IllegalMove | DatabaseError
    ) -> None:
        """Say that nothing came of something, why, and where the match stands by now."""
        position: dict[str, Any] = {}
        if not isinstance(error, NOWHERE):
            try:
                position = permissions.standing(await self.viewer.known(), self.seat)
            except NOWHERE as failure:
                error = failure
        if isinstance(error, DatabaseError):
            error = unstored(error)
        if not isinstance(error, UnknownMatch):  # it was said, and the socket is being closed
            self._refuse(command_id, error, **position)

    def _refuse(
        self, command_id: str | None, error: Refused | IllegalMove | Malformed, **position: Any
    ) -> None:
        detail = self.in_words(error.sentence, **error.params)
        self.tell({"type": "refused", "id": command_id, "code": error.code, "detail": detail, **position})

"""The feed of a match: identifies the viewer, executes commands and sends replies."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable
from functools import partial
from typing import Any

from django.db import DatabaseError

from games.computers.hints import hints
from games.domain.messages import (
    Command,
    HintRequest,
    Malformed,
    MoveCommand,
    OddsRequest,
    Ping,
    ProbeAnswer,
    SyncRequest,
    parse,
)
from games.domain.refusals import Refused, SavingUnavailable, UnknownMatch
from games.net.hub import Frame
from games.net.measures import measures
from games.net.sockets import CLOSE_PLAYERS_ONLY, CLOSE_RESTART, CLOSE_UNKNOWN, Feed, Socket, Work
from games.play import permissions
from games.play.matches import matches
from games.rules.base import IllegalMove, gettext_noop
from games.store.disk import unstored
from games.watch.viewer import PLIES_OF_PAGE, carry_out, look_at
from games.watch.visibility import ADMITTED, PlayersOnly

WITHOUT_POSITION = (SavingUnavailable, UnknownMatch, DatabaseError)
"""Errors without a position in the reply, since the store cannot provide one."""
ROUND_TRIPS_KEPT = 4
"""How many measurements of the delay are averaged, so that a single outlier counts little."""


class Lag:
    """Measures the network delay of a client. `now` is in seconds of a monotonic clock.

    The server sends a number and times its return; half of that is the one-way delay of a move. A client can
    pretend a longer delay by answering late, so the credit has a cap and a budget (`games.domain.clock`). It
    cannot answer before it was asked.
    """

    def __init__(self) -> None:
        self._number = 0
        self._asked: float | None = None
        self._round_trips: deque[float] = deque(maxlen=ROUND_TRIPS_KEPT)

    def ask(self, now: float) -> int:
        """Start a measurement and return the number to send. An unanswered earlier number is void."""
        self._number += 1
        self._asked = now
        return self._number

    def answered(self, number: int, now: float) -> None:
        """Take the returned number. Ignores all but the last one sent, and repeats."""
        if number == self._number and self._asked is not None:
            self._round_trips.append(now - self._asked)
            self._asked = None

    @property
    def milliseconds(self) -> int:
        """The one-way delay; 0 before the first measurement."""
        if not self._round_trips:
            return 0
        return round(sum(self._round_trips) / len(self._round_trips) / 2 * 1000)


class MatchFeed(Feed):
    """One viewer of one match: a player if the user has a seat, else a spectator."""

    def __init__(self, socket: Socket, name: str = "") -> None:
        super().__init__(socket, name)
        self._lag = Lag()
        self._measured = False

    async def opened(self) -> None:
        """Send the match as it is, and listen to it."""
        self.match_id = self.about["match_id"]
        await self._or_end(self._enter())

    async def resync(self) -> None:
        """Find out whether the end of a right was lost; plies are numbered."""
        await self.look_again()

    async def look_again(self) -> None:
        """End the feed if its user was admitted to a private match, and is no longer."""
        if not self._over and self.viewer.view.admitted:
            await self._or_end(look_at(self.match_id, self.user_id))

    async def _or_end(self, work: Awaitable[object]) -> None:
        try:
            await work
        except UnknownMatch:
            await self.close_with(CLOSE_UNKNOWN, "unknown-match", gettext_noop("This match does not exist."))
        except PlayersOnly as error:
            await self.close_with(CLOSE_PLAYERS_ONLY, "players-only", error.sentence)
        except SavingUnavailable as error:
            await self.close_with(CLOSE_RESTART, error.code, error.sentence)

    async def _enter(self) -> None:
        viewer = await look_at(self.match_id, self.user_id)
        if self._over:
            return  # closed meanwhile: nothing would undo what follows
        self.viewer, self.seat = viewer, viewer.seat
        # Lag is credited to live clocks only.
        self._measured = viewer.live_clock and self.seat is not None
        # Subscribe before reading: a ply in between is sent twice rather than never.
        self.join(viewer.topic)
        viewer.came()
        if viewer.view.admitted:
            self.join(ADMITTED)
            # Anew: the right may have ended before.
            await look_at(self.match_id, self.user_id)
        self.tell(await viewer.snapshot())
        self._probe()

    def closed(self) -> None:
        """Note that the viewer has left."""
        self.viewer.went()

    def received(self, text: str) -> Work | None:
        """Carry out a message, or say why not."""
        try:
            message = parse(text)
        except Malformed as error:
            self._refuse(None, error)
            return None
        match message:
            case HintRequest():
                # In a task, since the answer takes long and other messages should not wait for it.
                self.spawn(partial(self._hint, message))
                return None
            case Ping() | ProbeAnswer() | SyncRequest() | OddsRequest():
                return self._answer(message)
            case _:
                # Read now: the socket may be gone when the work begins.
                return self._command(message, self._messages.received_at)

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
        except WITHOUT_POSITION as error:
            await self._refuse_with_position(None, error)

    async def _command(self, command: Command, received_at: float) -> None:
        try:
            if isinstance(command, MoveCommand):
                ply = await matches.play(self.match_id, self.user_id, command, self._lag.milliseconds)
            else:
                ply = await carry_out(self.match_id, self.user_id, command, self._lag.milliseconds)
        except (Refused, IllegalMove, DatabaseError) as error:
            await self._refuse_with_position(command.id, error)
        else:
            self._send(Frame.of({"type": "accepted", "id": command.id, "ply": ply}))
            # By then it was broadcast to local viewers, too.
            self.socket.connection.after_flush(
                measures.acknowledged, received_at, self.match_id, self.user_id, command.id
            )

    async def _hint(self, request: HintRequest) -> None:
        try:
            live = await self.viewer.known()
            self.tell(await hints.ask(live, self.seat, request.after))
        except (Refused, DatabaseError) as error:
            await self._refuse_with_position(request.id, error)

    def _probe(self) -> None:
        """Start a lag measurement; called for every browser ping, that is every ten seconds."""
        if self._measured:
            self.tell({"type": "probe", "n": self._lag.ask(time.monotonic())})

    async def _refuse_with_position(
        self, command_id: str | None, error: Refused | IllegalMove | DatabaseError
    ) -> None:
        """Send a refusal with its reason and the current position."""
        position: dict[str, Any] = {}
        if not isinstance(error, WITHOUT_POSITION):
            try:
                position = permissions.standing(await self.viewer.known(), self.seat)
            except WITHOUT_POSITION as failure:
                error = failure
        if isinstance(error, DatabaseError):
            error = unstored(error)
        if not isinstance(error, UnknownMatch):  # else the error was sent, and the socket is closing
            self._refuse(command_id, error, **position)

    def _refuse(
        self, command_id: str | None, error: Refused | IllegalMove | Malformed, **position: Any
    ) -> None:
        detail = self.in_words(error.sentence, **error.params)
        self.tell({"type": "refused", "id": command_id, "code": error.code, "detail": detail, **position})

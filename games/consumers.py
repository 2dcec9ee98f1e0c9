"""The match socket: who is it, what do they want, and what is the answer."""

from __future__ import annotations

import time
from typing import Any

import orjson
from django.db import DatabaseError

from games import background, history
from games.crowd import crowd
from games.delay import delays
from games.delay import topic as delayed_topic
from games.hints import hints
from games.history import UnknownMatch
from games.hub import hub
from games.instants import now
from games.lag import Lag
from games.live import LiveMatch
from games.matches import matches, topic
from games.messages import (
    ClaimCommand,
    Command,
    HideCrowdCommand,
    HintRequest,
    Incoming,
    Malformed,
    OddsRequest,
    OfferCommand,
    Ping,
    ProbeAnswer,
    RematchCommand,
    SyncRequest,
    WordsCommand,
    parse,
)
from games.refusals import Refused, TryAgain
from games.rules.base import IllegalMove, gettext_noop
from games.sockets import CLOSE_PLAYERS_ONLY, CLOSE_RESTART, CLOSE_UNKNOWN, Socket
from games.threads import in_thread


class MatchSocket(Socket):
    """One viewer of one match: a player if the session holds a seat, else a watcher."""

    late = False
    """Whether this is a watcher who sees everything some seconds later."""

    def __init__(self) -> None:
        super().__init__()
        self._lag = Lag()
        self._measured = False

    async def opened(self) -> None:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        try:
            await self._enter(await matches.get(self.match_id))
        except UnknownMatch:
            await self.close_with(CLOSE_UNKNOWN, "unknown-match", gettext_noop("There is no such match."))
        except TryAgain as error:
            await self.close_with(CLOSE_RESTART, error.code, error.sentence)

    async def _enter(self, live: LiveMatch) -> None:
        background.begin()
        self.seat = live.seat_of(self.user_id)
        # Only a live clock credits anybody with lag.
        self._measured = live.control.live and self.seat is not None
        if self.seat is None and not live.terms.watchable:
            matches.forget(self.match_id)
            sentence = gettext_noop("Only its players see this match.")
            await self.close_with(CLOSE_PLAYERS_ONLY, "players-only", sentence)
            return
        self.late = self.seat is None and live.terms.delay > 0
        # Join first: a ply that falls between the two is sent twice rather than not at all.
        self.join((delayed_topic if self.late else topic)(self.match_id))
        crowd.changed(self.match_id, self.seat)
        self.tell(await self._snapshot())
        self._probe()

    async def _known(self) -> LiveMatch:
        """The match as this viewer may know it; only `matches` acts on it as it is."""
        return await (delays if self.late else matches).get(self.match_id)

    def closed(self) -> None:
        crowd.changed(self.match_id, self.seat)
        delays.forget(self.match_id)
        matches.forget(self.match_id)

    async def received(self, text: str) -> None:
        try:
            message = parse(text)
        except Malformed as error:
            self._refuse(None, error)
            return
        if isinstance(message, HintRequest):
            # It is answered when somebody has thought about it; what is said meanwhile does not wait.
            hub.spawn(self._answer(message))
        else:
            await self._answer(message)

    async def _answer(self, message: Incoming) -> None:
        try:
            match message:
                case Ping(t=t):
                    live = await self._known()
                    self.tell({"type": "pong", "t": t, "ply": live.ply})
                    self._probe()
                case ProbeAnswer(n=number):
                    self._lag.answered(number, time.monotonic())
                case SyncRequest(after=after):
                    await self._send_plies(after)
                case OddsRequest():
                    live = await self._known()
                    self.tell({"type": "odds", "ply": live.ply, "chance": live.odds()})
                case HintRequest():
                    await self._hint(message)
                case _:
                    await self._command(message)
        except (TryAgain, DatabaseError):
            # There is no position to send along: the store is what would know it.
            self._refuse(getattr(message, "id", None), TryAgain())
        except UnknownMatch:
            pass  # it was said, and the socket is being closed

    async def _command(self, command: Command) -> None:
        try:
            ply = await self._carry_out(command)
        except TryAgain:
            raise
        except (Refused, IllegalMove) as error:
            live = await self._known()
            self._refuse(command.id, error, **live.position(self.seat))
        else:
            self.tell({"type": "accepted", "id": command.id, "ply": ply})

    async def _hint(self, request: HintRequest) -> None:
        live = await self._known()
        try:
            self.tell(await hints.ask(live, self.seat, request.after))
        except Refused as error:
            if isinstance(error, TryAgain):
                raise
            # It may have gone on while somebody thought.
            live = await self._known()
            self._refuse(request.id, error, **live.position(self.seat))

    async def _carry_out(self, command: Command) -> int:
        """Have the service carry a command out; the number of the last ply then."""
        match command:
            case RematchCommand():
                await matches.rematch(self.match_id, self.user_id)
            case HideCrowdCommand(hidden=hidden):
                hidden_by = await matches.hide_crowd(self.match_id, self.user_id, hidden)
                crowd.hidden(self.match_id, hidden_by)
            case WordsCommand(words=words):
                await matches.add_words(self.match_id, self.user_id, words)
            case ClaimCommand() | OfferCommand():
                seats = len((await matches.get(self.match_id)).names)
                away = crowd.away(self.match_id, seats)
                return await matches.play(self.match_id, self.user_id, command, away=away)
            case _:
                return await matches.play(self.match_id, self.user_id, command, self._lag.milliseconds)
        return (await matches.get(self.match_id)).ply

    def _probe(self) -> None:
        """Ask for an answer whose way can be timed; browsers ping every ten seconds, and so does this."""
        if self._measured:
            self.tell({"type": "probe", "n": self._lag.ask(time.monotonic())})

    def _refuse(
        self, command_id: str | None, error: Refused | IllegalMove | Malformed, **position: Any
    ) -> None:
        detail = self.in_words(error.sentence, **error.params)
        self.tell({"type": "refused", "id": command_id, "code": error.code, "detail": detail, **position})

    async def _send_plies(self, after: int) -> None:
        rows = await in_thread(history.plies_since)(self.match_id, after)
        live = await self._known()
        if self.late:
            rows = [row for row in rows if row.number <= live.ply]
        message = live.plies_message(after, rows)
        position = live.position(self.seat)
        if "legal" in position and live.ply == (rows[-1].number if rows else after):
            message["legal"] = position["legal"]
        self.tell(message)

    async def _snapshot(self) -> dict[str, Any]:
        live = await self._known()
        return {
            "type": "snapshot",
            "match": {
                "id": live.id,
                "game": live.game.slug,
                "options": orjson.Fragment(live.options),
                "rated": live.terms.rated,
                "draws": live.game.draws,
                "absence": live.absence(),
                "seats": live.seats(),
                "offered": live.offered,
                "rematch": live.rematch,
                "dice": live.dice(),
                "clock": live.control_fields(),
            },
            "you": self.seat,
            "start": orjson.Fragment(live.start),
            "outcome": live.outcome_fields(),
            **live.position(self.seat),
            **live.life(),
            # Whoever sees the past has its time, by which its clocks run.
            **live.clock_fields(now() - (live.terms.delay * 1000 if self.late else 0)),
            **crowd.of(self.match_id),
        }

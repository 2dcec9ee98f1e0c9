"""Executes commands: validates them (`.validation`) and writes or records the result."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from types import MappingProxyType
from typing import Any

from games.domain import absence, clock, match_actions
from games.domain.absence import Away
from games.domain.match_actions import Act
from games.domain.messages import (
    AbortCommand,
    ClaimCommand,
    DeclineCommand,
    MoveCommand,
    OfferCommand,
    PlyCommand,
    ReclaimCommand,
    ResignCommand,
    server_id,
)
from games.domain.refusals import GameOver, HasLeft, OutOfTime, Stale
from games.net.hub import Hub
from games.net.threads import in_thread
from games.play import claims, validation
from games.play.clock_service import ClockService
from games.play.live import LiveMatch, topic
from games.play.match_cache import MatchCache
from games.play.offers import Offers
from games.play.writer import Writer
from games.rules.base import Leave, Seat
from games.store import match_offers
from games.store.journal import WriteConflict

NOBODY_AWAY: Away = MappingProxyType({})


class Commands:
    """The commands of people and computer players in the matches of this process."""

    def __init__(
        self,
        hub: Hub,
        now: Callable[[], int],
        memory: MatchCache,
        writer: Writer,
        clock_service: ClockService,
    ) -> None:
        self._hub, self._now = hub, now
        self._memory, self._writer, self._clock_service = memory, writer, clock_service
        self._offers = Offers(hub, now, memory)
        self.rematch = self._offers.rematch

    async def play(
        self,
        match_id: str,
        user_id: int | None,
        command: PlyCommand,
        lag: int = 0,
        away: Away = NOBODY_AWAY,
    ) -> int:
        """Execute a command and return the number of the last ply, once everything is durable.

        Idempotent: the same command id from the same seat returns the same number, in any process.

        Args:
            lag: the sender's measured one-way delay in milliseconds, which the clock may credit.
            away: since when each absent player has been away.

        Raises `UnknownMatch`, `Refused` or `IllegalMove`; then the command has changed nothing.
        """
        read_again = False
        while True:
            async with self._memory.locked(match_id) as live:
                seat = validation.seated(live, user_id)
                if command.after > live.ply and not read_again:
                    # The client is ahead of this process: it may have been connected to another one.
                    read_again = True
                    raise WriteConflict
                return await self._act(live, seat, command, lag, away)

    async def play_for(self, match_id: str, ply: int, move: str) -> None:
        """Move for a player replaced by a bot, unless the match has gone on since `ply`.

        Raises `UnknownMatch`, `Refused` or `IllegalMove`.
        """
        # The ply number makes the id unique, so the move is played only once.
        command = MoveCommand.model_construct(
            type="move", id=server_id("caretaker", ply), after=ply, move=move
        )

        def act(live: LiveMatch) -> Coroutine[Any, Any, int]:
            return self._act(live, live.state.turn, command, caretaker=True)

        await self._memory.act_on(match_id, act)

    async def leave(self, match_id: str, user_id: int) -> None:
        """Resign in whatever position the match is. Does nothing if the seat has left or the match is over.

        Raises `UnknownMatch`, `NotSeated` or `SavingUnavailable`.
        """
        command = ResignCommand.model_construct(
            type="resign", id=server_id("leave", secrets.token_urlsafe(16)), after=0
        )
        while True:
            live = await self._memory.get(match_id)
            try:
                await self.play(match_id, user_id, command.model_copy(update={"after": live.ply}))
            except Stale:
                continue
            except (GameOver, HasLeft):
                pass
            return

    async def stop(self, match_id: str) -> None:
        """End a match without a result, for its tournament. Does nothing if the match is over.

        Raises `UnknownMatch` or `SavingUnavailable`.
        """

        async def act(live: LiveMatch) -> None:
            if live.outcome is None:
                turn = live.state.turn
                await self._writer.write(live, turn, Act(match_actions.STOPPED, turn), None, self._now())

        await self._memory.act_on(match_id, act)
        self._memory.forget(match_id)

    async def _act(
        self,
        live: LiveMatch,
        seat: Seat,
        command: PlyCommand,
        lag: int = 0,
        away: Away = NOBODY_AWAY,
        caretaker: bool = False,
    ) -> int:
        """Validate and execute a command of a seat, or of the bot that replaces its player."""
        answer = live.answer(seat, command.id)
        if answer is not None:
            return answer
        now = self._now()
        if live.clocks is not None and await self._clock_service.is_flagged(live, now):
            late = seat == live.clocks.running and isinstance(command, MoveCommand)
            await self._clock_service.flag_fall(live, now)
            if late:
                raise OutOfTime
        validation.takes_part(live, seat, command)
        if isinstance(command, DeclineCommand):
            return await self._offers.decline(live, seat, command)
        if isinstance(command, MoveCommand):
            action = validation.move(live, seat, command.move, caretaker)
        else:
            action = await self._decide(live, seat, command, away, now)
        if action is None:
            return live.ply
        try:
            return await self._writer.write(live, seat, action, None if caretaker else command.id, now, lag)
        except clock.OutOfTime:
            await self._clock_service.flag_fall(live, now)
            raise OutOfTime from None

    async def _decide(
        self,
        live: LiveMatch,
        seat: Seat,
        command: ResignCommand | AbortCommand | ClaimCommand | ReclaimCommand | OfferCommand,
        away: Away,
        now: int,
    ) -> Any | None:
        """The action that a command leads to; None while other players have to agree."""
        match command:
            case ResignCommand():
                return Leave(seat, "resigned")
            case AbortCommand():
                return validation.aborted(live, seat)
            case ClaimCommand(kind=kind):
                gone = absence.gone(live.absence(), away, now)
                return claims.claimed(live, seat, kind, gone, _is_past(live.idle_due(), now))
            case ReclaimCommand():
                return claims.reclaimed(live, seat)
            case OfferCommand(kind=wanted):
                return await self._offers.offer(live, (seat, command.id), wanted, away, now)

    # Commands that make no plies

    async def add_words(self, match_id: str, user_id: int | None, words: str) -> None:
        """Add a seat's client seed to the dice. Raises `UnknownMatch`, `NotSeated` or `AlreadyBegun`."""

        async def add(live: LiveMatch) -> None:
            seat = validation.seated(live, user_id)
            validation.words_open(live)
            live.words = await in_thread(match_offers.add_words)(match_id, seat, words)
            self._hub.publish(topic(match_id), live.words_message())

        await self._memory.act_on(match_id, add)

    async def hide_crowd(self, match_id: str, user_id: int | None, hidden: bool) -> tuple[Seat, ...]:
        """Hide the spectators, or withdraw this seat's wish to. Returns the seats that want them hidden.

        `games.watch.match_presence` announces it. Raises `UnknownMatch` or `NotSeated`.
        """

        async def hide(live: LiveMatch) -> tuple[Seat, ...]:
            seat = validation.seated(live, user_id)
            if live.shared:
                # A fixed seat, so that the hot-seat host can undo it on any turn.
                seat = 0
            live.hidden_by = await in_thread(match_offers.hide_crowd)(match_id, seat, hidden)
            return live.hidden_by

        return await self._memory.act_on(match_id, hide)


def _is_past(due: int | None, now: int) -> bool:
    return due is not None and now >= due

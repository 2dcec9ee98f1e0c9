"""Plays conditional moves: stored answers to expected moves of the opponent.

They are played by ordinary commands, whose ids follow from the number of the ply before. So a move is played
only once, even if several processes try or one died half-way.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from games.domain import conditional
from games.domain.conditional import Line, NoConditionalMoves
from games.domain.messages import MoveCommand, server_id
from games.domain.refusals import Refused, SavingUnavailable, Stale, YourOwnTurn
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.play import validation
from games.play.live import LiveMatch
from games.play.match_cache import MatchCache
from games.rules.base import IllegalMove, Rules, Seat
from games.store import conditional as store
from games.store.conditional import Kept

EVERY = 15.0
"""Seconds between sweeps for answers that a process did not play because it died."""
SEATS_PER_SWEEP = 50
"""Seats per sweep."""


class Known(NamedTuple):
    """The lines of a player that may still come after ply `ply`.

    Also says which of their moves are the player's.
    """

    ply: int
    lines: list[Line]
    own: list[list[bool]]


Play = Callable[[str, int | None, MoveCommand], Coroutine[Any, Any, int]]


class ConditionalPlayer:
    """Stores and plays the conditional moves of the matches of this process.

    Args:
        play: executes a command of a user (`games.play.commands.Commands.play`).
    """

    def __init__(self, memory: MatchCache, play: Play) -> None:
        self._memory, self._play = memory, play

    async def keep(
        self, match_id: str, user_id: int | None, after: int, lines: Sequence[Sequence[str]]
    ) -> list[Line]:
        """Replace a player's lines by `lines`, which start from the position after ply `after`.

        Raises `UnknownMatch`, `NotSeated`, `NoConditionalMoves`, `GameOver`, `HasLeft`, `Stale`,
        `YourOwnTurn`, or what `games.domain.conditional.checked` does.
        """

        def may_keep(live: LiveMatch) -> Seat:
            seat = _seat_in_play(live, user_id, after)
            if lines and live.state.turn == seat:
                raise YourOwnTurn
            return seat

        # Before the match is locked, since it may take some tenths of a second.
        async with self._borrowed(match_id) as live:
            seat, rules = may_keep(live), live.game.rules
            kept = await in_thread(conditional.checked)(rules, live.state, seat, lines)

            async def act(live: LiveMatch) -> list[Line]:
                # Still after the same ply, so in the same position.
                await in_thread(store.keep)(match_id, may_keep(live), Kept(after, tuple(kept)))
                return kept

            return await self._memory.act_on(match_id, act)

    async def known(self, match_id: str, user_id: int | None) -> Known:
        """The lines of a player that may still come.

        Raises `UnknownMatch`, `NotSeated` or `SavingUnavailable`.
        """
        async with self._borrowed(match_id) as live:
            # Read both now: the match may go on during the query.
            ply, state = live.ply, live.state
            seat = validation.seated(live, user_id)
            kept = await in_thread(store.read)(match_id, seat)
            lines = [] if kept is None else await _left(match_id, kept, ply)
            own = await in_thread(conditional.own)(live.game.rules, state, seat, lines)
            return Known(ply, lines, own)

    async def position(
        self, match_id: str, user_id: int | None, after: int, moves: Sequence[str]
    ) -> tuple[Rules, list[tuple[str, Any]]]:
        """The rules, the state after ply `after` as that of no move, and the states that `moves` lead to.

        Raises what `keep` does, and `IllegalMove`.
        """
        async with self._borrowed(match_id) as live:
            _seat_in_play(live, user_id, after)
            rules, state = live.game.rules, live.state
            return rules, [("", state), *await in_thread(conditional.positions)(rules, state, moves)]

    @asynccontextmanager
    async def _borrowed(self, match_id: str) -> AsyncIterator[LiveMatch]:
        """The match as it is in the store, in memory as long as the block needs it."""
        try:
            yield await self._memory.up_to_date(match_id)
        finally:
            self._memory.forget(match_id)

    def turn_came(self, live: LiveMatch) -> None:
        """Call after a ply of this process is stored: plays the answer to it, if there is one."""
        if _suits(live) and live.mover is not None:
            spawn(self.answer(live.id, live.state.turn))

    async def answer(self, match_id: str, seat: Seat) -> None:
        """Play the next move of a seat's lines. Deletes the lines if they cannot come any more."""
        kept = await in_thread(store.read)(match_id, seat)
        if kept is None:
            return
        async with self._borrowed(match_id) as live:
            # If the match goes on during the query, the command is refused as stale.
            ply, turn = live.ply, live.state.turn
            left = await _left(match_id, kept, ply) if live.outcome is None else []
            if not left:
                await in_thread(store.drop)(match_id, seat, kept.after)
            elif turn != seat:
                await in_thread(store.checked)(match_id, seat, kept.after, ply)
            else:
                await self._move(live, seat, ply, left[0][0], kept)

    async def _move(self, live: LiveMatch, seat: Seat, ply: int, move: str, kept: Kept) -> None:
        command = MoveCommand.model_construct(
            type="move", id=server_id("conditional", ply), after=ply, move=move
        )
        try:
            await self._play(live.id, live.player_at(seat), command)
        except (Stale, SavingUnavailable):
            pass  # another ply came first, or the store is down: the next sweep tries again
        except (Refused, IllegalMove):
            await in_thread(store.drop)(live.id, seat, kept.after)

    async def once(self) -> None:
        """Process the lines not checked since the last ply of their match."""
        for match_id, seat in await in_thread(store.due)(SEATS_PER_SWEEP):
            await self.answer(match_id, seat)


def _suits(live: LiveMatch) -> bool:
    return live.control.per_move > 0 and not live.game.dice and not live.shared and len(live.names) == 2


def _seat_in_play(live: LiveMatch, user_id: int | None, after: int) -> Seat:
    """The seat of a user who is still playing; `after` must be the last ply."""
    seat = validation.seated(live, user_id)
    if not _suits(live):
        raise NoConditionalMoves
    validation.under_way(live)
    validation.not_left(live, seat)
    validation.decides(live, seat)
    if after != live.ply:
        raise Stale
    return seat


async def _left(match_id: str, kept: Kept, ply: int) -> list[Line]:
    """The lines that may still come after a ply; none if the stored ones start later."""
    if kept.after > ply:
        return []
    played = await in_thread(store.played_since)(match_id, kept.after, ply)
    return conditional.left(kept.lines, played)

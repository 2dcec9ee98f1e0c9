"""Conditional moves at work: what a player has entered is played when the opponent's moves call for it.

A move enters the match like anybody's, by a command whose id follows from the ply before it. However many
processes try, also after one of them died in between, it is played once.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple

from games.domain import conditional
from games.domain.conditional import Line, NoConditionalMoves
from games.domain.messages import MoveCommand, server_id
from games.domain.refusals import Refused, Stale, TryAgain, YourOwnTurn
from games.net.hub import Hub
from games.net.threads import in_thread
from games.play import validation
from games.play.live import LiveMatch
from games.play.match_cache import MatchCache
from games.rules.base import IllegalMove, Seat
from games.store import conditional as store
from games.store.conditional import Kept

EVERY = 15.0
"""Seconds after which is found what a process left undone that died after the opponent's move."""
AT_ONCE = 50
"""Seats that are looked at in one go."""


class Known(NamedTuple):
    """What of somebody's lines may still come after ply `ply`, and which moves in them are their own."""

    ply: int
    lines: list[Line]
    own: list[list[bool]]


Play = Callable[[str, int | None, MoveCommand], Coroutine[Any, Any, int]]


class ConditionalPlayer:
    """Keeps and plays the conditional moves of the matches of this process.

    Args:
        play: carries a command of a user out (`games.play.commands.Commands.play`).
    """

    def __init__(self, hub: Hub, memory: MatchCache, play: Play) -> None:
        self._hub, self._memory, self._play = hub, memory, play

    async def keep(
        self, match_id: str, user_id: int | None, after: int, lines: Sequence[Sequence[str]]
    ) -> list[Line]:
        """Keep lines of somebody from the position after ply `after` on, instead of those before.

        Raises `UnknownMatch`, `NotSeated`, `NoConditionalMoves`, `GameOver`, `HasLeft`, `Stale`,
        `YourOwnTurn`, or what `games.domain.conditional.checked` does.
        """

        async def act(live: LiveMatch) -> list[Line]:
            seat = _seat_in_play(live, user_id, after)
            if lines and live.state.turn == seat:
                raise YourOwnTurn
            kept = conditional.checked(live.game.rules, live.state, seat, lines)
            await in_thread(store.keep)(match_id, seat, Kept(after, tuple(kept)))
            return kept

        return await self._memory.act_on(match_id, act)

    async def known(self, match_id: str, user_id: int | None) -> Known:
        """What of somebody's lines may still come. Raises `UnknownMatch`, `NotSeated` or `TryAgain`."""
        live = await self._memory.up_to_date(match_id)
        # The match may go on while the store is asked.
        ply, state = live.ply, live.state
        seat = validation.seated(live, user_id)
        kept = await in_thread(store.read)(match_id, seat)
        lines = [] if kept is None else await _left(match_id, kept, ply)
        return Known(ply, lines, [conditional.own(live.game.rules, state, seat, line) for line in lines])

    async def position(
        self, match_id: str, user_id: int | None, after: int, moves: Sequence[str]
    ) -> tuple[LiveMatch, list[tuple[str, Any]]]:
        """The match, and the moves from the position after ply `after` on, each with the state it leads to.

        Raises what `keep` does, and `IllegalMove`.
        """
        live = await self._memory.up_to_date(match_id)
        _seat_in_play(live, user_id, after)
        return live, conditional.positions(live.game.rules, live.state, moves)

    def turn_came(self, live: LiveMatch) -> None:
        """A ply of this process is stored: play the answer to it, if there is one."""
        if _suits(live) and live.mover is not None:
            self._hub.spawn(self.answer(live.id, live.state.turn))

    async def answer(self, match_id: str, seat: Seat) -> None:
        """Play what the lines of a seat say now; lines that cannot come any more are forgotten."""
        kept = await in_thread(store.read)(match_id, seat)
        if kept is None:
            return
        try:
            live = await self._memory.up_to_date(match_id)
            # The match may go on while the store is asked; the command is stale then.
            ply, turn = live.ply, live.state.turn
            left = await _left(match_id, kept, ply) if live.outcome is None else []
            if not left:
                await in_thread(store.drop)(match_id, seat, kept.after)
            elif turn != seat:
                await in_thread(store.checked)(match_id, seat, kept.after, ply)
            else:
                await self._move(live, seat, ply, left[0][0], kept)
        finally:
            self._memory.forget(match_id)

    async def _move(self, live: LiveMatch, seat: Seat, ply: int, move: str, kept: Kept) -> None:
        command = MoveCommand.model_construct(
            type="move", id=server_id("conditional", ply), after=ply, move=move
        )
        try:
            await self._play(live.id, live.player_at(seat), command)
        except (Stale, TryAgain):
            pass  # something else happened first, or nothing can be stored now: it is looked at again
        except (Refused, IllegalMove):
            await in_thread(store.drop)(live.id, seat, kept.after)

    async def once(self) -> None:
        """Look at the lines that nobody has looked at since the last ply of their match."""
        for match_id, seat in await in_thread(store.due)(AT_ONCE):
            await self.answer(match_id, seat)


def _suits(live: LiveMatch) -> bool:
    return live.control.per_move > 0 and not live.game.dice and not live.shared and len(live.names) == 2


def _seat_in_play(live: LiveMatch, user_id: int | None, after: int) -> Seat:
    """The seat of somebody who plays on there after a ply that is the last one."""
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
    """What may still come after a ply; nothing where newer lines begin after it."""
    if kept.after > ply:
        return []
    played = await in_thread(store.played_since)(match_id, kept.after, ply)
    return conditional.left(kept.lines, played)

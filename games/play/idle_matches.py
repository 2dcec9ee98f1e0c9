"""Ends idle matches that have no running clock, without a result.

Every process sweeps. Ply numbers are unique, so only one process writes the end, and none if the match has
gone on.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from datetime import datetime, timedelta

from django.conf import settings

from games.domain import instants, match_actions
from games.domain.match_actions import Act
from games.net.threads import in_thread
from games.play.live import LiveMatch
from games.play.match_cache import MatchCache
from games.play.signals import guests_among
from games.play.writer import Writer
from games.store import idle

SWEEP_SECONDS = 600.0
"""Seconds between sweeps."""

NEVER = datetime.min.replace(tzinfo=instants.moment(0).tzinfo)
NOBODY: frozenset[int] = frozenset()


class Expiry:
    """The sweep of this process.

    Args:
        now: the time in milliseconds.
    """

    def __init__(self, now: Callable[[], int], memory: MatchCache, writer: Writer) -> None:
        self._now, self._memory, self._writer = now, memory, writer

    async def sweep(self) -> None:
        """End the matches that have been idle for too long.

        Raises `SavingUnavailable`; the next sweep finds the rest.
        """
        now = instants.moment(self._now())
        before = _ago(now, settings.IDLE_END_DAYS)
        before_of_guests = max(before, _ago(now, settings.IDLE_GUEST_END_DAYS))
        found = await in_thread(idle.idle_since)(before_of_guests)
        guests = await in_thread(_guests_at)([match for match, moved in found.items() if moved >= before])
        for match_id, moved in found.items():
            if moved < before:
                await self._expire(match_id, before)
            elif match_id in guests:
                await self._expire(match_id, before_of_guests, guests[match_id])

    async def _expire(self, match_id: str, before: datetime, only_of: Set[int] = NOBODY) -> None:
        """End a match without plies since `before`; with `only_of`, only if one of these users is to move."""

        async def act(live: LiveMatch) -> None:
            if live.outcome is None and not live.clock_runs and instants.moment(live.moved_at) < before:
                waits_for = set(live.players) if live.shared else {live.mover}
                if not only_of or waits_for & only_of:
                    turn = live.state.turn
                    await self._writer.write(live, turn, Act(match_actions.EXPIRED, turn), None, self._now())

        await self._memory.act_on(match_id, act)
        self._memory.forget(match_id)


def _ago(now: datetime, days: int) -> datetime:
    return now - timedelta(days=days) if days else NEVER


def _guests_at(match_ids: list[str]) -> dict[str, frozenset[int]]:
    """The guests among the players of each match, for those that have any."""
    players = idle.players_of(match_ids)
    everybody = frozenset[int]().union(*players.values())
    guests = frozenset[int]().union(*guests_among(everybody)) if everybody else NOBODY
    return {match: guests & theirs for match, theirs in players.items() if guests & theirs}

"""When finished matches are settled and rated: a moment after their end, several together.

A process may die before that, so every process also looks for unsettled matches periodically.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.utils import timezone

from games.domain.codec import Undecodable
from games.domain.terms import Terms
from games.net.process import process
from games.net.tasks import Debouncer, every, spawn
from games.net.threads import in_low_priority_thread, in_thread
from games.watch.delay import watchers_know
from lobby.ratings.results import make_known, rate, settle, unrated
from lobby.ratings.unsettled import without_results

A_MOMENT = 0.2
"""Seconds for which ended matches are collected, so that they are handled together."""
BATCH_SIZE = 5
"""Maximum matches handled in one transaction, since a long one would delay moves."""
SWEEP_SECONDS = 10.0
MARGIN = timedelta(hours=1)
"""A match's end is the time of its last ply; it is stored later, and clocks differ."""

logger = logging.getLogger(__name__)


async def match_over(match_id: str, terms: Terms) -> None:
    """Settle a match soon after its end, together with others, and rate it once spectators may know of it."""
    _ended.note(match_id, terms)


def _settle_soon(ended: Mapping[str, Terms]) -> None:
    spawn(_settle(ended))


async def _settle(ended: Mapping[str, Terms]) -> None:
    """If one of these matches cannot be settled, none is; the sweeper then settles them one by one."""
    for match_id in await in_low_priority_thread(settle)(*ended):
        spawn(_rate_when_known(match_id, ended[match_id]))


async def _rate_when_known(match_id: str, terms: Terms) -> None:
    await watchers_know(terms)
    await in_low_priority_thread(rate)(match_id)


_ended: Debouncer[str, Terms] = process.part(Debouncer, A_MOMENT, _settle_soon, BATCH_SIZE)


def unsettled(since: datetime | None = None) -> list[str]:
    """The ids of finished matches without results, in the order in which they ended.

    Hot-seat matches never have results and are left out.

    Args:
        since: only matches that ended after this time; None: all.
    """
    return list(without_results(since).order_by("ended", "pk").values_list("pk", flat=True))


class Sweeper:
    """Looks for unsettled matches while the process runs: first at all, then at recent ones."""

    def __init__(self) -> None:
        self._since: datetime | None = None

    def begin(self) -> None:
        """Start, in the event loop."""
        spawn(every(SWEEP_SECONDS, self._sweep))

    async def _sweep(self) -> None:
        began = timezone.now()
        for match_id in await in_thread(unsettled)(self._since):
            await in_thread(_attempt)(settle, match_id)
        for match_id in await in_thread(unrated)(self._since, began):
            await in_thread(_attempt)(rate, match_id)
        await in_thread(make_known)(self._since)
        self._since = began - MARGIN


def _attempt(work: Callable[[str], object], match_id: str) -> None:
    try:
        work(match_id)
    except Undecodable:
        # Another version of the code may read it; go on with the other matches.
        logger.exception("could not read the match", extra={"match": match_id})


sweeper = process.part(Sweeper)
"""The sweeper of this process."""

"""Shows in every lobby that matches began, ended, were saved or resumed, once spectators may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asgiref.sync import async_to_sync

from games.domain.terms import Terms
from games.models import Match
from games.net.process import process
from games.net.tasks import Debouncer, spawn
from games.net.threads import in_low_priority_thread
from games.watch.delay import watchers_know
from games.watch.visibility import spectator_access
from lobby.feed import lobby_feed
from lobby.ratings.schedule import A_MOMENT, BATCH_SIZE


def matches_begun(matches: Sequence[Match]) -> None:
    """Announce matches together, and that their tables have one. Runs in a thread."""
    for match in matches:
        table = getattr(match, "table", None)
        if table is not None:
            lobby_feed.tell_table(table)
    lobby_feed.tell_matches([match.pk for match in matches])
    for match in matches:
        if match.rematch_of_id is not None and spectator_access(match).behind:
            # Delayed spectators do not know yet that the previous match is over.
            async_to_sync(_tell_later)(match.pk, match.terms)


async def match_over(match_id: str, terms: Terms) -> None:
    """Announce, soon after spectators may know it, that a match is over."""
    await watchers_know(terms)
    _over.note(match_id, None)


async def match_saved(match_id: str, terms: Terms) -> None:
    """Announce that a match was saved."""
    await watchers_know(terms)
    await in_low_priority_thread(lobby_feed.tell_match_saved)(match_id)


async def match_resumed(match_id: str, terms: Terms) -> None:
    """Announce that a match goes on."""
    await watchers_know(terms)
    await in_low_priority_thread(lobby_feed.tell_matches)([match_id])


async def _tell_later(match_id: str, terms: Terms) -> None:
    """Start to wait, without a wait of the caller."""
    spawn(match_resumed(match_id, terms))


def _tell_over(match_ids: Mapping[str, None]) -> None:
    spawn(in_low_priority_thread(lobby_feed.tell_matches_over)(*match_ids))


_over: Debouncer[str, None] = process.part(Debouncer, A_MOMENT, _tell_over, BATCH_SIZE)

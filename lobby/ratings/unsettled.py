"""Results of matches that have just ended and are not settled yet.

Results are stored a moment after a match ends. Until then pages and API clients get the same results,
computed from the match, without ratings.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet, prefetch_related_objects
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

from games.domain.codec import Undecodable
from games.models import Match, Seating
from games.registry import GAMES
from games.store.prepared import PreparedQuery
from lobby.ratings.models import Result
from lobby.ratings.results import read

UNSETTLED_WITHIN = timedelta(minutes=1)
"""Maximum age of an unsettled match: several times the sweeper's interval."""


def without_results(since: datetime | CombinedExpression | None) -> QuerySet[Match]:
    """The finished matches without results, hot-seat matches excluded.

    Args:
        since: only matches that ended after this time; None: all.
    """
    matches = Match.objects.filter(
        ~Exists(Result.objects.filter(match=OuterRef("pk"))), game__in=GAMES, holder=None
    )
    if since is None:
        return matches.filter(status=Match.Status.FINISHED)
    # SQLite has no statistics: given status "finished" it would read all finished matches by the index of
    # the status, instead of the few recent ones by the index of the end.
    unfinished = [status for status in Match.Status if status != Match.Status.FINISHED]
    return matches.filter(ended__gt=since).exclude(status__in=unfinished)


def unsettled_of(user: int | OuterRef) -> QuerySet[Match]:
    """The matches of a user that ended lately and are not settled."""
    # Not a join: SQLite would begin with the seats of the user, which may be thousands.
    player = OuterRef(user) if isinstance(user, OuterRef) else user
    own = Seating.objects.filter(match=OuterRef("pk"), user=player)
    return without_results(Now() - UNSETTLED_WITHIN).filter(Exists(own))


_unsettled = PreparedQuery(lambda user: unsettled_of(user).order_by("-ended", "-pk").values_list("pk"))


def unsettled_results(user_id: int, asker: int | None, now: datetime) -> list[Result]:
    """The unsettled results of a user that `asker` may know, newest first; they have no primary key.

    `asker` is None for a visitor. Seats and users are prefetched for each match.
    """
    results = [
        result
        for result, players in _results(user_id)
        if asker in players or (result.known is not None and result.known <= now)
    ]
    prefetch_related_objects([result.match for result in results], Seating.with_names())
    return results


def _results(user_id: int) -> Iterator[tuple[Result, set[int]]]:
    """Each result with the ids of the match's players."""
    for (match_id,) in _unsettled(user_id):
        try:
            match = read(match_id)
        except Undecodable:
            continue
        if match is not None:
            players = {result.user_id for result in match.results}
            yield from ((result, players) for result in match.results if result.user_id == user_id)

"""Results of matches that have just ended and are not settled yet.

Results are stored a moment after the end of a match. Pages and programs that ask in between get the same
results, read from the match; ratings follow with the settling.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet, prefetch_related_objects

from games.domain.codec import Undecodable
from games.models import Match, Seating
from games.registry import GAMES
from lobby.models import Result
from lobby.ratings.results import read

LATELY = timedelta(minutes=1)
"""How long ago an unsettled match ended at most: several times as long as the sweeper takes."""


def without_results(since: datetime | None) -> QuerySet[Match]:
    """The finished matches without results, with `since` those that ended after that moment.

    A board that somebody held for all leaves no results.
    """
    matches = Match.objects.filter(
        ~Exists(Result.objects.filter(match=OuterRef("pk"))), game__in=GAMES, holder=None
    )
    if since is None:
        return matches.filter(status=Match.Status.FINISHED)
    # SQLite has no statistics. Told that the status is "finished", it reads every finished match by the index
    # of the status instead of the few of late by that of the end.
    unfinished = [status for status in Match.Status if status != Match.Status.FINISHED]
    return matches.filter(ended__gt=since).exclude(status__in=unfinished)


def unsettled_results(user_id: int, asker: int | None, now: datetime) -> list[Result]:
    """The unsettled results of a person that `asker` may know, the newest first; none has a primary key.

    `asker` is None for a visitor. Seats and people are read along with each match.
    """
    results = [
        result
        for result, players in _results(user_id, now)
        if asker in players or (result.known is not None and result.known <= now)
    ]
    prefetch_related_objects([result.match for result in results], Seating.with_people())
    return results


def _results(user_id: int, now: datetime) -> Iterator[tuple[Result, set[int]]]:
    """Each result with the players of its match."""
    own = Seating.objects.filter(match=OuterRef("pk"), user=user_id)
    ended = without_results(now - LATELY).filter(Exists(own))
    for match_id in ended.order_by("-ended", "-pk").values_list("pk", flat=True):
        try:
            match = read(match_id)
        except Undecodable:
            continue
        if match is not None:
            players = {result.user_id for result in match.results}
            yield from ((result, players) for result in match.results if result.user_id == user_id)

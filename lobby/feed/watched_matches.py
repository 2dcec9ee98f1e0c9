"""Matches to watch: the list, the number of spectators, and the featured match."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from statistics import fmean
from typing import Any

from django.db.models import Max, QuerySet

from games.models import Match, Seating
from games.net.hub import hub
from games.net.process import process
from games.net.tasks import every, spawn
from games.net.threads import in_thread
from games.registry import GAMES
from games.watch.visibility import moved_lately, seen_in_play
from games.watch.watcher_counts import watcher_counts
from lobby.feed.featured import Candidate, Stage
from lobby.people.presence import presence
from lobby.ratings.models import Rating

TELL_SECONDS = 2.0
"""Minimum time between updates of lobbies."""
FRESH_SECONDS = 1.0
"""Cache lifetime of the featured match."""
NEWEST = 20
"""A match without spectators can be featured only if it is among this many newest."""
MOST_COUNTED = 500
LISTED = ("game", "clock", "rated", "watchable", "delay", "chat", "created", "holder", "table__id")
"""The columns of a match that lists show."""


def matches_to_watch() -> QuerySet[Match]:
    """The public matches in play as spectators know them, newest first."""
    matches = _public().filter(game__in=GAMES)
    newest_first = matches.order_by("-created").select_related("table").only(*LISTED)
    return newest_first.prefetch_related(Seating.with_names())


def _public() -> QuerySet[Match]:
    """The matches in play that spectators may watch; those of evenings are for the people there."""
    return seen_in_play(datetime.now(UTC)).filter(pairing__tournament__evening=None)


def live_among(matches: QuerySet[Match]) -> dict[str, str]:
    """Ids and games of the live matches among these, newest first.

    A match is live while one of its players is online and a move was made recently.
    """
    lately = moved_lately(matches.filter(game__in=GAMES), datetime.now(UTC))
    rows = lately.order_by("-created").values_list("pk", "game", "seatings__user")
    return {pk: game for pk, game, user_id in rows if user_id is not None and presence.is_online(user_id)}


def most_watched(watchers: Mapping[str, int], most: int) -> list[str]:
    """The ids of the `most` matches with the most spectators."""
    return sorted(watchers, key=lambda match_id: -watchers[match_id])[:most]


class FeaturedBroadcaster:
    """The featured match, as this process chooses it."""

    def __init__(self) -> None:
        self._stage = Stage()
        self._chosen: str | None = None
        self._live: dict[str, str] = {}
        self._looked = float("-inf")
        self._lock = threading.Lock()

    def featured(self, matches: Iterable[Match] | None = None) -> str | None:
        """The id of the featured match, at most `FRESH_SECONDS` old; None while no match is live.

        `matches` are the candidates, if the caller has read enough of them anyway.
        """
        with self._lock:
            self._look(matches)
            return self._chosen

    def live(self) -> dict[str, str]:
        """The live match to show for each game, by game; as old as `featured`."""
        with self._lock:
            self._look(None)
            return self._live

    def _look(self, matches: Iterable[Match] | None) -> None:
        if time.monotonic() - self._looked <= FRESH_SECONDS:
            return
        live = live_among(_public())
        known = _newest_and_most_watched(NEWEST).values() if matches is None else matches
        among = (match for match in known if match.pk in live)
        self._chosen = self._stage.choose(_candidates(among), time.monotonic())
        self._live = _by_game(live, self._chosen)
        self._looked = time.monotonic()


def _by_game(live: Mapping[str, str], first: str | None) -> dict[str, str]:
    """The live match of each game: the featured one, otherwise the one with the most spectators."""
    watchers = watcher_counts.counts()
    best: dict[str, str] = {}
    for match_id in sorted(live, key=lambda each: (each != first, -watchers.get(each, 0))):
        best.setdefault(live[match_id], match_id)
    return best


def _newest_and_most_watched(most: int) -> dict[str, Match]:
    """The `most` newest public matches and the `most` with the most spectators, by id."""
    matches = {match.pk: match for match in matches_to_watch()[:most]}
    watched = most_watched(watcher_counts.counts(), most)
    if not matches.keys() >= set(watched):
        matches |= {match.pk: match for match in matches_to_watch().filter(pk__in=watched)}
    return matches


def _candidates(matches: Iterable[Match]) -> list[Candidate]:
    watchers = watcher_counts.counts()
    eligible = [match for place, match in enumerate(matches) if place < NEWEST or watchers.get(match.pk)]
    players = {seating.user_id for match in eligible for seating in match.seatings.all()}
    known = Rating.objects.filter(user__in=players).values_list("user", "game").annotate(Max("rating"))
    ratings = {(user, game): rating for user, game, rating in known}
    return [
        Candidate(
            match.pk,
            watchers.get(match.pk, 0),
            fmean(ratings.get((seating.user_id, match.game), 0) for seating in match.seatings.all()),
            match.created,
            sum(seating.level is None for seating in match.seatings.all()),
        )
        for match in eligible
    ]


front = process.part(FeaturedBroadcaster)
"""The broadcaster of this process."""


def to_watch(most: int) -> dict[str, Match]:
    """The matches to list, by id: the `most` newest, and the `most` with the most spectators."""
    matches = _newest_and_most_watched(most)
    if most >= NEWEST:
        # Fills the cache of the featured match, so that it does not read them again.
        front.featured(matches.values())
    return matches


def featured() -> str | None:
    """The id of the featured match; None while no match is live."""
    return front.featured()


def live() -> dict[str, str]:
    """The live match to show for each game, by game."""
    return front.live()


def watching() -> dict[str, Any]:
    """Spectators per match, featured and live matches, as the message that lobbies get."""
    watchers = watcher_counts.counts()
    ids = most_watched(watchers, MOST_COUNTED)
    watched = matches_to_watch().filter(pk__in=ids).values_list("pk", flat=True)
    return {
        "type": "watching",
        "counts": {match_id: watchers[match_id] for match_id in sorted(watched)},
        "featured": featured(),
        "live": live(),
    }


class WatchedBroadcaster:
    """Sends changes of spectators and featured matches to the lobbies of this process."""

    def __init__(self) -> None:
        self._told: dict[str, Any] | None = None

    def begin(self) -> None:
        """Start, in the event loop."""
        spawn(every(TELL_SECONDS, self._tell))

    async def _tell(self) -> None:
        topics = hub.topics("lobby")
        if not topics:
            return
        message = await in_thread(watching)()
        if message != self._told:
            self._told = message
            for topic in topics:
                hub.tell_here(topic, message)


watched_broadcaster = process.part(WatchedBroadcaster)
"""The broadcaster of this process."""

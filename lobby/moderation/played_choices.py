"""The moves of players and their peers with their evaluations, for `lobby.moderation.agreement`. Read-only.

Only stored analyses are read. `ask` has the queue make those of a player's recent matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games.finished import archive, reviews
from games.models import Seating
from games.store import analysis_queue, history
from lobby.moderation.agreement import Choice, Comparison, compare, tallies
from lobby.people.models import User
from lobby.ratings.models import Rating, Result

MOST_POOLS = 4
"""Maximum ratings of a player that are looked at, those with the most matches."""
MATCHES = 20
"""Maximum analysed matches of the player for each rating, the newest."""
PEERS = 20
"""Maximum peers."""
MATCHES_OF_PEERS = 60
"""Maximum analysed matches of all peers together."""
BAND = 100
"""Rating points by which a peer may be better or worse."""
ASKED = 10
"""Recent rated matches that `ask` has analysed."""


@dataclass(frozen=True, slots=True)
class Signs:
    """A player's agreement under one rating, from so many analysed matches."""

    rating: Rating
    matches: int
    matches_of_peers: int
    comparison: Comparison


def signs(user: User) -> list[Signs]:
    """A player's agreement with the best level, for the ratings with the most matches."""
    ratings = Rating.objects.filter(user=user).order_by("-matches", "pk")[:MOST_POOLS]
    return [_signs(rating) for rating in ratings]


def ask(user: User, now: datetime) -> int:
    """Request analyses of a player's recent rated matches; returns of how many.

    Raises `games.finished.reviews.TooManyAnalyses`.
    """
    recent = Result.objects.filter(user=user, rated=True).order_by("-ended", "-pk")
    records = list(archive.records(list(recent.values_list("match", flat=True)[:ASKED])))
    for record in records:
        reviews.ask(record, now)
    return len(records)


def _signs(rating: Rating) -> Signs:
    bounds = (rating.rating - BAND, rating.rating + BAND)
    alike = Rating.objects.filter(game=rating.game, family=rating.family, pool=rating.pool)
    near = alike.filter(rating__range=bounds).exclude(user=rating.user_id)
    peers = list(near.order_by("-matches", "pk").values_list("user", flat=True)[:PEERS])
    own = _analysed(rating, [rating.user_id], MATCHES)
    others = _analysed(rating, peers, MATCHES_OF_PEERS)
    comparison = compare(tallies(_choices(own)), tallies(_choices(others)))
    return Signs(rating, len(own), len(others), comparison)


def _analysed(rating: Rating, users: Iterable[int], most: int) -> list[tuple[str, int]]:
    """The newest analysed matches of users under the rules of a rating, with the user of each."""
    results: QuerySet[Result] = Result.objects.filter(
        analysis_queue.is_analysed("match"),
        user__in=list(users),
        rated=True,
        game=rating.game,
        family=rating.family,
        pool=rating.pool,
    )
    return list(results.order_by("-ended", "-pk").values_list("match", "user")[:most])


def _choices(played: list[tuple[str, int]]) -> Iterable[Choice]:
    """The choices of users in matches."""
    match_ids = [match_id for match_id, _user in played]
    rows = Seating.objects.filter(match__in=match_ids).values_list("match", "user", "seat")
    seats = {(match_id, user_id): seat for match_id, user_id, seat in rows}
    wanted = {(match_id, seats.get((match_id, user_id))) for match_id, user_id in played}
    last = history.last_numbers(match_ids)
    for choice in analysis_queue.choices(match_ids):
        if (choice.match_id, choice.look.seat) in wanted:
            yield Choice(choice.text, choice.look, choice.ply / max(1, last.get(choice.match_id, 1)))

"""Settling finished matches: one result per player and, for rated matches, new ratings.

The only module that writes `Result` and `Rating`. A match is settled in one transaction, exactly once,
however often and wherever `settle` is called. If spectators see the match delayed, ratings change later.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone
from openskill.models import PlackettLuce

from games.domain import codec
from games.domain.match_actions import ENDINGS, WITHOUT_RESULT
from games.domain.options import preset_of
from games.domain.terms import LONGEST_DELAY
from games.models import Match
from games.registry import GAMES
from games.rules.base import Outcome, Seat
from games.store import history
from games.store.history import Participation
from games.store.prepared import PreparedQuery
from games.watch import visibility
from lobby.people.models import User
from lobby.ratings import conduct, farming, glicko2, signals
from lobby.ratings.glicko2 import AVERAGE, MOST_DEVIATION, Strength
from lobby.ratings.models import Pool, Rating, Result
from lobby.ratings.rated import may_be_rated, may_have_rating
from lobby.ratings.signals import Settled

PERIOD = timedelta(days=5)
"""A rating period. At the usual volatility an established player (deviation 60) becomes provisional again
(110) after 78 periods without a match: a year and a month.
"""

# openskill's own defaults (25, 25/3, 25/6, 25/300), scaled by 42 and shifted to the initial rating.
many_players = PlackettLuce(mu=AVERAGE, sigma=MOST_DEVIATION, beta=175.0, tau=3.5)

Seated = Sequence[tuple[int | None, int | None]]
"""By seat: the user id, and the level of a computer player."""
Score = Result.Score
_stored = PreparedQuery(lambda match: Result.objects.filter(match=match).order_by().values_list("pk")[:1])
_players = PreparedQuery(
    lambda *users: User.objects.select_for_update(no_key=True).filter(pk__in=users).order_by("pk"), User
)
_ratings = PreparedQuery(
    lambda user, game, family, pool: Rating.objects.filter(user=user, game=game, family=family, pool=pool),
    Rating,
)
POINTS = {Score.WON: 1.0, Score.DRAWN: 0.5, Score.LOST: 0.0}


def finished_by(user: int | OuterRef) -> QuerySet[Result]:
    """The results of a user in matches that were not aborted."""
    return Result.objects.filter(user=user).exclude(score=Score.ABORTED).order_by()


_finished = PreparedQuery(lambda user: finished_by(user).values_list("pk")[:1])


def is_newcomer(person: User | AnonymousUser) -> bool:
    """Whether a user has never finished a match."""
    return person.pk is None or not _finished(person.pk)


def settle(*match_ids: str) -> list[str]:
    """Store the results of finished matches that are not settled yet.

    Skips matches in play, unknown ones and hot-seat matches.

    Returns:
        The ids of matches to be rated later, when delayed spectators may know their result.

    Raises:
        codec.Undecodable: a match was stored by another version of the code; then none is settled.
    """
    # Finished matches do not change, so read them before taking the write lock.
    ended = [each for match_id in match_ids if (each := read(match_id))]
    if not ended:
        return []
    with transaction.atomic():
        rows = Match.objects.filter(pk__in=[each.match.pk for each in ended]).order_by("pk")
        if connection.features.has_select_for_update:
            # So that processes settle a match one after the other. SQLite is serial anyway.
            rows = rows.select_for_update()
        # A match of an evening may have been erased since.
        there = set(rows.values_list("pk", flat=True))
        settled = [each for each in ended if each.match.pk in there and not _stored(each.match.pk)]
        if not settled:
            return []
        later = _rate_if_they_count([each for each in settled if each.rateable])
        Result.objects.bulk_create(
            [result for each in settled if not each.rateable for result in each.results]
        )
        signals.matches_settled([Settled(each.match, each.outcome, each.results) for each in settled])
    return later


class Ended(NamedTuple):
    """A finished match and its unsaved results; `rateable` if it may change ratings."""

    match: Match
    outcome: Outcome
    participation: Participation
    results: list[Result]
    rateable: bool


def read(match_id: str) -> Ended | None:
    """A finished match with its unsaved results; None if it has none.

    Raises:
        codec.Undecodable: the match was stored by another version of the code.
    """
    match = history.match(match_id)
    if match is None or match.status != Match.Status.FINISHED:
        return None
    if match.game not in GAMES or match.holder_id is not None:
        return None
    options = codec.decode(GAMES[match.game].rules.Options, match.options)
    outcome = codec.decode(Outcome, match.outcome or "")
    participation = history.participation(match_id)
    seated = history.seated(match_id)
    results = _results(match, options, seated, outcome, participation)
    return Ended(match, outcome, participation, results, _may_be_rated(match, options, seated, results))


def _rate_if_they_count(rateable: Sequence[Ended]) -> list[str]:
    """Store results that may change ratings, match by match; returns the ids of matches to rate later."""
    if not rateable:
        return []
    users = _lock([result for each in rateable for result in each.results])
    without = {user.pk for user in users if may_have_rating(user)}
    later = []
    for match, outcome, participation, results, _ in rateable:
        if _count(results, without):
            # Updating ratings now would reveal the winner to delayed spectators.
            if visibility.end_is_known(match, timezone.now()):
                _rate(results, ranks(outcome, participation, len(results)))
            else:
                later.append(match.pk)
        Result.objects.bulk_create(results)
    return later


def _results(
    match: Match, options: Any, seated: Seated, outcome: Outcome, participation: Participation
) -> list[Result]:
    """The unsaved results of a finished match, by seat."""
    game = GAMES[match.game]
    seats = [user_id for user_id, _level in seated if user_id is not None]
    shared = {
        "match": match,
        "game": match.game,
        "family": preset_of(game, options) or "",
        "pool": Pool.TWO if len(seats) == 2 else Pool.MANY,
        "ended": match.ended,
        "known": visibility.all_know_from(match),
    }
    # Leaving computer players is no miss: no opponent waits.
    with_others = sum(level is None for _user_id, level in seated) > 1
    missed = _who_missed(match, outcome, participation, len(seats), game.dice) if with_others else ()
    return [
        Result(
            **shared,
            user_id=user_id,
            score=score,
            reason=participation.left.get(seat, outcome.reason),
            missed=seat in missed,
        )
        for seat, (user_id, score) in enumerate(
            zip(seats, scores(outcome, participation, len(seats), throws=game.dice), strict=True)
        )
    ]


def _may_be_rated(match: Match, options: Any, seated: Seated, results: Sequence[Result]) -> bool:
    """Whether a match counts for ratings by its terms, players, rules and result."""
    among_people = all(level is None for _user_id, level in seated)
    played = results[0].score != Score.ABORTED
    return match.rated and among_people and played and may_be_rated(GAMES[match.game], options) is None


@transaction.atomic
def rate(match_id: str) -> None:
    """Change the ratings of a match that was settled earlier, once its result may be known; idempotent."""
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    waiting = Result.objects.filter(match=match, rated=True, rating_after=None).order_by("pk")
    if match is None or not visibility.end_is_known(match, timezone.now()):
        return
    results = list(waiting)
    if not results:
        return
    _lock(results)
    outcome = codec.decode(Outcome, match.outcome or "")
    _rate(results, ranks(outcome, history.participation(match_id), len(results)))
    Result.objects.bulk_update(results, ["rating_before", "rating_after", "deviation_after"])
    # Deleted accounts keep no ratings.
    Rating.objects.filter(user__is_deleted=True, user__results__match=match).delete()


def unrated(since: datetime | None, now: datetime) -> list[str]:
    """The ids of matches to be rated now because their result may be known, oldest first."""
    known = visibility.ends_became_known(since, now).filter(game__in=GAMES)
    waiting = Result.objects.filter(match=OuterRef("pk"), rated=True, rating_after=None)
    known = known.filter(Exists(waiting)).order_by(visibility.known_from(), "pk")
    return list(known.values_list("pk", flat=True))


def make_known(since: datetime | None) -> None:
    """Fill in `known` of results that another version of the code stored without it.

    During an upgrade, servers of the version before settle matches beside this one.

    Args:
        since: only matches that ended after this time; None: all.
    """
    # Include ends that are still delayed: all of them will be known by then.
    then = timezone.now() + timedelta(seconds=LONGEST_DELAY)
    ended = Match.objects.filter(visibility.over_for(None, then))
    left = Result.objects.filter(
        known=None, match__in=ended if since is None else ended.filter(ended__gt=since)
    )
    if left.exists():
        moments = ended.filter(pk=OuterRef("match")).values_list(visibility.known_from())
        left.update(known=Subquery(moments))


def forget(user_id: int) -> None:
    """Delete the ratings of a deleted account. Its results stay, for the opponents."""
    Rating.objects.filter(user=user_id).delete()


def scores(
    outcome: Outcome, participation: Participation, seats: int, *, throws: bool = False
) -> list[Score]:
    """The score of each seat. Players who left have lost."""
    if outcome.reason in WITHOUT_RESULT or _hardly_began(outcome, participation, seats, throws):
        return [Score.ABORTED] * seats
    best = Score.DRAWN if len(outcome.winners) == seats else Score.WON
    won = set(outcome.winners) - set(participation.left)
    return [best if seat in won else Score.LOST for seat in range(seats)]


def ranks(outcome: Outcome, participation: Participation, seats: int) -> list[int]:
    """The places of the seats, 0 for the first, equal for ties.

    Winners come first, then the others by points, then players who left.
    """

    def place(seat: Seat) -> tuple[bool, bool, int]:
        won = seat in outcome.winners
        points = outcome.scores[seat] if outcome.scores and not won else 0
        return seat in participation.left, not won, -points

    places = [place(seat) for seat in range(seats)]
    order = sorted(set(places))
    return [order.index(each) for each in places]


def _who_missed(
    match: Match, outcome: Outcome, participation: Participation, seats: int, throws: bool
) -> frozenset[Seat]:
    """The seats whose players did not finish a match. Leaving a rated match early counts too."""
    missed = conduct.misses(participation.beside, rated=match.rated)
    if match.rated and _hardly_began(outcome, participation, seats, throws):
        missed |= participation.left.keys()
    return missed


def _hardly_began(outcome: Outcome, participation: Participation, seats: int, throws: bool) -> bool:
    """Whether players ended the match, by leaving or by agreement, before every seat had acted.

    A player who left while others played on need not have acted. With dice, the match counts once a player
    who left has thrown: otherwise players could leave after a bad throw for free.
    """
    if not participation.ended_by_leaving and outcome.reason not in ENDINGS:
        return False
    if throws and not participation.acted.isdisjoint(participation.left):
        return False
    left = list(participation.left)
    left_others_to_play = set(left[:-1] if participation.ended_by_leaving else left)
    return not participation.acted | left_others_to_play >= set(range(seats))


def _count(results: Sequence[Result], without: Collection[int]) -> bool:
    """Set `rated` of the results; the players must be locked.

    The match counts if no player is in `without` (ids of users who have no ratings) and no two players have
    played too many matches with each other.
    """
    count = all(result.user_id not in without for result in results) and not farming.is_too_much(results)
    for result in results:
        result.rated = count
    return count


def _lock(results: Sequence[Result]) -> list[User]:
    """Lock the players, ordered by id everywhere, so that settling their matches cannot deadlock."""
    return _players(*[result.user_id for result in results])


def _rate(results: Sequence[Result], places: Sequence[int]) -> None:
    """Change the ratings of the players, and note old and new rating in the results."""
    before = [_rating(result) for result in results]
    now = results[0].ended
    if results[0].pool == Pool.TWO:
        after = _by_glicko(before, [POINTS[Score(result.score)] for result in results], now)
    else:
        after = _by_openskill(before, places)
    for result, rating, strength in zip(results, before, after, strict=True):
        result.rating_before, result.rating_after = rating.rating, strength.rating
        result.deviation_after = strength.deviation
        rating.rating, rating.deviation, rating.volatility = strength
        rating.matches += 1
        rating.opponents = farming.opponents(rating, result, [each.user_id for each in results])
        rating.updated = max(now, rating.updated)
        rating.save()


def _rating(result: Result) -> Rating:
    """The stored rating of a result's player and pool, or a new one."""
    key = {name: getattr(result, name) for name in ("user_id", "game", "family", "pool")}
    new = {**Strength()._asdict(), "updated": result.ended}
    return _ratings.first(*key.values()) or Rating(**key, **new)


def _by_glicko(before: Sequence[Rating], points: Sequence[float], now: datetime) -> list[Strength]:
    """The strengths of two players after their match."""
    periods = [max((now - rating.updated) / PERIOD, 0.0) for rating in before]
    then = [_strength(rating) for rating in before]
    aged = [glicko2.aged(*each) for each in zip(then, periods, strict=True)]
    return [glicko2.rate(then[i], [(aged[1 - i], points[i])], periods[i]) for i in (0, 1)]


def _by_openskill(before: Sequence[Rating], places: Sequence[int]) -> list[Strength]:
    """The strengths of three and more players after their match."""
    teams = [[many_players.rating(rating.rating, rating.deviation)] for rating in before]
    rated = many_players.rate(teams, ranks=[float(place) for place in places])
    return [
        Strength(player.mu, min(player.sigma, MOST_DEVIATION), rating.volatility)
        for (player,), rating in zip(rated, before, strict=True)
    ]


def _strength(rating: Rating) -> Strength:
    return Strength(rating.rating, rating.deviation, rating.volatility)

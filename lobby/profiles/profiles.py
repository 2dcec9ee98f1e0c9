"""What there is to know of somebody who plays here: results, ratings, opponents, streaks.

All of it is read in a number of queries that does not grow with the matches somebody played.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from games.finished import scoresheet
from games.law import codec
from games.models import Match, Seating
from games.registry import GAMES, Game
from games.rules.base import Outcome
from games.watch import visibility
from lobby.models import Pool, Rating, Result, User
from lobby.people.words import rules_in_words
from lobby.ratings import charts
from lobby.ratings.charts import Curve, Part

PAGE = 20
OPPONENTS = 5
LATELY = 1000
"""Matches in which is looked for whom somebody met most often."""

Score = Result.Score
Key = tuple[str, str, str]
"""Game, family and pool: what has a rating of its own."""
Counts = Counter[tuple[str, str]]
"""By game and score."""


class Record(NamedTuple):
    """How somebody did at a game: counts, and the shares of a bar in the same order."""

    game: Game
    title: str
    won: int
    drawn: int
    lost: int
    shares: list[Part]


class Standing(NamedTuple):
    """A rating and how it came about: the curve and its lowest and highest value."""

    game: Game
    title: str
    rules: str
    rating: Rating
    curve: Curve
    first: float
    lowest: float
    highest: float


class Streaks(NamedTuple):
    """The streak somebody is on, in words, and the most matches they won in a row."""

    current: str
    longest: int


class Opponent(NamedTuple):
    """Somebody's score against another."""

    name: str
    matches: int
    won: int
    drawn: int
    lost: int


class Met(NamedTuple):
    """Somebody that a match was played with; who has left has no address."""

    name: str
    address: str
    computer: bool

    def __str__(self) -> str:
        return self.name


class Played(NamedTuple):
    """A match somebody played, for the list of them."""

    match: str
    title: str
    rules: str
    score: str
    score_in_words: str
    opponents: list[Met]
    ended: datetime
    rated: bool
    rating: float | None
    change: int
    watchable: bool

    @property
    def signed(self) -> str:
        """The change of the rating with its sign."""
        return f"{self.change:+d}".replace("-", "−") if self.change else "±0"


def known_results(user: User, asker: int | None, now: datetime) -> QuerySet[Result]:
    """The results of somebody that `asker` may know: of matches that are over, and not hidden, for them."""
    results = Result.objects.filter(user=user, game__in=GAMES)
    if asker == user.pk:
        return results
    known_to_all = Q(known__lte=now)
    if asker is None:
        return results.filter(known_to_all)
    theirs = Result.objects.filter(match=OuterRef("match"), user=asker)
    return results.filter(known_to_all | Q(Exists(theirs)))


def counts(results: QuerySet[Result]) -> Counts:
    """How often somebody came to each score at each game."""
    rows = results.order_by().values_list("game", "score").annotate(Count("pk"))
    return Counter({(slug, score): number for slug, score, number in rows})


def records(counts: Counts) -> list[Record]:
    """How somebody did at each game they played, in the order of the registry."""
    found = []
    for slug, game in GAMES.items():
        won, drawn, lost = (counts[slug, score] for score in (Score.WON, Score.DRAWN, Score.LOST))
        if won or drawn or lost:
            found.append(Record(game, gettext(game.title), won, drawn, lost, charts.parts(won, drawn, lost)))
    return found


def standings(user: User) -> list[Standing]:
    """Somebody's ratings with their curves, in the order of the registry and of each game's presets.

    Everybody may know them: they do not move before everybody may know that a match is over.
    """
    curves = _curves(user)
    ratings = {(each.game, each.family, each.pool): each for each in Rating.objects.filter(user=user)}
    return [
        _standing(game, ratings[key], curves[key])
        for slug, game in GAMES.items()
        for family in game.rules.PRESETS
        for pool in Pool.values
        if (key := (slug, family, pool)) in ratings and key in curves
    ]


def _curves(user: User) -> dict[Key, list[float]]:
    """The ratings that somebody has had, the first first."""
    rated = Result.objects.filter(user=user, rating_after__isnull=False)
    in_order = rated.order_by(Coalesce("known", "ended"), "pk")
    rows = in_order.values_list("game", "family", "pool", "rating_before", "rating_after")
    curves: dict[Key, list[Any]] = {}
    for slug, family, pool, before, after in rows.iterator(chunk_size=LATELY):
        curves.setdefault((slug, family, pool), [before]).append(after)
    return curves


def _standing(game: Game, rating: Rating, values: Sequence[float]) -> Standing:
    return Standing(
        game,
        gettext(game.title),
        rules_in_words(game, rating.family, rating.pool),
        rating,
        charts.curve(values),
        values[0],
        min(values),
        max(values),
    )


def streaks(results: QuerySet[Result]) -> Streaks | None:
    """The streaks of somebody who has played people; None for anyone else."""
    level = Seating.objects.filter(match=OuterRef("match"), level__isnull=False)
    # Nearly all are rated and so without computers, which are looked for at the others alone: a question
    # about each of some thousands takes longer than all else.
    among_people = results.exclude(score=Score.ABORTED).filter(Q(rated=True) | ~Exists(level))
    scores = among_people.order_by("ended", "pk").values_list("score", flat=True)
    runs = [(score, len(list(run))) for score, run in groupby(scores.iterator(chunk_size=LATELY))]
    if not runs:
        return None
    longest = max((length for score, length in runs if score == Score.WON), default=0)
    return Streaks(_run_in_words(*runs[-1]), longest)


def _run_in_words(score: str, length: int) -> str:
    words = {
        Score.WON: ngettext("%(number)d win", "%(number)d wins in a row", length),
        Score.DRAWN: ngettext("%(number)d draw", "%(number)d draws in a row", length),
        Score.LOST: ngettext("%(number)d loss", "%(number)d losses in a row", length),
    }
    return words[Score(score)] % {"number": length}


def opponents(user: User, results: QuerySet[Result]) -> list[Opponent]:
    """The people somebody met most often of late, and the score against them."""
    lately = results.order_by("-ended", "-pk")
    scores = dict(lately.values_list("match", "score")[:LATELY])
    theirs = Result.objects.filter(
        match__in=lately.values("match")[:LATELY], user__is_deleted=False, user__is_bot=False
    )
    met: dict[str, Counter[str]] = defaultdict(Counter)
    for name, match in theirs.exclude(user=user).values_list("user__username", "match"):
        if scores.get(match, Score.ABORTED) != Score.ABORTED:
            met[name][scores[match]] += 1
    most = sorted(met, key=lambda name: (-met[name].total(), name))[:OPPONENTS]
    counted = (Score.WON, Score.DRAWN, Score.LOST)
    return [Opponent(name, met[name].total(), *(met[name][score] for score in counted)) for name in most]


class BoardHeld(NamedTuple):
    """A finished match at a board that somebody held for all who played there, who have names only."""

    match: str
    title: str
    names: list[str]
    result: str
    ended: datetime


def recent(
    user: User, results: QuerySet[Result], number: str | None, of: int
) -> tuple[Page[int], list[Played]]:
    """A page of the matches somebody played, the newest first, and its rows; there are `of` in all."""
    paginator = Paginator(_newest_first(results), PAGE)
    paginator.count = of
    page = paginator.get_page(number)
    return page, _rows(user, page)


def latest(user: User, most: int) -> list[Played]:
    """The last matches that somebody played, as they know them themselves."""
    return _rows(user, _newest_first(known_results(user, user.pk, timezone.now()))[:most])


def _newest_first(results: QuerySet[Result]) -> QuerySet[Result, int]:
    # Only which, since a row has much that is neither sorted by nor skipped by.
    return results.order_by("-ended", "-pk").values_list("pk", flat=True)


def _rows(user: User, wanted: Iterable[int]) -> list[Played]:
    results = Result.objects.filter(pk__in=list(wanted))
    newest_first = (
        results.order_by("-ended", "-pk")
        .select_related("match")
        .prefetch_related(Seating.with_people("match__seatings"))
    )
    return [_played(user, result) for result in newest_first]


def held_by(user: User, most: int = PAGE) -> list[BoardHeld]:
    """The last matches that ended at a board which somebody held for all who played there.

    Nobody else finds them: they are for those who were given their addresses, and nobody's result.
    """
    ended = Match.objects.filter(holder=user, status=Match.Status.FINISHED, game__in=GAMES)
    return [_held(match) for match in ended.order_by("-ended", "-pk").prefetch_related("seatings")[:most]]


def _held(match: Match) -> BoardHeld:
    names = [seating.get_name() for seating in match.seatings.all()]
    outcome = codec.decode(Outcome, match.outcome or "")
    assert match.ended is not None
    return BoardHeld(
        match=match.pk,
        title=gettext(GAMES[match.game].title),
        names=names,
        result=scoresheet.result(GAMES[match.game], outcome, names),
        ended=match.ended,
    )


def _played(user: User, result: Result) -> Played:
    game, seats = GAMES[result.game], result.match.seatings.all()
    change = 0
    if result.rating_before is not None and result.rating_after is not None:
        change = round(result.rating_after) - round(result.rating_before)
    return Played(
        match=result.match_id,
        title=gettext(game.title),
        rules=rules_in_words(game, result.family, result.pool),
        score=result.score,
        score_in_words=str(Score(result.score).label).capitalize(),
        opponents=[_met(each.user) for each in seats if each.user and each.user != user],
        ended=result.ended,
        rated=result.rated,
        rating=result.rating_after,
        change=change,
        watchable=visibility.others_see(result.match).allowed,
    )


def _met(other: User) -> Met:
    return Met(
        other.get_username(), "" if other.is_deleted else other.get_absolute_url(), bool(other.computer)
    )

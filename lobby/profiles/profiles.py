"""What there is to know of somebody who plays here: results, ratings, opponents, streaks.

All of it is read in a number of queries that does not grow with the matches somebody played.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
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


class Past(NamedTuple):
    """One result of somebody, as little of it as the sums need."""

    result: int
    game: str
    score: str
    computers: bool
    """Whether any computer player took part."""


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


class Played(NamedTuple):
    """A match somebody played, for the list of them."""

    match: str
    title: str
    rules: str
    score: str
    score_in_words: str
    opponents: list[User]
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
    return results if asker == user.pk else results.filter(visibility.over_for(asker, now, "match__"))


def past(user: User, asker: int | None, now: datetime) -> list[Past]:
    """Every result of somebody that `asker` may know, the oldest first."""
    results = known_results(user, asker, now)
    # Nearly all are rated and so without computers, which are looked for at the others alone: a question
    # about each of some thousands takes longer than all else.
    level = Seating.objects.filter(match=OuterRef("match"), level__isnull=False)
    computers = set(results.filter(Exists(level), rated=False).values_list("pk", flat=True))
    rows = results.order_by("ended", "pk").values_list("pk", "game", "score")
    return [Past(pk, game, score, pk in computers) for pk, game, score in rows.iterator(chunk_size=5000)]


def records(results: Sequence[Past]) -> list[Record]:
    """How somebody did at each game they played, in the order of the registry."""
    counts = Counter((result.game, result.score) for result in results)
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
    results = Result.objects.filter(user=user, game__in=GAMES)
    rows = results.order_by(visibility.known_from("match__"), "pk").values_list(
        "game", "family", "pool", "rating_before", "rating_after"
    )
    curves: dict[Key, list[float]] = defaultdict(list)
    for slug, family, pool, before, after in rows.iterator(chunk_size=5000):
        if before is not None and after is not None:
            values = curves[slug, family, pool]
            values += [after] if values else [before, after]
    ratings = {(each.game, each.family, each.pool): each for each in Rating.objects.filter(user=user)}
    return [
        _standing(game, ratings[key], curves[key])
        for slug, game in GAMES.items()
        for family in game.rules.PRESETS
        for pool in Pool.values
        if (key := (slug, family, pool)) in ratings and key in curves
    ]


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


def streaks(results: Sequence[Past]) -> Streaks | None:
    """The streaks of somebody who has played people; None for anyone else."""
    counted = (result for result in results if result.score != Score.ABORTED)
    among_people = (result.score for result in counted if not result.computers)
    runs = [(score, len(list(run))) for score, run in groupby(among_people)]
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


def opponents(user: User, asker: int | None, now: datetime) -> list[Opponent]:
    """The people somebody met most often of late, and the score against them, as `asker` may know it."""

    def mine(score: Score) -> Count:
        return Count("pk", filter=Q(match__results__score=score))

    lately = known_results(user, asker, now).order_by("-ended", "-pk").values("match")[:LATELY]
    theirs = Result.objects.filter(
        match__results__user=user, match__in=lately, user__is_deleted=False, user__is_bot=False
    )
    met = theirs.exclude(user=user).exclude(score=Score.ABORTED).values("user__username")
    counted = met.annotate(
        matches=Count("pk"), won=mine(Score.WON), drawn=mine(Score.DRAWN), lost=mine(Score.LOST)
    )
    rows = counted.order_by("-matches", "user__username")
    most = rows.values_list("user__username", "matches", "won", "drawn", "lost")[:OPPONENTS]
    return [Opponent(*row) for row in most]


class BoardHeld(NamedTuple):
    """A finished match at a board that somebody held for all who played there, who have names only."""

    match: str
    title: str
    names: list[str]
    result: str
    ended: datetime


def recent(user: User, results: Sequence[Past], number: str | None) -> tuple[Page[Past], list[Played]]:
    """A page of the matches somebody played, the newest first, and its rows."""
    page = Paginator(results[::-1], PAGE).get_page(number)
    shown = Result.objects.filter(pk__in=[past.result for past in page])
    return page, _rows(user, shown)


def latest(user: User, most: int) -> list[Played]:
    """The last matches that somebody played, as they know them themselves."""
    results = known_results(user, user.pk, timezone.now())
    # First which, since a row has much that is not sorted by.
    pks = list(results.order_by("-ended", "-pk").values_list("pk", flat=True)[:most])
    return _rows(user, Result.objects.filter(pk__in=pks))


def _rows(user: User, results: QuerySet[Result]) -> list[Played]:
    newest_first = results.order_by("-ended", "-pk").prefetch_related("match__seatings__user")
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
    game = GAMES[result.game]
    change = 0
    if result.rating_before is not None and result.rating_after is not None:
        change = round(result.rating_after) - round(result.rating_before)
    return Played(
        match=result.match_id,
        title=gettext(game.title),
        rules=rules_in_words(game, result.family, result.pool),
        score=result.score,
        score_in_words=str(Score(result.score).label).capitalize(),
        opponents=[each.user for each in result.match.seatings.all() if each.user and each.user != user],
        ended=result.ended,
        rated=result.rated,
        rating=result.rating_after,
        change=change,
        watchable=visibility.others_see(result.match).allowed,
    )

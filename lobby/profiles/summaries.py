"""What somebody's results come to, kept for as long as they are the same.

Some people have thousands of them, and to walk through those takes longer than all else on their page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from games.models import Seating
from games.registry import GAMES
from lobby.models import Result
from lobby.ratings import charts
from lobby.ratings.charts import Curve

KEPT = 500
"""Summaries that are kept, up to some twenty kilobytes each."""
LATELY = 1000
"""Matches in which is looked for whom somebody met most often."""
MET = 10
"""Opponents in a summary: more than are shown, since some may leave while it is kept."""

Score = Result.Score
Key = tuple[str, str, str]
"""Game, family and pool: what has a rating of its own."""
Counts = Counter[tuple[str, str]]
"""By game and score."""


class History(NamedTuple):
    """How a rating came about: its curve, and its first, lowest and highest value."""

    curve: Curve
    first: float
    lowest: float
    highest: float


class Streaks(NamedTuple):
    """The score of the last match against people, how often in a row, and the most wins in a row."""

    score: str
    length: int
    longest: int


class Opponent(NamedTuple):
    """How often somebody came to each score against another, by user id."""

    user_id: int
    scores: Counter[str]


class Summary(NamedTuple):
    """What results come to; the opponents by how often they were met, of late."""

    counts: Counts
    histories: Mapping[Key, History]
    streaks: Streaks | None
    opponents: Sequence[Opponent]


@dataclass(frozen=True, slots=True)
class KnownResults:
    """The results of somebody that an asker may know: of matches that are over, and not hidden, for them.

    Two are equal if they hold the same results: one more is either the latest or known later than others,
    and so another number of them.

    Attributes:
        user_id: whose results they are.
        asker: who knows them; None if everybody does.
        number: how many there are.
        rated: how many of them have moved a rating.
        last: when the latest match ended.
        rows: all of them, to be read.
    """

    user_id: int
    asker: int | None
    number: int
    rated: int
    last: datetime | None
    rows: QuerySet[Result] = field(compare=False)


def known_results(user_id: int, asker: int | None, now: datetime) -> KnownResults:
    """The results of somebody that `asker`, None for a visitor, may know at this moment."""
    known_to_all = Q(known__lte=now)
    rows = _rows(user_id, asker, known_to_all)
    about = rows.aggregate(
        number=Count("pk"),
        to_all=Count("pk", filter=known_to_all),
        rated=Count("rating_after"),
        last=Max("ended"),
    )
    knows_more = about.pop("to_all") < about["number"]
    return KnownResults(user_id, asker if knows_more else None, **about, rows=rows)


def _rows(user_id: int, asker: int | None, known_to_all: Q) -> QuerySet[Result]:
    results = Result.objects.filter(user=user_id, game__in=GAMES)
    if asker == user_id:
        return results
    if asker is None:
        return results.filter(known_to_all)
    theirs = Result.objects.filter(match=OuterRef("match"), user=asker)
    return results.filter(known_to_all | Q(Exists(theirs)))


@lru_cache(KEPT)
def summed_up(known: KnownResults) -> Summary:
    """What results come to; whoever asks for the same later is given the same."""
    return Summary(_counts(known.rows), _histories(known.rows), _streaks(known.rows), _opponents(known))


def _counts(results: QuerySet[Result]) -> Counts:
    rows = results.order_by().values_list("game", "score").annotate(Count("pk"))
    return Counter({(slug, score): number for slug, score, number in rows})


def _histories(results: QuerySet[Result]) -> dict[Key, History]:
    rated = results.filter(rating_after__isnull=False)
    in_order = rated.order_by(Coalesce("known", "ended"), "pk")
    rows = in_order.values_list("game", "family", "pool", "rating_before", "rating_after")
    values: dict[Key, list[Any]] = {}
    for slug, family, pool, before, after in rows.iterator(chunk_size=LATELY):
        values.setdefault((slug, family, pool), [before]).append(after)
    return {key: History(charts.curve(each), each[0], min(each), max(each)) for key, each in values.items()}


def _streaks(results: QuerySet[Result]) -> Streaks | None:
    level = Seating.objects.filter(match=OuterRef("match"), level__isnull=False)
    # Nearly all are rated and so without computers, which are looked for at the others alone: a question
    # about each of some thousands takes longer than all else.
    among_people = results.exclude(score=Score.ABORTED).filter(Q(rated=True) | ~Exists(level))
    scores = among_people.order_by("ended", "pk").values_list("score", flat=True)
    runs = [(score, len(list(run))) for score, run in groupby(scores.iterator(chunk_size=LATELY))]
    if not runs:
        return None
    return Streaks(*runs[-1], max((length for score, length in runs if score == Score.WON), default=0))


def _opponents(known: KnownResults) -> list[Opponent]:
    lately = known.rows.order_by("-ended", "-pk")
    scores = dict(lately.values_list("match", "score")[:LATELY])
    theirs = Result.objects.filter(
        match__in=lately.values("match")[:LATELY], user__is_deleted=False, user__is_bot=False
    )
    met: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    others = theirs.exclude(user=known.user_id)
    for name, user_id, match in others.values_list("user__username", "user", "match"):
        if scores.get(match, Score.ABORTED) != Score.ABORTED:
            met[name, user_id][scores[match]] += 1
    most = sorted(met, key=lambda other: (-met[other].total(), other))[:MET]
    return [Opponent(user_id, met[name, user_id]) for name, user_id in most]

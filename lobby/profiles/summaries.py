"""What somebody's results come to, kept for as long as they are the same.

Some people have thousands of them, and to walk through those takes longer than all else on their page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Case, CharField, Count, Exists, Max, OuterRef, Q, QuerySet, When
from django.db.models.functions import Cast, Coalesce

from games.models import Seating
from games.net.process import process
from games.registry import GAMES
from lobby.ratings import charts
from lobby.ratings.charts import Curve
from lobby.ratings.models import Result

KEPT = 500
"""Summaries that are kept, up to some twenty kilobytes each."""
LATELY = 300
"""Matches in which is looked for whom somebody met most often."""
MET = 10
"""Opponents in a summary: more than are shown, since some may leave while it is kept."""

Score = Result.Score
ABORTED = Score.ABORTED.value
Key = tuple[str, str, str]
"""Game, family and pool: what has a rating of its own."""
Counts = Counter[tuple[str, str]]
"""By game and score."""
Move = tuple[str, float, float]
"""When a rating moved, in the order of texts, and the rating before and after."""


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

    Two are equal if they hold the same results: one more is either the newest, or known later than it was
    stored, which makes another number of them.

    Attributes:
        user_id: whose results they are.
        asker: who knows them; None if everybody does.
        number: how many there are.
        rated: how many of them have moved a rating.
        newest: the one that was stored last, by its id; None if there are none.
        rows: all of them, to be read.
    """

    user_id: int
    asker: int | None
    number: int
    rated: int
    newest: int | None
    rows: QuerySet[Result] = field(compare=False)


def known_results(user_id: int, asker: int | None, now: datetime) -> KnownResults:
    """The results of somebody that `asker`, None for a visitor, may know at this moment."""
    known_to_all = Q(known__lte=now)
    rows = _rows(user_id, asker, known_to_all)
    about = {"number": Count("pk"), "rated": Count("rating_after"), "newest": Max("pk")}
    if asker is None:
        return KnownResults(user_id, None, **rows.aggregate(**about), rows=rows)
    found = rows.aggregate(**about, to_all=Count("pk", filter=known_to_all))
    knows_more = found.pop("to_all") < found["number"]
    return KnownResults(user_id, asker if knows_more else None, **found, rows=rows)


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
    counts: Counts = Counter()
    moves: dict[Key, list[Move]] = defaultdict(list)
    among_people: list[str] = []
    for game, score, family, pool, with_computer, moment, before, after in _walk(known.rows):
        counts[game, score] += 1
        if after is not None:
            moves[game, family, pool].append((moment, before, after))
        if not with_computer and score != ABORTED:
            among_people.append(score)
    histories = {key: _history(sorted(each, key=itemgetter(0))) for key, each in moves.items()}
    return Summary(counts, histories, _streaks(among_people), _opponents(known))


process.at_start(summed_up.cache_clear)


def _walk(results: QuerySet[Result]) -> Iterator[tuple[Any, ...]]:
    """What is looked at of each result, in the order in which the matches ended."""
    level = Seating.objects.filter(match=OuterRef("match"), level__isnull=False)
    # Nearly all are rated and so without computers, which are looked for at the others alone: a question
    # about each of some thousands takes longer than all else.
    with_computer = Case(When(rated=True, then=0), When(Exists(level), then=1), default=0)
    # Texts are in the same order as the moments that they tell, which take as long to be made as all else.
    moment = Cast(Coalesce("known", "ended"), CharField())
    columns = ("game", "score", "family", "pool", with_computer, moment, "rating_before", "rating_after")
    return results.order_by("ended", "pk").values_list(*columns).iterator()


def _history(moves: Sequence[Move]) -> History:
    values = [moves[0][1], *(after for _, _, after in moves)]
    return History(charts.curve(values), values[0], min(values), max(values))


def _streaks(scores: Iterable[str]) -> Streaks | None:
    runs = [(score, len(list(run))) for score, run in groupby(scores)]
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
        if scores.get(match, ABORTED) != ABORTED:
            met[name, user_id][scores[match]] += 1
    most = sorted(met, key=lambda other: (-met[other].total(), other))[:MET]
    return [Opponent(user_id, met[name, user_id]) for name, user_id in most]

"""Summaries of a user's results, cached until the next result.

Some users have thousands of results; reading them all takes longer than the rest of the profile page.
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

CACHED_SUMMARIES = 500
"""Maximum summaries in the cache, up to about 20 kB each."""
RECENT_MATCHES = 300
"""Recent matches that are counted to find frequent opponents."""
CACHED_OPPONENTS = 10
"""Opponents in a summary: more than the page shows, as accounts may be deleted while it is cached."""

Score = Result.Score
ABORTED = Score.ABORTED.value
Key = tuple[str, str, str]
"""Game, family and pool, which identify a rating of a user."""
Counts = Counter[tuple[str, str]]
"""Number of results by game and score."""
Move = tuple[str, float, float]
"""A rating change: its time as sortable text, and the rating before and after."""


class History(NamedTuple):
    """The history of a rating: its curve, and its first, lowest and highest value."""

    curve: Curve
    first: float
    lowest: float
    highest: float


class Streaks(NamedTuple):
    """The current streak against people (score and length), and the length of the longest winning streak."""

    score: str
    length: int
    longest: int


class Opponent(NamedTuple):
    """A frequent opponent: user id, and the number of matches by score."""

    user_id: int
    scores: Counter[str]


class Summary(NamedTuple):
    """The summary of a user's results. `opponents` are sorted by recent matches, most first."""

    counts: Counts
    histories: Mapping[Key, History]
    streaks: Streaks | None
    opponents: Sequence[Opponent]


@dataclass(frozen=True, slots=True)
class KnownResults:
    """The results of a user that a reader may see. Used as the cache key of a summary.

    Two are equal if they hold the same results: a further result changes `newest`, or, if it was stored
    before it became visible, `number`.

    Attributes:
        user_id: id of the user whose results these are.
        asker: id of the reader if they see more than everybody does, else None.
        number: number of results.
        rated: number of results that changed a rating.
        newest: id of the result that was stored last; None without results.
        rows: the unevaluated queryset of all of them; not compared.
    """

    user_id: int
    asker: int | None
    number: int
    rated: int
    newest: int | None
    rows: QuerySet[Result] = field(compare=False)


def known_results(user_id: int, asker: int | None, now: datetime) -> KnownResults:
    """The results of a user that `asker` (None for a visitor) may see at `now`."""
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


@lru_cache(CACHED_SUMMARIES)
def summed_up(known: KnownResults) -> Summary:
    """Compute the summary of results; cached by its argument."""
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
    """Yield the columns of each result that a summary needs, in the order in which the matches ended."""
    level = Seating.objects.filter(match=OuterRef("match"), level__isnull=False)
    # Rated matches have no computer players. Checking only the others is fast, as nearly all are rated.
    with_computer = Case(When(rated=True, then=0), When(Exists(level), then=1), default=0)
    # As text the times sort alike, and no datetimes need to be built, which takes as long as the rest.
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
    recent = known.rows.order_by("-ended", "-pk")
    scores = dict(recent.values_list("match", "score")[:RECENT_MATCHES])
    theirs = Result.objects.filter(
        match__in=recent.values("match")[:RECENT_MATCHES], user__is_deleted=False, user__is_bot=False
    )
    met: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    others = theirs.exclude(user=known.user_id)
    for name, user_id, match in others.values_list("user__username", "user", "match"):
        if scores.get(match, ABORTED) != ABORTED:
            met[name, user_id][scores[match]] += 1
    most = sorted(met, key=lambda other: (-met[other].total(), other))[:CACHED_OPPONENTS]
    return [Opponent(user_id, met[name, user_id]) for name, user_id in most]

"""The data of a profile page: results, ratings, opponents, streaks.

The number of queries does not depend on the number of matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import OuterRef, QuerySet, prefetch_related_objects
from django.utils.translation import gettext, ngettext

from games.domain import codec
from games.finished import scoresheet
from games.models import Match, Seating
from games.registry import GAMES, Game
from games.rules.base import Outcome
from games.store import history
from games.store.prepared import PreparedQuery
from games.watch import visibility
from lobby.people.models import User
from lobby.people.words import rules_in_words
from lobby.profiles import summaries
from lobby.profiles.summaries import Counts, History, Key, KnownResults, Streaks
from lobby.ratings import charts
from lobby.ratings.charts import Part
from lobby.ratings.models import Pool, Rating, Result

PAGE = 20
OPPONENTS = 5
UNLISTED = ("options", "start", "outcome", "secret", "words", "offers", "created", "ended", "deadline")
"""The larger columns of a match that a list of results does not show."""

Score = Result.Score


class Record(NamedTuple):
    """Wins, draws and losses of a user at a game, and the shares of a bar in the same order."""

    game: Game
    title: str
    won: int
    drawn: int
    lost: int
    shares: list[Part]


class Standing(NamedTuple):
    """A rating of a user and its history."""

    game: Game
    title: str
    rules: str
    rating: Rating
    history: History


class Opponent(NamedTuple):
    """The score against one opponent."""

    name: str
    matches: int
    won: int
    drawn: int
    lost: int


class Met(NamedTuple):
    """An opponent; deleted accounts have no URL."""

    name: str
    address: str
    computer: bool

    def __str__(self) -> str:
        return self.name


class Played(NamedTuple):
    """A row in the list of a user's matches."""

    match: str
    ply: int
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


def records(counts: Counts, unsettled: Iterable[Result] = ()) -> list[Record]:
    """The record of a user at each game they played, in the order of the registry.

    Args:
        counts: the results that are included in the summary.
        unsettled: results that are added to them.
    """
    counts = counts + Counter((result.game, result.score) for result in unsettled)
    found = []
    for slug, game in GAMES.items():
        won, drawn, lost = (counts[slug, score] for score in (Score.WON, Score.DRAWN, Score.LOST))
        if won or drawn or lost:
            found.append(Record(game, gettext(game.title), won, drawn, lost, charts.parts(won, drawn, lost)))
    return found


def standings(user: User, histories: Mapping[Key, History]) -> list[Standing]:
    """The ratings of a user and their histories, in the order of the registry and of each game's presets.

    They are public: a rating changes only when the end of the match is public.
    """
    ratings = {(each.game, each.family, each.pool): each for each in Rating.objects.filter(user=user)}
    return [
        _standing(game, ratings[key], histories[key])
        for slug, game in GAMES.items()
        for family in game.rules.PRESETS
        for pool in Pool.values
        if (key := (slug, family, pool)) in ratings and key in histories
    ]


def _standing(game: Game, rating: Rating, history: History) -> Standing:
    rules = rules_in_words(game, rating.family, rating.pool)
    return Standing(game, gettext(game.title), rules, rating, history)


def streak_in_words(streaks: Streaks) -> str:
    """The current streak in words, such as “3 wins in a row”."""
    words = {
        Score.WON: ngettext("%(number)d win", "%(number)d wins in a row", streaks.length),
        Score.DRAWN: ngettext("%(number)d draw", "%(number)d draws in a row", streaks.length),
        Score.LOST: ngettext("%(number)d loss", "%(number)d losses in a row", streaks.length),
    }
    return words[Score(streaks.score)] % {"number": streaks.length}


def opponents(met: Sequence[summaries.Opponent]) -> list[Opponent]:
    """The most frequent recent opponents and the scores against them; deleted accounts are left out."""
    there = User.objects.filter(pk__in=[each.user_id for each in met], is_deleted=False)
    names = dict(there.values_list("pk", "username"))
    return [
        Opponent(names[user_id], scores.total(), scores[Score.WON], scores[Score.DRAWN], scores[Score.LOST])
        for user_id, scores in met
        if user_id in names
    ][:OPPONENTS]


class BoardHeld(NamedTuple):
    """A finished match on one device: its holder has the account, the players have names only."""

    match: str
    ply: int
    title: str
    names: list[str]
    result: str
    ended: datetime


def recent(
    user: User, known: KnownResults, unsettled: Sequence[Result], number: str | None
) -> tuple[Page[int], list[Played]]:
    """A page of the matches of `user`, newest first, and its rows.

    The first page starts with the unsettled results, in addition to its usual length.

    Args:
        user: the user whose matches are listed.
        known: the results that the reader may see.
        unsettled: results that are not stored yet.
        number: the page number as given in the URL; invalid numbers give the first or last page.
    """
    paginator = Paginator(_newest_first(known.rows), PAGE)
    paginator.count = known.number
    page = paginator.get_page(number)
    newest = [] if page.has_previous() else _unstored(user, unsettled)
    return page, newest + _rows(user, page)


def _unstored(user: User, unsettled: Sequence[Result]) -> list[Played]:
    """The rows of results that are not stored yet."""
    plies = history.last_numbers(result.match_id for result in unsettled) if unsettled else {}
    return [_played(user, result, plies.get(result.match_id, 0)) for result in unsettled]


def latest(user: User, most: int, unsettled: Sequence[Result] = ()) -> list[Played]:
    """The last `most` matches of `user`, as the user may see them: each from the ply that ended it.

    Args:
        user: the user.
        most: maximum length of the list.
        unsettled: the user's results that are not stored yet.
    """
    fresh = _unstored(user, unsettled)
    settled = _rows(user, _newest_first(user.results.filter(game__in=GAMES))[:most])
    # A match may have been settled between the two queries.
    known = {played.match for played in fresh}
    return [*fresh, *(played for played in settled if played.match not in known)][:most]


def _newest_first(results: QuerySet[Result]) -> QuerySet[Result, int]:
    # Only the ids: sorting and skipping whole rows would cost more.
    return results.order_by("-ended", "-pk").values_list("pk", flat=True)


def _rows(user: User, wanted: QuerySet[Result, int] | Page[int]) -> list[Played]:
    results = Result.objects.filter(pk__in=wanted if isinstance(wanted, QuerySet) else list(wanted))
    newest_first = (
        results.order_by("-ended", "-pk")
        .annotate(ply=history.last_number(OuterRef("match")))
        .select_related("match")
        .defer(*(f"match__{name}" for name in UNLISTED))
        .prefetch_related(Seating.with_names("match__seatings"))
    )
    return [_played(user, result, result.ply) for result in newest_first]


def held_of(user: int | OuterRef) -> QuerySet[Match]:
    """The finished matches that were played on the device of a user."""
    return Match.objects.filter(holder=user, status=Match.Status.FINISHED, game__in=GAMES)


def held_by(user: User, most: int = PAGE) -> list[BoardHeld]:
    """The last `most` finished matches that were played on the device of `user`.

    They are listed for `user` only and count as nobody's result.
    """
    matches = _held_by(user.pk)[:most]
    prefetch_related_objects(matches, "seatings")
    return [_held(match) for match in matches]


_held_by: PreparedQuery[Any] = PreparedQuery(
    lambda user: (
        held_of(user).annotate(ply=history.last_number(OuterRef("pk"))).order_by("-ended", "-pk")[:PAGE]
    ),
    Match,
)


def _held(match: Any) -> BoardHeld:
    names = [seating.name_in_words() for seating in match.seatings.all()]
    outcome = codec.decode(Outcome, match.outcome or "")
    assert match.ended is not None
    return BoardHeld(
        match=match.pk,
        ply=match.ply,
        title=gettext(GAMES[match.game].title),
        names=names,
        result=scoresheet.result(GAMES[match.game], outcome, names),
        ended=match.ended,
    )


def _played(user: User, result: Result, ply: int) -> Played:
    game, seats = GAMES[result.game], result.match.seatings.all()
    change = 0
    if result.rating_before is not None and result.rating_after is not None:
        change = round(result.rating_after) - round(result.rating_before)
    return Played(
        match=result.match_id,
        ply=ply,
        title=gettext(game.title),
        rules=rules_in_words(game, result.family, result.pool),
        score=result.score,
        score_in_words=str(Score(result.score).label).capitalize(),
        opponents=[_met(each.user) for each in seats if each.user and each.user != user],
        ended=result.ended,
        rated=result.rated,
        rating=result.rating_after,
        change=change,
        watchable=visibility.spectator_access(result.match).allowed,
    )


def _met(other: User) -> Met:
    return Met(
        other.name_in_words(), "" if other.is_deleted else other.get_absolute_url(), bool(other.computer)
    )

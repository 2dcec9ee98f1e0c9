"""Who may see a match, and as of when: the one answer that every page, socket, file and list asks for.

The players of a match may keep it to themselves, or have others see everything some seconds later. Those
are two of its terms, and nobody else reads them: who shows a match asks `may_see`, who looks for matches
takes a query from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Case,
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce

from games.domain.refusals import Refused
from games.domain.terms import LONGEST_DELAY, Terms
from games.models import Match, Ply, Seating
from games.rules.base import Seat, gettext_noop
from games.store import history
from games.store.history import Stored

LATELY = timedelta(minutes=10)
"""How old the last ply of a match may be for it to be live."""


class PlayersOnly(Refused):
    """The players of a match keep it to themselves."""

    code, status = "players-only", 403
    sentence = gettext_noop("Only its players see this match.")


@dataclass(frozen=True, slots=True)
class View:
    """How somebody may see a match.

    Attributes:
        seat: where they sit, None if they watch.
        allowed: whether they may look at its board at all, during it and after.
        behind: by how many seconds later than it happens they see everything.
    """

    seat: Seat | None
    allowed: bool
    behind: int

    @property
    def late(self) -> bool:
        """Whether they see the match as it was, and not as it is."""
        return self.behind > 0

    def check(self) -> None:
        """Raise `PlayersOnly` if they may not look."""
        if not self.allowed:
            raise PlayersOnly

    def then(self, now: datetime) -> datetime:
        """The moment that they see now."""
        return now - timedelta(seconds=self.behind)


def may_see(terms: Terms, seat: Seat | None) -> View:
    """How somebody at a seat, or without one, may see a match of these terms."""
    if seat is not None:
        return View(seat, allowed=True, behind=0)
    return View(None, terms.watchable, terms.delay)


def spectator_access(match: Match) -> View:
    """How everybody without a seat may see a match."""
    return may_see(match.terms, None)


def view_of(match: Match, user_id: int | None) -> View:
    """How somebody may see a match."""
    seats = Seating.objects.filter(match=match, user=user_id).values_list("seat", flat=True)
    return may_see(match.terms, None if user_id is None else seats.first())


def seen_by(match_id: str, user_id: int | None, now: datetime) -> tuple[Stored, View]:
    """A match as it is for somebody now, and how they may see it. Raises `UnknownMatch`."""
    stored = history.load(match_id)
    view = may_see(stored.match.terms, None if user_id is None else stored.players.get(user_id))
    return (history.load(match_id, view.then(now)) if view.late else stored), view


def known_in_play(now: datetime) -> QuerySet[Match]:
    """The matches that somebody without a seat may take for being played, where only numbers are told.

    With a delay a match that has ended, or was saved, is one of them for a while yet; and a rematch is
    not at first, since it would tell that the match before it is over.
    """
    then = _then(now)
    # Each by an index of its own: a database that looks through all that ever ended takes seconds.
    ended_lately = Match.objects.filter(
        delay__gt=0,
        ended__gt=now - timedelta(seconds=LONGEST_DELAY),
        ended__gte=then,
    )
    late_plies = Ply.objects.filter(match=OuterRef("pk"), at__gte=_then(now, "match__delay"))
    saved_lately = Match.objects.filter(Exists(late_plies), status=Match.Status.SAVED, delay__gt=0)
    known = Q(rematch_of=None) | Q(delay=0) | Q(created__lt=then)
    in_play = (
        Q(status=Match.Status.PLAYING)
        | Q(pk__in=ended_lately.values("pk"))
        | Q(pk__in=saved_lately.values("pk"))
    )
    # A match at one board is for those who were given its address.
    return Match.objects.filter(in_play, known, holder=None)


def seen_in_play(now: datetime) -> QuerySet[Match]:
    """The matches that somebody without a seat may watch, and may take for being played."""
    return known_in_play(now).filter(watchable=True)


def moved_lately(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    """Those of some matches that had a ply lately, or began lately, as far as spectators have seen."""
    seen = Ply.objects.filter(match=OuterRef("pk"), at__lte=_then(now, "match__delay"))
    last = seen.order_by("-number").values("at")[:1]
    moved = matches.annotate(moved=Coalesce(Subquery(last), F("created")))
    return moved.filter(moved__gte=_then(now - LATELY))


def over_for(user_id: int | None, now: datetime) -> Q:
    """Of matches that have ended: those that somebody may look at, and for whom they are over, too."""
    # Nearly all have no delay; moments are reckoned with for the others alone.
    known_to_all = Q(watchable=True, ended__isnull=False) & (Q(delay=0) | Q(ended__lte=_then(now)))
    if user_id is None:
        return known_to_all
    return known_to_all | Q(Exists(Seating.objects.filter(match=OuterRef("pk"), user=user_id)))


def end_is_known(match: Match, now: datetime) -> bool:
    """Whether a match has ended for everybody who may look at it."""
    others = spectator_access(match)
    return match.ended is not None and (not others.late or match.ended <= others.then(now))


def all_know_from(match: Match) -> datetime | None:
    """The moment from which everybody may look at a match that has ended; None if its players alone may."""
    others = spectator_access(match)
    if match.ended is None or not others.allowed:
        return None
    return match.ended + timedelta(seconds=others.behind)


def ends_became_known(since: datetime | None, now: datetime) -> QuerySet[Match]:
    """The matches with a delay whose end everybody may know by now, but not before `since`."""
    ended = Match.objects.filter(delay__gt=0, ended__lte=_then(now))
    if since is None:
        return ended
    return ended.filter(ended__gt=since - timedelta(seconds=LONGEST_DELAY), ended__gte=_then(since))


def known_from() -> Case:
    """The moment from which everybody may know that a match has ended, in a query."""
    late = ExpressionWrapper(F("ended") + _behind("delay"), DateTimeField())
    return Case(When(delay=0, then=F("ended")), default=late)


def _then(now: datetime, delay: str = "delay") -> ExpressionWrapper[Any]:
    """The moment that watchers of a match see now, in a query; `delay` is the path to its delay."""
    return ExpressionWrapper(Value(now, DateTimeField()) - _behind(delay), DateTimeField())


def _behind(delay: str) -> ExpressionWrapper[Any]:
    """How much later watchers see a match, in a query."""
    # SQLite multiplies durations by plain integers alone.
    seconds = Cast(delay, IntegerField())
    return ExpressionWrapper(seconds * Value(timedelta(seconds=1)), DurationField())

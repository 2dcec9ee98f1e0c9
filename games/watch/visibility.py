"""Visibility: who may see a match, and with which delay. Used by every page, socket, file and list.

Players may make a match private, or delay it for spectators. Both are terms of the match that only this
module reads. Whoever `private_match_wanted` admits may watch a private match; no list shows it to them. Code
that shows one match calls `may_see`; code that lists matches uses a query from here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
from games.watch.signals import private_match_wanted

ADMITTED = "admitted"
"""Topic (`games.net.rights`) of all who watch a private match since `private_match_wanted` admits them."""
LIVE_WITHIN = timedelta(minutes=10)
"""Age of the last ply up to which a match counts as live."""


class PlayersOnly(Refused):
    """The match is private."""

    code, status = "players-only", 403
    sentence = gettext_noop("This match is private.")


@dataclass(frozen=True, slots=True)
class View:
    """What a user may see of a match.

    Attributes:
        seat: the seat of the user; None for spectators.
        allowed: whether the user may see the board at all, during the match and after.
        behind: delay in seconds.
        admitted: whether the user may see it only as long as `private_match_wanted` admits them.
    """

    seat: Seat | None
    allowed: bool
    behind: int
    admitted: bool = False

    @property
    def late(self) -> bool:
        """Whether the user sees the match with a delay."""
        return self.behind > 0

    def check(self) -> None:
        """Raise `PlayersOnly` if the user may not see the match."""
        if not self.allowed:
            raise PlayersOnly

    def then(self, now: datetime) -> datetime:
        """The time whose state the user sees now."""
        return now - timedelta(seconds=self.behind)


def may_see(terms: Terms, seat: Seat | None) -> View:
    """The view of a seat, or of a spectator, on a match with these terms."""
    if seat is not None:
        return View(seat, allowed=True, behind=0)
    return View(None, terms.watchable, terms.delay)


def spectator_access(match: Match) -> View:
    """The view of spectators on a match."""
    return may_see(match.terms, None)


def view_of(match: Match, user_id: int | None) -> View:
    """The view of a user on a match."""
    seats = Seating.objects.filter(match=match, user=user_id).values_list("seat", flat=True)
    seat = None if user_id is None else seats.first()
    return admitted(may_see(match.terms, seat), match.pk, user_id)


def admitted(view: View, match_id: str, user_id: int | None) -> View:
    """The view of a user, who may watch a private match as well if `private_match_wanted` admits them."""
    if view.allowed or user_id is None or not any(private_match_wanted(match_id, user_id)):
        return view
    return replace(view, allowed=True, admitted=True)


def seen_by(match_id: str, user_id: int | None, now: datetime) -> tuple[Stored, View]:
    """A match as a user may see it now, and the view. Raises `UnknownMatch`."""
    stored = history.load(match_id)
    view = may_see(stored.match.terms, None if user_id is None else stored.players.get(user_id))
    view = admitted(view, match_id, user_id)
    return (history.load(match_id, view.then(now)) if view.late else stored), view


def known_in_play(now: datetime) -> QuerySet[Match]:
    """The matches in play as far as spectators may know, for counts.

    A delayed match that has ended or was saved counts for the length of its delay. A rematch does not count
    until then, since it would reveal that the match before it is over.
    """
    then = _visible_time(now)
    # Separate queries, each with its own index: a scan of all finished matches takes seconds.
    ended_lately = Match.objects.filter(
        delay__gt=0,
        ended__gt=now - timedelta(seconds=LONGEST_DELAY),
        ended__gte=then,
    )
    late_plies = Ply.objects.filter(match=OuterRef("pk"), at__gte=_visible_time(now, "match__delay"))
    saved_lately = Match.objects.filter(Exists(late_plies), status=Match.Status.SAVED, delay__gt=0)
    known = Q(rematch_of=None) | Q(delay=0) | Q(created__lt=then)
    in_play = (
        Q(status=Match.Status.PLAYING)
        | Q(pk__in=ended_lately.values("pk"))
        | Q(pk__in=saved_lately.values("pk"))
    )
    # Hot-seat matches are visible by their URL only.
    return Match.objects.filter(in_play, known, holder=None)


def seen_in_play(now: datetime) -> QuerySet[Match]:
    """The matches in play that spectators may watch, as far as they may know."""
    return known_in_play(now).filter(watchable=True)


def moved_lately(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    """The ones with a recent ply or beginning, as far as spectators have seen."""
    seen = Ply.objects.filter(match=OuterRef("pk"), at__lte=_visible_time(now, "match__delay"))
    last = seen.order_by("-number").values("at")[:1]
    moved = matches.annotate(moved=Coalesce(Subquery(last), F("created")))
    return moved.filter(moved__gte=_visible_time(now - LIVE_WITHIN))


def over_for(user_id: int | None, now: datetime) -> Q:
    """A condition: the match is visible to the user, and is over as far as the user may know."""
    # Nearly all matches have no delay; compute times only for the others.
    known_to_all = Q(watchable=True, ended__isnull=False) & (Q(delay=0) | Q(ended__lte=_visible_time(now)))
    if user_id is None:
        return known_to_all
    return known_to_all | Q(Exists(Seating.objects.filter(match=OuterRef("pk"), user=user_id)))


def end_is_known(match: Match, now: datetime) -> bool:
    """Whether a match has ended as far as all its viewers know."""
    others = spectator_access(match)
    return match.ended is not None and (not others.late or match.ended <= others.then(now))


def all_know_from(match: Match) -> datetime | None:
    """When the end of a finished match is public; None if only its players may see the match."""
    others = spectator_access(match)
    if match.ended is None or not others.allowed:
        return None
    return match.ended + timedelta(seconds=others.behind)


def ends_became_known(since: datetime | None, now: datetime) -> QuerySet[Match]:
    """The delayed matches whose end became public between `since` and `now`."""
    ended = Match.objects.filter(delay__gt=0, ended__lte=_visible_time(now))
    if since is None:
        return ended
    return ended.filter(ended__gt=since - timedelta(seconds=LONGEST_DELAY), ended__gte=_visible_time(since))


def known_from() -> Case:
    """An expression: when the end of a match becomes public."""
    late = ExpressionWrapper(F("ended") + _delay("delay"), DateTimeField())
    return Case(When(delay=0, then=F("ended")), default=late)


def _visible_time(now: datetime, delay: str = "delay") -> ExpressionWrapper[Any]:
    """An expression: the time whose state spectators see now. `delay` is the path to the delay column."""
    return ExpressionWrapper(Value(now, DateTimeField()) - _delay(delay), DateTimeField())


def _delay(delay: str) -> ExpressionWrapper[Any]:
    """An expression: the delay of spectators as a duration."""
    # On SQLite, durations can be multiplied only by plain integers.
    seconds = Cast(delay, IntegerField())
    return ExpressionWrapper(seconds * Value(timedelta(seconds=1)), DurationField())

"""Calls: somebody asks the others back to a match, to go on with a saved one or to play again.

What is offered is stored with the match (`games.domain.offers`), and answered at its board. Here it is told
to those who have not answered, wherever they are on the site.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from games.domain import offers
from games.models import Match
from games.registry import GAMES
from games.rules.base import Seat
from games.store import history
from games.store.history import MatchChanges
from lobby.models import User
from lobby.people import person, relationships

REMATCH = "rematch"
"""The kind of a call to play again; the other is `offers.RESUME`."""
REMATCH_FOR = timedelta(hours=1)
"""How long after a match somebody who comes to the site is told of a rematch. The board tells it for ever."""


@dataclass(frozen=True, slots=True)
class Call:
    """Somebody asks others back to a match.

    Attributes:
        match: the match.
        kind: `offers.RESUME` or `REMATCH`.
        by: who asks.
        to: those who have not answered.
        until: until when, in milliseconds, None for as long as they like.
    """

    match: Match
    kind: str
    by: User
    to: tuple[User, ...]
    until: int | None

    def fields(self) -> dict[str, Any]:
        """As browsers are told (`lobby.sockets.messages.CallFields`), in the language that is active."""
        return {
            "match": self.match.pk,
            "kind": self.kind,
            "by": self.by.get_username(),
            "title": gettext(GAMES[self.match.game].title),
            "left": None if self.until is None else self.until - _now(),
        }


def calls_to(user_id: int) -> list[dict[str, Any]]:
    """The calls that somebody has not answered, in the language that is active."""
    found = _calls(history.asked_back(user_id, timezone.now() - REMATCH_FOR))
    return [call.fields() for call in found if any(user.pk == user_id for user in call.to)]


def call_to(match_id: str) -> Call | None:
    """The call to a match, if there is one."""
    return next(iter(_calls([match_id])), None)


def tell(match_id: str) -> None:
    """Tell the players of a match who asks them back to it now, or that nobody does; from any thread."""
    call = call_to(match_id)
    called = frozenset() if call is None else frozenset(user.pk for user in call.to)
    for user_id in Match.objects.filter(pk=match_id).values_list("seatings__user", flat=True):
        if call is not None and user_id in called:
            person.tell_in_words(user_id, _message(call))
        else:
            person.tell(user_id, {"type": "call-over", "match": match_id})


def tell_begun(match: Match) -> None:
    """Tell the players of a rematch that it has begun: the one who offered it may have gone elsewhere."""
    title, of = GAMES[match.game].title, match.rematch_of_id
    if of is None:
        return
    for user_id in match.seatings.values_list("user", flat=True):
        person.tell_in_words(
            user_id,
            lambda: {"type": "begun", "match": match.pk, "rematch_of": of, "title": gettext(title)},
        )


def _message(call: Call) -> Any:
    return lambda: {"type": "call", "call": call.fields()}


def _calls(match_ids: Iterable[str]) -> list[Call]:
    """The calls to these matches, of those to which there is one."""
    ids = list(match_ids)
    if not ids:
        return []
    match_changes = history.match_changes(ids, history.last_numbers(ids))
    matches = Match.objects.filter(pk__in=ids, game__in=GAMES).prefetch_related("seatings__user")
    found = (_call(match, match_changes[match.pk]) for match in matches)
    return [call for call in found if call is not None]


def _call(match: Match, changes: MatchChanges) -> Call | None:
    if match.status == Match.Status.SAVED:
        return _call_to_go_on(match, changes)
    if match.status == Match.Status.FINISHED and changes.rematch is None and changes.offered:
        return _made(match, REMATCH, changes.offered, (), None)
    return None


def _call_to_go_on(match: Match, changes: MatchChanges) -> Call | None:
    for offer in offers.standing(changes.offers, _now()):
        if offer.kind == offers.RESUME:
            first = (offer.by, *(seat for seat in offer.agreed if seat != offer.by))
            left = history.participation(match.pk).left
            return _made(match, offer.kind, first, left, offer.until)
    return None


def _made(
    match: Match, kind: str, asking: tuple[Seat, ...], gone: Iterable[Seat], until: int | None
) -> Call | None:
    """A call by the first of those who ask, to all others; who blocks them, or is blocked, hears nothing.

    None if nobody can play any more with who asks, since they deleted their account or are banned.
    """
    users = {each.seat: each.user for each in match.seatings.all() if each.user is not None}
    by, silent = users[asking[0]], {*asking, *gone}
    if not by.is_active:
        return None
    apart = relationships.blocked_ids(by.pk)
    others = (
        user
        for seat, user in users.items()
        if seat not in silent and user.pk not in apart and not user.computer
    )
    return Call(match, kind, by, tuple(others), until)


def _now() -> int:
    return round(timezone.now().timestamp() * 1000)

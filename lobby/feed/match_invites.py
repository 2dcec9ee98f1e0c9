"""Calls: a player asks the others back to a match, to resume a saved one or for a rematch.

The offer is stored with the match (`games.domain.offers`) and answered at its board. This module notifies
the players who have not answered, on all their pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from games.domain import offers
from games.models import Match, Seating
from games.registry import GAMES
from games.rules.base import Seat
from games.store import history
from games.store.history import MatchChanges
from games.store.prepared import PreparedQuery
from lobby.people import person, relationships
from lobby.people.models import User

REMATCH = "rematch"
"""The kind of a call for a rematch; the other kind is `offers.RESUME`."""
REMATCH_FOR = timedelta(hours=1)
"""For how long after a match the lobby shows the offer of a rematch. The board shows it without a limit."""


def asked_back(user: int | OuterRef) -> QuerySet[Seating]:
    """The seats of a user in matches to which there may be a call."""
    return history.asked_back(user, REMATCH_FOR)


_asked_back = PreparedQuery(lambda user: asked_back(user).values_list("match"))


@dataclass(frozen=True, slots=True)
class Call:
    """A player's call to the others of a match.

    Attributes:
        match: the match.
        kind: `offers.RESUME` or `REMATCH`.
        by: the player who calls.
        to: the players who have not answered.
        until: expiry in milliseconds of Unix time, or None.
    """

    match: Match
    kind: str
    by: User
    to: tuple[User, ...]
    until: int | None

    def fields(self) -> dict[str, Any]:
        """The call as sent to browsers (`lobby.sockets.messages.CallFields`), in the active language."""
        return {
            "match": self.match.pk,
            "kind": self.kind,
            "by": self.by.get_username(),
            "title": gettext(GAMES[self.match.game].title),
            "left": None if self.until is None else self.until - _now(),
        }


def calls_to(user_id: int) -> list[dict[str, Any]]:
    """The calls that a user has not answered, in the active language."""
    found = _calls(match_id for (match_id,) in _asked_back(user_id))
    return [call.fields() for call in found if any(user.pk == user_id for user in call.to)]


def call_to(match_id: str) -> Call | None:
    """The open call to a match, or None."""
    return next(iter(_calls([match_id])), None)


def tell(match_id: str) -> None:
    """Send the players of a match its open call, or that there is none; from any thread."""
    call = call_to(match_id)
    called = frozenset() if call is None else frozenset(user.pk for user in call.to)
    for user_id in Match.objects.filter(pk=match_id).values_list("seatings__user", flat=True):
        if call is not None and user_id in called:
            person.tell_in_words(user_id, _message(call))
        else:
            person.tell(user_id, {"type": "call-over", "match": match_id})


def matches_begun(matches: Sequence[Match]) -> None:
    """Tell the players of rematches that they have begun: they may be on other pages by now."""
    for match in matches:
        if match.rematch_of_id is not None:
            _rematch_begun(match, match.rematch_of_id)


def _rematch_begun(match: Match, of: str) -> None:
    title = GAMES[match.game].title
    players = [seating.user_id for seating in match.seatings.all() if seating.user_id is not None]
    for user_id in players:
        person.tell_in_words(
            user_id,
            lambda: {"type": "begun", "match": match.pk, "rematch_of": of, "title": gettext(title)},
        )


def _message(call: Call) -> Any:
    return lambda: {"type": "call", "call": call.fields()}


def _calls(match_ids: Iterable[str]) -> list[Call]:
    """The open calls to these matches."""
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
    """A call by the first of the asking players to the others, without blocked ones.

    None if the first player's account is deleted or banned.
    """
    users = {each.seat: each.user for each in match.seatings.all() if each.user is not None}
    by, silent = users[asking[0]], {*asking, *gone}
    if not by.is_active:
        return None
    apart = relationships.apart_from(by.pk, [user.pk for user in users.values()])
    others = (
        user
        for seat, user in users.items()
        if seat not in silent and user.pk not in apart and not user.computer
    )
    return Call(match, kind, by, tuple(others), until)


def _now() -> int:
    return round(timezone.now().timestamp() * 1000)

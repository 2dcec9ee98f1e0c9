"""The next match of a player in a tournament, told on all pages and devices of the player.

A page that opens later learns of it by its first message. Pages tell a match once, however often they hear
of it.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from games.domain.instants import milliseconds
from games.models import Match, Ply
from games.registry import GAMES
from games.store.prepared import PreparedQuery
from lobby.people import person
from lobby.people.models import User
from lobby.tournaments import hosting
from lobby.tournaments.formats import FORMATS
from lobby.tournaments.models import Pairing, PairingSeat, Tournament


class WayBack(NamedTuple):
    """The id of a match's tournament, the words of the link to it, and the boards of the host of a simul."""

    tournament: str
    words: str
    hosted: hosting.Hosted | None


def open_seats(user: int | OuterRef) -> QuerySet[PairingSeat]:
    """The seats of a user in tournament matches in play, but for the boards of the host of a simul."""
    return PairingSeat.objects.filter(
        entrant__user=user,
        board=0,
        pairing__decided=None,
        pairing__match__status=Match.Status.PLAYING,
    )


_open = PreparedQuery(lambda user: open_seats(user).order_by("pairing").values_list("pairing"))


def tell(pairing: Pairing) -> None:
    """Tell the players of a pairing that its match has begun; from any thread.

    The host of a simul is told of the first board only.
    """
    for seat in pairing.seats.all():
        if seat.board > 1:
            continue
        user_id = seat.entrant.user_id
        person.tell_in_words(user_id, partial(_message, pairing, user_id))


def _message(pairing: Pairing, user_id: int) -> dict[str, Any]:
    return {"type": "next-match", "next": _fields(pairing, user_id)}


def next_matches(user_id: int) -> list[dict[str, Any]]:
    """The tournament matches in which a user has not moved yet, in the active language."""
    # Most users have none.
    found = _open(user_id)
    if not found:
        return []
    rows = Pairing.objects.filter(pk__in=[pairing for (pairing,) in found])
    told = rows.select_related("tournament__class_round__school_class", "match").prefetch_related(
        "seats__entrant__user"
    )
    return [_fields(pairing, user_id) for pairing in told.order_by("pk") if not _has_moved(pairing, user_id)]


def _has_moved(pairing: Pairing, user_id: int) -> bool:
    seat = next(each.seat for each in pairing.seats.all() if each.entrant.user_id == user_id)
    return Ply.objects.filter(match=pairing.match_id, seat=seat).exists()


def _fields(pairing: Pairing, user_id: int) -> dict[str, Any]:
    """The match as sent to a player (`lobby.sockets.messages.NextMatchFields`), in the active language."""
    tournament, match = pairing.tournament, pairing.match
    assert match is not None
    name, number = _called(pairing)
    players = [seat.entrant for seat in pairing.seats.all()]
    left = None if match.deadline is None else milliseconds(match.deadline) - milliseconds(timezone.now())
    return {
        "match": match.pk,
        "tournament": tournament.pk,
        "name": name,
        "title": gettext(GAMES[tournament.game].title),
        "round": number,
        "table": pairing.table,
        "opponents": [player.name_in_words() for player in players if player.user_id != user_id],
        "left": left,
    }


def _called(pairing: Pairing) -> tuple[str, int]:
    """The title of a tournament and the number of a round. A class numbers its rounds by itself."""
    tournament = pairing.tournament
    if hasattr(tournament, "class_round"):
        return tournament.class_round.school_class.title, tournament.class_round.number
    return tournament.title_in_words, pairing.round


def way_back(match_id: str, user: User | AnonymousUser) -> WayBack | None:
    """Where a player goes after a match of a tournament, and what comes there; None for other matches."""
    pairing = Pairing.objects.filter(match=match_id).select_related("tournament").first()
    if pairing is None:
        return None
    hosted = hosting.hosted_by(user, pairing.tournament)
    return WayBack(pairing.tournament_id, _comes_next(pairing), hosted)


def _comes_next(pairing: Pairing) -> str:
    tournament = pairing.tournament
    if tournament.state == Tournament.State.RUNNING:
        if FORMATS[tournament.format].ARENA:
            return gettext("Tournament: next match")
        if pairing.round < tournament.rounds:
            return gettext("Tournament: round %(round)d") % {"round": pairing.round + 1}
    return gettext("Back to the tournament")

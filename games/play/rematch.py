"""Rematches: who wants one, and its begin once every seat does."""

from __future__ import annotations

import orjson
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.domain import match_actions
from games.domain.refusals import PlayerGone
from games.models import Match, Seating
from games.play.begin import create, create_shared
from games.rules.base import Seat
from games.store import history, match_offers


@transaction.atomic
def want_rematch(match_id: str, seat: Seat) -> tuple[tuple[Seat, ...], str | None]:
    """Record that a seat wants a rematch, and begin it when all seats do.

    Returns the seats that want it, and the id of the rematch if it exists. Raises `PlayerGone` if one of the
    players can never agree.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    if match.holder is not None:
        return (), _shared_rematch(match, match.holder).pk
    seatings = list(Seating.objects.filter(match=match).select_related("user"))
    known = Match.objects.filter(rematch_of=match).values_list("pk", flat=True).first()
    # A player who agreed may have been deleted or banned since.
    if known is None and not all(s.user and s.user.is_active for s in seatings):
        raise PlayerGone
    offered = match_offers.want_rematch(match, seat)
    if known is not None or not all(s.seat in offered or s.level is not None for s in seatings):
        return offered, known
    start = history.state_after(match_id, 0)
    # Seats rotate, so that another player has the first move; not after an aborted rated match, or players
    # would abort to get the first move.
    same_seats = match.rated and _without_result(match)
    rotated = seatings if same_seats else seatings[1:] + seatings[:1]
    users = [s.user for s in rotated if s.user is not None]
    levels = {seat: s.level for seat, s in enumerate(rotated) if s.level is not None}
    keepers = {seat: s.keeper_id for seat, s in enumerate(rotated) if s.keeper_id is not None}
    begun = create(match.game, start.options, users, start.turn, match.terms, match, levels, keepers)
    return offered, begun.pk


def _without_result(match: Match) -> bool:
    return match.outcome is not None and orjson.loads(match.outcome)["reason"] in match_actions.WITHOUT_RESULT


def _shared_rematch(match: Match, holder: AbstractBaseUser) -> Match:
    """Begin the rematch of a hot-seat match, which needs no agreement."""
    known = Match.objects.filter(rematch_of=match).first()
    if known is not None:
        return known
    start = history.state_after(match.pk, 0)
    names = list(Seating.objects.filter(match=match).values_list("name", flat=True))
    # Seats rotate, as in any rematch.
    return create_shared(match.game, start.options, [*names[1:], names[0]], holder, start.turn, match)

"""What seats say beside their plies, stored: words for the dice, offers, the wish for a rematch.

Each has the row of its match locked. Only the service calls them.
"""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from django.db import transaction

from games import codec, offers
from games.journal import Overtaken
from games.models import Match, Ply, Seating
from games.offers import Offer, Offers
from games.refusals import AlreadyBegun
from games.rules.base import Seat


def want_rematch(match: Match, seat: Seat) -> tuple[Seat, ...]:
    """Note that a seat wants a rematch of a locked match; all seats that do."""
    seatings = Seating.objects.filter(match=match)
    seatings.filter(seat=seat).update(wants_rematch=True)
    return tuple(seatings.filter(wants_rematch=True).values_list("seat", flat=True))


def add_words(match_id: str, seat: Seat, words: str) -> tuple[str, ...]:
    """Store a seat's words and return everyone's. Raises `AlreadyBegun`."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.words is not None:
            raise AlreadyBegun
        Seating.objects.filter(match=match, seat=seat).update(words=words)
        return tuple(Seating.objects.filter(match=match).order_by("seat").values_list("words", flat=True))


def agree(match_id: str, ply: int, kind: str, seat: Seat, now: int) -> tuple[Offers, Offer]:
    """Note what a seat offers, or agrees to, in the position after `ply`.

    Returns all that is on offer, and the offer that this was about. Raises `Overtaken` if the match has
    gone on.
    """
    with transaction.atomic():
        known = _offers(match_id, ply)
        open_now, offer = offers.agreed(known, kind, seat, now)
        if open_now != known:
            _store(match_id, ply, open_now)
        return open_now, offer


def decline(match_id: str, ply: int, kind: str, now: int) -> Offers:
    """Note that nothing comes of an offer, and return those that are left. Raises `Overtaken`."""
    with transaction.atomic():
        open_now = offers.declined(_offers(match_id, ply), kind, now)
        _store(match_id, ply, open_now)
        return open_now


def hide_crowd(match_id: str, seat: Seat, hidden: bool) -> tuple[Seat, ...]:
    """Store whether a seat hides who watches; the seats that do."""
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=match_id)
        Seating.objects.filter(match=match_id, seat=seat).update(hides_crowd=hidden)
        hiding = Seating.objects.filter(match=match_id, hides_crowd=True).order_by("seat")
        return tuple(hiding.values_list("seat", flat=True))


def open_offers(text: str | None, ply: int) -> Offers:
    """What was on offer in the position after `ply`, read from the column."""
    if text is None:
        return ()
    noted = orjson.loads(text)
    return tuple(codec.decode(Offer, each) for each in noted["offers"]) if noted["ply"] == ply else ()


def _offers(match_id: str, ply: int) -> Offers:
    match = Match.objects.select_for_update().get(pk=match_id)
    if Ply.objects.filter(match=match_id, number__gt=ply).exists():
        raise Overtaken(f"{match_id} has gone on since ply {ply}")
    return open_offers(match.offers, ply)


def _store(match_id: str, ply: int, open_now: Sequence[Offer]) -> None:
    noted = codec.encode({"ply": ply, "offers": open_now}).decode()
    Match.objects.filter(pk=match_id).update(offers=noted)

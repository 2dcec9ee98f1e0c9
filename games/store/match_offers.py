"""Stores what players agree on without plies: client seeds of the dice, offers, rematch wishes.

Each function locks the row of its match. Only the match service calls them.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

from django.db import transaction

from games.domain import codec, instants, offers
from games.domain.messages import OfferKind
from games.domain.offers import Asked, Offer, Offers
from games.domain.refusals import AlreadyBegun, AskedAlready, AskedAlreadyRecently
from games.models import Match, Ply, Seating
from games.rules.base import Seat
from games.store.journal import WriteConflict

MOST_COMMANDS = 32
"""Command ids kept per position to detect repeats, which arrive within seconds."""


@dataclass(frozen=True, slots=True)
class Noted:
    """The open offers after ply `ply`, and the last commands about offers, by seat and id.

    `asked` has the last offers of each seat, also from earlier positions.
    """

    ply: int
    offers: Offers = ()
    commands: tuple[tuple[Seat, str], ...] = ()
    asked: tuple[Asked, ...] = ()


def want_rematch(match: Match, seat: Seat) -> tuple[Seat, ...]:
    """Record that a seat wants a rematch of a locked match. Returns all seats that do."""
    seatings = Seating.objects.filter(match=match)
    seatings.filter(seat=seat).update(wants_rematch=True)
    return tuple(seatings.filter(wants_rematch=True).values_list("seat", flat=True))


def add_words(match_id: str, seat: Seat, words: str) -> tuple[str, ...]:
    """Store a seat's client seed, and return those of all seats. Raises `AlreadyBegun`."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.words is not None:
            raise AlreadyBegun
        Seating.objects.filter(match=match, seat=seat).update(words=words)
        return tuple(Seating.objects.filter(match=match).order_by("seat").values_list("words", flat=True))


def agree(  # noqa: PLR0913 - the command and the position it was given in
    match_id: str,
    ply: int,
    command: tuple[Seat, str],
    kind: OfferKind,
    now: int,
    needed: Set[Seat],
    computers: Set[Seat] = frozenset(),
) -> tuple[Offers, Offer | None]:
    """Record an offer of a seat, or its agreement, in the position after `ply`.

    Args:
        now: time in milliseconds.
        needed: seats that have to agree.
        computers: those of them whose computer players decide later.

    Returns all open offers, and the offer that this was about; None if the same command was recorded before
    and nothing has come of it. Raises `WriteConflict` if the match has gone on, and `AskedAlready` or
    `AskedAlreadyRecently` if the seat made the same offer too recently.
    """
    seat, _ = command
    with transaction.atomic():
        known = _noted(match_id, ply)
        if command in known.commands:
            still = offers.standing(known.offers, now)
            return known.offers, next((o for o in still if o.kind == kind and seat in o.agreed), None)
        open_now, offer = offers.agreed(known.offers, kind, seat, now)
        asked = _asked(known, offer, now)
        if needed <= set(offer.agreed):
            # An accepted offer may be repeated at once, for instance to take back another move.
            asked = _without(asked, offer)
        _note(match_id, replace(known, asked=asked), open_now, command)
        if computers - set(offer.agreed):
            Match.objects.filter(pk=match_id).update(bot_due=instants.moment(now))
        return open_now, offer


def decline(match_id: str, ply: int, command: tuple[Seat, str], kind: str, now: int) -> Offers:
    """Record that an offer was declined, and return the remaining ones. Raises `WriteConflict`."""
    with transaction.atomic():
        known = _noted(match_id, ply)
        if command in known.commands:
            return known.offers
        open_now = offers.declined(known.offers, kind, now)
        by = {offer.by for offer in known.offers if offer.kind == kind}
        asked = tuple(
            replace(each, closed=each.closed or (each.kind == kind and each.by in by)) for each in known.asked
        )
        _note(match_id, replace(known, asked=asked), open_now, command)
        return open_now


def hide_crowd(match_id: str, seat: Seat, hidden: bool) -> tuple[Seat, ...]:
    """Store whether a seat hides the spectators. Returns the seats that do."""
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=match_id)
        Seating.objects.filter(match=match_id, seat=seat).update(hides_crowd=hidden)
        hiding = Seating.objects.filter(match=match_id, hides_crowd=True).order_by("seat")
        return tuple(hiding.values_list("seat", flat=True))


def open_offers(text: str | None, ply: int) -> Offers:
    """The open offers in the position after `ply`, read from the column."""
    return _read(text, ply).offers


def asked_back(text: str | None, ply: int) -> frozenset[Seat]:
    """The seats that asked after `ply` to resume the halted match."""
    asked = _read(text, ply).asked
    return frozenset(each.by for each in asked if each.kind == offers.RESUME and each.ply == ply)


def _read(text: str | None, ply: int) -> Noted:
    noted = Noted(ply) if text is None else codec.decode(Noted, text)
    return noted if noted.ply == ply else Noted(ply, asked=noted.asked)


def _noted(match_id: str, ply: int) -> Noted:
    match = Match.objects.select_for_update().get(pk=match_id)
    if Ply.objects.filter(match=match_id, number__gt=ply).exists():
        raise WriteConflict(f"{match_id} has gone on since ply {ply}")
    return _read(match.offers, ply)


def _asked(known: Noted, offer: Offer, now: int) -> tuple[Asked, ...]:
    """The last offers of each seat, with `offer` if new. Raises `AskedAlready` or `AskedAlreadyRecently`."""
    if offer.agreed != (offer.by,) or offer in known.offers:
        return known.asked
    last = next((each for each in known.asked if (each.kind, each.by) == (offer.kind, offer.by)), None)
    if last is not None and not last.may_repeat(known.ply, now):
        raise AskedAlready if last.closed and offer.kind != offers.RESUME else AskedAlreadyRecently
    return (*_without(known.asked, offer), Asked(offer.kind, offer.by, known.ply, now))


def _without(asked: tuple[Asked, ...], offer: Offer) -> tuple[Asked, ...]:
    return tuple(each for each in asked if (each.kind, each.by) != (offer.kind, offer.by))


def _note(match_id: str, known: Noted, open_now: Offers, command: tuple[Seat, str]) -> None:
    commands = (*known.commands, command)[-MOST_COMMANDS:]
    noted = codec.encode(replace(known, offers=open_now, commands=commands)).decode()
    Match.objects.filter(pk=match_id).update(offers=noted)

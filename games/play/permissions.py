"""What a seat may do now, by the checks that its commands pass (`.validation`, `.offer_rules`, `.claims`).

Clients need no knowledge of the match rules, and offer nothing that would be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import orjson

from games.domain import match_actions
from games.domain.messages import ClaimKind, MayFields, OfferKind, PlainCommand
from games.domain.offers import Offer
from games.domain.refusals import Refused
from games.play import claims, offer_rules, validation
from games.play.live import LiveMatch
from games.rules.base import IllegalMove, Seat


def may(live: LiveMatch, seat: Seat) -> MayFields:
    """Everything a seat may do in the current position."""
    there = _passes(validation.under_way, live) and _passes(validation.not_left, live, seat)
    return {
        "commands": _in_play(live, seat) if there else _always_open(live),
        "offer": [kind for kind in _OFFERS if there and _passes(offer_rules.offered, live, kind, seat, seat)],
        "agree": [offer.kind for offer in live.offers if there and _may_agree(live, seat, offer)],
        "claim": [kind for kind in _CLAIMS if there and _may_claim(live, seat, kind)],
    }


def for_seats(live: LiveMatch) -> dict[Seat, dict[str, Any]]:
    """Per-seat fields of a match message. Computer players get none."""
    return {seat: for_seat(live, seat) for seat in live.people}


def offers_for_seats(live: LiveMatch) -> dict[Seat, dict[str, Any]]:
    """Per-seat fields of a message with new offers but the same position."""
    return {seat: {"may": _cached_may(live, live.acts_for(seat))} for seat in live.people}


def for_seat(live: LiveMatch, at: Seat | None) -> dict[str, Any]:
    """Fields of the position for one seat: its permissions, and its legal moves if it is to move."""
    if at is None:
        return {}
    seat = live.acts_for(at)
    legal = {"legal": live.legal()} if live.waits_for(seat) else {}
    return {"may": _cached_may(live, seat), **legal}


def standing(live: LiveMatch, seat: Seat | None) -> dict[str, Any]:
    """The current position and flags, as fields for a seat."""
    return {**live.position(), **live.flag_fields(), **for_seat(live, seat)}


CACHE_SIZE = 10_000
"""Size limit of the permission cache, hardly ever reached."""
_cache: dict[tuple[Any, ...], orjson.Fragment] = {}


def _cached_may(live: LiveMatch, seat: Seat) -> orjson.Fragment:
    """`may` as JSON, cached by everything it depends on and shared between matches."""
    # Positions with open offers hardly ever repeat.
    if live.offers:
        return _encoded(live, seat)
    key = (
        seat,
        live.kind,
        live.state.turn,
        live.outcome is None,
        live.ply == 0,
        live.flags,
        live.gone,
        live.rematch is None,
        live.asked_back,
        match_actions.has_decided(live.line, seat),
        match_actions.has_decided(live.line, match_actions.last_mover(live.line, seat))
        if live.shared
        else None,
    )
    known = _cache.get(key)
    if known is None:
        if len(_cache) >= CACHE_SIZE:
            _cache.clear()
        known = _cache[key] = _encoded(live, seat)
    return known


def _encoded(live: LiveMatch, seat: Seat) -> orjson.Fragment:
    return orjson.Fragment(orjson.dumps(may(live, seat)))


_OFFERS: tuple[OfferKind, ...] = get_args(OfferKind)
_CLAIMS: tuple[ClaimKind, ...] = get_args(ClaimKind)


def _in_play(live: LiveMatch, seat: Seat) -> list[PlainCommand]:
    move = _passes(validation.decides, live, seat) and _passes(validation.on_turn, live, seat)
    return [
        *_named("move", move),
        "resign",
        *_named("decline", not live.shared),
        *_named("abort", _passes(validation.aborted, live, seat)),
        *_named("reclaim", _passes(claims.reclaimed, live, seat)),
        *_always_open(live),
    ]


def _always_open(live: LiveMatch) -> list[PlainCommand]:
    """Commands open to every seat, including those that have left."""
    again = _passes(offer_rules.another_match, live)
    return [*_named("words", _passes(validation.words_open, live)), *_named("rematch", again)]


def _may_agree(live: LiveMatch, seat: Seat, offer: Offer) -> bool:
    return offer.by != seat and _passes(offer_rules.offered, live, offer.kind, seat, offer.by)


def _may_claim(live: LiveMatch, seat: Seat, kind: ClaimKind) -> bool:
    """Whether a seat may claim once the player on turn has been away too long or the match is idle."""
    gone = offer_rules.NOBODY if live.absence() is None else {live.state.turn}
    return _passes(claims.claimed, live, seat, kind, gone, live.idle_due() is not None)


def _named(name: PlainCommand, passed: bool) -> list[PlainCommand]:
    return [name] if passed else []


def _passes(check: Callable[..., Any], *about: Any) -> bool:
    try:
        check(*about)
    except (Refused, IllegalMove):
        return False
    return True

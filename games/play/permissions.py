"""What a seat may do now: one check for each command.

The service judges commands by these checks, and messages list what passes them (`messages.MayFields`).
So whoever shows a match need not know the law, and shows nothing that would be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

from games.law import absence, offers
from games.law.messages import ClaimKind, MayFields, OfferKind, PlainCommand
from games.law.refusals import (
    AlreadyBegun,
    Caretaken,
    GameOver,
    Halted,
    HasLeft,
    NotCaretaken,
    NotOver,
    NotYourTurn,
    Refused,
    TooLate,
)
from games.rules.base import IllegalMove, Seat

if TYPE_CHECKING:
    from games.play.live import LiveMatch


def under_way(live: LiveMatch) -> None:
    """Whether anything can still happen in the match. Raises `Refused`, as every check here does."""
    if live.outcome is not None:
        raise GameOver


def not_left(live: LiveMatch, seat: Seat) -> None:
    """Whether a seat still takes part, be it through a bot."""
    if seat in live.situation.left:
        raise HasLeft


def plays(live: LiveMatch, seat: Seat) -> None:
    """Whether the match goes on, and the player of a seat decides there."""
    if live.situation.halted:
        raise Halted
    if seat in live.situation.caretaken:
        raise Caretaken


def on_turn(live: LiveMatch, seat: Seat) -> None:
    """Whether it is the turn of a seat."""
    if live.state.turn != seat:
        raise NotYourTurn


def abort(live: LiveMatch) -> None:
    """Whether the match has not really begun."""
    if live.situation.acted >= set(live.remaining):
        raise TooLate


def reclaim(live: LiveMatch, seat: Seat) -> None:
    """Whether a bot has a seat's chair."""
    if seat not in live.situation.caretaken:
        raise NotCaretaken


def rematch(live: LiveMatch) -> None:
    """Whether it is time for another match."""
    if live.outcome is None:
        raise NotOver


def words(live: LiveMatch) -> None:
    """Whether words can still be added to the dice."""
    if live.ply > 0:
        raise AlreadyBegun


def may(live: LiveMatch, seat: Seat) -> MayFields:
    """All that a seat may do in the position as it is."""
    there = _passes(under_way, live) and _passes(not_left, live, seat)
    return {
        "commands": _in_play(live, seat) if there else _beside(live),
        "offer": [kind for kind in _OFFERS if there and _passes(offers.judged, live, kind, seat, seat)],
        "agree": [offer.kind for offer in live.offers if there and _may_agree(live, seat, offer)],
        "claim": [kind for kind in _CLAIMS if there and _may_claim(live, seat, kind)],
    }


_OFFERS: tuple[OfferKind, ...] = get_args(OfferKind)
_CLAIMS: tuple[ClaimKind, ...] = get_args(ClaimKind)


def _in_play(live: LiveMatch, seat: Seat) -> list[PlainCommand]:
    move = _passes(plays, live, seat) and _passes(on_turn, live, seat)
    return [
        *_named("move", move),
        "resign",
        "decline",
        *_named("abort", _passes(abort, live)),
        *_named("reclaim", _passes(reclaim, live, seat)),
        *_beside(live),
    ]


def _beside(live: LiveMatch) -> list[PlainCommand]:
    """What is open to every seat, also to those that have left."""
    return [*_named("words", _passes(words, live)), *_named("rematch", _passes(rematch, live))]


def _may_agree(live: LiveMatch, seat: Seat, offer: offers.Offer) -> bool:
    return offer.by != seat and _passes(offers.judged, live, offer.kind, seat, offer.by)


def _may_claim(live: LiveMatch, seat: Seat, kind: ClaimKind) -> bool:
    """Whether a seat may claim something once the player on turn has been away for long enough."""
    waits = absence.patience(live.control) is not None
    return waits and _passes(absence.claimed, live, seat, kind, {live.state.turn})


def _named(name: PlainCommand, passed: bool) -> list[PlainCommand]:
    return [name] if passed else []


def _passes(check: Callable[..., Any], *about: Any) -> bool:
    try:
        check(*about)
    except (Refused, IllegalMove):
        return False
    return True

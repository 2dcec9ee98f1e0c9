"""What seats can agree on, and for how long an offer stands. Pure.

An offer belongs to the position it was made in: the next ply ends it, whatever it is. So nothing can be
agreed to that meant another position.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.domain import match_actions
from games.domain.messages import OfferKind
from games.rules.base import ENDED, Seat

DRAW, TAKE_BACK, PAUSE, SAVE, RESUME, END = "draw", "take-back", "pause", "save", "resume", "end"

OPEN_FOR = 30_000
"""Milliseconds for which an offer stands."""
INVITED_FOR = 600_000
"""An invitation to go on with a saved match waits for people who may have to be called."""

ACTS = {
    DRAW: match_actions.AGREED,
    PAUSE: match_actions.PAUSED,
    SAVE: match_actions.SAVED,
    RESUME: match_actions.RESUMED,
    END: ENDED,
}
"""What becomes of an offer that all agreed to; a take-back must first look where it leads."""

AGAIN_AFTER_PLIES = 2
"""Plies after which the same offer may be made again, whatever became of the last one."""
AGAIN_AFTER = 60_000
"""Milliseconds after which it may be made again in the same position, if nobody has answered it. An
invitation to go on with a match that stands still may, even if it was declined: there no ply comes."""

NOBODY: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """Something `by` proposed, to which the seats in `agreed` have agreed; open until that millisecond."""

    kind: OfferKind
    by: Seat
    agreed: tuple[Seat, ...]
    until: int


Offers = tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The last offer of its kind that a seat made: after which ply, at which millisecond, and whether it was
    declined or withdrawn.
    """

    kind: OfferKind
    by: Seat
    ply: int
    at: int
    closed: bool = False

    def may_repeat(self, ply: int, now: int) -> bool:
        """Whether the seat may make this offer again after `ply`: each one interrupts the others."""
        waits_for_moves = self.closed and self.kind != RESUME
        return ply - self.ply >= AGAIN_AFTER_PLIES or (not waits_for_moves and now - self.at >= AGAIN_AFTER)


def standing(offers: Offers, now: int) -> Offers:
    """The offers that are still open."""
    return tuple(offer for offer in offers if now < offer.until)


def agreed(offers: Offers, kind: OfferKind, seat: Seat, now: int) -> tuple[Offers, Offer]:
    """The offers once `seat` has proposed something, or agreed to it; and the one that it is about."""
    still = standing(offers, now)
    known = next((offer for offer in still if offer.kind == kind), None)
    if known is None:
        wait = INVITED_FOR if kind == RESUME else OPEN_FOR
        offer = Offer(kind, seat, (seat,), now + wait)
    else:
        offer = replace(known, agreed=tuple(sorted({*known.agreed, seat})))
    return (*(other for other in still if other.kind != kind), offer), offer


def declined(offers: Offers, kind: str, now: int) -> Offers:
    """The offers once somebody has said no to one, or taken it back."""
    return tuple(offer for offer in standing(offers, now) if offer.kind != kind)


def proposer(offers: Offers, kind: str, seat: Seat, now: int) -> Seat:
    """Whose offer it is that `seat` makes or agrees to."""
    return next((offer.by for offer in standing(offers, now) if offer.kind == kind), seat)

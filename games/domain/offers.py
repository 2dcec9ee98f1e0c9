"""Offers between players, and how long they stay open. Pure.

An offer belongs to the position in which it was made: the next ply, whatever it is, voids it. So no player
can agree to an offer meant for another position.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.domain import match_actions
from games.domain.messages import OfferKind
from games.rules.base import ENDED, Seat

DRAW, TAKE_BACK, PAUSE, SAVE, RESUME, END = "draw", "take-back", "pause", "save", "resume", "end"

OPEN_FOR = 30_000
"""Milliseconds for which an offer stays open."""
INVITED_FOR = 600_000
"""The same for an offer to resume a saved match, since the others may have to be called."""

ACTION_OF_OFFER = {
    DRAW: match_actions.AGREED,
    PAUSE: match_actions.PAUSED,
    SAVE: match_actions.SAVED,
    RESUME: match_actions.RESUMED,
    END: ENDED,
}
"""The act of an accepted offer. For a take-back it depends on the plies."""

AGAIN_AFTER_PLIES = 2
"""Plies after which the same offer may be repeated, whatever became of the last one."""
AGAIN_AFTER = 60_000
"""Milliseconds after which it may be repeated in the same position if it was not answered. An offer to resume
a halted match may be repeated even if it was declined, since no ply can follow.
"""

NOBODY: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer made by `by`; `agreed` are the seats that agree. Open until `until`, in milliseconds."""

    kind: OfferKind
    by: Seat
    agreed: tuple[Seat, ...]
    until: int


Offers = tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The last offer of a kind by a seat.

    After which ply, when (in milliseconds), and whether it was declined or withdrawn.
    """

    kind: OfferKind
    by: Seat
    ply: int
    at: int
    closed: bool = False

    def may_repeat(self, ply: int, now: int) -> bool:
        """Whether the seat may repeat the offer after `ply`. Limited, since offers interrupt the others."""
        waits_for_moves = self.closed and self.kind != RESUME
        return ply - self.ply >= AGAIN_AFTER_PLIES or (not waits_for_moves and now - self.at >= AGAIN_AFTER)


def standing(offers: Offers, now: int) -> Offers:
    """The offers that are still open."""
    return tuple(offer for offer in offers if now < offer.until)


def agreed(offers: Offers, kind: OfferKind, seat: Seat, now: int) -> tuple[Offers, Offer]:
    """The offers after `seat` has made or accepted one, and that offer."""
    still = standing(offers, now)
    known = next((offer for offer in still if offer.kind == kind), None)
    if known is None:
        wait = INVITED_FOR if kind == RESUME else OPEN_FOR
        offer = Offer(kind, seat, (seat,), now + wait)
    else:
        offer = replace(known, agreed=tuple(sorted({*known.agreed, seat})))
    return (*(other for other in still if other.kind != kind), offer), offer


def declined(offers: Offers, kind: str, now: int) -> Offers:
    """The offers after one was declined or withdrawn."""
    return tuple(offer for offer in standing(offers, now) if offer.kind != kind)


def proposer(offers: Offers, kind: str, seat: Seat, now: int) -> Seat:
    """The seat that made the offer which `seat` makes or accepts."""
    return next((offer.by for offer in standing(offers, now) if offer.kind == kind), seat)

"""What seats can agree on, who has to, and for how long an offer stands. Pure.

An offer belongs to the position it was made in: the next ply ends it, whatever it is. So nothing can be
agreed to that meant another position.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from games.law import acts
from games.law.acts import Act
from games.law.messages import OfferKind
from games.law.refusals import (
    Caretaken,
    ForTwo,
    GameOver,
    Halted,
    NoClock,
    NoDraws,
    NotHalted,
    NotYourTurn,
    RatedMatch,
)
from games.rules.base import ENDED, Seat

if TYPE_CHECKING:
    from games.play.live import LiveMatch

DRAW, TAKE_BACK, PAUSE, SAVE, RESUME, END = "draw", "take-back", "pause", "save", "resume", "end"

OPEN_FOR = 30_000
"""Milliseconds for which an offer stands."""
INVITED_FOR = 600_000
"""An invitation to go on with a saved match waits for people who may have to be called."""

ACTS = {
    DRAW: acts.AGREED,
    PAUSE: acts.PAUSED,
    SAVE: acts.SAVED,
    RESUME: acts.RESUMED,
    END: ENDED,
}
"""What becomes of an offer that all agreed to; a take-back must first look where it leads."""

NOBODY: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """Something `by` proposed, to which the seats in `agreed` have agreed; open until that millisecond."""

    kind: OfferKind
    by: Seat
    agreed: tuple[Seat, ...]
    until: int


Offers = tuple[Offer, ...]


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


def judged(
    live: LiveMatch, kind: OfferKind, seat: Seat, by: Seat, gone: Set[Seat] = NOBODY
) -> tuple[frozenset[Seat], Act]:
    """Who has to agree to an offer that `by` made and `seat` now agrees to, and what happens then.

    `gone` are those whose players have been away for too long; nobody waits for their vote. Raises
    `Refused` or `IllegalMove` where the offer cannot be made.
    """
    needed = _who_must_agree(live, kind, seat, by, gone)
    return needed, acts.last_decision(live.line, by) if kind == TAKE_BACK else Act(ACTS[kind], by)


def _who_must_agree(live: LiveMatch, kind: str, seat: Seat, by: Seat, gone: Set[Seat]) -> frozenset[Seat]:
    """The seats without which nothing comes of an offer."""
    situation = live.situation
    if live.outcome is not None:
        raise GameOver
    if seat in situation.caretaken:
        raise Caretaken
    if (kind == RESUME) != bool(situation.halted):
        raise NotHalted if kind == RESUME else Halted
    _check(live, kind, by)
    alone = (kind == RESUME and situation.halted == acts.PAUSED) or (kind == SAVE and not live.terms.rated)
    if alone:
        return frozenset({seat})
    absent = gone if kind == END else frozenset()
    # A computer player thinks about a draw, and has nothing against the rest.
    easy = frozenset() if kind == DRAW else live.levels.keys()
    return frozenset(live.remaining) - situation.caretaken - absent - easy | {seat}


def _check(live: LiveMatch, kind: str, by: Seat) -> None:
    """Whether this may be offered in this match, by that seat, now."""
    if kind == DRAW and (not live.game.draws or len(live.names) > 2):
        raise NoDraws
    if kind == TAKE_BACK and live.terms.rated:
        raise RatedMatch
    if kind == PAUSE and not live.control.live:
        raise NoClock
    if kind == SAVE and live.state.turn != by:
        raise NotYourTurn
    if kind == END and len(live.names) == 2:
        raise ForTwo

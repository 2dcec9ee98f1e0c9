"""Which offers a seat may make, and who has to agree. `.offers` executes them.

Functions change nothing and raise `Refused`.
"""

from __future__ import annotations

from collections.abc import Set

from games.domain import match_actions, offers
from games.domain.match_actions import Act
from games.domain.messages import OfferKind
from games.domain.refusals import (
    Caretaken,
    ForTwo,
    Halted,
    NoClock,
    NoDraws,
    NotHalted,
    NotOver,
    OneBoard,
    PlayerGone,
    RatedTakeback,
)
from games.play.live import LiveMatch
from games.play.validation import on_turn, under_way
from games.rules.base import Seat

NOBODY: frozenset[Seat] = frozenset()


def offered(
    live: LiveMatch,
    kind: OfferKind,
    seat: Seat,
    by: Seat,
    gone: Set[Seat] = NOBODY,
    resting: Set[Seat] = NOBODY,
) -> tuple[frozenset[Seat], Act]:
    """The seats that have to agree to an offer made by `by` and now agreed to by `seat`, and its action.

    Args:
        gone: seats whose players have been away for too long; their votes are not needed.
        resting: seats whose players left during a pause; it does not end without them.

    Raises `IllegalMove` too.
    """
    needed = _who_must_agree(live, kind, seat, by, gone, resting)
    if kind != offers.TAKE_BACK:
        return needed, Act(offers.ACTION_OF_OFFER[kind], by)
    # In a hot-seat match the last mover takes back, although another seat is on turn.
    mover = match_actions.last_mover(live.line, by) if live.shared else by
    return needed, match_actions.last_decision(live.line, mover)


def _who_must_agree(
    live: LiveMatch, kind: str, seat: Seat, by: Seat, gone: Set[Seat], resting: Set[Seat]
) -> frozenset[Seat]:
    """The seats that must agree to an offer."""
    flags = live.flags
    under_way(live)
    if seat in flags.caretaken:
        raise Caretaken
    if (kind == offers.RESUME) != bool(flags.halted):
        raise NotHalted if kind == offers.RESUME else Halted
    _may_be_offered(live, kind, by)
    if live.shared:
        # All players sit at this device and have agreed aloud.
        return frozenset({seat})
    # Computer players decide on draws, and agree to everything else.
    easy = NOBODY if kind == offers.DRAW else live.levels.keys()
    asked = frozenset(live.remaining) - flags.caretaken - easy
    if kind == offers.RESUME and flags.halted == match_actions.PAUSED:
        return asked & resting | {seat}
    if kind == offers.SAVE and may_be_saved_alone(live):
        return frozenset({seat})
    absent = gone if kind == offers.END else NOBODY
    return asked - absent | {seat}


def _may_be_offered(live: LiveMatch, kind: str, by: Seat) -> None:
    """Require that this kind of offer is allowed in this match, for that seat, now."""
    if live.shared and kind == offers.SAVE:
        raise OneBoard
    if kind == offers.DRAW and (not live.game.draws or len(live.names) > 2):
        raise NoDraws
    if kind == offers.TAKE_BACK and live.terms.rated:
        raise RatedTakeback
    if kind == offers.PAUSE and not live.control.live:
        raise NoClock
    if kind == offers.SAVE:
        on_turn(live, by)
    if kind == offers.END and len(live.names) == 2:
        raise ForTwo


def may_be_saved_alone(live: LiveMatch) -> bool:
    """Whether the seat on turn may save a match without the others' agreement."""
    return not (live.terms.rated or live.control.live)


def another_match(live: LiveMatch) -> None:
    """Require that a rematch is possible."""
    if live.outcome is None:
        raise NotOver
    if live.gone and live.rematch is None:
        raise PlayerGone

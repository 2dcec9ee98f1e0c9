"""Validation: who may do what in a match now. Functions change nothing and raise `Refused`."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from games.domain import absence, match_actions, offers
from games.domain.match_actions import Act
from games.domain.messages import OfferKind, PlyCommand, ReclaimCommand
from games.domain.refusals import (
    AlreadyBegun,
    AtOneBoard,
    Caretaken,
    ForMany,
    ForTwo,
    GameOver,
    Halted,
    HasLeft,
    NoClock,
    NoDraws,
    NoRatedHints,
    NotCaretaken,
    NotHalted,
    NoTimedHints,
    NotOver,
    NotSaved,
    NotSeated,
    NotYourTurn,
    PlayerGone,
    RatedMatch,
    Stale,
    StillHere,
    TooLate,
    YourOwnTurn,
)
from games.play.live import LiveMatch
from games.rules.base import Leave, Seat

NOBODY: frozenset[Seat] = frozenset()


def seated(live: LiveMatch, user_id: int | None) -> Seat:
    """The seat that a user acts for now."""
    seat = live.seat_of(user_id)
    if seat is None:
        raise NotSeated
    return live.acts_for(seat)


def takes_part(live: LiveMatch, seat: Seat, command: PlyCommand) -> None:
    """Require that a seat still plays and that its command refers to the current position."""
    # Checked first: once the match has gone on, a command stays stale, however often it is sent.
    # Reclaiming is valid in any position, since a bot leaves little time between its plies.
    if command.after != live.ply and not isinstance(command, ReclaimCommand):
        raise Stale
    under_way(live)
    not_left(live, seat)


def under_way(live: LiveMatch) -> None:
    """Require that the match is not over."""
    if live.outcome is not None:
        raise GameOver


def not_left(live: LiveMatch, seat: Seat) -> None:
    """Require that a seat has not left; a bot may have replaced its player."""
    if seat in live.flags.left:
        raise HasLeft


def decides(live: LiveMatch, seat: Seat) -> None:
    """Require that the match is not halted and no bot replaces the player."""
    if live.flags.halted:
        raise Halted
    if seat in live.flags.caretaken:
        raise Caretaken


def on_turn(live: LiveMatch, seat: Seat) -> None:
    """Require that it is the turn of a seat."""
    if live.state.turn != seat:
        raise NotYourTurn


def move(live: LiveMatch, seat: Seat, text: str, caretaker: bool) -> Any:
    """Parse the move of a seat, or of the bot that replaces its player.

    The game rules validate it later. Raises `IllegalMove` too.
    """
    if not caretaker:
        decides(live, seat)
    elif live.flags.halted:
        raise Halted
    else:
        caretaken(live, seat)
    move = live.game.rules.parse(text)
    on_turn(live, seat)
    return move


def aborted(live: LiveMatch, seat: Seat) -> Act:
    """The abort of a match in which not every player has moved.

    In a rated match it is too late after the player's own roll, or players would abort bad rolls.
    """
    has_thrown = live.game.dice and seat in live.flags.acted
    if live.flags.acted >= set(live.remaining) or (live.terms.rated and has_thrown):
        raise TooLate
    return Act(match_actions.ABORTED, seat)


def caretaken(live: LiveMatch, seat: Seat) -> None:
    """Require that a bot replaces the player of a seat."""
    if seat not in live.flags.caretaken:
        raise NotCaretaken


def reclaimed(live: LiveMatch, seat: Seat) -> Act:
    """The return of a player whom a bot replaces."""
    caretaken(live, seat)
    return Act(match_actions.RECLAIMED, seat)


def claimed(live: LiveMatch, seat: Seat, kind: str, gone: Set[Seat], idle: bool) -> Any:
    """The action when `seat` stops waiting for the player on turn: a departure or a match action.

    Args:
        gone: seats whose players have been away for too long.
        idle: whether the match is past its `idle_due`.
    """
    absent: Seat = live.state.turn
    under_way(live)
    if live.flags.halted == match_actions.SAVED and idle:
        return _claimed_of_saved(live, seat, kind)
    decides(live, seat)
    if kind == absence.ABORT:
        raise NotSaved
    if seat == absent:
        raise YourOwnTurn
    if absent in live.flags.caretaken | live.levels.keys() or not (absent in gone or idle):
        raise StillHere
    if kind == absence.BOT:
        if len(live.names) == 2:
            raise ForTwo
        return Act(match_actions.CARETAKER, absent)
    return _instead_of_waiting(live, kind)


def _claimed_of_saved(live: LiveMatch, seat: Seat, kind: str) -> Any:
    """The action on a claim in a match that has been saved for too long.

    Any player may end it without a result. If the player on turn saved it alone, an opponent may also claim
    the win, unless that player has asked to resume.
    """
    if seat in live.flags.caretaken:
        raise Caretaken
    if kind == absence.ABORT:
        return Act(match_actions.ABORTED, seat)
    if kind == absence.BOT:
        raise Halted
    if seat == live.state.turn:
        raise YourOwnTurn
    if not may_be_saved_alone(live) or live.state.turn in live.asked_back | live.levels.keys():
        raise Halted
    return _instead_of_waiting(live, kind)


def _instead_of_waiting(live: LiveMatch, kind: str) -> Any:
    """The win or draw claimed from the player on turn, in a match of two."""
    if len(live.names) > 2:
        raise ForMany
    absent: Seat = live.state.turn
    return Leave(absent, "abandoned") if kind == absence.WIN else Act(match_actions.ABANDONED, absent)


def may_be_saved_alone(live: LiveMatch) -> bool:
    """Whether the seat on turn may save a match without the others' agreement."""
    return not (live.terms.rated or live.control.live)


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
        return needed, Act(offers.ACTS[kind], by)
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
        raise AtOneBoard
    if kind == offers.DRAW and (not live.game.draws or len(live.names) > 2):
        raise NoDraws
    if kind == offers.TAKE_BACK and live.terms.rated:
        raise RatedMatch
    if kind == offers.PAUSE and not live.control.live:
        raise NoClock
    if kind == offers.SAVE:
        on_turn(live, by)
    if kind == offers.END and len(live.names) == 2:
        raise ForTwo


def another_match(live: LiveMatch) -> None:
    """Require that a rematch is possible."""
    if live.outcome is None:
        raise NotOver
    if live.gone and live.rematch is None:
        raise PlayerGone


def words_open(live: LiveMatch) -> None:
    """Require that client seeds can still be added to the dice."""
    if live.ply > 0:
        raise AlreadyBegun


def may_have_a_hint(live: LiveMatch, seat: Seat | None, after: int) -> None:
    """Require that a seat may have a hint in the position after ply `after`."""
    if seat is None:
        raise NotSeated
    seat = live.acts_for(seat)
    if live.terms.rated:
        raise NoRatedHints
    if live.control.live and len(live.levels) < len(live.names) - 1:
        raise NoTimedHints
    under_way(live)
    not_left(live, seat)
    if seat in live.flags.caretaken:
        raise Caretaken
    if live.flags.halted:
        raise Halted
    if after != live.ply:
        raise Stale
    on_turn(live, seat)

"""Validation: who may do what in a match now. Functions change nothing and raise `Refused`."""

from __future__ import annotations

from typing import Any

from games.domain import match_actions
from games.domain.match_actions import Act
from games.domain.messages import PlyCommand, ReclaimCommand
from games.domain.refusals import (
    AlreadyBegun,
    Caretaken,
    GameOver,
    Halted,
    HasLeft,
    NotCaretaken,
    NotSeated,
    NotYourTurn,
    RatedHint,
    Stale,
    TimedHint,
    TooLate,
)
from games.play.live import LiveMatch
from games.rules.base import Seat


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
    if live.flags.halted:
        raise Halted
    if caretaker != (seat in live.flags.caretaken):
        raise NotCaretaken if caretaker else Caretaken
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
        raise RatedHint
    if live.control.live and len(live.levels) < len(live.names) - 1:
        raise TimedHint
    under_way(live)
    not_left(live, seat)
    if seat in live.flags.caretaken:
        raise Caretaken
    if live.flags.halted:
        raise Halted
    if after != live.ply:
        raise Stale
    on_turn(live, seat)

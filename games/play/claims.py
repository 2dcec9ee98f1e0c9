"""Claims against absent players, and caretakers: bots that play for a player who is away.

Functions change nothing and raise `Refused`.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from games.domain import absence, match_actions
from games.domain.match_actions import Act
from games.domain.refusals import (
    Caretaken,
    ForMany,
    ForTwo,
    Halted,
    NotCaretaken,
    NotSaved,
    StillHere,
    YourOwnTurn,
)
from games.play.live import LiveMatch
from games.play.offer_rules import may_be_saved_alone
from games.play.validation import decides, under_way
from games.rules.base import Leave, Seat


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

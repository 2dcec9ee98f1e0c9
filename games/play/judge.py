"""The court: who may do what in a match now. Every function changes nothing, and raises `Refused`."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from games.law import absence, acts, offers
from games.law.absence import Away
from games.law.acts import Act
from games.law.messages import PlyCommand, ReclaimCommand
from games.law.refusals import (
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
    NotSeated,
    NotYourTurn,
    RatedMatch,
    Stale,
    StillHere,
    TooLate,
    YourOwnTurn,
)
from games.play.live import LiveMatch
from games.rules.base import Leave, Seat


def seated(live: LiveMatch, user_id: int | None) -> Seat:
    """The seat of somebody who has one."""
    seat = live.seat_of(user_id)
    if seat is None:
        raise NotSeated
    return seat


def takes_part(live: LiveMatch, seat: Seat, command: PlyCommand) -> None:
    """A seat may say something about the match, in the position that it has seen."""
    if live.outcome is not None:
        raise GameOver
    # Between the bot's plies there is hardly time to press: whoever is back means any position.
    if command.after != live.ply and not isinstance(command, ReclaimCommand):
        raise Stale
    if seat in live.situation.left:
        raise HasLeft


def move(live: LiveMatch, seat: Seat, text: str, caretaker: bool) -> Any:
    """The move that a seat, or the bot that keeps its chair, writes as `text`.

    The rules have still to judge it. Raises `IllegalMove`, too.
    """
    if live.situation.halted:
        raise Halted
    if caretaker != (seat in live.situation.caretaken):
        raise NotCaretaken if caretaker else Caretaken
    move = live.game.rules.parse(text)
    if live.state.turn != seat:
        raise NotYourTurn
    return move


def aborted(live: LiveMatch, seat: Seat) -> Act:
    """The end of a match in which not everybody has moved."""
    if live.situation.acted >= set(live.remaining):
        raise TooLate
    return Act(acts.ABORTED, seat)


def reclaimed(live: LiveMatch, seat: Seat) -> Act:
    """The return of somebody whose chair a bot keeps."""
    if seat not in live.situation.caretaken:
        raise NotCaretaken
    return Act(acts.RECLAIMED, seat)


def claimed(live: LiveMatch, seat: Seat, kind: str, away: Away, now: int) -> Any:
    """What happens when `seat` waits no longer for the one on turn: a departure or an act."""
    absent: Seat = live.state.turn
    if live.situation.halted:
        raise Halted
    if seat in live.situation.caretaken:
        raise Caretaken
    if seat == absent:
        raise YourOwnTurn
    if absent in live.situation.caretaken or absent not in absence.gone(live.control, away, now):
        raise StillHere
    if kind == absence.BOT:
        if len(live.names) == 2:
            raise ForTwo
        return Act(acts.CARETAKER, absent)
    if len(live.names) > 2:
        raise ForMany
    return Leave(absent, "abandoned") if kind == absence.WIN else Act(acts.ABANDONED, absent)


def who_must_agree(live: LiveMatch, kind: str, seat: Seat, by: Seat, gone: Set[Seat]) -> frozenset[Seat]:
    """The seats without which nothing comes of an offer that `by` made and `seat` now agrees to.

    `gone` are those whose players have been away for too long; nobody waits for their vote.
    """
    situation = live.situation
    if seat in situation.caretaken:
        raise Caretaken
    if (kind == offers.RESUME) != bool(situation.halted):
        raise NotHalted if kind == offers.RESUME else Halted
    _may_be_offered(live, kind, by)
    going_on = kind == offers.RESUME and situation.halted == acts.PAUSED
    if going_on or (kind == offers.SAVE and not live.terms.rated):
        return frozenset({seat})
    absent = gone if kind == offers.END else frozenset()
    # A computer player thinks about a draw, and has nothing against the rest.
    easy = frozenset() if kind == offers.DRAW else live.levels.keys()
    return frozenset(live.remaining) - situation.caretaken - absent - easy | {seat}


def _may_be_offered(live: LiveMatch, kind: str, by: Seat) -> None:
    """This may be offered in this match, by that seat, now."""
    if kind == offers.DRAW and (not live.game.draws or len(live.names) > 2):
        raise NoDraws
    if kind == offers.TAKE_BACK and live.terms.rated:
        raise RatedMatch
    if kind == offers.PAUSE and not live.control.live:
        raise NoClock
    if kind == offers.SAVE and live.state.turn != by:
        raise NotYourTurn
    if kind == offers.END and len(live.names) == 2:
        raise ForTwo


def may_have_a_hint(live: LiveMatch, seat: Seat | None, after: int) -> None:
    """A seat that has seen ply `after` may have a hint now."""
    if seat is None:
        raise NotSeated
    if live.terms.rated:
        raise NoRatedHints
    if live.outcome is not None:
        raise GameOver
    if seat in live.situation.left:
        raise HasLeft
    if seat in live.situation.caretaken:
        raise Caretaken
    if live.situation.halted:
        raise Halted
    if after != live.ply:
        raise Stale
    if live.state.turn != seat:
        raise NotYourTurn

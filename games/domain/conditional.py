"""Conditional moves: answers prepared for moves that the opponent may make. Pure.

A line is the moves of both players from one position on, as text, one per ply. It begins with a move of the
opponent and ends with one of the player. Lines with the same beginning must give the same answer, so there is
never more than one move to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.domain.refusals import Refused
from games.rules.base import IllegalMove, Rules, Seat, gettext_noop

MOST_LINES = 50
MOST_OWN = 10
"""Most moves of the player in one line."""
MOST_MOVES = 60
"""Most moves of both players in one line; a turn may have several."""

Line = tuple[str, ...]


class NoConditionalMoves(Refused):
    """The match has dice, a live clock, or not two players."""

    code, status = "no-conditional-moves", 409
    sentence = gettext_noop("Conditional moves need two players, days per move and a game without dice.")


class TooManyLines(Refused):
    """More than `MOST_LINES` lines, or more than `MOST_OWN` own moves in one."""

    code, status = "too-many-lines", 422
    sentence = gettext_noop("You can have up to %(lines)d lines, with up to %(own)d of your moves in each.")

    def __init__(self) -> None:
        super().__init__(lines=MOST_LINES, own=MOST_OWN)


class BadLine(Refused):
    """A line that is not playable from here; `line` counts from 1."""

    code, status = "bad-line", 422
    sentence = gettext_noop("Line %(line)d cannot be played from this position.")


class OpenLine(Refused):
    """A line does not alternate from the opponent's move to the player's own."""

    code, status = "open-line", 422
    sentence = gettext_noop("Line %(line)d must start with your opponent’s move and end with yours.")


class TwoAnswers(Refused):
    """Two lines answer the same moves differently."""

    code, status = "two-answers", 422
    sentence = gettext_noop("Line %(line)d replies to the same moves in another way than an earlier line.")


def positions(rules: Rules, state: Any, moves: Sequence[str]) -> list[tuple[str, Any]]:
    """The moves in their notation, each with the state after it. Raises `TooManyLines` or `IllegalMove`."""
    if len(moves) > MOST_MOVES:
        raise TooManyLines
    found = []
    for text in moves:
        move = rules.parse(text)
        state = rules.play(state, move).state
        found.append((str(move), state))
    return found


def own(rules: Rules, state: Any, seat: Seat, lines: Sequence[Line]) -> list[list[bool]]:
    """For each move of each line, whether the seat plays it."""
    return [[mover == seat for mover in _movers(state, positions(rules, state, line))] for line in lines]


def _movers(state: Any, played: Sequence[tuple[str, Any]]) -> list[Seat]:
    """The seat of each move, from the position before the first and those after each."""
    before = [state, *(after for _, after in played)]
    return [position.turn for position in before[: len(played)]]


def checked(rules: Rules, state: Any, seat: Seat, lines: Sequence[Sequence[str]]) -> list[Line]:
    """Validate the lines of a seat while the opponent is to move. Drops lines contained in others.

    Raises `TooManyLines`, `BadLine`, `OpenLine` or `TwoAnswers`.
    """
    if len(lines) > MOST_LINES:
        raise TooManyLines
    answers: dict[Line, str] = {}
    found: list[Line] = []
    for number, moves in enumerate(lines, 1):
        try:
            played = positions(rules, state, moves)
        except IllegalMove as error:
            raise BadLine(line=number) from error
        line = tuple(text for text, _ in played)
        movers = _movers(state, played)
        if not line or movers[0] == seat or movers[-1] != seat:
            raise OpenLine(line=number)
        if movers.count(seat) > MOST_OWN:
            raise TooManyLines
        for at, mover in enumerate(movers):
            if mover == seat and answers.setdefault(line[:at], line[at]) != line[at]:
                raise TwoAnswers(line=number)
        found.append(line)
    return [line for line in dict.fromkeys(found) if not any(_begins(other, line) for other in found)]


def left(lines: Sequence[Line], played: Sequence[str]) -> list[Line]:
    """The rest of the lines that match the plies played."""
    begun = tuple(played)
    return [line[len(begun) :] for line in lines if _begins(line, begun)]


def _begins(line: Line, moves: Line) -> bool:
    """Whether a line begins with these moves and continues after them."""
    return len(line) > len(moves) and line[: len(moves)] == moves

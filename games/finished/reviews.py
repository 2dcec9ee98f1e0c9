"""Analyses of finished matches: which positions are thought about, and what has come of it so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from games.domain import analysis, codec, match_actions
from games.domain.analysis import Analysis, Played
from games.domain.match_actions import Line, Logged
from games.domain.record import Record
from games.domain.refusals import Refused
from games.net.hub import hub
from games.rules.base import gettext_noop
from games.store import analysis_queue as thoughts
from games.store import bot_queue, history

MOST_POSITIONS = 600
"""Positions of a match that are thought about; of a longer one, the last."""
MOST_WAITING = settings.ANALYSES_WAITING
"""Matches that may wait for a worker at a time: so many take the better part of an hour."""


class TooManyAnalyses(Refused):
    """So many matches wait to be analysed that another one would wait too long."""

    code, status = "too-many-analyses", 429
    sentence = gettext_noop("Many matches wait to be analysed already. Please ask again in a while.")
    headers = {"Retry-After": "60"}


@dataclass(frozen=True, slots=True)
class Review:
    """The analysis of a match as far as it has come.

    Attributes:
        positions: how many are thought about.
        known: how many of them have been.
        left_out: how many are not, since the match is too long.
        asked: whether all that is missing has been asked for.
    """

    record: Record
    analysis: Analysis
    positions: int
    known: int
    left_out: int
    asked: bool

    @property
    def end(self) -> int:
        """The number of the last ply."""
        return _end(self.record)

    @property
    def complete(self) -> bool:
        return self.known == self.positions


def review(record: Record) -> Review:
    """What is known of a match; nothing is asked for."""
    line, after = _line(record)
    open_positions = after[-MOST_POSITIONS:]
    looks = thoughts.looks(record.id, open_positions)
    return Review(
        record=record,
        analysis=analysis.analyse(line, looks, len(record.names), record.outcome, _end(record)),
        positions=len(open_positions),
        known=len(looks),
        left_out=len(after) - len(open_positions),
        asked=thoughts.asked_for(record.id).issuperset(open_positions),
    )


def ask(record: Record, now: datetime) -> None:
    """Have a match analysed, once and for all. Raises `TooManyAnalyses`."""
    _, after = _line(record)
    missing = set(after[-MOST_POSITIONS:]) - thoughts.asked_for(record.id)
    if not missing:
        return
    if thoughts.analyses_waiting() >= MOST_WAITING:
        raise TooManyAnalyses
    thoughts.want(record.id, sorted(missing), now)
    hub.announce(bot_queue.TOPIC, bot_queue.WAKE)


def _end(record: Record) -> int:
    return record.plies[-1].number if record.plies else 0


def _line(record: Record) -> tuple[list[Played], list[int]]:
    """The plies of a match that count, and the numbers of those after which somebody was to move."""
    rules, states = record.game.rules, history.states(record.id)

    def to_move(number: int) -> bool:
        return bool(rules.legal_moves(codec.decode_state(rules, states[number])))

    faces = {entry.number: entry.dice for entry in record.plies}
    line = [
        Played(
            number, ply.seat, ply.text, faces[number], to_move(number), codec.departure(ply.text) is not None
        )
        for number, ply in _counting(record)
    ]
    return line, analysis.positions(line, start=to_move(0))


def _counting(record: Record) -> Iterator[tuple[int, Logged]]:
    line: Line = []
    for entry in record.plies:
        match_actions.follow(line, entry.number, Logged(entry.seat, entry.text, entry.dice is not None))
    yield from line

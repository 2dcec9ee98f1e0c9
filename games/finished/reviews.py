"""Requests and reads analyses of finished matches."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from games.domain import analysis, codec
from games.domain.analysis import Analysis, Played
from games.domain.record import Record
from games.domain.refusals import Refused
from games.net.hub import hub
from games.net.limits import limiter
from games.rules.base import gettext_noop
from games.store import analysis_queue, bot_queue, history

MOST_POSITIONS = 600
"""Most positions analysed per match; of longer matches, the last ones."""
MOST_WAITING = settings.ANALYSES_WAITING
"""Most matches waiting for a worker; a full queue takes the better part of an hour."""


askings = limiter(settings.ANALYSIS_LIMIT)
"""Matches to be analysed, by address and by user: each is minutes of work."""


class AnalysesTooFast(Refused):
    """A user or an address has requested too many analyses."""

    code, status = "too-fast", 429
    sentence = gettext_noop("Too many analyses. Please wait a minute.")
    headers = settings.ANALYSIS_LIMIT.retry_after


class TooManyAnalyses(Refused):
    """The analysis queue is full."""

    code, status = "too-many-analyses", 429
    sentence = gettext_noop("Too many matches are waiting for analysis. Please try again later.")
    headers = {"Retry-After": "60"}


@dataclass(frozen=True, slots=True)
class Review:
    """The analysis of a match so far.

    Attributes:
        positions: number of positions to analyse.
        known: number of them already analysed.
        left_out: number of positions skipped because the match is too long.
        asked: whether everything missing has been requested.
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
        """Whether every position is analysed."""
        return self.known == self.positions


def review(record: Record) -> Review:
    """The analysis so far. Requests nothing."""
    line, after = _line(record)
    open_positions = after[-MOST_POSITIONS:]
    looks = analysis_queue.looks(record.id, open_positions)
    return Review(
        record=record,
        analysis=analysis.analyse(line, looks, len(record.names), record.outcome, _end(record)),
        positions=len(open_positions),
        known=len(looks),
        left_out=len(after) - len(open_positions),
        asked=analysis_queue.asked_for(record.id).issuperset(open_positions),
    )


def ask(record: Record, now: datetime, keys: Collection[str] = ()) -> None:
    """Request the analysis of a match. Idempotent.

    Args:
        record: the match.
        now: the current time.
        keys: who asks (`games.net.limits.limit_keys`); none for moderators.

    Raises `AnalysesTooFast` or `TooManyAnalyses`.
    """
    if not all(askings.take(key, time.monotonic()) for key in keys):
        raise AnalysesTooFast
    _, after = _line(record)
    missing = set(after[-MOST_POSITIONS:]) - analysis_queue.asked_for(record.id)
    if not missing:
        return
    if analysis_queue.analyses_waiting() >= MOST_WAITING:
        raise TooManyAnalyses
    analysis_queue.want(record.id, sorted(missing), now)
    hub.announce(bot_queue.TOPIC, bot_queue.WAKE)


def _end(record: Record) -> int:
    return record.plies[-1].number if record.plies else 0


def _line(record: Record) -> tuple[list[Played], list[int]]:
    """The plies that count, and the numbers of those after which a player was to move."""
    rules, states = record.game.rules, history.states(record.id)

    def to_move(number: int) -> bool:
        return bool(rules.legal_moves(codec.decode_state(rules, states[number])))

    faces = {entry.number: entry.dice for entry in record.plies}
    line = [
        Played(
            number, ply.seat, ply.text, faces[number], to_move(number), codec.departure(ply.text) is not None
        )
        for number, ply in record.line()
    ]
    return line, analysis.positions(line, start=to_move(0))

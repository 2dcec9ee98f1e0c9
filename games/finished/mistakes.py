"""The mistakes of a player in analysed matches, to be solved as puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from games.bots.base import Evaluation
from games.domain.analysis import Decision
from games.domain.record import Record, move_numbers
from games.domain.refusals import UnknownMatch
from games.finished import archive
from games.finished.dice_reveal import Unfinished
from games.models import Match, Seating
from games.registry import GAMES
from games.rules.base import Seat
from games.store import analysis_queue, history

MATCHES = 10
"""The latest analysed matches whose mistakes are listed."""
MOST = 20
"""Most mistakes listed, those that lost the most."""


class NoMistake(LookupError):
    """The user made no mistake there, as far as is known."""


class Mistake(NamedTuple):
    """A move of a user that lost much of the chance to win, and its match."""

    record: Record
    decision: Decision

    @property
    def key(self) -> str:
        """A name that no other mistake has."""
        return f"{self.record.id}-{self.decision.after}"

    @property
    def number(self) -> int:
        """The number of the move in the match."""
        return move_numbers(self.record.plies)[self.decision.ply]

    @property
    def state(self) -> Any:
        """The position before the move."""
        return history.state_after(self.record.id, self.decision.after)

    @property
    def best(self) -> str:
        """The best move, or one that is equally good."""
        assert self.decision.best is not None
        return self.decision.best.move


def analysed(user_id: int) -> list[str]:
    """The latest analysed matches of a user."""
    return list(_latest(user_id).filter(analysis_queue.is_analysed("pk"))[:MATCHES])


def to_analyse(user_id: int) -> str | None:
    """The latest match of a user that is not analysed; None if there is none."""
    return _latest(user_id).exclude(analysis_queue.is_analysed("pk")).first()


def in_matches(match_ids: Sequence[str], user_id: int) -> list[Mistake]:
    """The worst mistakes of a user in matches, the latest match first, in the order of play."""
    rows = Seating.objects.filter(match__in=match_ids, user=user_id).values_list("match", "seat")
    seats: dict[str, Seat] = dict(rows)
    records = {record.id: record for record in archive.records(match_ids)}
    found = [
        Mistake(records[choice.match_id], decision)
        for choice in analysis_queue.choices(match_ids)
        if choice.look.seat == seats.get(choice.match_id)
        and (decision := _decision(choice.ply, choice.text, choice.look)).blunder
    ]
    worst = sorted(found, key=lambda each: -(each.decision.loss or 0))[:MOST]
    return sorted(worst, key=lambda each: (match_ids.index(each.record.id), each.decision.ply))


def at(match_id: str, after: int, user_id: int) -> Mistake:
    """The mistake of a user in the position after a ply. Raises `NoMistake`."""
    try:
        record = archive.record(match_id)
    except (UnknownMatch, Unfinished) as error:
        raise NoMistake from error
    look = analysis_queue.look_after(match_id, after)
    text = next((entry.text for entry in record.plies if entry.number == after + 1), None)
    seats = [user for user, _level in history.seated(match_id)]
    if look is None or text is None or seats[look.seat] != user_id:
        raise NoMistake
    decision = _decision(after, text, look)
    if not decision.blunder:
        raise NoMistake
    return Mistake(record, decision)


def _latest(user_id: int) -> QuerySet[Match, str]:
    """The finished matches of a user, the latest first."""
    # By their ends: SQLite would search by the status first, among the matches of everybody.
    finished = Match.objects.filter(seatings__user=user_id, ended__isnull=False, game__in=GAMES)
    return finished.order_by("-ended", "-pk").values_list("pk", flat=True)


def _decision(after: int, text: str, look: Evaluation) -> Decision:
    return Decision(after + 1, after, look.seat, text, (), look, None)

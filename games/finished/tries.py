"""Other moves at a position of a finished match, judged by the evaluations stored with it."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext

from games.bots.base import MoveEvaluation
from games.domain.record import Record
from games.domain.refusals import Refused
from games.finished.analysis_words import worth
from games.rules.base import Outcome, Step, gettext_noop
from games.store import analysis_queue, history


class NotAnalysed(Refused):
    """There is no evaluation of the position, or none of the move."""

    code, status = "not-analysed", 409
    sentence = gettext_noop("This position has not been analysed yet.")


class Tried(NamedTuple):
    """A move somebody tried: whether none is better, a sentence, and what the move does."""

    best: bool
    words: str
    step: Step
    outcome: Outcome | None


def judge(record: Record, after: int, text: str) -> Tried:
    """Compare a move at the position after ply `after` with the best one and with the one of the match.

    Raises `IllegalMove` or `NotAnalysed`.
    """
    look = analysis_queue.look_after(record.id, after)
    if look is None:
        raise NotAnalysed
    rules, state = record.game.rules, history.state_after(record.id, after)
    move = rules.parse(text)
    step = rules.play(state, move)
    values = {prospect.move: prospect for prospect in look.moves}
    mine = values.get(str(move))
    if mine is None:
        raise NotAnalysed
    best = look.moves[0]
    then = next(
        (entry.text for entry in record.plies if entry.number > after and entry.seat == look.seat), ""
    )
    words = {
        "worth": worth(record.game, mine, proved=look.proved),
        "best": worth(record.game, best, proved=look.proved),
    }
    is_best = _value(mine) == _value(best)
    sentence = _sentence(is_best=is_best, mine=mine, played=values.get(then))
    return Tried(is_best, sentence % words, step, rules.outcome(step.state))


def _value(prospect: MoveEvaluation) -> tuple[int, int]:
    """What moves are compared by: as exact as it is shown."""
    return round(100 * prospect.share), prospect.score or 0


def _sentence(*, is_best: bool, mine: MoveEvaluation, played: MoveEvaluation | None) -> str:
    if is_best:
        return gettext("The best move. Expected: %(worth)s.")
    if played is not None and mine.move == played.move:
        return gettext("This was played in the match. Expected: %(worth)s. The best move: %(best)s.")
    if played is not None and _value(mine) > _value(played):
        return gettext("Better than in the match. Expected: %(worth)s. The best move: %(best)s.")
    return gettext("There is a better move. Expected: %(worth)s. The best move: %(best)s.")

"""The analysis of a match as JSON fields, described in docs/explanation/analysis.md."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from typing_extensions import TypedDict

from games.domain.analysis import Decision
from games.finished.reviews import Review
from games.rules.base import Seat


class ChancesFields(TypedDict):
    """The winning chances of the seats after a ply."""

    ply: int
    shares: list[float]
    proved: bool


class ProspectFields(TypedDict):
    """A legal move and its expected result (`games.bots.base.MoveEvaluation`)."""

    move: str
    share: float
    score: int | None
    spread: float


class DecisionFields(TypedDict):
    """A move and its evaluation; fields are null until it is evaluated."""

    ply: int
    after: int
    seat: Seat
    move: str
    thrown: list[int]
    proved: bool
    moves: list[ProspectFields]
    loss: float | None
    points: int | None
    blunder: bool
    luck: float | None


class SummaryFields(TypedDict):
    """Totals of one seat over the whole match."""

    seat: Seat
    decisions: int
    lost: float
    blunders: int
    throws: int
    luck: float
    band: float
    average: float


class AnalysisFields(TypedDict):
    """The analysis of a match by the strongest computer player: `known` of `positions` are evaluated."""

    match: str
    game: str
    seats: list[str]
    asked: bool
    positions: int
    known: int
    left_out: int
    curve: list[ChancesFields]
    decisions: list[DecisionFields]
    summaries: list[SummaryFields]


def fields(review: Review) -> dict[str, Any]:
    """The analysis so far (`AnalysisFields`)."""
    record, analysis = review.record, review.analysis
    return {
        "match": record.id,
        "game": record.game.slug,
        "seats": record.names,
        "asked": review.asked,
        "positions": review.positions,
        "known": review.known,
        "left_out": review.left_out,
        "curve": [standing._asdict() for standing in analysis.curve],
        "decisions": [_decision(decision) for decision in analysis.decisions],
        "summaries": [{**asdict(summary), "average": summary.average} for summary in analysis.summaries],
    }


def _decision(decision: Decision) -> dict[str, Any]:
    look = decision.look
    return {
        "ply": decision.ply,
        "after": decision.after,
        "seat": decision.seat,
        "move": decision.text,
        "thrown": decision.faces,
        "proved": look is not None and look.proved,
        "moves": [] if look is None else [asdict(prospect) for prospect in look.moves],
        "loss": decision.loss,
        "points": decision.points,
        "blunder": decision.blunder,
        "luck": decision.luck,
    }

"""Signals about settled matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.models import Match
from games.rules.base import Outcome
from games.signals import Signal
from lobby.ratings.models import Result


class Settled(NamedTuple):
    """A finished match, and its players' results by seat."""

    match: Match
    outcome: Outcome
    results: Sequence[Result]


matches_settled = Signal[[Sequence[Settled]], None]()
"""The results of these matches were stored."""

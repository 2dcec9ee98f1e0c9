"""What happens in the lobby, for the rooms that show it or pass it on.

The service that changes something announces it, in the transaction that makes the change: a listener that
fails undoes it. Who listens is said in `lobby.signal_handlers.connect`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from games.models import Match
from games.rules.base import Outcome
from games.signals import Signal
from lobby.models import Result, Table, User


class Settled(NamedTuple):
    """A match that has ended, and what it was for its players, by seat."""

    match: Match
    outcome: Outcome
    results: Sequence[Result]


table_changed = Signal[[Table], None]()
"""A table is new, or its chairs have changed."""
chair_taken = Signal[[Table, User], None]()
"""Somebody sat down at a table of their own will; with the last chair it has a match."""
chair_left = Signal[[Table, User], None]()
"""Somebody does not sit at a table any more."""
table_gone = Signal[[Table], None]()
"""A table will be cleared away."""
challenged = Signal[[Table], None]()
"""A table is kept for one person, who is to be told."""
challenge_declined = Signal[[Table], None]()
"""The person for whom a table is kept said no. That the table will be gone is announced afterwards."""
renamed = Signal[[User, str], None]()
"""Somebody has another name; also the one before. A guest may keep their name when they sign up."""
matches_settled = Signal[[Sequence[Settled]], None]()
"""The results of some matches are stored."""
turns_came = Signal[[Mapping[str, int], datetime], None]()
"""It became somebody's turn a moment ago, by match and user id; they may have moved since. In a thread."""

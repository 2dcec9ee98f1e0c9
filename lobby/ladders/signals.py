"""Signals about ladders."""

from __future__ import annotations

from games.signals import Signal
from lobby.ladders.models import LadderChallenge

challenge_made = Signal[[LadderChallenge], None]()
"""Somebody was challenged on a ladder."""
challenge_accepted = Signal[[LadderChallenge], None]()
"""A challenge on a ladder was accepted."""
challenge_over = Signal[[LadderChallenge], None]()
"""A challenge on a ladder has ended."""

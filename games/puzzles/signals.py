"""Signals about puzzles for higher layers. `lobby.signal_handlers` connects them."""

from __future__ import annotations

from collections.abc import Mapping

from games.signals import Signal

ratings_known = Signal[[str], Mapping[str, float]]()
"""The ratings of the puzzles of a game that somebody has tried, by key."""

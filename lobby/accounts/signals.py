"""Signals about the end of accounts."""

from __future__ import annotations

from games.signals import Signal

forgotten = Signal[[int], None]()
"""Everything about a user, by id, is being deleted but their matches; in the same transaction."""

"""Signals about people and their relationships."""

from __future__ import annotations

from games.signals import Signal
from lobby.people.models import User

silenced = Signal[[User], None]()
"""A user has muted or blocked another one, or no longer does."""
renamed = Signal[[User, str], None]()
"""A user was renamed, with the old name; a guest who signs up may keep the name."""

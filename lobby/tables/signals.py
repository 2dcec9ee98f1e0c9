"""Signals about tables and challenges."""

from __future__ import annotations

from games.signals import Signal
from lobby.people.models import User
from lobby.tables.models import Table

table_changed = Signal[[Table], None]()
"""A table is new, or its chairs have changed."""
chair_taken = Signal[[Table, User], None]()
"""A user sat down at a table; if it was the last chair, the table has a match now."""
chair_left = Signal[[Table, User], None]()
"""A user left a table."""
table_gone = Signal[[Table], None]()
"""A table is about to be deleted."""
challenged = Signal[[Table], None]()
"""A challenge was made; notify the challenged user."""
challenge_declined = Signal[[Table], None]()
"""A challenge was declined; `table_gone` follows."""

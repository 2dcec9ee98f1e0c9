"""Signals of the inbox."""

from __future__ import annotations

from games.signals import Signal
from lobby.inbox.models import Message

message_sent = Signal[[Message], None]()
"""A user has written to another; the message has both users read."""

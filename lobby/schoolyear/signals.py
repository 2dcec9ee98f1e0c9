"""Signals about the end of classes."""

from __future__ import annotations

from games.signals import Signal

ends_due = Signal[[], None]()
"""A class is to be archived or erased. After the commit."""

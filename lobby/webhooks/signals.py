"""Signals about turns that came."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from games.signals import Signal

turns_came = Signal[[Mapping[str, int], datetime], None]()
"""Players' turns came, given as user id by match; they may have moved since. Sent in a thread."""

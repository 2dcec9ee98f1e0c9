"""Signals about watching matches for higher layers. `lobby.signal_handlers` connects them."""

from __future__ import annotations

from games.signals import Signal

private_match_wanted = Signal[[str, int], bool]()
"""Whether a user, by id, who does not play may watch a private match, by id. Runs in a thread."""

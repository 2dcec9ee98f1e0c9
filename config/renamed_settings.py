"""Environment variables that were renamed. The old names are still read, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import MutableMapping

RENAMED = {
    "HISTORY_ADDRESS_LIMIT": "COST_ADDRESS_LIMIT",
    "HISTORY_PERSON_LIMIT": "COST_PERSON_LIMIT",
    "HISTORY_SOCKET_LIMIT": "COST_SOCKET_LIMIT",
    "HOOK_HOSTS": "WEBHOOK_ALLOWED_HOSTS",
    "TABLE_PATIENCE": "TABLE_HOST_TIMEOUT",
}
"""New names by old ones."""


def read_old_names(environment: MutableMapping[str, str]) -> None:
    """Set new names to the values of old ones. A value under the new name wins."""
    for old, new in RENAMED.items():
        if old in environment:
            warnings.warn(f"The setting {old} is called {new} now.", FutureWarning, stacklevel=2)
            environment.setdefault(new, environment[old])

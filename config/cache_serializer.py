"""Cached values as JSON. Django's own serializer pickles, and unpickling runs whatever is in Redis."""

from __future__ import annotations

import json
from typing import Any


class JsonSerializer:
    """Turns cached values into bytes and back. Integers stay integers, which Redis can count with."""

    def dumps(self, value: Any) -> bytes | int:
        """The stored form of a value. Raises `TypeError` for what JSON cannot hold."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, stored: bytes) -> Any:
        """The value. Raises `ValueError` for what was not stored by `dumps`."""
        return json.loads(stored)

"""Cached values as JSON. Django's own serializer pickles, and unpickling executes code from Redis."""

from __future__ import annotations

import json
from typing import Any


class JsonSerializer:
    """Converts cached values to bytes and back. Integers stay integers, so that Redis can increment them."""

    def dumps(self, value: Any) -> bytes | int:
        """The stored form of a value. Raises `TypeError` for what JSON cannot hold."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, stored: bytes) -> Any:
        """The value. Raises `ValueError` for what was not stored by `dumps`."""
        return json.loads(stored)

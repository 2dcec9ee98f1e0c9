"""What is kept in Redis beside messages, as JSON: pickles, Django's own way, run whatever stands there."""

from __future__ import annotations

import json
from typing import Any


class JsonSerializer:
    """Turns what is cached into text and back; whole numbers stay numbers, which Redis counts with."""

    def dumps(self, value: Any) -> bytes | int:
        """What Redis is to keep. Raises `TypeError` for what is no JSON."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, kept: bytes) -> Any:
        """What was kept. Raises `ValueError` for what nobody here wrote."""
        return json.loads(kept)

"""Short text frames of clients (RFC 6455, section 5.2), parsed in one go."""

from __future__ import annotations

_TEXT = 0x81
_MASKED = 0x80
_SHORT = 125
_CLIENT_HEAD_BYTES = 6


def short_text(data: bytes) -> str | None:
    """The text in `data` if that is exactly one frame with a short text from a client, else None."""
    length = len(data) - _CLIENT_HEAD_BYTES
    if not 0 <= length <= _SHORT or data[0] != _TEXT or data[1] != _MASKED | length:
        return None
    mask = data[2:_CLIENT_HEAD_BYTES] * (length // 4 + 1)
    bits = int.from_bytes(data[_CLIENT_HEAD_BYTES:], "big") ^ int.from_bytes(mask[:length], "big")
    try:
        return bits.to_bytes(length, "big").decode()
    except UnicodeDecodeError:
        return None

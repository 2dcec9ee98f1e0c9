"""Signatures of webhooks; docs/reference/webhooks.md shows how receivers check them."""

from __future__ import annotations

import hmac


def sign(secret: str, at: int, body: bytes) -> str:
    """The value of `Parlour-Signature`: the time of sending, and an HMAC-SHA256 of time and body.

    Args:
        secret: the webhook's signing key.
        at: seconds of Unix time, against replays.
        body: the exact bytes sent.
    """
    code = hmac.new(secret.encode(), b"%d." % at + body, "sha256").hexdigest()
    return f"t={at},v1={code}"

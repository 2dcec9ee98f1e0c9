"""How a receiver knows that a webhook is ours: docs/reference/webhooks.md shows how it checks."""

from __future__ import annotations

import hmac


def sign(secret: str, at: int, body: bytes) -> str:
    """The value of `Parlour-Signature`: the time of sending and an HMAC-SHA256 of it and the body.

    Args:
        secret: the key of the webhook.
        at: seconds of Unix time, so that what somebody recorded is not believed for ever.
        body: what is sent, byte for byte.
    """
    code = hmac.new(secret.encode(), b"%d." % at + body, "sha256").hexdigest()
    return f"t={at},v1={code}"

"""The site's VAPID key, created once and shared by all processes."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import ec

from lobby.notices.models import PushKey
from lobby.webhooks.webpush_encryption import CURVE, bytes_of, public_bytes, text_of

ONE = 1
"""Primary key of the only row."""


def key() -> ec.EllipticCurvePrivateKey:
    """The site's key. If several processes create it at the same time, all use the first one stored."""
    row = PushKey.objects.filter(pk=ONE).first()
    if row is None:
        row, _ = PushKey.objects.get_or_create(pk=ONE, defaults={"private": _new()})
    return ec.derive_private_key(int.from_bytes(bytes_of(row.private), "big"), CURVE)


def public() -> str:
    """The public key, as browsers need it to subscribe."""
    return text_of(public_bytes(key()))


def _new() -> str:
    value = ec.generate_private_key(CURVE).private_numbers().private_value
    return text_of(value.to_bytes(32, "big"))

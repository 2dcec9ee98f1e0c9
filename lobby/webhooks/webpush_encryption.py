"""Encryption (RFC 8291, RFC 8188) and authorization (RFC 8292) of push messages.

pywebpush is not used: it needs aiohttp, requests and http_ece. http_ece has no wheel, so every installation
would run build tools that no hash pins. Its py_vapid refuses contact URLs with a port.
"""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
SALT_BYTES, AUTH_BYTES = 16, 16
RECORD = 4096
"""Record size in bytes; a push message is a single record."""
LAST_RECORD = b"\x02"
GOOD_FOR = 12 * 3600
"""Lifetime of the authorization in seconds; push services accept at most a day."""


class BadKey(ValueError):
    """Not the keys of a push subscription."""


def text_of(raw: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """Decode base64url without padding. Raises `ValueError` for other characters."""
    return b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public key as an uncompressed point."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(p256dh: str, auth: str) -> None:
    """Raise `BadKey` if these are not the keys of a push subscription."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, bytes_of(p256dh))
        right = len(bytes_of(auth)) == AUTH_BYTES
    except ValueError:
        right = False
    if not right:
        raise BadKey


def seal(plain: bytes, p256dh: str, auth: str, own: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Encrypt a message; returns the request body for the push service.

    Args:
        plain: the message.
        p256dh: the browser's public key, base64url.
        auth: the browser's secret, base64url.
        own: an ephemeral key for this message.
        salt: `SALT_BYTES` random bytes.
    """
    theirs, ours = bytes_of(p256dh), public_bytes(own)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    secret = _derived(shared, bytes_of(auth), b"WebPush: info\0" + theirs + ours, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + len(ours).to_bytes(1, "big") + ours
    return head + AESGCM(key).encrypt(nonce, plain + LAST_RECORD, None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def authorization(key: ec.EllipticCurvePrivateKey, endpoint: str, contact: str, at: int) -> str:
    """The value of the `Authorization` header for a push service.

    Args:
        key: the site's key.
        endpoint: the URL of the subscription.
        contact: how to reach the site's host, `https:` or `mailto:`.
        at: seconds of Unix time.
    """
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": at + GOOD_FOR, "sub": contact}
    signed = jwt.encode(claims, key, algorithm="ES256")
    return f"vapid t={signed}, k={text_of(public_bytes(key))}"

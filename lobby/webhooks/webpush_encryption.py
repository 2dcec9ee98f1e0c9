"""What a push service is handed: for one browser to read (RFC 8291, RFC 8188), and signed (RFC 8292)."""

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
"""Bytes of a record; a push service takes a message of one record."""
LAST_RECORD = b"\x02"
GOOD_FOR = 12 * 3600
"""Seconds for which a signature is good; push services take at most a day."""


class BadKey(ValueError):
    """No key of a browser."""


def text_of(raw: bytes) -> str:
    """Bytes as push services and browsers write them: base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """The bytes that are written so and in no other letters. Raises `ValueError`."""
    return b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half of a key as a point, uncompressed."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(p256dh: str, auth: str) -> None:
    """Raise `BadKey` if these are not the two keys of a browser."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, bytes_of(p256dh))
        right = len(bytes_of(auth)) == AUTH_BYTES
    except ValueError:
        right = False
    if not right:
        raise BadKey


def seal(plain: bytes, p256dh: str, auth: str, own: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """A message for the browser with these keys, as the body that its push service takes.

    Args:
        own: a key for this message alone.
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
    """The header by which a push service knows the site.

    Args:
        key: the site's.
        endpoint: the address that is sent to.
        contact: an address at which the site's host can be reached, `https:` or `mailto:`.
        at: seconds of Unix time.
    """
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": at + GOOD_FOR, "sub": contact}
    signed = jwt.encode(claims, key, algorithm="ES256")
    return f"vapid t={signed}, k={text_of(public_bytes(key))}"

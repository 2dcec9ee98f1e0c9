"""Provably fair dice: the only randomness of a match.

Before the first ply the server publishes `commitment(secret)` and so commits to its secret (the server seed).
Then every seat may add words of its own (the client seeds), so that the server cannot have chosen the secret
for its faces. When the match ends the secret is revealed and anyone can verify every roll, with the page
"Check the dice" or with `tools/check_dice.py`.

The algorithm, format "parlour-dice-1":

1.  The secret is a text of 64 lower-case hexadecimal digits. The commitment is the SHA-256 of that text,
    as ASCII, in lower-case hexadecimal.
2.  The message of a roll is the UTF-8 text "parlour-dice-1", the match id and each word in seat order
    (the empty text for a seat that added none), each of them written as a field, with the number of
    words between match id and words; then the ply number, the number of dice and the number of sides::

        field("parlour-dice-1") field(match) u32(words) field(word 0) ... u32(ply) u32(count) u32(sides)

    u32 is an unsigned 32-bit number, most significant byte first; field(text) is u32(bytes) followed by
    the bytes of the text in UTF-8. Every part has its length, so no two rolls share a message.
3.  Block i = 0, 1, 2, ... is HMAC-SHA256 with the secret (its 64 ASCII bytes) as key over the message
    followed by u32(i): 32 bytes each.
4.  The bytes of the blocks are read in order. With `fair` the largest multiple of `sides` up to 256, a
    byte of `fair` or more is skipped (it would favour the low faces); any other byte b gives the face
    b mod sides + 1. The first `count` faces are the roll.

The ply number is the number of the ply that records the faces, counted from 1.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from typing import Any, NamedTuple

from games.rules.base import Dice, Roll

FORMAT = "parlour-dice-1"

MOST_SIDES = 256
"""A face is derived from one byte."""


class Throw(NamedTuple):
    """One dice roll of a match: its ply number, the dice and the faces."""

    ply: int
    dice: Dice
    roll: Roll


def new_secret() -> str:
    """64 random hexadecimal digits, kept on the server until the match ends."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """The commitment published before the first ply: the SHA-256 of the secret, in hexadecimal."""
    return hashlib.sha256(secret.encode("ascii")).hexdigest()


def throw(secret: str, words: Sequence[str], match: str, ply: int, dice: Dice) -> Roll:
    """The faces for a ply. Deterministic.

    Args:
        secret: the server seed, from `new_secret`.
        words: client seeds by seat, empty if a seat added none.
        match: the id of the match.
        ply: number of the ply that records the roll, from 1.
        dice: number of dice, and of their sides (1 to 256).

    Raises:
        ValueError: if the dice are out of range, or a client seed is not valid Unicode.
    """
    if dice.count < 1 or not 1 <= dice.sides <= MOST_SIDES:
        raise ValueError(f"cannot throw {dice}")
    message = b"".join(
        (
            _field(FORMAT),
            _field(match),
            _u32(len(words)),
            *map(_field, words),
            _u32(ply),
            _u32(dice.count),
            _u32(dice.sides),
        )
    )
    fair = MOST_SIDES - MOST_SIDES % dice.sides
    faces = (byte % dice.sides + 1 for byte in _bytes(secret, message) if byte < fair)
    return Roll(tuple(islice(faces, dice.count)))


def published(secret: str, words: Sequence[str], over: bool) -> dict[str, Any]:
    """The public data on the dice of a match. The secret is included only if the match is `over`."""
    return {"commitment": commitment(secret), "words": list(words), "secret": secret if over else None}


def sealed_file(
    match: str, game: str, words: Sequence[str], secret: str, throws: Iterable[Throw]
) -> dict[str, Any]:
    """The downloadable JSON to verify the dice of a finished match.

    Reveals the secret: call it only after the end.
    """
    return {
        "format": FORMAT,
        "match": match,
        "game": game,
        "words": list(words),
        "secret": secret,
        "commitment": commitment(secret),
        "throws": [
            {"ply": ply, "count": dice.count, "sides": dice.sides, "faces": list(roll.faces)}
            for ply, dice, roll in throws
        ],
    }


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _field(text: str) -> bytes:
    encoded = text.encode()
    return _u32(len(encoded)) + encoded


def _bytes(secret: str, message: bytes) -> Iterator[int]:
    key = secret.encode("ascii")
    for block in count():
        yield from hmac.digest(key, message + _u32(block), "sha256")

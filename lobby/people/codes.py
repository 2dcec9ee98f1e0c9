"""Codes that people read aloud and type on phones, and the limits of wrong ones."""

from __future__ import annotations

import secrets
import time

from games.domain.refusals import Refused
from games.net.limits import Buckets

ALPHABET = "BCDFGHJKMNPQRSTVWXZ"
"""No vowels, which could form words, and no look-alikes: L and I, and O are left out."""
RUDE = (
    *("FCK", "FKK", "FKN", "SHT", "CNT", "DCK", "CCK", "NGR", "FGT", "KKK", "WTF", "STFU", "TWT", "BTCH"),
    *("PRS", "TRS", "VTT", "MND", "PZD", "BTC", "SS", "XX"),
)
"""Rude words without their vowels, in the languages of the site."""


def new_code(length: int) -> str:
    """A random code, which may be in use."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(length))
        if not any(word in code for word in RUDE):
            return code


def normal(text: str, length: int) -> str:
    """Normalise user input to a code: capitals, without spaces and punctuation."""
    return "".join(each for each in text.upper() if each.isalnum())[:length]


class Tries:
    """The rate limits of wrong codes. A valid code costs nothing.

    Args:
        limits: the limiters that all apply, with the key of each.
        refusal: what is raised when one of them is used up.
    """

    def __init__(self, *limits: tuple[Buckets, str], refusal: type[Refused]) -> None:
        self._limits = limits
        self._refusal = refusal

    def take(self) -> None:
        """Take a try before the code is checked. Raises the refusal."""
        now = time.monotonic()
        for number, (buckets, key) in enumerate(self._limits):
            if not buckets.take(key, now):
                for other, of in self._limits[:number]:
                    other.of(of, now).spend(-1, now)
                raise self._refusal

    def give_back(self) -> None:
        """Return a try, because the code was valid."""
        now = time.monotonic()
        for buckets, key in self._limits:
            buckets.of(key, now).spend(-1, now)

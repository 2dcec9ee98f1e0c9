"""Codes of evenings: four letters that are read aloud and typed on phones."""

from __future__ import annotations

import secrets
import time

from django.conf import settings

from games.net.limits import Buckets, limiter
from lobby.evenings.refusals import TooManyTries
from lobby.models import EVENING_CODE_LENGTH

ALPHABET = "BCDFGHJKMNPQRSTVWXZ"
"""No vowels, which could form words, and no look-alikes: L and I, and O are left out."""
RUDE = (
    *("FCK", "FKK", "FKN", "SHT", "CNT", "DCK", "CCK", "NGR", "FGT", "KKK", "WTF", "STFU", "TWT", "BTCH"),
    *("PRS", "TRS", "VTT", "MND", "PZD", "BTC", "SS", "XX"),
)
"""What reads as a rude word without its vowels, in the languages of the site."""
SITE = "site"

tries_of_addresses = limiter(settings.EVENING_TRIES)
"""Wrong codes per network: enough for a room full of people who mistype."""
tries_of_site = limiter(settings.EVENING_SITE_TRIES)
"""Wrong codes on the whole site, so that nobody finds an evening by many addresses."""


def new_code() -> str:
    """A code by lot; it may be in use."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(EVENING_CODE_LENGTH))
        if not any(word in code for word in RUDE):
            return code


def normal(text: str) -> str:
    """A code as it is stored, from what somebody has typed: capitals, without spaces and signs."""
    return "".join(each for each in text.upper() if each.isalnum())[:EVENING_CODE_LENGTH]


class Tries:
    """What a network has left to try. A right code costs nothing."""

    def __init__(self, network: str) -> None:
        self._kinds: list[tuple[Buckets, str]] = [(tries_of_addresses, network), (tries_of_site, SITE)]

    def take(self) -> None:
        """Take a try before the code is looked up.

        Raises:
            EveningError: "too-many-tries".
        """
        now = time.monotonic()
        for number, (buckets, key) in enumerate(self._kinds):
            if not buckets.take(key, now):
                for other, of in self._kinds[:number]:
                    other.of(of, now).spend(-1, now)
                raise TooManyTries

    def give_back(self) -> None:
        """Give a try back, because the code was right."""
        now = time.monotonic()
        for buckets, key in self._kinds:
            buckets.of(key, now).spend(-1, now)

"""Codes of evenings: four letters that are read aloud and typed on phones."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from games.net.limits import Buckets, limiter
from games.net.process import process
from games.share import addresses
from lobby.evenings.models import EVENING_CODE_LENGTH, Evening
from lobby.evenings.refusals import TooManyTries

ALPHABET = "BCDFGHJKMNPQRSTVWXZ"
"""No vowels, which could form words, and no look-alikes: L and I, and O are left out."""
RUDE = (
    *("FCK", "FKK", "FKN", "SHT", "CNT", "DCK", "CCK", "NGR", "FGT", "KKK", "WTF", "STFU", "TWT", "BTCH"),
    *("PRS", "TRS", "VTT", "MND", "PZD", "BTC", "SS", "XX"),
)
"""Rude words without their vowels, in the languages of the site."""
SITE = "site"
SALT = "lobby.evenings.codes"
MOST_KNOWN = 10_000
"""Maximum networks that a process remembers."""

tries_of_addresses = limiter(settings.EVENING_TRIES)
"""Wrong codes per network: enough for a room full of people who mistype."""
tries_of_site = limiter(settings.EVENING_SITE_TRIES)
"""Wrong codes on the whole site, so that nobody finds an evening by many addresses.

When they are used up, guests can still join by the QR code, or from a network of the evening.
"""


def new_code() -> str:
    """A random code, which may be in use."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(EVENING_CODE_LENGTH))
        if not any(word in code for word in RUDE):
            return code


def normal(text: str) -> str:
    """Normalise user input to a code: capitals, without spaces and punctuation."""
    return "".join(each for each in text.upper() if each.isalnum())[:EVENING_CODE_LENGTH]


class Rooms:
    """The networks of the guests of evenings, as far as this process has seen them."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, str], None] = OrderedDict()

    def note(self, evening: Evening, network: str) -> None:
        """Record a network of a guest of an evening."""
        self._known[evening.pk, network] = None
        self._known.move_to_end((evening.pk, network))
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def has(self, evening: Evening | None, network: str) -> bool:
        """Whether a guest of an evening was seen at a network."""
        return evening is not None and (evening.pk, network) in self._known


rooms = process.part(Rooms)
"""The networks that this process has seen."""


class Tries:
    """The rate limit of wrong codes. A valid code costs nothing.

    Args:
        network: the network that tries.
        with_site: whether the limit of the whole site applies, too.
    """

    def __init__(self, network: str, *, with_site: bool) -> None:
        self._kinds: list[tuple[Buckets, str]] = [(tries_of_addresses, network)]
        if with_site:
            self._kinds.append((tries_of_site, SITE))

    def take(self) -> None:
        """Take a try before the code is checked.

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
        """Return a try, because the code was valid."""
        now = time.monotonic()
        for buckets, key in self._kinds:
            buckets.of(key, now).spend(-1, now)


def token_of(evening: Evening) -> str:
    """The secret token in the link of the QR code of an evening."""
    return addresses.token(SALT, f"{evening.pk} {evening.code}")


def is_token(evening: Evening, token: str) -> bool:
    """Whether a token is that of an evening."""
    return constant_time_compare(token_of(evening), token)


def link(evening: Evening) -> str:
    """The path in the QR code of an evening; it is not subject to the limits of wrong codes."""
    return f"{reverse('evening', args=[evening.code])}?token={token_of(evening)}"

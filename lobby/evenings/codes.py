"""Codes of evenings: four letters, and where they may be tried without the limit of the site."""

from __future__ import annotations

from collections import OrderedDict

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from games.net.limits import limiter
from games.net.process import process
from games.share import addresses
from lobby.evenings.models import EVENING_CODE_LENGTH, Evening
from lobby.evenings.refusals import TooManyTries
from lobby.people import codes
from lobby.people.codes import Tries

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


def normal(text: str) -> str:
    """Normalise user input to the code of an evening."""
    return codes.normal(text, EVENING_CODE_LENGTH)


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


def tries(network: str, *, with_site: bool) -> Tries:
    """The rate limit of wrong codes of evenings.

    Args:
        network: the network that tries.
        with_site: whether the limit of the whole site applies, too.
    """
    site = [(tries_of_site, SITE)] if with_site else []
    return Tries((tries_of_addresses, network), *site, refusal=TooManyTries)


def token_of(evening: Evening) -> str:
    """The secret token in the link of the QR code of an evening."""
    return addresses.token(SALT, f"{evening.pk} {evening.code}")


def is_token(evening: Evening, token: str) -> bool:
    """Whether a token is that of an evening."""
    return constant_time_compare(token_of(evening), token)


def link(evening: Evening) -> str:
    """The path in the QR code of an evening; it is not subject to the limits of wrong codes."""
    return f"{reverse('evening', args=[evening.code])}?token={token_of(evening)}"

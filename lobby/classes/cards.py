"""What is on the card of a pupil: letters and a PIN, which follow from its number and the site's secret key.

Somebody who has only the database can derive neither. A new number makes a new card, and ends the old one.
"""

from __future__ import annotations

from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import urlencode

from lobby.classes.models import PupilCard, SchoolClass
from lobby.people.codes import ALPHABET

SALT = "lobby.classes.cards"
LETTERS = 10
"""Letters of a card: 42 bits, so 36 for any of 60 cards of a class."""
QUERY = "letters"
"""The parameter of the address that has the letters."""
DIGITS = 4
"""Digits of a PIN."""


def letters(card: PupilCard) -> str:
    """The letters that open a card, together with the code of the class."""
    number, found = _number(card, "letters"), []
    for _place in range(LETTERS):
        number, letter = divmod(number, len(ALPHABET))
        found.append(ALPHABET[letter])
    return "".join(found)


def pin(card: PupilCard) -> str:
    """The PIN of a card."""
    return f"{_number(card, 'pin') % 10**DIGITS:0{DIGITS}}"


def has_letters(card: PupilCard, typed: str) -> bool:
    """Whether these are the letters of a card."""
    return constant_time_compare(letters(card), typed)


def has_pin(card: PupilCard, typed: str) -> bool:
    """Whether this is the PIN of a card."""
    return constant_time_compare(pin(card), typed)


def link(school_class: SchoolClass, card: PupilCard) -> str:
    """The path in the QR code of a card. Its letters are in the query, which no log has."""
    return f"{reverse('class-card', args=[school_class.code])}?{urlencode({QUERY: letters(card)})}"


def _number(card: PupilCard, kind: str) -> int:
    digest = salted_hmac(SALT, f"{kind} {card.user_id} {card.number}", algorithm="sha256").digest()
    return int.from_bytes(digest, "big")

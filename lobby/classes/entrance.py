"""How pupils come in: by a card, by a PIN, or new in a lesson.

Whoever guesses learns nothing: a wrong code, a wrong name and a wrong PIN have the same answer.
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from games.net.limits import limiter
from lobby.classes import cards, classes, pupils, refusals
from lobby.classes.models import SchoolClass
from lobby.people.codes import Tries, normal
from lobby.people.models import User
from lobby.people.spelling import folded

tries_of_addresses = limiter(settings.CLASS_TRIES)
"""Wrong cards, PINs and codes per network: enough for a room full of children who mistype."""
tries_of_names = limiter(settings.PIN_TRIES)
"""Wrong PINs per code and name, whether there is such a pupil or not."""


def by_card(code: str, letters: str, network: str) -> User:
    """The pupil whose card it is.

    Args:
        code: the code of the class, as typed or from the address.
        letters: those on the card, as well.
        network: the key to limit the address by (`games.net.limits.network_of`).

    Raises:
        ClassError: "wrong-entry" or "too-many-tries".
    """
    tries = Tries((tries_of_addresses, network), refusal=refusals.TooManyTries)
    tries.take()
    typed = normal(letters, cards.LETTERS)
    found = [each for each in _pupils(code) if cards.has_letters(each.card, typed)]
    return _come_in(found, tries)


def by_letters(code: str, name: str, letters: str, network: str) -> User:
    """The pupil of a class with this name, whose card has these letters. Arguments as of `by_card`.

    Raises:
        ClassError: "wrong-entry" or "too-many-tries".
    """
    pupil = by_card(code, letters, network)
    if folded(pupil.first_name) != folded(name.strip()):
        raise refusals.WrongEntry
    return pupil


def by_pin(code: str, name: str, pin: str, network: str) -> User:
    """The pupil of a class with this name and PIN. Arguments as of `by_card`.

    Raises:
        ClassError: "wrong-entry" or "too-many-tries".
    """
    name = folded(name.strip())
    person = f"{classes.normal(code)} {name}"
    tries = Tries((tries_of_addresses, network), (tries_of_names, person), refusal=refusals.TooManyTries)
    tries.take()
    named = [each for each in _pupils(code) if folded(each.first_name) == name]
    pupil = _come_in([each for each in named if cards.has_pin(each.card, pin.strip())], tries)
    pupils.note_pin_used(pupil)
    return pupil


def _pupils(code: str) -> list[User]:
    rows = User.objects.filter(pupil_of__code=classes.normal(code), is_active=True)
    return list(rows.select_related("card", "pupil_of"))


def _come_in(found: list[User], tries: Tries) -> User:
    if not found:
        raise refusals.WrongEntry
    tries.give_back()
    return found[0]


@transaction.atomic
def join(code: str, name: str, network: str) -> User:
    """A new pupil of a class that lets pupils in for a lesson.

    Args:
        network: as of `by_card`.

    Raises:
        ClassError: "not-open", "too-many-tries", "bad-name", "name-taken" or "class-full".
    """
    tries = Tries((tries_of_addresses, network), refusal=refusals.TooManyTries)
    tries.take()
    school_class = SchoolClass.objects.select_for_update().filter(code=classes.normal(code)).first()
    if school_class is None or not school_class.minutes_open:
        raise refusals.NotOpen
    tries.give_back()
    return pupils.come(school_class, name)

"""Choosing names, and finding users by name.

Every name that others see is chosen here; tests/architecture/test_entered_texts.py lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.domain import texts
from games.domain.messages import PRINTABLE
from games.models import NAME_LENGTH as SHARED_NAME_LENGTH
from lobby.clubs.models import CLUB_NAME_LENGTH, Club
from lobby.people.models import NAME_RULES, User
from lobby.people.names import not_official, not_reserved
from lobby.people.spelling import MAX_CHARACTERS, MIN_CHARACTERS, folded, joined, normal, skeleton

BOARD_NAME_RULES = (
    MinLengthValidator(1),
    MaxLengthValidator(SHARED_NAME_LENGTH),
    not_reserved,
)
"""Validators of names at a shared board."""
CLUB_NAME_RULES = (
    MinLengthValidator(MIN_CHARACTERS),
    MaxLengthValidator(CLUB_NAME_LENGTH),
    not_reserved,
)
"""Validators of names of clubs."""

FIRST_NAME_RULES = (
    MinLengthValidator(1),
    MaxLengthValidator(MAX_CHARACTERS),
    not_reserved,
)
"""Validators of names at an evening and in a class."""
MOST_OF_A_NAME = 100
"""So many people of one first name get a number."""


class FirstName(NamedTuple):
    """The name of a guest of an evening: as people there read it, and a free name on the site."""

    shown: str
    username: str


def choose(name: str, person: User | None = None) -> str:
    """Validate the name of an account or a guest and return its stored form.

    Args:
        name: the name as typed.
        person: the user who is renamed; their current name does not count as taken.

    Raises:
        ValidationError: the name is invalid, reserved or taken.
    """
    chosen = _checked(normal(name), NAME_RULES)
    if is_taken(chosen, by_other_than=person):
        raise taken()
    return chosen


def choose_first_name(name: str, person: User | None = None) -> FirstName:
    """The names of somebody who has typed a first name, which others on the site may have.

    On the site spaces and signs become hyphens, and a name that is short or taken gets a number.

    Args:
        name: the name as typed.
        person: as for `choose`.

    Raises:
        ValidationError: the name is empty, too long, reserved or in letters of two alphabets.
    """
    shown = first_name(name)
    plain = joined(shown)
    is_long = len(plain) >= MIN_CHARACTERS
    numbers = range(2 if is_long else 1, MOST_OF_A_NAME) if plain else ()
    numbered = (f"{plain[: MAX_CHARACTERS - 3]}-{number}" for number in numbers)
    free = (each for each in chain([plain] * is_long, numbered) if not is_taken(each, by_other_than=person))
    return FirstName(shown, choose(next(free, plain), person))


def first_name(name: str) -> str:
    """Validate a first name and return its stored form. Whether it is free, `is_among` says.

    Raises:
        ValidationError: the name is empty, too long or reserved.
    """
    _checked(name, (RegexValidator(PRINTABLE),))
    return _checked(texts.cleaned(normal(name)), FIRST_NAME_RULES)


def is_among(name: str, others: Iterable[str]) -> bool:
    """Whether one of some names is this one, or looks alike."""
    return any(folded(name) == folded(each) or skeleton(name) == skeleton(each) for each in others)


def taken() -> ValidationError:
    """What says that another user or club has a name, or one that looks alike."""
    return ValidationError(
        _("This name, or one that looks like it, is already taken."), code="username_taken"
    )


def choose_at_board(name: str) -> str:
    """Validate a player's name at a shared board and return its stored form; it need not be unique.

    Such a name may have spaces, signs and a single letter, since it is shown at that board only and links to
    no profile.

    Raises:
        ValidationError: the name is unprintable, longer than `SHARED_NAME_LENGTH` or reserved.
    """
    _checked(name, (RegexValidator(PRINTABLE),))
    return _checked(texts.cleaned(normal(name)), BOARD_NAME_RULES)


def choose_for_club(name: str, club: Club | None = None) -> str:
    """Validate the name of a club and return its stored form. It may have spaces and signs.

    Args:
        name: the name as typed.
        club: the club that is renamed; its current name does not count as taken.

    Raises:
        ValidationError: the name is too short or long, reserved or taken by another club.
    """
    chosen = _checked(texts.cleaned(normal(name)), CLUB_NAME_RULES)
    clubs = Club.objects.filter(Q(folded_name=folded(chosen)) | Q(skeleton=skeleton(chosen)))
    if (clubs if club is None else clubs.exclude(pk=club.pk)).exists():
        raise taken()
    return chosen


def choose_title(title: str) -> str:
    """Validate the title of a tournament and return its stored form; it need not be unique.

    Raises:
        ValidationError: the title is reserved.
    """
    return _checked(texts.cleaned(title), (not_official,))


def _checked(name: str, rules: Iterable[Callable[[str], None]]) -> str:
    for rule in rules:
        rule(name)
    return name


def named(name: str) -> User | None:
    """The user of this name, regardless of case."""
    return User.objects.filter(folded_name=folded(name)).first()


def is_taken(name: str, by_other_than: User | None = None) -> bool:
    """Whether a user has this name, or one that looks alike."""
    people = User.objects.filter(Q(folded_name=folded(name)) | Q(skeleton=skeleton(name)))
    return (people.exclude(pk=by_other_than.pk) if by_other_than else people).exists()

"""Who has a name, and whether somebody may have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.domain.messages import PRINTABLE
from games.models import NAME_LENGTH as SHARED_NAME_LENGTH
from lobby.models import NAME_RULES, User
from lobby.models.names import not_reserved
from lobby.models.spelling import folded, normal, skeleton

BOARD_NAME_RULES = (
    RegexValidator(PRINTABLE),
    MinLengthValidator(1),
    MaxLengthValidator(SHARED_NAME_LENGTH),
    not_reserved,
)
"""What a name at a shared board has to keep."""


def choose(name: str, person: User | None = None) -> str:
    """The form in which a name is stored, if a person may have it: every name that people choose comes here.

    Raises:
        ValidationError: what is no name, is reserved or is somebody else's.
    """
    chosen = _checked(normal(name), NAME_RULES)
    if is_taken(chosen, by_other_than=person):
        raise ValidationError(
            _("Somebody has this name already, or one that looks like it."), code="username_taken"
        )
    return chosen


def choose_at_board(name: str) -> str:
    """The form in which the name of somebody at a shared board is stored; others may be called the same.

    Such a name may have spaces, signs and one letter: it is shown at that board and leads to nobody.

    Raises:
        ValidationError: what cannot be shown, is longer than `SHARED_NAME_LENGTH` or is reserved.
    """
    return _checked(" ".join(normal(name).split()), BOARD_NAME_RULES)


def _checked(name: str, rules: Iterable[Callable[[str], None]]) -> str:
    for rule in rules:
        rule(name)
    return name


def named(name: str) -> User | None:
    """Whoever has this name, whatever its capitals."""
    return User.objects.filter(folded_name=folded(name)).first()


def is_taken(name: str, by_other_than: User | None = None) -> bool:
    """Whether somebody has this name, or one that looks the same."""
    people = User.objects.filter(Q(folded_name=folded(name)) | Q(skeleton=skeleton(name)))
    return (people.exclude(pk=by_other_than.pk) if by_other_than else people).exists()

"""Who has a name, and whether somebody may have it."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from lobby.models import NAME_RULES, User
from lobby.models.spelling import folded, normal, skeleton


def choose(name: str, person: User | None = None) -> str:
    """The form in which a name is stored, if a person may have it: every name that people choose comes here.

    Raises:
        ValidationError: what is no name, is reserved or is somebody else's.
    """
    chosen = normal(name)
    for rule in NAME_RULES:
        rule(chosen)
    if is_taken(chosen, by_other_than=person):
        raise ValidationError(
            _("Somebody has this name already, or one that looks like it."), code="username_taken"
        )
    return chosen


def named(name: str) -> User | None:
    """Whoever has this name, whatever its capitals."""
    return User.objects.filter(folded_name=folded(name)).first()


def is_taken(name: str, by_other_than: User | None = None) -> bool:
    """Whether somebody has this name, or one that looks the same."""
    people = User.objects.filter(Q(folded_name=folded(name)) | Q(skeleton=skeleton(name)))
    return (people.exclude(pk=by_other_than.pk) if by_other_than else people).exists()

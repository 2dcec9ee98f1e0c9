"""Search for users by name."""

from lobby.people.models import NAME_LENGTH, User
from lobby.people.spelling import folded

MAX_FOUND = 10


def search(user: User, name: str) -> list[User]:
    """Other users whose names begin with `name`, regardless of case; an exact match comes first."""
    if not name or len(name) > NAME_LENGTH:
        return []
    found = User.objects.filter(folded_name__startswith=folded(name))
    found = found.filter(is_deleted=False, is_active=True, is_bot=False)
    # Sorting by name puts the exact match first.
    return list(found.exclude(pk=user.pk).order_by("folded_name")[:MAX_FOUND])

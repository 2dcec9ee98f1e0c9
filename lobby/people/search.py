"""Finding people by their names."""

from lobby.models import NAME_LENGTH, User
from lobby.models.spelling import folded

MOST = 10


def search(user: User, name: str) -> list[User]:
    """Other people whose names begin with `name`, whatever its capitals; who is called just that first."""
    if not name or len(name) > NAME_LENGTH:
        return []
    found = User.objects.filter(folded_name__startswith=folded(name))
    found = found.filter(is_deleted=False, is_active=True, is_bot=False)
    # What begins with the whole of a name comes after it.
    return list(found.exclude(pk=user.pk).order_by("folded_name")[:MOST])

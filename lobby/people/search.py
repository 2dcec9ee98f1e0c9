"""Finding people by their names."""

from django.db.models import Case, IntegerField, Value, When

from lobby.models import NAME_LENGTH, User

MOST = 10


def search(user: User, name: str) -> list[User]:
    """Other people whose names begin with `name`, whatever its capitals; who is called just that first."""
    if not name or len(name) > NAME_LENGTH:
        return []
    exact = Case(When(username__iexact=name, then=Value(0)), default=Value(1), output_field=IntegerField())
    found = User.objects.filter(username__istartswith=name, is_deleted=False, is_active=True, is_bot=False)
    return list(found.exclude(pk=user.pk).order_by(exact, "username")[:MOST])

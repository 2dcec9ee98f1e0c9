"""The players who are online and do not hide it, for the page of players online and for the API."""

from __future__ import annotations

from games.net.process import process
from games.net.ttl_cache import TtlCache
from lobby.people import preferences, relationships
from lobby.people.models import User
from lobby.people.presence import presence

MAX_LISTED = 1000
"""Maximum length of the list; the counter in the lobby is exact."""
FRESH_SECONDS = 2.0
"""Cache lifetime of the list, which all readers of a process share."""


def is_hidden(person: User) -> bool:
    """Whether a user hides that they are online."""
    return preferences.value(person, "online") == preferences.HIDDEN


def _listed() -> list[User]:
    ids = sorted(presence.online())[:MAX_LISTED]
    people = User.objects.filter(pk__in=ids, is_active=True, is_deleted=False)
    here = people.filter(is_bot=False, computer="", pupil_of=None)
    return [person for person in here.order_by("folded_name") if not is_hidden(person)]


online_list = process.part(TtlCache, _listed, lambda: FRESH_SECONDS)
"""The players online, sorted by name, cached per process."""


def seen_by(user_id: int | None) -> list[User]:
    """The players online as a user sees them: without those who are blocked in either direction."""
    people = online_list.get()
    blocked = relationships.blocked_ids(user_id) if user_id is not None else frozenset[int]()
    return [person for person in people if person.pk not in blocked] if blocked else people

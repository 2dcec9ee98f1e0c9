"""The people who are here now and let others see it, for the page of people online and for programs."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

from lobby.models import User
from lobby.people import preferences, relationships
from lobby.people.presence import presence

MOST = 1000
"""People who are listed at most; the counter of the lobby has them all."""
FRESH_SECONDS = 2.0
"""How old the list may be, which is read once for everybody who asks."""


def is_hidden(person: User) -> bool:
    """Whether somebody does not want others to see that they are here."""
    return preferences.of(person)["online"] == preferences.HIDDEN


class OnlineList:
    """Those who are here, by name, as this process last read them."""

    def __init__(self) -> None:
        self._people: list[User] = []
        self._read_at = float("-inf")
        self._reading = threading.Lock()

    def read(self) -> list[User]:
        """The list, which is everybody's: nobody changes it."""
        with self._reading:
            if time.monotonic() - self._read_at > FRESH_SECONDS:
                self._people = _listed(sorted(presence.online())[:MOST])
                self._read_at = time.monotonic()
            return self._people

    def clear(self) -> None:
        """Read it anew when it is asked for next."""
        self._read_at = float("-inf")


def _listed(ids: Iterable[int]) -> list[User]:
    here = User.objects.filter(pk__in=ids, is_active=True, is_deleted=False, is_bot=False, computer="")
    return [person for person in here.order_by("folded_name") if not is_hidden(person)]


online_list = OnlineList()
"""The list of this process."""


def seen_by(user_id: int | None) -> list[User]:
    """The people online whom somebody sees: no one whom they block, or who blocks them."""
    people = online_list.read()
    blocked = relationships.blocked_ids(user_id) if user_id is not None else frozenset[int]()
    return [person for person in people if person.pk not in blocked] if blocked else people

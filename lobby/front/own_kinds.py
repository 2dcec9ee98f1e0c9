"""What a user has of the kinds that the front page shows.

Most users have nothing of most kinds. So one query finds out what there is, and the rest is read only where
there is something.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Exists, OuterRef

from games.registry import GAMES
from games.store.prepared import PreparedQuery
from lobby.feed import saved_matches
from lobby.pairing import offer
from lobby.people.models import User
from lobby.profiles import profiles
from lobby.ratings import conduct, results, unsettled


class OwnKinds(NamedTuple):
    """What a user has.

    Attributes:
        has_saved: whether there are saved matches.
        has_held: whether there are finished matches on one device.
        has_unsettled: whether there are finished matches without results.
        has_misses: whether there are misses that count now.
        has_beaten: whether the user has won against a computer player.
        has_finished: whether the user has finished a match.
    """

    has_saved: bool = False
    has_held: bool = False
    has_unsettled: bool = False
    has_misses: bool = False
    has_beaten: bool = False
    has_finished: bool = False


_USER = OuterRef("pk")
_kinds: PreparedQuery[tuple[bool, ...]] = PreparedQuery(
    lambda user_id: (
        User.objects.filter(pk=user_id)
        .annotate(
            has_saved=Exists(saved_matches.saved_of(_USER)),
            has_held=Exists(profiles.held_of(_USER)),
            has_unsettled=Exists(unsettled.unsettled_of(_USER)),
            has_misses=Exists(conduct.missed_by(_USER)),
            has_beaten=Exists(offer.beaten_by(_USER, *GAMES)),
            has_finished=Exists(results.finished_by(_USER)),
        )
        .values_list(*OwnKinds._fields)
    )
)


def own_kinds(user_id: int | None) -> OwnKinds:
    """What a user has; a visitor (None) has nothing."""
    found = None if user_id is None else _kinds.first(user_id)
    return OwnKinds() if found is None else OwnKinds(*found)

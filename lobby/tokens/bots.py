"""Accounts that become computer players, each by a program of its own."""

from __future__ import annotations

from django.db import transaction

from lobby.pairing import queue
from lobby.people.models import User
from lobby.tables.models import Chair
from lobby.tables.refusals import AtTable, HasPlayed


@transaction.atomic
def upgrade(user_id: int) -> None:
    """Make a computer player of an account, for good; again, it changes nothing.

    It must never have sat at a board, so that nobody has played a person who turns out to be none.

    Raises:
        TableError: "has-played" or "at-table".
    """
    queue.cancel([user_id])
    user = User.objects.select_for_update().get(pk=user_id)
    if user.is_bot:
        return
    if user.seatings.exists():
        raise HasPlayed
    if Chair.objects.filter(user=user, table__match=None).exists():
        raise AtTable
    user.is_bot = True
    user.save(update_fields=["is_bot"])

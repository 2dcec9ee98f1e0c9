"""Turns accounts into computer players that are run by programs of their owners."""

from __future__ import annotations

from django.db import transaction

from lobby.pairing import queue
from lobby.people.models import User
from lobby.tables.models import Chair
from lobby.tables.refusals import AtTable, HasPlayed


@transaction.atomic
def upgrade(user_id: int) -> None:
    """Make an account a computer player, permanently. Idempotent.

    The account must never have played, as its opponents would have taken it for a person.

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

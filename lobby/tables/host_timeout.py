"""Cancel tables whose host has gone.

A table in the lobby is cancelled when its host has been offline for `TABLE_HOST_TIMEOUT` seconds. Private
tables and challenges wait a day for their host: the invited player may answer much later.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.net.process import process
from games.net.tasks import every, spawn
from games.net.threads import in_thread
from lobby.people.presence import presence
from lobby.tables import tables
from lobby.tables.models import Table
from lobby.tables.refusals import Gone

PRIVATE_PATIENCE = timedelta(days=1)
"""Timeout of tables that the lobby does not show."""


def patience() -> timedelta:
    """Timeout of tables in the lobby."""
    return timedelta(seconds=settings.TABLE_HOST_TIMEOUT)


def note_hosts(here: Collection[int], now: datetime) -> None:
    """Note that these users are online, at the tables they host."""
    # Skip recent ones: every process does this.
    stale = Table.objects.filter(match=None, host__in=here, kept__lt=now - patience() / 4)
    if stale.exists():
        stale.update(kept=now)


def clear_deserted(now: datetime) -> list[str]:
    """Cancel the tables whose host has been away for too long; returns their ids."""
    public = Q(listed=True, kept__lt=now - patience())
    private = Q(listed=False, kept__lt=now - PRIVATE_PATIENCE)
    deserted = Q(public | private, match=None)
    ids = Table.objects.filter(deserted).values_list("pk", flat=True)
    return [table_id for table_id in ids if _clear(table_id, deserted)]


@transaction.atomic
def _clear(table_id: str, deserted: Q) -> bool:
    try:
        table = tables.locked(table_id)
    except Gone:
        return False
    # The host may have come back, or a player have sat down, before we got the lock.
    if not Table.objects.filter(deserted, pk=table_id).exists():
        return False
    tables.cancel(table)
    return True


class AbandonedTables:
    """Background task that notes online hosts and cancels deserted tables."""

    def begin(self) -> None:
        """Start, in the event loop."""
        # After a restart give hosts time to reconnect, however long the server was down.
        self._trust_from = timezone.now() + patience()
        spawn(every(patience().total_seconds() / 4, self._look))

    async def _look(self) -> None:
        now = timezone.now()
        await in_thread(note_hosts)(presence.online(), now)
        if now >= self._trust_from:
            await in_thread(clear_deserted)(now)


table_patience = process.part(AbandonedTables)
"""The task of this process."""

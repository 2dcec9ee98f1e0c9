"""Tables whose host has left for good are cleared away.

Everybody sees a table of the lobby, so one whose host is nowhere on the site wastes everybody's time
after `TABLE_HOST_TIMEOUT` seconds. A table by link and a challenge are for people who answer when they read
their mail: those wait a day for their host.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.net.hub import hub
from games.net.periodic import every
from games.net.threads import in_thread
from lobby.models import Table
from lobby.people.presence import presence
from lobby.tables import tables
from lobby.tables.refusals import Gone

PRIVATE_PATIENCE = timedelta(days=1)
"""How long tables that the lobby does not show wait for their host."""


def patience() -> timedelta:
    """How long tables of the lobby wait for their host."""
    return timedelta(seconds=settings.TABLE_HOST_TIMEOUT)


def note_hosts(here: Collection[int], now: datetime) -> None:
    """Note that these people are here now, at the tables they host."""
    # What was noted a moment ago is not written again: every process of the site does this.
    stale = Table.objects.filter(match=None, host__in=here, kept__lt=now - patience() / 4)
    if stale.exists():
        stale.update(kept=now)


def clear_deserted(now: datetime) -> list[str]:
    """Cancel the tables whose host has been away for too long; their ids."""
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
    # Its host may have come back, or somebody have sat down, before the lock was ours.
    if not Table.objects.filter(deserted, pk=table_id).exists():
        return False
    tables.cancel(table)
    return True


class AbandonedTables:
    """Looks after the tables for as long as this process runs."""

    def begin(self) -> None:
        """Start, in the event loop."""
        # After a restart hosts need a moment to come back, however long the server was down.
        self._trust_from = timezone.now() + patience()
        hub.spawn(every(patience().total_seconds() / 4, self._look))

    async def _look(self) -> None:
        now = timezone.now()
        await in_thread(note_hosts)(presence.online(), now)
        if now >= self._trust_from:
            await in_thread(clear_deserted)(now)


table_patience = AbandonedTables()
"""The patience of this process."""

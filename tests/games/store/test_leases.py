"""Rows are taken up by one process at a time, and are due again when a lease is over.

That several processes take at once is in test_looks.py, on both databases.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from operator import attrgetter

import pytest

from games.models import Match
from games.store import leases

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = timedelta(seconds=20)


def due(seconds):
    """A match, here simply a row, that is due so many seconds after `NOW`."""
    at = None if seconds is None else NOW + timedelta(seconds=seconds)
    return Match.objects.create(game="", options="{}", start="", bot_due=at).pk


def take(now=NOW, most=10, **how):
    return leases.take(Match.objects.order_by("bot_due"), "bot_due", now, now + LEASE, most, **how)


@pytest.mark.django_db
class TestTaking:
    def test_take_due_rows_in_order(self):
        late, soon = due(-1), due(-5)
        due(1), due(None)
        assert take() == [soon, late]

    def test_take_at_most_wanted_rows(self):
        keys = [due(-number) for number in range(3)]
        assert [len(take(most=most)) for most in (0, -1, 2, 2, 2)] == [0, 0, 2, 1, 0]
        assert Match.objects.filter(pk__in=keys, bot_due=NOW + LEASE).count() == 3

    def test_take_again_after_lease_ends(self):
        key = due(0)
        assert take() == [key]
        assert take(NOW + LEASE - timedelta(microseconds=1)) == []
        assert take(NOW + LEASE) == [key]

    def test_held_until_taken_by_another(self):
        key = due(0)
        take()
        rows = Match.objects.all()
        assert leases.held(rows, "bot_due", key, NOW + LEASE).exists()
        take(NOW + LEASE)
        assert not leases.held(rows, "bot_due", key, NOW + LEASE).exists()

    def test_take_share_limits_rows_per_owner(self):
        first = due(-9)
        due(-8)
        rematch = Match.objects.create(game="", options="{}", start="", bot_due=NOW, rematch_of_id=first)
        assert take(share=leases.Share(attrgetter("rematch_of_id"), 1)) == [first, rematch.pk]

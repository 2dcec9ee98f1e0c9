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
    def test_what_is_due_is_taken_in_its_order(self):
        late, soon = due(-1), due(-5)
        due(1), due(None)
        assert take() == [soon, late]

    def test_no_more_is_taken_than_is_wanted(self):
        keys = [due(-number) for number in range(3)]
        assert [len(take(most=most)) for most in (0, -1, 2, 2, 2)] == [0, 0, 2, 1, 0]
        assert Match.objects.filter(pk__in=keys, bot_due=NOW + LEASE).count() == 3

    def test_it_is_due_again_when_the_lease_is_over(self):
        key = due(0)
        assert take() == [key]
        assert take(NOW + LEASE - timedelta(microseconds=1)) == []
        assert take(NOW + LEASE) == [key]

    def test_whoever_took_it_holds_it_until_somebody_else_does(self):
        key = due(0)
        take()
        rows = Match.objects.all()
        assert leases.held(rows, "bot_due", key, NOW + LEASE).exists()
        take(NOW + LEASE)
        assert not leases.held(rows, "bot_due", key, NOW + LEASE).exists()

    def test_where_everybody_may_have_one_taken_the_next_of_another_comes_first(self):
        first = due(-9)
        due(-8)
        rematch = Match.objects.create(game="", options="{}", start="", bot_due=NOW, rematch_of_id=first)
        assert take(share=leases.Share(attrgetter("rematch_of_id"), 1)) == [first, rematch.pk]

"""Group commit: one transaction for many matches, and one bad entry hurts no other."""

import asyncio

import pytest
from channels.db import database_sync_to_async
from django.db import DatabaseError, OperationalError, connection
from django.test.utils import CaptureQueriesContext
from psycopg.errors import DiskFull

from games.domain import instants
from games.domain.plies import PlyRow
from games.models import Match, Ply
from games.play.begin import create
from games.registry import GAMES
from games.store import journal
from games.store.disk import is_full
from games.store.journal import Entry, Journal, Unavailable, WriteConflict
from lobby.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match_ids():
    players = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    options = GAMES["kalah"].rules.Options()
    return [create("kalah", options, players).pk for _ in range(3)]


@pytest.fixture
async def writer():
    writer = Journal()
    yield writer
    await writer.close()


def entry(match_id, *numbers, stored=lambda: None, **changes):
    rows = [PlyRow(n, 0, "1", None, "[]", "{}", f"command-{n}", instants.now()) for n in numbers]
    return Entry(match_id, rows, stored, **changes)


@database_sync_to_async
def numbers(match_id):
    return list(Ply.objects.filter(match=match_id).order_by("number").values_list("number", flat=True))


async def test_write_stores_before_it_returns(writer, match_ids):
    await writer.write(entry(match_ids[0], 1, 2))
    assert await numbers(match_ids[0]) == [1, 2]


async def test_a_number_that_is_taken_is_refused(writer, match_ids):
    await writer.write(entry(match_ids[0], 1))
    with pytest.raises(WriteConflict):
        await writer.write(entry(match_ids[0], 1))


async def test_an_entry_is_stored_whole_or_not_at_all(writer, match_ids):
    await writer.write(entry(match_ids[0], 2))
    with pytest.raises(WriteConflict):
        await writer.write(entry(match_ids[0], 1, 2, 3))
    assert await numbers(match_ids[0]) == [2]


async def test_write_conflict_fails_alone(writer, match_ids):
    await writer.write(entry(match_ids[1], 1))
    writes = [writer.write(entry(match_id, 1)) for match_id in match_ids]
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), WriteConflict, type(None)]
    for match_id in match_ids:
        assert await numbers(match_id) == [1]


@pytest.mark.parametrize(("of", "named"), [([0, 0], 0), ([0, 1], None)], ids=["one match", "several"])
def test_write_failure_logged_with_match(match_ids, monkeypatch, caplog, of, named):
    def refuse(batch):
        raise DatabaseError("the database is away")

    monkeypatch.setattr(journal, "_insert", refuse)
    loop = asyncio.new_event_loop()
    batch = [entry(match_ids[which], 1, written=loop.create_future()) for which in of]
    assert [type(result) for result in journal._commit(batch)] == [Unavailable] * 2
    loop.close()
    (said,) = caplog.records
    assert said.getMessage() == "the journal could not write 2 entries"
    assert getattr(said, "match", None) == (None if named is None else match_ids[named])


def test_a_batch_is_one_transaction(match_ids):
    loop = asyncio.new_event_loop()
    batch = [entry(match_id, 1, written=loop.create_future(), bots=False) for match_id in match_ids]
    with CaptureQueriesContext(connection) as queries:
        assert journal._commit(batch) == [None] * 3
    loop.close()
    begun = [query["sql"] for query in queries if query["sql"].startswith("BEGIN")]
    assert len(begun) == 1


def test_a_batch_of_plies_alone_queues_for_the_write_lock(match_ids):
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has one writer at a time")
    loop = asyncio.new_event_loop()
    before = connection.write_lock.releases  # type: ignore[attr-defined]
    assert journal._commit([entry(match_ids[0], 1, written=loop.create_future())]) == [None]
    loop.close()
    assert connection.write_lock.releases == before + 1  # type: ignore[attr-defined]


def test_a_batch_of_plies_alone_is_one_statement(match_ids):
    loop = asyncio.new_event_loop()
    batch = [entry(match_id, 1, 2, written=loop.create_future()) for match_id in match_ids]
    with CaptureQueriesContext(connection) as queries:
        assert journal._commit(batch) == [None] * 3
    loop.close()
    assert len(queries) == 1


def test_a_batch_of_more_plies_than_a_statement_holds_is_stored_whole_or_not_at_all(match_ids):
    loop = asyncio.new_event_loop()
    numbers = range(1, journal.ROWS + 2)
    taken = entry(match_ids[0], journal.ROWS + 1, written=loop.create_future())
    batch = [entry(match_ids[0], *numbers, written=loop.create_future())]
    assert journal._commit([taken]) == [None]
    assert [type(result) for result in journal._commit(batch)] == [WriteConflict]
    assert Ply.objects.filter(match=match_ids[0]).count() == 1
    Ply.objects.all().delete()
    assert journal._commit(batch) == [None]
    loop.close()
    assert Ply.objects.filter(match=match_ids[0]).count() == len(numbers)


async def test_the_outcome_is_stored_with_the_last_ply(writer, match_ids):
    await writer.write(entry(match_ids[0], 1, outcome='{"winners":[0]}'))
    match = await database_sync_to_async(Match.objects.get)(pk=match_ids[0])
    assert (match.status, match.outcome) == ("finished", '{"winners":[0]}')
    assert match.ended is not None


async def test_write_calls_stored_before_it_returns(writer, match_ids):
    order = []
    await writer.write(entry(match_ids[0], 1, stored=lambda: order.append("stored")))
    order.append("answered")
    assert order == ["stored", "answered"]


async def test_stored_is_not_called_for_what_is_not_stored(writer, match_ids):
    order = []
    await writer.write(entry(match_ids[0], 1))
    with pytest.raises(WriteConflict):
        await writer.write(entry(match_ids[0], 1, stored=lambda: order.append("stored")))
    assert order == []


async def test_closing_writes_what_waits(match_ids):
    writer = Journal()
    writes = [asyncio.ensure_future(writer.write(entry(match_ids[0], n))) for n in (1, 2, 3)]
    await asyncio.sleep(0)
    await writer.close()
    await asyncio.gather(*writes)
    assert await numbers(match_ids[0]) == [1, 2, 3]


async def test_write_on_full_disk_raises(writer, match_ids, monkeypatch):
    def full(batch):
        raise OperationalError from DiskFull()

    monkeypatch.setattr(journal, "_insert", full)
    with pytest.raises(Unavailable) as failed:
        await writer.write(entry(match_ids[0], 1))
    assert is_full(failed.value)

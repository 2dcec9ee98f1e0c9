"""Threads queue for the write lock of SQLite, and none is overtaken; its log is copied beside them."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from config.sqlite import base
from config.sqlite.base import FairLock
from games.models import Heartbeat, Seating
from games.net.hub import Hub
from games.play.matches import Matches
from games.store import checkpoints
from games.store.checkpoints import TRANSACTIONS_PER_CHECKPOINT, Checkpoints

PATIENCE = 20


@pytest.fixture
def lock() -> FairLock:
    return FairLock()


def queue_up(lock: FairLock, number: int, write: Callable[[int], None]) -> list[threading.Thread]:
    """So many threads that wait for the lock, one behind the other, and then write."""
    threads = [threading.Thread(target=write, args=(each,)) for each in range(number)]
    for each, thread in enumerate(threads):
        thread.start()
        while len(lock._waiting) <= each:
            assert thread.is_alive()
    return threads


def finish(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


class TestFairLock:
    def test_lock_given_in_order_of_requests(self, lock: FairLock) -> None:
        order: list[int] = []

        def write(number: int) -> None:
            assert lock.acquire(PATIENCE)
            order.append(number)
            lock.release()

        assert lock.acquire(PATIENCE)
        threads = queue_up(lock, 8, write)
        lock.release()
        finish(threads)
        assert order == list(range(8))

    def test_lock_requested_again_queues_behind_waiting(self, lock: FairLock) -> None:
        order: list[str] = []

        def write(_: int) -> None:
            assert lock.acquire(PATIENCE)
            order.append("another")
            lock.release()

        assert lock.acquire(PATIENCE)
        threads = queue_up(lock, 1, write)
        lock.release()
        assert lock.acquire(PATIENCE)
        order.append("the first again")
        lock.release()
        finish(threads)
        assert order == ["another", "the first again"]

    def test_lock_skips_timed_out_waiter(self, lock: FairLock) -> None:
        assert lock.acquire(PATIENCE)
        assert not lock.acquire(0.001)
        lock.release()
        assert lock.acquire(PATIENCE)


def pages_in_the_log() -> int:
    with connection.cursor() as cursor:
        return int(cursor.execute(base.CHECKPOINT).fetchone()[1])


def beat(number: int) -> None:
    """Write something, in a transaction of its own."""
    Heartbeat.objects.update_or_create(pk=1, defaults={"gaps": number, "at": timezone.now()})


@pytest.mark.django_db(transaction=True)
class TestConnections:
    @pytest.fixture
    def lock(self) -> FairLock:
        return connection.write_lock  # type: ignore[attr-defined]

    def test_wait_while_another_thread_writes(self, lock: FairLock) -> None:
        order: list[int] = []

        def write(number: int) -> None:
            with closing(connection), transaction.atomic():
                order.append(number)

        with transaction.atomic():
            threads = queue_up(lock, 5, write)
            assert order == []
        finish(threads)
        assert order == list(range(5))

    @pytest.mark.parametrize("end", ["commit", "rollback", "savepoint", "close"])
    def test_release_the_lock_however_a_transaction_ends(self, lock: FairLock, end: str) -> None:
        with suppress(LookupError), transaction.atomic():
            assert not lock.acquire(0.001)
            match end:
                case "rollback":
                    raise LookupError
                case "savepoint":
                    with transaction.atomic():
                        pass
                    assert not lock.acquire(0.001)
                case "close":
                    connection.close()
        assert lock.acquire(PATIENCE)
        lock.release()

    def test_hold_the_lock_for_a_statement_that_is_a_transaction_by_itself(self, lock: FairLock) -> None:
        with suppress(LookupError), connection.write_locked():  # type: ignore[attr-defined]
            assert not lock.acquire(0.001)
            Heartbeat.objects.filter(pk=1).update(gaps=1)
            raise LookupError
        assert lock.acquire(PATIENCE)
        lock.release()

    def test_cut_a_log_that_is_copied(self) -> None:
        """On a small disk, a log of 70 MB beside a database of 9 MB left no room for the next move."""
        log = Path(f"{connection.settings_dict['NAME']}-wal")
        with connection.cursor() as cursor:
            # One transaction: between two, a checkpoint in the background could cut the log.
            with transaction.atomic():
                cursor.execute("CREATE TABLE filler (bytes)")
                for _ in range(30):
                    cursor.execute("INSERT INTO filler VALUES (zeroblob(1048576))")
            assert log.stat().st_size > 20 * 2**20
            cursor.execute("DROP TABLE filler")
        connection.checkpoint()  # type: ignore[attr-defined]
        beat(1)
        assert log.stat().st_size <= 16 * 2**20

    def test_say_that_the_lock_did_not_come(self, lock: FairLock, monkeypatch: pytest.MonkeyPatch) -> None:
        assert lock.acquire(PATIENCE)
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.001)
        with pytest.raises(OperationalError, match="locked"), connection.write_locked():  # type: ignore[attr-defined]
            pass
        # Who has none gives none back.
        assert not lock.acquire(0.001)
        lock.release()

    def test_release_the_lock_when_the_commit_fails(self, lock: FairLock) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            # What refers to nothing is refused at the end alone.
            Seating.objects.create(match_id="none", seat=0)
        assert lock.acquire(PATIENCE)
        lock.release()

    def test_say_so_when_the_store_stays_locked(
        self, monkeypatch: pytest.MonkeyPatch, lock: FairLock
    ) -> None:
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.01)
        assert lock.acquire(PATIENCE)
        with pytest.raises(OperationalError, match="locked"), transaction.atomic():
            pass
        lock.release()
        with transaction.atomic():
            assert not lock.acquire(0.001)
        assert lock.acquire(PATIENCE)
        lock.release()

    def test_the_lock_is_released_where_sqlite_refuses(self, lock: FairLock) -> None:
        connection.ensure_connection()
        connection.connection.execute("BEGIN IMMEDIATE")
        try:
            with pytest.raises(OperationalError, match="within a transaction"), transaction.atomic():
                pass
        finally:
            connection.connection.rollback()
        assert lock.acquire(PATIENCE)
        lock.release()


def flushing() -> int:
    """How this thread's connection waits for the disk, as SQLite numbers it."""
    with closing(connection), connection.cursor() as cursor:
        return int(cursor.execute("PRAGMA synchronous").fetchone()[0])


@pytest.mark.django_db(transaction=True)
async def test_every_commit_is_flushed(monkeypatch: pytest.MonkeyPatch) -> None:
    options = connection.settings_dict["OPTIONS"]
    as_served = options["init_command"].removesuffix(settings.WITHOUT_FLUSHES)
    monkeypatch.setitem(options, "init_command", as_served)
    full = 2
    assert await asyncio.to_thread(flushing) == full


@pytest.mark.django_db(transaction=True)
class TestCheckpoints:
    @pytest.fixture
    def file(self) -> Path:
        return Path(connection.settings_dict["NAME"])

    def test_the_log_begins_anew_while_others_write(self) -> None:
        """Whoever copies a log that others write to is never done, and it would grow for ever."""
        written = threading.Event()

        def write() -> None:
            with closing(connection):
                for number in range(1000):
                    beat(number)
            written.set()

        connection.checkpoint()  # type: ignore[attr-defined]
        writer = threading.Thread(target=write)
        writer.start()
        while not written.is_set():
            connection.checkpoint()  # type: ignore[attr-defined]
        finish([writer])
        assert pages_in_the_log() < 100

    def test_checkpoint_copies_log_when_large_enough(self, file: Path, tmp_path: Path) -> None:
        def in_the_file() -> int:
            alone = shutil.copy(file, tmp_path / "alone.sqlite3")
            with closing(sqlite3.connect(alone)) as copy:
                return int(copy.execute("SELECT max(gaps) FROM games_heartbeat").fetchone()[0])

        look = async_to_sync(Checkpoints().once)
        for _ in range(TRANSACTIONS_PER_CHECKPOINT):
            beat(0)
        look()
        for number in range(1, TRANSACTIONS_PER_CHECKPOINT):
            beat(number)
        look()
        assert in_the_file() == 0
        beat(TRANSACTIONS_PER_CHECKPOINT)
        look()
        assert in_the_file() == TRANSACTIONS_PER_CHECKPOINT

    async def test_a_process_that_serves_matches_looks_again_and_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        copied_by: list[int] = []
        enough = threading.Event()

        def copy_log() -> None:
            copied_by.append(threading.get_ident())
            if len(copied_by) == 2:
                enough.set()

        monkeypatch.setattr(checkpoints, "copy_log", copy_log)
        monkeypatch.setattr(checkpoints, "TRANSACTIONS_PER_CHECKPOINT", 0)
        service = Matches(Hub())
        service.begin()
        assert await asyncio.to_thread(enough.wait, PATIENCE)
        await service.close()
        assert threading.get_ident() not in copied_by

    async def test_checkpoint_without_writes_takes_no_thread(self, monkeypatch: pytest.MonkeyPatch) -> None:
        looking = Checkpoints()
        await looking.once()
        monkeypatch.setattr(checkpoints, "in_thread", None)
        await looking.once()

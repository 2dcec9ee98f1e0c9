"""Group commit: the only place that writes plies.

One thread writes all waiting commands of all matches in one transaction, so that they share one flush of the
disk. Commands are acknowledged after it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import chain
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any, TypeAlias

import orjson
from django.db import DatabaseError, IntegrityError, connection, transaction

from games.domain.instants import moment
from games.domain.plies import PlyRow
from games.models import Match
from games.net.measures import measures
from games.store.disk import disk

logger = logging.getLogger(__name__)

BATCH = 512
"""Most entries of a transaction, which limits the wait of its first entry."""

INSERT_PLIES = """
    INSERT INTO games_ply (match_id, number, seat, action, dice, events, state, command, at, clocks) VALUES
"""
ROW = "(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
ROWS = 90
"""Most rows of a statement: some databases allow only 999 parameters."""
FREEZE_WORDS = "UPDATE games_match SET words = %s WHERE id = %s"
STORED_WORDS = "SELECT words FROM games_seating WHERE match_id = %s ORDER BY seat"
SET_CLOCK = "UPDATE games_match SET deadline = %s, paused = 0 WHERE id = %s AND paused = %s"
SET_STATUS = "UPDATE games_match SET status = %s WHERE id = %s"
SET_BOT_DUE = "UPDATE games_match SET bot_due = %s WHERE id = %s"
DEADLINE = Match._meta.get_field("deadline")
END_MATCH = "UPDATE games_match SET status = 'finished', outcome = %s, ended = %s WHERE id = %s"


class WriteConflict(Exception):
    """Another process wrote a ply, a client seed or a pause first; nothing of the entry is stored."""


class Unavailable(Exception):
    """The database failed. The entry may or may not be stored: read before trying again."""


@dataclass(frozen=True, slots=True)
class ClockChange:
    """The change of a match's clock by a ply.

    Attributes:
        deadline: when the time of the next seat is up; None once the match has ended.
        paused: the pause that the ply was validated with. If the stored one differs, the ply is rejected.
    """

    deadline: datetime | None
    paused: int


def _new_future() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


@dataclass(slots=True)
class Entry:
    """Everything one command adds to a match, stored atomically.

    `stored` is called in the event loop after the commit, even if the awaiting task is gone. `bots` says
    whether a bot is to move next; None if no bot takes part in the match.
    """

    match_id: str
    plies: Sequence[PlyRow]
    stored: Callable[[], None]
    words: str | None = None
    outcome: str | None = None
    status: str | None = None
    clock: ClockChange | None = None
    bots: bool | None = None
    written: asyncio.Future[None] = field(default_factory=_new_future)

    @property
    def plies_alone(self) -> bool:
        """Whether the entry consists of plies only."""
        return (self.words, self.outcome, self.status, self.clock, self.bots) == (None,) * 5


Waiting: TypeAlias = SimpleQueue[list[Entry] | None]
"""Entries to be written; None closes the queue."""


class Journal:
    """The writer thread and its queue."""

    def __init__(self) -> None:
        self._queue: Waiting = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._handed_in: list[Entry] = []

    def write(self, entry: Entry) -> asyncio.Future[None]:
        """Returns a future, done once `entry` is durable. Raises `WriteConflict` or `Unavailable`."""
        if self._thread is None:
            self._thread = threading.Thread(target=_run, args=(self._queue,), name="journal", daemon=True)
            self._thread.start()
            # A journal that is dropped without `close` leaves no thread behind.
            weakref.finalize(self, self._queue.put, None)
        if not self._handed_in:
            # Entries of one event loop turn wake the thread only once.
            entry.written.get_loop().call_soon(self._pass_on)
        self._handed_in.append(entry)
        return entry.written

    async def close(self) -> None:
        """Write what is pending, then end the thread."""
        if self._thread is not None:
            self._pass_on()
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    def _pass_on(self) -> None:
        entries, self._handed_in = self._handed_in, []
        if entries:
            self._queue.put(entries)


def _run(queue: Waiting) -> None:
    """Write what is in the queue until it is closed."""
    going = True
    while going:
        batch, going = _next_batch(queue)
        if batch:
            begun = perf_counter()
            results = _commit(batch)
            measures.committed(len(batch), results.count(None), perf_counter() - begun)
            _answer(batch, results)
    connection.close()


def _next_batch(queue: Waiting) -> tuple[list[Entry], bool]:
    """Wait for an entry, and return it with all others queued; False once the queue is closed."""
    batch: list[Entry] = []
    entries = queue.get()
    while entries is not None:
        batch += entries
        if len(batch) >= BATCH:
            return batch, True
        try:
            entries = queue.get_nowait()
        except Empty:
            return batch, True
    return batch, False


def _commit(batch: list[Entry]) -> list[Exception | None]:
    """Write a batch in one transaction. Returns the error of each entry, or None."""
    try:
        _insert(batch)
    except IntegrityError as error:
        # One conflicting entry rolled back the whole batch: retry each on its own.
        if len(batch) > 1:
            return [result for entry in batch for result in _commit([entry])]
        return [WriteConflict(str(error))]
    except DatabaseError as error:
        matches = {entry.match_id for entry in batch}
        about = {"match": matches.pop()} if len(matches) == 1 else None
        logger.exception("the journal could not write %d entries", len(batch), extra=about)
        disk.note(error)
        # Do not reuse a connection after an error.
        connection.close()
        failed = Unavailable(str(error))
        failed.__cause__ = error
        return [failed] * len(batch)
    return [None] * len(batch)


def _insert(batch: list[Entry]) -> None:
    # The same order in every process, to avoid deadlocks.
    entries = sorted(batch, key=lambda entry: entry.match_id)
    # The times within a batch hardly differ.
    time = cache(_stored_time)
    rows = [
        (e.match_id, p.number, p.seat, p.action, p.dice, p.events, p.state, p.command, time(p.at), p.clocks)
        for e in entries
        for p in e.plies
    ]
    # Each statement releases the GIL and has to wait to get it back, so use as few as possible.
    if len(rows) <= ROWS and all(entry.plies_alone for entry in entries):
        with _single_statement(), connection.cursor() as cursor:
            _insert_plies(cursor, INSERT_PLIES, rows)
        return
    on_sqlite = connection.vendor == "sqlite"
    with transaction.atomic(), connection.cursor() as cursor:
        # A failure rolls back the transaction anyway, so SQLite need not keep pages to undo the statement
        # alone.
        insert = INSERT_PLIES.replace("INSERT", "INSERT OR FAIL") if on_sqlite else INSERT_PLIES
        for start in range(0, len(rows), ROWS):
            _insert_plies(cursor, insert, rows[start : start + ROWS])
        for entry in entries:
            if entry.words is not None:
                _freeze_words(cursor, entry.match_id, entry.words)
            if entry.clock is not None:
                _set_clock(cursor, entry.match_id, entry.clock)
            if entry.status is not None:
                cursor.execute(SET_STATUS, (entry.status, entry.match_id))
            if entry.bots is not None:
                due = time(entry.plies[-1].at) if entry.bots else None
                cursor.execute(SET_BOT_DUE, (due, entry.match_id))
            if entry.outcome is not None:
                cursor.execute(END_MATCH, (entry.outcome, time(entry.plies[-1].at), entry.match_id))


def _stored_time(milliseconds: int) -> Any:
    return _as_stored(moment(milliseconds))


def _as_stored(time: datetime | None) -> Any:
    return DEADLINE.get_db_prep_value(time, connection)


def _single_statement() -> AbstractContextManager[None]:
    """The context of a statement that is a transaction of its own."""
    if connection.vendor != "sqlite":
        return nullcontext()
    # Writers queue for the write lock (`config.sqlite`).
    lock: AbstractContextManager[None] = connection.write_locked()  # type: ignore[attr-defined]
    return lock


def _insert_plies(cursor: Any, insert: str, rows: Sequence[Sequence[Any]]) -> None:
    cursor.execute(_insertion(insert, len(rows)), list(chain.from_iterable(rows)))


@cache
def _insertion(insert: str, rows: int) -> str:
    """The SQL to insert so many plies."""
    return insert + ", ".join([ROW] * rows)


def _freeze_words(cursor: Any, match_id: str, words: str) -> None:
    """Freeze the client seeds of the dice.

    Raises IntegrityError if a different client seed was accepted from a seat before.
    """
    # Update the match first: `games.store.match_offers` locks its row while it stores client seeds.
    cursor.execute(FREEZE_WORDS, (words, match_id))
    cursor.execute(STORED_WORDS, (match_id,))
    if [stored for (stored,) in cursor.fetchall()] != orjson.loads(words):
        raise IntegrityError("the words have changed")


def _set_clock(cursor: Any, match_id: str, clock: ClockChange) -> None:
    """Store the deadline of the running clock.

    Raises IntegrityError if downtime was recorded after the ply was validated, as it must not be charged.
    """
    cursor.execute(SET_CLOCK, (_as_stored(clock.deadline), match_id, clock.paused))
    if cursor.rowcount != 1:
        raise IntegrityError("the clock has been paused")


def _answer(batch: list[Entry], results: list[Exception | None]) -> None:
    """Resolve the futures, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Entry, Exception | None]]] = {}
    for entry, result in zip(batch, results, strict=True):
        by_loop.setdefault(entry.written.get_loop(), []).append((entry, result))
    for loop, answers in by_loop.items():
        loop.call_soon_threadsafe(_resolve, answers)


def _resolve(answers: list[tuple[Entry, Exception | None]]) -> None:
    for entry, error in answers:
        if error is None:
            entry.stored()
        if entry.written.cancelled():
            continue
        if error is None:
            entry.written.set_result(None)
        else:
            entry.written.set_exception(error)

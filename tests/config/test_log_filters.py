"""What the log says of a database, a disk or a Redis that fails."""

from __future__ import annotations

import logging
import sqlite3

import psycopg
import pytest
import redis.exceptions
from django.db import OperationalError

from config.observability.log_filters import ShortFaults


def record(error: Exception | None, name: str = "games.store.journal") -> logging.LogRecord:
    told = None if error is None else (type(error), error, None)
    return logging.LogRecord(name, logging.ERROR, "", 0, "the journal could not write", None, told)


def as_django_says_it(error: Exception) -> OperationalError:
    failed = OperationalError(str(error))
    failed.__cause__ = error
    return failed


FULL = sqlite3.OperationalError("database or disk is full")
FULL.sqlite_errorcode = sqlite3.SQLITE_FULL


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (as_django_says_it(psycopg.OperationalError("refused")), "PostgreSQL cannot be reached."),
        (as_django_says_it(psycopg.errors.AdminShutdown("ends")), "PostgreSQL cannot be reached."),
        (as_django_says_it(psycopg.errors.DiskFull("full")), "The disk is full."),
        (as_django_says_it(FULL), "The disk is full."),
        (redis.exceptions.ConnectionError("refused"), "Redis cannot be reached."),
        (redis.exceptions.BusyLoadingError("loading"), "Redis cannot be reached."),
        (redis.exceptions.TimeoutError("silent"), "Redis cannot be reached."),
    ],
)
def test_fault_of_a_service_is_one_error_a_minute(
    error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    short, told = ShortFaults(), record(error)
    assert short.filter(told)
    assert told.getMessage() == f"{sentence} This is said once a minute."
    assert (told.levelname, told.exc_info) == ("ERROR", None)
    now += 59
    assert not short.filter(record(error))
    assert short.filter(record(ValueError("x")))
    now += 1
    assert short.filter(record(error))


def test_an_unreachable_database_is_one_line_a_minute() -> None:
    short = ShortFaults()
    assert short.filter(record(psycopg.OperationalError("refused")))
    assert not short.filter(record(None, "psycopg.pool"))


@pytest.mark.parametrize(
    "error", [None, ValueError("x"), as_django_says_it(psycopg.errors.DeadlockDetected())]
)
def test_other_errors_are_told_whole(error: Exception | None) -> None:
    short, told = ShortFaults(), record(error)
    assert all(short.filter(told) for _ in range(2))
    assert told.getMessage() == "the journal could not write"
    assert (told.exc_info is None) == (error is None)

"""What the log says of a database that cannot be reached."""

from __future__ import annotations

import logging

import psycopg
import pytest
from django.db import OperationalError

from config.observability.log_filters import ShortDatabaseErrors


def record(error: Exception | None, name: str = "games.store.journal") -> logging.LogRecord:
    told = None if error is None else (type(error), error, None)
    return logging.LogRecord(name, logging.ERROR, "", 0, "the journal could not write", None, told)


def as_django_says_it(error: psycopg.Error) -> OperationalError:
    failed = OperationalError(str(error))
    failed.__cause__ = error
    return failed


@pytest.mark.parametrize("error", [psycopg.OperationalError("refused"), psycopg.errors.AdminShutdown("ends")])
def test_an_unreachable_database_is_one_line_a_minute(
    error: psycopg.Error, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    short, told = ShortDatabaseErrors(), record(as_django_says_it(error))
    assert short.filter(told)
    assert (told.getMessage(), told.exc_info) == (
        "PostgreSQL cannot be reached. This is said once a minute.",
        None,
    )
    now += 59
    assert not short.filter(record(as_django_says_it(error)))
    assert not short.filter(record(None, "psycopg.pool"))
    now += 1
    assert short.filter(record(None, "psycopg.pool"))


@pytest.mark.parametrize(
    "error", [None, ValueError("x"), as_django_says_it(psycopg.errors.DeadlockDetected())]
)
def test_other_errors_are_told_whole(error: Exception | None) -> None:
    short, told = ShortDatabaseErrors(), record(error)
    assert all(short.filter(told) for _ in range(2))
    assert told.getMessage() == "the journal could not write"
    assert (told.exc_info is None) == (error is None)

"""A full disk is known by what SQLite and PostgreSQL say, and whoever wanted to store something is told."""

import sqlite3

import pytest
from django.db import OperationalError
from psycopg.errors import DiskFull, LockNotAvailable

from games.domain.refusals import DiskFullUnavailable, SavingUnavailable
from games.store.disk import Disk, is_full, unstored


def full_sqlite():
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def as_django_says_it(error):
    failed = OperationalError(str(error))
    failed.__cause__ = error
    return failed


@pytest.mark.parametrize("said", [DiskFull("could not extend file"), full_sqlite()], ids=["pg", "sqlite"])
def test_a_full_disk_is_told(said):
    error = as_django_says_it(said)
    assert is_full(said)
    assert is_full(error)
    assert type(unstored(error)) is DiskFullUnavailable
    disk = Disk()
    disk.note(error)
    assert disk.full


def test_postgresql_calls_it_53100():
    assert DiskFull.sqlstate == "53100"


@pytest.mark.parametrize("said", [LockNotAvailable("lock timeout"), sqlite3.OperationalError("locked")])
def test_other_database_error_is_no_full_disk(said):
    error = as_django_says_it(said)
    assert not is_full(error)
    assert type(unstored(error)) is SavingUnavailable
    disk = Disk()
    disk.note(error)
    assert not disk.full

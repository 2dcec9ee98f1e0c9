"""What all tests share: nothing skipped in secret, and real servers to those who ask for them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, connections
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from config.i18n.compile_messages import compile_all
from games.computers.pool import Pool
from tests.helpers.first_rows import FirstRows
from tests.helpers.samples import FULL, in_full, sample
from tools.harness import preloaded, prepared, servers
from tools.harness.servers import ParlourServer
from tools.harness.services import Postgres, PostgresClient, Redis
from tools.programs import postgres_bin, redis_server

PAIRS = in_full("sqlite", "postgres+redis")
"""The stores of this run. What is about two processes takes "postgres+redis" in each run."""

# A busy machine is slow now and then, which says nothing about the code.
hypothesis_settings.register_profile("parlour", deadline=None, max_examples=sample(100, 40))
hypothesis_settings.load_profile("parlour")

# What functions run by `inside` import.
preloaded.also_loaded[:] = ["hypothesis", "pytest", "tests.helpers.accounts"]

servers.settings_module = "tests.helpers.server_settings"

# Asked to end, let go of the servers first.
signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", returncode=143))


def _nothing_may_be_skipped() -> bool:
    return os.environ.get("PARLOUR_REQUIRE_ALL", "0") == "1"


def _turn_skip_into_failure(report: Any) -> None:
    if report.skipped and not hasattr(report, "wasxfail") and _nothing_may_be_skipped():
        report.outcome = "failed"
        report.longrepr = f"skipped, where nothing may be: {report.longrepr[2]}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    _turn_skip_into_failure(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Any:
    report = yield
    _turn_skip_into_failure(report)
    return report


def pytest_configure(config: pytest.Config) -> None:
    # Once, and not by every process of a parallel run at the same time.
    if not hasattr(config, "workerinput"):
        compile_all()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Any:
    """Look for no garbage while thousands of tests are collected, and never among them afterwards.

    None of them is garbage before the end, and to look through them all again and again takes long.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


LONGEST = (
    "architecture/test_fifth_game.py",
    "browser/accounts/test_accounts.py",
    "browser/eyes/test_every_page.py",
    "servers/test_crashes.py",
    "lobby/auth/test_accounts_server.py",
    "games/watch/test_watching.py",
    "lobby/ratings/test_ratings.py",
    "lobby/pairing/test_pairing_processes.py",
    "lobby/people/test_presence.py",
    "browser/match/test_layout.py",
    "browser/by_ear/test_paths.py",
)
"""The files that take longest begin first, in this order: one that begins last is waited for alone."""
PROCESSES = {"launcher", "own_postgres", "postgres", "redis", "thinkers"}
"""Fixtures that start processes."""
OF_PROCESSES = tuple(str(Path(__file__).parent / name) for name in ("browser", "drills", "servers"))


def _begin_with_the_longest(items: list[pytest.Item]) -> None:
    """Mark what starts processes; after the `LONGEST`, the files with such tests go first."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if PROCESSES & fixtures or str(item.path).startswith(OF_PROCESSES):
            item.add_marker("processes")
    first = {item.path for item in items if item.get_closest_marker("processes")}
    place = {Path(__file__).parent / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: (place.get(item.path, len(LONGEST)), item.path not in first))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out `deep` tests, and `full` ones outside of the full run, unless a `-m` says what to run."""
    absent = () if config.option.markexpr else ("deep",) if FULL else ("deep", "full")
    left_out = {item for item in items if any(item.get_closest_marker(name) for name in absent)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    _begin_with_the_longest(items)


@pytest.fixture(autouse=True)
def no_language_of_another_test() -> None:
    """A page leaves its language behind, in which the next test would be answered by what is no page."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def a_new_process() -> None:
    """Each test begins as a new process does: nothing is cached, counted, connected or waited for."""
    from django.core.cache import caches

    from games.net.process import process

    process.renew()
    for cache in caches.all():
        cache.clear()


@pytest.fixture
def ulno(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("Ulno")


@pytest.fixture
def artjom(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("Artjom")


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    program = redis_server()
    if program is None:
        pytest.skip("redis-server is not installed")
    server = Redis(program)
    yield server.start()
    server.discard()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresClient]:
    """A cluster whose `prepared.POSTGRES_TEMPLATE` has all tables; `make test` runs one for all processes."""
    if port := os.environ.get("PARLOUR_POSTGRES_PORT"):
        yield PostgresClient(int(port))
        return
    directory = postgres_bin()
    if directory is None:
        pytest.skip("PostgreSQL is not installed")
    server = Postgres(directory, archive=prepared.postgres_archive())
    yield server.start()
    server.discard()


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A cluster for one test to kill, durable; its `prepared.POSTGRES_TEMPLATE` has all tables."""
    directory = postgres_bin()
    if directory is None:
        pytest.skip("PostgreSQL is not installed")
    server = Postgres(directory, durable=True, archive=prepared.postgres_archive())
    yield server.start()
    server.discard()


@pytest.fixture(scope="session")
def thinkers() -> Iterator[Pool]:
    """A process in which computer players think."""
    pool = Pool(1)
    yield pool
    asyncio.run(pool.close())


@pytest.fixture(scope="session")
def var_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files as a public server has them, and an empty database, `template.sqlite3`."""
    directory = tmp_path_factory.mktemp("var")
    (directory / "static").symlink_to(prepared.static_files())
    shutil.copy(prepared.sqlite_file(), directory / "template.sqlite3")
    return directory


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: Any) -> Iterator[None]:
    """A copy of a migrated database, instead of migrating one, to which tests that commit return."""
    if connection.vendor != "sqlite":
        with django_db_blocker.unblock():
            first = FirstRows()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: first.restore())
            yield
        with django_db_blocker.unblock():
            connections.close_all()
        return
    path = Path(connection.settings_dict["NAME"])
    template = prepared.sqlite_file()
    shutil.copy(template, path)
    with contextlib.closing(sqlite3.connect(template)) as source, pytest.MonkeyPatch.context() as patch:

        def restore(_: TransactionTestCase) -> None:
            connection.ensure_connection()
            source.backup(connection.connection)

        # Django empties each table instead, and creates permissions and content types anew.
        patch.setattr(TransactionTestCase, "_fixture_teardown", restore)
        yield
    with django_db_blocker.unblock():
        connections.close_all()
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()


@dataclass(frozen=True, slots=True)
class Store:
    """A fresh database with its tables, and the channel layer that goes with it."""

    database_url: str
    redis_url: str = ""


_store_numbers = itertools.count(1)


class Launcher:
    """Makes stores, and opens servers on them: two on the same store are two processes of one site."""

    def __init__(self, request: pytest.FixtureRequest, var_dir: Path) -> None:
        self._request = request
        self._var_dir = var_dir
        self._cold = request.node.get_closest_marker("cold") is not None
        self._servers: list[ParlourServer] = []
        self._databases: list[str] = []

    def store(self, pair: str) -> Store:
        """A store on "sqlite" or "postgres+redis", a copy of one that was migrated once."""
        number = next(_store_numbers)
        if pair == "sqlite":
            path = self._var_dir / f"store-{os.getpid()}-{number}.sqlite3"
            shutil.copy(self._var_dir / "template.sqlite3", path)
            return Store(f"sqlite:///{path}")
        postgres: PostgresClient = self._request.getfixturevalue("postgres")
        name = f"store_{os.getpid()}_{number}"
        postgres.execute(f"CREATE DATABASE {name} TEMPLATE {prepared.POSTGRES_TEMPLATE}")
        self._databases.append(name)
        # A Redis has sixteen numbered databases, and tests let go of theirs long before they come round.
        redis_url = self._request.getfixturevalue("redis").url(number % 16)
        return Store(postgres.url(name), redis_url)

    def open(self, store: Store, **settings: Any) -> ParlourServer:
        """A running server on a store; it ends with the tests, if nobody ends it before."""
        server = ParlourServer(
            store.database_url, store.redis_url, self._var_dir, cold=self._cold, **settings
        )
        self._servers.append(server)
        return server.start()

    def close(self) -> None:
        for server in self._servers:
            server.discard()
        for name in self._databases:
            self._request.getfixturevalue("postgres").execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def launcher(request: pytest.FixtureRequest, var_dir: Path) -> Iterator[Launcher]:
    launcher = Launcher(request, var_dir)
    yield launcher
    launcher.close()


@pytest.fixture(scope="module", params=PAIRS)
def store(request: pytest.FixtureRequest, launcher: Launcher) -> Store:
    """A store on SQLite; in the full run, a store of each pair in turn."""
    return launcher.store(request.param)


@pytest.fixture(scope="module")
def server(launcher: Launcher, store: Store) -> ParlourServer:
    """A running Parlour on `store`, shared by the tests of a module."""
    return launcher.open(store)


@pytest.fixture(scope="module")
def sqlite_server(launcher: Launcher) -> ParlourServer:
    """A running Parlour as `make run` gives it, shared by the tests of a module."""
    return launcher.open(launcher.store("sqlite"))

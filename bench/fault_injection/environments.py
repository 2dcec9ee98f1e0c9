"""Where drills take place: fresh stores of both kinds, and servers on them as a host runs them."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tools.harness.cluster import Cluster, cluster
from tools.harness.servers import ParlourServer, manage
from tools.harness.services import ROOT, Postgres, Redis
from tools.programs import postgres_bin, redis_server

UNLIMITED: dict[str, Any] = {"SOCKET_RATE": "0", "SOCKETS_PER_PERSON": "0", "CONNECTIONS_PER_ADDRESS": "0"}


class Store(NamedTuple):
    """A database with its tables, and the channel layer that goes with it."""

    database_url: str
    redis_url: str = ""


class Environment:
    """Makes them. What it began ends with it.

    Args:
        var_dir: where collected static files and `template.sqlite3`, a fresh database, are; made if None.
    """

    def __init__(self, var_dir: Path | None = None) -> None:
        self._stack = ExitStack()
        self.directory = Path(tempfile.mkdtemp(prefix="parlour-drills-"))
        self._stack.callback(shutil.rmtree, self.directory, ignore_errors=True)
        self._var_dir = var_dir or self._prepared()
        self._numbers = itertools.count(1)
        self.postgres: Postgres | None = None
        self.redis: Redis | None = None

    def close(self) -> None:
        """End every server and service, and forget their data."""
        self._stack.close()

    def sqlite(self, directory: Path | None = None) -> Store:
        """A file, as `make run` has one."""
        path = (directory or self.directory) / f"drill-{next(self._numbers)}.sqlite3"
        shutil.copy(self._var_dir / "template.sqlite3", path)
        return Store(f"sqlite:///{path}")

    def shared(self) -> Store:
        """PostgreSQL, which flushes every transaction to disk, and Redis, for several servers."""
        return self._database(next(self._numbers))

    @contextmanager
    def shared_on(self, directory: Path) -> Iterator[Store]:
        """The same with the tables in a directory, for as long as that is there."""
        number = next(self._numbers)
        postgres, _ = self._services()
        if postgres.user is not None:
            shutil.chown(directory, postgres.user)
        postgres.execute(f"CREATE TABLESPACE small_{number} LOCATION '{directory}'")
        try:
            yield self._database(number, f"TABLESPACE small_{number}")
        finally:
            postgres.execute(f"DROP DATABASE drill_{number} WITH (FORCE)")
            postgres.execute(f"DROP TABLESPACE small_{number}")

    def directory_of_postgres(self) -> Path:
        """A new directory where PostgreSQL can come."""
        postgres, _ = self._services()
        return Path(tempfile.mkdtemp(dir=postgres.directory))

    def _services(self) -> tuple[Postgres, Redis]:
        if self.postgres is None or self.redis is None:
            self.postgres = Postgres(str(postgres_bin()), durable=True).start()
            self.redis = Redis(str(redis_server())).start()
            self._stack.callback(self.postgres.discard)
            self._stack.callback(self.redis.discard)
        return self.postgres, self.redis

    def _database(self, number: int, place: str = "") -> Store:
        postgres, redis = self._services()
        postgres.execute(f"CREATE DATABASE drill_{number} {place}")
        store = Store(postgres.url(f"drill_{number}"), redis.url(number % 16))
        self._migrate(store.database_url)
        return store

    @contextmanager
    def servers(self, store: Store, number: int = 1, /, **settings: str) -> Iterator[list[ParlourServer]]:
        """So many servers of one site, without limits for those who do not matter here."""
        unlimited: dict[str, Any] = {**UNLIMITED, **settings}
        with ExitStack() as stack:
            opened = []
            for _ in range(number):
                server = ParlourServer(
                    store.database_url,
                    store.redis_url,
                    self._var_dir,
                    root=ROOT,
                    cold=True,
                    **unlimited,
                )
                stack.callback(server.discard)
                opened.append(server.start())
            yield opened

    def cluster(self) -> AbstractContextManager[Cluster]:
        """What `make cluster` begins, each connection at the next server, without the same limits."""
        return cluster(by_match=False, static=self._var_dir, **UNLIMITED)

    def _prepared(self) -> Path:
        manage(
            *("collectstatic", "--no-input", "--verbosity=0"),
            VAR_DIR=str(self.directory),
            DATABASE_URL="sqlite://",
        )
        self._migrate(f"sqlite:///{self.directory / 'template.sqlite3'}", self.directory)
        return self.directory

    def _migrate(self, url: str, directory: Path | None = None) -> None:
        manage(
            *("migrate", "--no-input", "--verbosity=0"),
            VAR_DIR=str(directory or self._var_dir),
            DATABASE_URL=url,
        )

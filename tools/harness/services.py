"""Programs that tests and measurements run, and the two services Parlour may use: PostgreSQL and Redis.

Each has a directory and a port of its own, is ready when `start` returns, and is gone when the
process that started it is, however that ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Self

import psycopg

from tools.harness.patience import patience, wait_until
from tools.harness.preloaded import Process

Running = subprocess.Popen[bytes] | Process

ROOT = Path(__file__).resolve().parents[2]


class DidNotStart(Exception):
    """A server ended, or was not ready in time; the message holds what it logged."""


def free_port() -> int:
    """A port nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """A program in a process group and a directory of its own; `root` is where it runs."""

    user: str | None = None
    root = ROOT

    def __init__(self, name: str) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix=f"parlour-{name}-"))
        self.log_file = self.directory / "log"
        self.process: Running | None = None
        atexit.register(self.discard)

    def command(self) -> Sequence[str]:
        raise NotImplementedError

    def ready(self) -> bool:
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        return os.environ

    def start(self) -> Self:
        """Start it and return once it answers."""
        with self.log_file.open("ab") as log:
            self.process = self.launch(log)
        process = self.process

        def decided() -> bool:
            return process.poll() is not None or self.ready()

        try:
            wait_until(decided, f"the start of {type(self).__name__}")
        except AssertionError as error:
            self.kill9()
            raise DidNotStart(f"{error}:\n{self.log}") from None
        if process.poll() is not None:
            raise DidNotStart(f"{type(self).__name__} ended with {process.returncode}:\n{self.log}")
        return self

    def launch(self, log: IO[bytes]) -> Running:
        """Begin the process, in a session of its own."""
        return subprocess.Popen(
            self.command(),
            cwd=self.root,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            user=self.user,
        )

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def log(self) -> str:
        """Everything it said so far, over all its starts."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)

    def kill9(self) -> None:
        """End the whole process group at once, as a crash or a power cut would."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def terminate(self, seconds: float = 20.0) -> int:
        """Ask it to end; its exit code. `seconds` is how long it may take on an idle machine."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=patience(seconds))

    def restart(self) -> Self:
        """Start it again, at the same port and with the same data, ending it at once if it still runs."""
        if self.running:
            self.kill9()
        return self.start()

    def discard(self) -> None:
        """End it and forget its data."""
        self.kill9()
        shutil.rmtree(self.directory, ignore_errors=True)
        atexit.unregister(self.discard)


class Redis(Service):
    """A Redis that keeps nothing on disk.

    Attributes:
        options: more of its own, without their dashes, for its next start.
    """

    def __init__(self, program: str) -> None:
        super().__init__("redis")
        self._program = program
        self.port = free_port()
        self.options: Mapping[str, object] = {}

    def url(self, database: int = 0) -> str:
        return f"redis://127.0.0.1:{self.port}/{database}"

    def command(self) -> Sequence[str]:
        options = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self.directory,
            "save": "",
            "appendonly": "no",
            **self.options,
        }
        return [self._program, *(str(word) for k, v in options.items() for word in (f"--{k}", v))]

    def ready(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as peer:
            peer.sendall(b"PING\r\n")
            return peer.recv(64).startswith(b"+PONG")
        return False


class PostgresClient:
    """A PostgreSQL cluster at a port of this computer, whichever process runs it."""

    def __init__(self, port: int) -> None:
        self.port = port

    def url(self, database: str) -> str:
        return f"postgres://parlour@127.0.0.1:{self.port}/{database}"

    def execute(self, sql: str, database: str = "postgres") -> None:
        """Run one statement outside any transaction."""
        with psycopg.connect(self.url(database), autocommit=True, connect_timeout=5) as connection:
            connection.execute(sql)


class Postgres(PostgresClient, Service):
    """A PostgreSQL cluster.

    Args:
        bin_directory: where its programs are.
        durable: whether it flushes to disk, which tests rarely need.
        archive: a tar file of the data it starts from; an empty cluster if None.
    """

    def __init__(self, bin_directory: str, *, durable: bool = False, archive: Path | None = None) -> None:
        PostgresClient.__init__(self, free_port())
        Service.__init__(self, "postgres")
        self._bin = Path(bin_directory)
        self.data = self.directory / "data"
        self._durable = durable
        if os.geteuid() == 0:
            # PostgreSQL refuses to be root.
            self.user = next(name for name in ("postgres", "nobody") if _exists(name))
            shutil.chown(self.directory, self.user)
        if archive is None:
            initdb = [str(self._bin / "initdb"), "--auth=trust", "--username=parlour", "--encoding=UTF8"]
            self._run([*initdb, "--locale=C", "--no-sync", "--pgdata", str(self.data)])
        else:
            self.data.mkdir(mode=0o700)
            if self.user:
                shutil.chown(self.data, self.user)
            with archive.open("rb") as tar:
                self._run(["tar", "-xf", "-", "-C", str(self.data)], tar)

    def _run(self, command: list[str], words: IO[bytes] | None = None) -> None:
        subprocess.run(
            command, check=True, stdin=words, capture_output=True, user=self.user, cwd=self.directory
        )

    def command(self) -> Sequence[str]:
        # All processes of a run of the tests share a cluster, and each server has a pool.
        flags = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "max_connections": 400,
        }
        if not self._durable:
            flags |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
        return [
            str(self._bin / "postgres"),
            "-D",
            str(self.data),
            *(w for k, v in flags.items() for w in ("-c", f"{k}={v}")),
        ]

    def ready(self) -> bool:
        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def discard(self) -> None:
        if self.running:
            # A killed one leaves its shared memory behind.
            self.signal(signal.SIGQUIT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5) if self.process else None
        super().discard()


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True

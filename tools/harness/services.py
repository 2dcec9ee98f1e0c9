"""Programs for tests and measurements, and the two services of Parlour: PostgreSQL and Redis.

Each has its own directory and port, is ready when `start` returns, and ends with the process that started it,
even after a crash.
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
    """A server ended, or was not ready in time; the message contains its log."""


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Endpoint:
    """Where clients connect to: a server, a proxy or a relay on a port of this computer."""

    port: int

    @property
    def url(self) -> str:
        """Address for HTTP."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        """Address for WebSockets."""
        return f"ws://127.0.0.1:{self.port}"


class Service:
    """A program in its own process group and directory; `root` is its working directory."""

    user: str | None = None
    root = ROOT

    def __init__(self, name: str) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix=f"parlour-{name}-"))
        self.log_file = self.directory / "log"
        self.process: Running | None = None
        atexit.register(self.discard)

    def command(self) -> Sequence[str]:
        """The program and its arguments."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Whether the service accepts requests."""
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        """The environment of the process."""
        return os.environ

    def start(self) -> Self:
        """Start it and return once it responds."""
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
        """Start the process in a new session."""
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
        """Whether the process has been started and has not ended."""
        return self.process is not None and self.process.poll() is None

    @property
    def log(self) -> str:
        """Its output so far, over all starts."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        assert self.process is not None
        os.kill(self.process.pid, number)

    def kill9(self) -> None:
        """Kill the whole process group at once, like a crash or power cut."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def terminate(self, seconds: float = 20.0) -> int:
        """Send SIGTERM; the exit code. `seconds` is the timeout on an idle machine."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=patience(seconds))

    def restart(self) -> Self:
        """Start it again on the same port and data; kill it first if it still runs."""
        if self.running:
            self.kill9()
        return self.start()

    def discard(self) -> None:
        """Stop it and delete its data."""
        self.kill9()
        shutil.rmtree(self.directory, ignore_errors=True)
        atexit.unregister(self.discard)


class Redis(Service):
    """A Redis without persistence.

    Attributes:
        options: more options, without dashes, for the next start.
    """

    def __init__(self, program: str) -> None:
        super().__init__("redis")
        self._program = program
        self.port = free_port()
        self.options: Mapping[str, object] = {}

    def url(self, database: int = 0) -> str:
        """Address of one of its databases."""
        return f"redis://127.0.0.1:{self.port}/{database}"

    def command(self) -> Sequence[str]:
        """redis-server with everything in `directory`."""
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
        """Whether it answers PING."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as peer:
            peer.sendall(b"PING\r\n")
            return peer.recv(64).startswith(b"+PONG")
        return False


class PostgresClient:
    """A PostgreSQL cluster on a local port, run by any process."""

    def __init__(self, port: int) -> None:
        self.port = port

    def url(self, database: str) -> str:
        """Address of a database."""
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
        archive: a tar file with its initial data; an empty cluster if None.
    """

    def __init__(self, bin_directory: str, *, durable: bool = False, archive: Path | None = None) -> None:
        PostgresClient.__init__(self, free_port())
        Service.__init__(self, "postgres")
        self._bin = Path(bin_directory)
        self.data = self.directory / "data"
        self._durable = durable
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
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
        """Run postgres with flags for tests."""
        # All processes of a test run share a cluster, and each server has a pool.
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
        """Whether it executes a query."""
        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def discard(self) -> None:
        """Stop at once; the data is not needed any more."""
        if self.running:
            # SIGKILL would leave its shared memory behind.
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

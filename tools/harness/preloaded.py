"""Processes forked from one that has loaded the site: `python -m module`, a second of processor time faster.

A process that has loaded the site, and done nothing else, forks for each call. It is shared by all workers of
a run, and ends with the last of them. Settings that are read at import cannot change later, so there is one
such process for each set of settings; addresses of databases and services are read again.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import hashlib
import json
import logging
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
READ_ANEW = {
    *("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "VAR_DIR", "EMAIL_URL"),
    *("ALLOWED_HOSTS", "BEHIND_PROXY", "HTTPS", "HSTS_PRELOAD", "TRUSTED_ORIGINS"),
    *("ABSENCE_SECONDS", "API_RATE", "API_STREAMS", "COMPUTER_OFFERED_AFTER"),
    *("CONNECTIONS", "WEBHOOK_ALLOWED_HOSTS", "TABLES_PER_HOST", "TABLE_HOST_TIMEOUT"),
    *("DJANGO_SUPERUSER_PASSWORD", "LOG_FORMAT", "LOG_LEVEL"),
    *("LOSS_SEED", "METRICS_PORT", "STATEMENT_SECONDS"),
}
"""Variables that the site reads when it needs them."""


class Process:
    """A process started by `Loaded.start`, with the interface of `subprocess.Popen`."""

    def __init__(self, command: Sequence[str], peer: socket.socket) -> None:
        self.args = command
        self.returncode: int | None = None
        self._peer = peer
        self._said = peer.makefile("r")
        self.pid = int(self._said.readline())

    def poll(self) -> int | None:
        """Its exit code, if it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; its exit code, or minus the signal that ended it."""
        if self.returncode is None:
            if not select.select([self._peer], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = int(self._said.readline())
            self._said.close()
            self._peer.close()
        return self.returncode

    def terminate(self) -> None:
        """Ask the process to end (SIGTERM)."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """End the process at once (SIGKILL)."""
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


class Loaded:
    """A process that has loaded the site with some settings and forks on request."""

    def __init__(self, address: Path, environment: Mapping[str, str]) -> None:
        self._address = str(address)
        with address.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # It runs while a client is connected.
            try:
                self._staying = self._connect()
            except OSError:
                _load(address, environment)
                self._staying = self._connect()

    def start(
        self, module: str, *arguments: str, environment: Mapping[str, str], out: IO[bytes], err: IO[bytes]
    ) -> Process:
        """Run `python -m module` in a new session."""
        peer = self._connect()
        asked = {"module": module, "arguments": arguments, "environment": dict(environment)}
        socket.send_fds(peer, [json.dumps(asked).encode() + b"\n"], [out.fileno(), err.fileno()])
        return Process([module, *arguments], peer)

    def _connect(self) -> socket.socket:
        peer = socket.socket(socket.AF_UNIX)
        try:
            peer.connect(self._address)
        except OSError:
            peer.close()
            raise
        return peer


_loaded: dict[str, Loaded] = {}
also_loaded: list[str] = []
"""More modules to load before forking, such as those of called functions."""


def start(
    module: str, *arguments: str, environment: Mapping[str, str], out: IO[bytes], err: IO[bytes]
) -> Process:
    """Run `python -m module` in a new session; its output goes to the two files."""
    settings = {
        name: value
        for name, value in environment.items()
        if name not in READ_ANEW and os.environ.get(name) != value
    }
    key = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]
    if key not in _loaded:
        directory = Path(tempfile.gettempdir()) / f"parlour-{_run_of_tests()}"
        directory.mkdir(exist_ok=True)
        _loaded[key] = Loaded(directory / key, environment)
    return _loaded[key].start(module, *arguments, environment=environment, out=out, err=err)


def _run_of_tests() -> str:
    return os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))


def _load(address: Path, environment: Mapping[str, str]) -> None:
    address.unlink(missing_ok=True)
    log = address.with_suffix(".log")
    with log.open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "tools.harness.preloaded", str(address), *also_loaded],
            cwd=ROOT,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
            start_new_session=True,
        )
    assert process.stdout is not None
    with process.stdout as words:
        assert words.readline(), log.read_text()


# Code that runs in that process


@dataclass(frozen=True, slots=True)
class _Request:
    """A request to run `python -m module` with its output in two files."""

    module: str
    arguments: list[str]
    environment: dict[str, str]
    out: int
    err: int


def _load_the_site(more: Sequence[str]) -> None:
    """Import what a server imports, except what installs an event loop, and the modules in `more`."""
    import django
    from django.conf import settings
    from django.utils.module_loading import import_string

    django.setup()
    for module in (
        *(settings.ROOT_URLCONF, "config.server", "config.origins", "games.routing", "lobby.routing"),
        *("django.core.asgi", "django.core.management", "channels.auth", "channels.routing", "uvloop"),
        *("autobahn.twisted.websocket", "twisted.web.http"),
        *more,
    ):
        import_module(module)
    for middleware in settings.MIDDLEWARE:
        import_string(middleware)
    _read_templates()
    assert "twisted.internet.reactor" not in sys.modules
    assert threading.active_count() == 1


def _read_templates() -> None:
    """Parse templates once before forking: parsing takes half of a page's time."""
    from django.conf import settings
    from django.template.loader import get_template
    from django.urls import reverse

    for folder in settings.TEMPLATES[0]["DIRS"]:
        for path in Path(folder).rglob("*.html"):
            get_template(path.relative_to(folder).as_posix())
    # The first lookup builds the URL table.
    reverse("lobby")


def _read_settings_anew() -> None:
    from django.conf import settings
    from django.core.signals import setting_changed
    from django.db import DEFAULT_DB_ALIAS, connections
    from django.test import signals  # noqa: F401 - its receivers forget what depends on settings
    from django.utils.functional import empty

    # Settings modules, and modules that copy settings.
    for name in list(sys.modules):
        if name.startswith(("config.", "tests.", "tools.")) and name.endswith("settings"):
            del sys.modules[name]
    settings._wrapped = empty
    # Templates name static files, whose list was read where the first process had them.
    setting_changed.send(None, setting="STORAGES", value=None, enter=True)
    # The level before logging was set up.
    logging.root.setLevel(logging.WARNING)
    # Models query database features at import, which opens this connection object.
    del connections[DEFAULT_DB_ALIAS]
    connections._settings = None  # type: ignore[attr-defined]
    del connections.settings


def _take_a_name_of_its_own() -> None:
    """Draw a new sender id for messages: the loaded one would be shared by all forks."""
    from games.net.hub import Hub, hub

    hub.origin = Hub().origin


def _serve(address: str) -> _Request | None:
    """Fork for each request until the last client has gone; a forked process returns its request."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    _say_that_it_listens()
    peers: set[socket.socket] = set()
    while True:
        for peer in select.select([listener, *peers], [], [])[0]:
            if peer is listener:
                peers.add(listener.accept()[0])
                continue
            peers.remove(peer)
            words, descriptors, _, _ = socket.recv_fds(peer, 1 << 16, 2)
            if words and not os.fork():
                for other in (listener, *peers):
                    other.close()
                return _watched(peer, words, descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
            peer.close()
        _reap()
        if not peers:
            return None


def _say_that_it_listens() -> None:
    os.write(1, b"ready\n")
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)


def _watched(peer: socket.socket, words: bytes, descriptors: list[int]) -> _Request:
    """Fork once more: the child returns, and its parent reports start and end to the client."""
    while not words.endswith(b"\n"):
        words += peer.recv(1 << 16)
    # The process group may be signalled as soon as the client knows it.
    has_group, begun = os.pipe()
    process = os.fork()
    if not process:
        os.setsid()
        for descriptor in (has_group, begun, peer.detach()):
            os.close(descriptor)
        return _Request(**json.loads(words), out=descriptors[0], err=descriptors[1])
    for descriptor in (begun, *descriptors):
        os.close(descriptor)
    os.read(has_group, 1)
    _tell(peer, process)
    _tell(peer, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    os._exit(0)


def _tell(peer: socket.socket, number: int) -> None:
    # The client may be gone.
    with contextlib.suppress(OSError):
        peer.sendall(f"{number}\n".encode())


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _run(asked: _Request) -> None:
    for descriptor, place in ((asked.out, 1), (asked.err, 2)):
        os.dup2(descriptor, place)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(asked.environment)
    _read_settings_anew()
    _take_a_name_of_its_own()
    if asked.module == "manage":
        # A command ends before its garbage matters; without the search a migration takes a quarter less.
        gc.disable()
    sys.argv = [asked.module, *asked.arguments]
    sys.modules.pop(asked.module, None)
    runpy.run_module(asked.module, run_name="__main__", alter_sys=True)


def _forget(address: Path) -> None:
    for path in (address, address.with_suffix(".lock"), address.with_suffix(".log")):
        path.unlink(missing_ok=True)
    # A process with other settings may still use the directory.
    with contextlib.suppress(OSError):
        address.parent.rmdir()


def main(address: Path, more: Sequence[str]) -> None:
    """Load the site and the modules in `more`, and fork for each request at the address."""
    _load_the_site(more)
    gc.collect()
    gc.freeze()
    asked = _serve(str(address))
    if asked is None:
        _forget(address)
    else:
        _run(asked)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

"""`manage.py runserver`: the development server, restarted when the code changes.

daphne has a command of this name. It starts none of the background work, so no computer player moves and no
flag falls, and it ends without closing sockets, so clients reconnect late.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import runserver
from django.utils import autoreload

from config import server

RELOAD = 3
"""The exit code by which Django's reloader asks for a restart."""
RELOAD_SECONDS = 3.0
"""How long a restart waits for sockets and matches."""


class Command(runserver.Command):
    """Serve while developing, and restart when the code changes."""

    addr: str
    port: str
    help = "Serve pages and sockets while developing, and start anew when the code changes."

    def run(self, **options: Any) -> None:
        """Serve in this process, or in a child that is restarted whenever it asks for that."""
        if not settings.DEBUG and not Path(settings.STATIC_ROOT).is_dir():
            raise CommandError("Set DEBUG=1 to develop, or use `make run`, which collects the static files.")
        if not options["use_reloader"]:
            sys.exit(self._serve(options))
        if os.environ.get(autoreload.DJANGO_AUTORELOAD_ENV) != "true":
            sys.exit(_serve_in_children())
        changed = threading.Event()
        threading.Thread(target=_watch, args=(changed,), daemon=True).start()
        code = self._serve(options)
        sys.exit(RELOAD if changed.is_set() else code)

    def _serve(self, options: dict[str, Any]) -> int:
        autoreload.raise_last_exception()
        if not options["skip_checks"]:
            self.check(display_num_errors=True)
        self.check_migrations()
        return server.main(["--host", self.addr, "--port", str(self.port)])


def _serve_in_children() -> int:
    """Run this command in a child until it ends without asking for a restart. Returns its exit code."""
    environment = {**os.environ, autoreload.DJANGO_AUTORELOAD_ENV: "true"}
    # Ctrl-C reaches the child too, which closes its sockets; this process waits for it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        child = subprocess.Popen(  # noqa: S603 - this very command
            [sys.executable, *sys.orig_argv[1:]], env=environment, close_fds=False
        )
        signal.signal(signal.SIGTERM, lambda *_, child=child: child.terminate())
        if (code := child.wait()) != RELOAD:
            return code


def _watch(changed: threading.Event) -> None:
    """Wait until a source file changes; then close the sockets and end the process."""
    try:
        autoreload.get_reloader().run(threading.main_thread())
    except SystemExit:
        changed.set()
        last = threading.Timer(RELOAD_SECONDS, os._exit, (RELOAD,))
        last.daemon = True
        last.start()
        os.kill(os.getpid(), signal.SIGTERM)

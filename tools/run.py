"""`make run`: prepare what a server needs, if missing or outdated, and serve.

A key in `.env`, the translations, the database tables, the static files, and the allowed host names. Values
from the environment or `.env` take precedence. All of it is one process, as starting another takes seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import hashlib
import os
import sys
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from config import server
from config.address import Unusable, allowed_hosts, announcement, check_free, for_others, webhook_hosts
from config.i18n import compile_messages
from config.secret_key import keep_secret_key
from tools.progress import step

ROOT = Path(__file__).resolve().parent.parent
ENV_FILE = ROOT / ".env"


def main() -> int:
    """Prepare and serve; the exit code."""
    parser = argparse.ArgumentParser(prog="make run")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    # Before any work: the most common mistake should show at once.
    check_free(options.host, options.port)
    keep_secret_key(ENV_FILE)
    environ.Env.read_env(ENV_FILE)
    os.environ.setdefault("ALLOWED_HOSTS", ",".join(allowed_hosts(options.host)))
    os.environ.setdefault("WEBHOOK_ALLOWED_HOSTS", webhook_hosts(options.host, os.environ["ALLOWED_HOSTS"]))
    os.environ.setdefault("LAN_ADDRESS", for_others(options.host))
    # Whoever tries the site out reads only what needs attention.
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    prepare()
    with contextlib.ExitStack() as starting:
        starting.enter_context(step("Starting the server"))

        def announce(host: str, port: int) -> str:
            starting.close()
            return greeting(host, port)

        return server.main(["--host", options.host, "--port", str(options.port)], announce)


def prepare() -> None:
    """Make what is missing or outdated, and say what takes its time."""
    if compile_messages.changed():
        with step("Compiling the translations"):
            compile_messages.compile_all()
    with step("Loading the site"):
        import django

        # As in `config.server`, which enables it again.
        gc.disable()
        django.setup()
    from django.conf import settings

    from games.computers.pool import check_installed

    check_installed(settings.BOT_PROCESSES)
    migrate()
    collect_static()


def migrate() -> None:
    """Bring the tables of the database up to date, if they are not."""
    from django.core.management import call_command
    from django.db import connection

    from config.schema import schema

    schema.check(to_be_migrated=True)
    if schema.problem():
        with step("Preparing the database"):
            # The models of each migration are garbage, 160 MB in all.
            gc.enable()
            call_command("migrate", interactive=False, verbosity=0)
            gc.disable()
    # The server opens its own.
    connection.close()


def collect_static() -> None:
    """Hash, compress and collect the static files, if any changed since the last time."""
    from django.conf import settings
    from django.core.management import call_command

    if settings.DEBUG:
        return
    stamp = Path(settings.STATIC_ROOT).parent / "static.collected"
    current = fingerprint(*settings.STATICFILES_DIRS)
    if stamp.exists() and stamp.read_text() == current:
        return
    with step("Bundling scripts and style sheets"):
        call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(current)


def fingerprint(*directories: Path | str) -> str:
    """A hash that changes whenever a file in these or a pinned package may have changed."""
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for directory in directories:
        for path in sorted(Path(directory).rglob("*")):
            if path.is_file():
                status = path.stat()
                digest.update(f"{path}:{status.st_size}:{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def greeting(host: str, port: int) -> str:
    """The address, and above it on a terminal the QR code of that for other devices."""
    lines = [announcement(host, port)]
    other = for_others(host)
    if other and sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf"):
        from games.share import qr

        lines[:0] = ["For phones and other computers on this network:", *qr.lines(f"http://{other}:{port}/")]
    return "\n".join(lines)


if __name__ == "__main__":
    try:
        code = main()
    except (Unusable, ImproperlyConfigured) as error:
        sys.exit(str(error))
    except DatabaseError as error:
        sys.exit(f"The database cannot be used: {error}".strip().replace("\n", " "))
    except OSError as error:
        sys.exit(f"Parlour cannot write where it is installed: {error}")
    except KeyboardInterrupt:
        sys.exit("Stopped.")
    server.end(code)

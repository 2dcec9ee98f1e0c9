"""`make run`: prepare what a server needs, if missing or outdated, and serve.

A key in `.env`, the database tables, the static files, the compiled kernels of computer players, and the
allowed host names. Values from the environment or `.env` take precedence.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import django
import environ
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DatabaseError

from config.address import Unusable, allowed_hosts, check_free, for_others, webhook_hosts
from config.i18n.compile_messages import compile_all
from config.schema import schema
from config.secret_key import keep_secret_key
from games.computers.pool import check_installed

ROOT = Path(__file__).resolve().parent.parent
ENV_FILE = ROOT / ".env"
BOTS = ROOT / "games" / "bots"


def main() -> None:
    """Check the port, prepare settings, database and static files, and serve."""
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
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    compile_all()
    check_installed(settings.BOT_PROCESSES)
    schema.check(to_be_migrated=True)
    call_command("migrate", interactive=False, verbosity=0)
    collect_static()
    compile_kernels()
    serve = ["-m", "config.server", "--host", options.host, "--port", str(options.port)]
    if sys.platform == "win32":
        # exec would return to the shell at once.
        sys.exit(subprocess.call([sys.executable, *serve]))
    os.execv(sys.executable, [sys.executable, *serve])


def collect_static() -> None:
    """Hash, compress and collect the static files, if any changed since the last time; takes seconds."""
    if settings.DEBUG:
        return
    stamp = Path(settings.STATIC_ROOT).parent / "static.collected"
    current = fingerprint(*settings.STATICFILES_DIRS)
    if stamp.exists() and stamp.read_text() == current:
        return
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(current)


def compile_kernels() -> None:
    """Compile the kernels of computer players, if they run here, unless they are compiled."""
    if not settings.BOT_PROCESSES:
        return
    stamp = Path(settings.VAR_DIR) / "kernels.compiled"
    current = fingerprint(BOTS, pattern="*.py")
    if stamp.exists() and stamp.read_text() == current:
        return
    print("Starting the computer players, which takes half a minute the first time ...", flush=True)
    if (
        subprocess.run([sys.executable, "-m", "games.computers.thinking"], cwd=ROOT, check=False).returncode
        == 0
    ):
        stamp.write_text(current)


def fingerprint(*directories: Path | str, pattern: str = "*") -> str:
    """A hash that changes whenever a file in these or a pinned package may have changed."""
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for directory in directories:
        for path in sorted(Path(directory).rglob(pattern)):
            if path.is_file():
                status = path.stat()
                digest.update(f"{path}:{status.st_size}:{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    try:
        main()
    except (Unusable, ImproperlyConfigured) as error:
        sys.exit(str(error))
    except DatabaseError as error:
        sys.exit(f"The database cannot be used: {error}".strip().replace("\n", " "))
    except OSError as error:
        sys.exit(f"Parlour cannot write where it is installed: {error}")
    except KeyboardInterrupt:
        sys.exit("Stopped.")

"""What the container image runs: `python -m config.container`.

With `DATABASE_URL` it serves that database, which another container migrates. Without, it is a whole site by
itself: an SQLite database and the secret key in /data, which should be a volume.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import django
import environ
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from config.schema import schema
from config.secret_key import keep_secret_key

DATA = Path(os.environ.get("DATA_DIR", "/data"))


def main() -> None:
    """Prepare a database in /data unless DATABASE_URL names one, then serve on all addresses."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if not os.environ.get("DATABASE_URL"):
        keep_secret_key(DATA / ".env")
        environ.Env.read_env(DATA / ".env")
        os.environ["DATABASE_URL"] = f"sqlite:///{DATA / 'parlour.sqlite3'}"
        django.setup()
        schema.check(to_be_migrated=True)
        call_command("migrate", interactive=False, verbosity=0)
    serve = ["-m", "config.server", "--host", "0.0.0.0", "--port", "8000", *sys.argv[1:]]  # noqa: S104
    os.execv(sys.executable, [sys.executable, *serve])  # noqa: S606


if __name__ == "__main__":
    try:
        main()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"{DATA} cannot be written; it is to be a volume of uid 10001: {error}")

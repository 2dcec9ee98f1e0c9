"""`make dev`: serve with DEBUG and reload, on a database in var/dev with demo data."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Prepare the database and run `manage.py runserver`."""
    parser = argparse.ArgumentParser(prog="make dev", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    directory = ROOT / "var" / "dev"
    directory.mkdir(parents=True, exist_ok=True)
    os.environ.update(
        DEBUG="1", VAR_DIR=str(directory), DATABASE_URL=f"sqlite:///{directory}/parlour.sqlite3"
    )
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # The host of the demo table is never online.
    os.environ.setdefault("TABLE_HOST_TIMEOUT", "86400")

    import django
    import environ
    from django.core.management import call_command

    from config.address import LOOPBACK, webhook_hosts
    from config.i18n.compile_messages import compile_all

    environ.Env.read_env(ROOT / ".env")
    allowed = os.environ.get("ALLOWED_HOSTS", ",".join(LOOPBACK))
    os.environ.setdefault("WEBHOOK_ALLOWED_HOSTS", webhook_hosts(options.host, allowed))
    django.setup()
    compile_all()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("demo")
    serve = ["manage.py", "runserver", f"{options.host}:{options.port}"]
    os.execv(sys.executable, [sys.executable, *serve])


if __name__ == "__main__":
    main()

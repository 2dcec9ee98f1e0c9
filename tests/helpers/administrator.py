"""The first administrator of a server, as its host makes one."""

from __future__ import annotations

from tools.harness.servers import ParlourServer, manage

NAME = "Chief"
PASSWORD = "a long enough password"


def make_administrator(server: ParlourServer) -> None:
    """`createsuperuser`, without an e-mail address, which would have to be confirmed."""
    manage(
        "createsuperuser",
        "--no-input",
        f"--username={NAME}",
        "--email=",
        DATABASE_URL=server.database_url,
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )

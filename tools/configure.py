"""Write `.env` for docker-compose.yml: `python3 tools/configure.py parlour.example board@parlour.example`.

Needs Python's standard library only. Secrets are generated; nothing else has to be edited.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
from pathlib import Path

ENV_FILE = Path(__file__).resolve().parent.parent / ".env"
DOMAIN = r"localhost|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*"
EMAIL = rf"[^@\s]+@(?:{DOMAIN})"


def main(arguments: list[str] | None = None) -> None:
    """Parse the arguments and write the file; exits with a sentence if they are invalid."""
    parser = argparse.ArgumentParser(description="Write .env for docker-compose.yml.")
    parser.add_argument("domain", help="the name of the site, such as parlour.example")
    parser.add_argument("email", help="how players and the certificate authority reach you")
    options = parser.parse_args(arguments)
    domain = options.domain.lower()
    if not re.fullmatch(DOMAIN, domain):
        parser.error(f"{domain} is no host name: leave out https:// and what follows the name.")
    if not re.fullmatch(EMAIL, options.email, re.IGNORECASE):
        parser.error(f"{options.email} is no e-mail address.")
    settings = {
        "DOMAIN": domain,
        "CONTACT_EMAIL": options.email,
        **{name: secrets.token_hex(32) for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD")},
    }
    try:
        # Not over another one: its database answers to the password that was first.
        file = os.open(ENV_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        sys.exit(f"{ENV_FILE} is there already. Edit it, or move it away first.")
    with open(file, "w", encoding="utf-8") as stream:
        stream.writelines(f"{name}={value}\n" for name, value in settings.items())
    print(f"Wrote {ENV_FILE}. Now: docker compose up --build --detach")


if __name__ == "__main__":
    main()

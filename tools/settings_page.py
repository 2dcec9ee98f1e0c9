"""Write docs/reference/settings.md and `.env.example`: `python -m tools.settings_page`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from config.environment import LIMITS, OLD_NAMES, OPERATION, PLAY, SITE, STORAGE, Setting, declarations

ROOT = Path(__file__).resolve().parent.parent
PAGE, EXAMPLE = ROOT / "docs" / "reference" / "settings.md", ROOT / ".env.example"

ABOUT = """\
# Settings

`make run` needs none of these. Set them in the environment or in `.env`; [`.env.example`](../../.env.example)
lists all of them with examples. A server and `manage.py check` name everything that is wrong, and names in
`.env` that are nearly one of these. This page is written by `python -m tools.settings_page` from
`config/environment.py`.
"""
ABOUT_LIMITS = """\
`20/10m` means 20 in ten minutes, in one burst if need be (units: `s`, `m`, `h`, `d`). `0` means no limit,
except where the table says "none". Beyond a limit, requests get 429, `Retry-After` and a message that says
what to do; sockets get the error in the last column. With several servers, each counts for itself, except
for limits on passwords, which they count together in Redis. Limits per address do not count in
`CROWDED_NETWORKS`, except for those on sign-ups, log-ins and passwords.
"""
ABOUT_EXAMPLE = """\
# Every variable Parlour knows. Copy this to .env and uncomment what you change; variables of the
# environment come before those of the file. `make run` needs none of them.
"""
OF_PROVIDERS = """\
# For each provider of SOCIAL_LOGIN. Register this callback address with it:
# https://parlour.example/accounts/<provider>/login/callback/
# <NAME>_URL is for a self-hosted provider, such as GITLAB_URL.
#GITHUB_CLIENT_ID=
#GITHUB_SECRET=
"""
OF_CONTAINERS = """\
# docker-compose.yml only: the name of the site, for which the proxy gets a certificate (it needs
# CONTACT_EMAIL); the passwords of its database and of Redis (letters and digits); for nginx in the place of
# Caddy, the directory with fullchain.pem and privkey.pem; and the ports on this computer. tools/configure.py
# writes the first four.
#DOMAIN=parlour.example
#POSTGRES_PASSWORD=
#REDIS_PASSWORD=
#CERTIFICATES=
#HTTP_PORT=80
#HTTPS_PORT=443
# And its base images. A tag can move to another image; a digest cannot, as in postgres:17@sha256:…
# `docker buildx imagetools inspect postgres:17` shows the digest.
#POSTGRES_IMAGE=postgres:17
#REDIS_IMAGE=redis:7
#CADDY_IMAGE=caddy:2
#NGINX_IMAGE=nginx:1.28
#PYTHON_IMAGE=python:3.11-slim
"""


def page() -> str:
    """The reference page of all settings."""
    return "\n".join([ABOUT, *_sections(), *_limits(), *_old_names()])


def _sections() -> Iterator[str]:
    for section in (SITE, STORAGE, OPERATION, PLAY):
        yield f"## {section}\n\n| variable | default | meaning |\n|---|---|---|"
        for name, each in _of(section):
            yield f"| `{name}` | {each.shown} | {each.meaning} |"
        yield ""


def _limits() -> Iterator[str]:
    yield f"## {LIMITS}\n\n{ABOUT_LIMITS}"
    yield "| variable | default | what it counts | counted per | over the limit |\n|---|---|---|---|---|"
    for name, each in _of(LIMITS):
        yield f"| `{name}` | {each.shown} | {' | '.join(each.limit or ())} |"
    yield ""


def _old_names() -> Iterator[str]:
    old = ", ".join(f"`{name}` (now `{current}`)" for name, current in OLD_NAMES.items())
    yield f"## Old names\n\nSettings that were renamed are still read, with a warning at start-up: {old}.\n"


def example() -> str:
    """The file of variables to copy."""
    parts = [ABOUT_EXAMPLE]
    for section in (SITE, STORAGE, OPERATION, PLAY):
        parts += [f"{_comment(each.meaning)}\n#{name}={each.example}\n" for name, each in _of(section)]
    counted = "\n".join(f"#{name}={each.example}" for name, each in _of(LIMITS))
    about = (
        "Limits; docs/reference/settings.md says what each counts. 20/10m: 20 in ten minutes. 0: no limit."
    )
    parts += [OF_PROVIDERS, f"{_comment(about)}\n{counted}\n", OF_CONTAINERS]
    return "\n".join(parts)


def _comment(markdown: str) -> str:
    plain = re.sub(r" \(\[[^\]]*\]\([^)]*\)\)|`", "", markdown)
    return textwrap.fill(plain, 110, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _of(section: str) -> list[tuple[str, Setting[object]]]:
    return [(name, each) for name, each in declarations().items() if each.section == section]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    EXAMPLE.write_text(example(), encoding="utf-8")

"""Serves the site from a checkout, this one or another, in which `python -P bench/checkout.py <JSON>` runs.

Its argument holds the settings, and how many `servers`, as JSON. It prints the process and port of each
server, then answers requests, each a line of JSON: `["matches", 50]` with so many new matches of Kalah, each
its id and its players' cookies; `["settled", [ids]]` once what follows the ends of these is stored.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Collection
from contextlib import ExitStack, closing
from typing import Any

SETTLED_SECONDS = 60


def settled(matches: Collection[str]) -> None:
    """Wait until what follows the ends of these matches is stored. Raises TimeoutError."""
    from django.apps import apps
    from django.db import connection

    # By its label: its module differs between checkouts.
    Result = apps.get_model("lobby", "Result")
    deadline = time.monotonic() + SETTLED_SECONDS
    with closing(connection):
        while Result.objects.filter(match__in=matches).values("match").distinct().count() < len(matches):
            if time.monotonic() > deadline:
                raise TimeoutError("what follows the end of a match was never stored")
            time.sleep(0.02)


def main() -> None:
    sys.path.insert(0, os.getcwd())
    from django.db import transaction

    from bench import site  # of the checkout

    def matches(number: int) -> list[tuple[str, list[str]]]:
        with transaction.atomic():
            return [site.kalah_match() for _ in range(number)]

    asked: dict[str, Callable[[Any], Any]] = {"matches": matches, "settled": settled}
    settings = json.loads(sys.argv[1])
    servers = settings.pop("servers", 1)
    with site.fresh(**settings), ExitStack() as running:
        found = [running.enter_context(site.serving("config.server")) for _ in range(servers)]
        for _, port in found:
            site.wait_until_ready(port)
        print(json.dumps(found), flush=True)
        for line in sys.stdin:
            what, value = json.loads(line)
            print(json.dumps(asked[what](value)), flush=True)


if __name__ == "__main__":
    main()

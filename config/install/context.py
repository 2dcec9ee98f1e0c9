"""What every page says of the app that it belongs to."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from config.install import shell
from games.share import colours


def app(_request: HttpRequest) -> dict[str, Any]:
    """The version of this page, and the colours of a browser's own bars around it."""
    return {
        "app_version": shell.version(),
        "app_colour_by_day": colours.by_day()["paper"],
        "app_colour_by_night": colours.by_night()["paper"],
    }

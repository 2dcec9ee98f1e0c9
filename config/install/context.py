"""Template context for the app's meta tags."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from config.install import shell
from games.share import colours


def app(_request: HttpRequest) -> dict[str, Any]:
    """The version of this page, and the theme colours of the browser's toolbars."""
    return {
        "app_version": shell.version(),
        "app_colour_by_day": colours.by_day()["paper"],
        "app_colour_by_night": colours.by_night()["paper"],
    }

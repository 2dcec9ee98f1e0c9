"""The app shell: what the service worker caches, its version, and the colours of the toolbars."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse

from games.share import colours

OFFLINE_FILES = (
    "css/site.css",
    "images/favicon.svg",
    "parts/theme.js",
    "pages/offline.js",
)
"""The static files of the offline page."""

_OFFLINE = settings.BASE_DIR / "templates" / "offline.html"


def addresses() -> list[str]:
    """What the service worker fetches when it is installed: the offline page and its files."""
    return [reverse("offline"), *map(static, OFFLINE_FILES)]


@cache
def version() -> str:
    """A text that changes whenever a static file or the offline page does.

    Files without a hash have no version: in development the browser checks them each time.
    """
    of_files = getattr(staticfiles_storage, "manifest_hash", "")
    return sha256(of_files.encode() + _OFFLINE.read_bytes()).hexdigest()[:12]


def app(_request: HttpRequest) -> dict[str, Any]:
    """The version of this page, and the theme colours of the browser's toolbars."""
    return {
        "app_version": version(),
        "app_colour_by_day": colours.by_day()["paper"],
        "app_colour_by_night": colours.by_night()["paper"],
    }

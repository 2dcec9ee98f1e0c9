"""What the service worker caches: the offline page, its files, and its version."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.urls import reverse

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

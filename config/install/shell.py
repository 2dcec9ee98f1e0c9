"""What a device keeps of the site: enough to say that there is no network, and of which version it is."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.urls import reverse

KEPT = (
    "css/site.css",
    "images/favicon.svg",
    "parts/theme.js",
    "pages/offline.js",
)
"""The static files that the page without a network is made of."""

_OFFLINE = settings.BASE_DIR / "templates" / "offline.html"


def addresses() -> list[str]:
    """What is fetched before it is needed: the page without a network, and its files."""
    return [reverse("offline"), *map(static, KEPT)]


@cache
def version() -> str:
    """A text that is another one as soon as any static file is, or the page without a network.

    Files that are served as they are have no version: whoever develops looks at them anew each time.
    """
    of_files = getattr(staticfiles_storage, "manifest_hash", "")
    return sha256(of_files.encode() + _OFFLINE.read_bytes()).hexdigest()[:12]

"""The manifest, the service worker and the page without a network."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config.install import shell
from games.share import colours

ICONS = (
    ("images/icon-192.png", "192x192", "any"),
    ("images/icon-512.png", "512x512", "any"),
    ("images/icon-maskable-192.png", "192x192", "maskable"),
    ("images/icon-maskable-512.png", "512x512", "maskable"),
)
"""The file, size and purpose of every icon; `tools/icons.py` draws them."""

SCREENSHOTS = (
    ("images/screen-wide.png", "1280x720", "wide"),
    ("images/screen-narrow.png", "390x664", "narrow"),
)
"""The file, size and form factor of the pictures in the install dialog; `make screenshot` takes them."""

# Browsers must revalidate: a worker cached for an hour would hold back an update.
asked_anew = cache_control(no_cache=True)


@require_safe
@asked_anew
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest."""
    fields: dict[str, Any] = {
        "id": "/",
        "name": _("Parlour"),
        "short_name": _("Parlour"),
        "description": _("Classic board and dice games online."),
        "lang": request.LANGUAGE_CODE,
        "start_url": reverse("lobby"),
        "scope": reverse("lobby"),
        "display": "standalone",
        "theme_color": colours.by_day()["paper"],
        "background_color": colours.by_day()["paper"],
        "categories": ["games"],
        "icons": [
            {"src": static(path), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for path, sizes, purpose in ICONS
        ],
        "screenshots": [
            {"src": static(path), "sizes": sizes, "type": "image/png", "form_factor": form_factor}
            for path, sizes, form_factor in SCREENSHOTS
        ],
        "shortcuts": [
            {"name": name, "url": reverse(page)}
            for name, page in (
                (_("Play the computer"), "play-computer"),
                (_("Today’s puzzle"), "puzzle"),
                (_("Rules"), "learn"),
            )
        ],
    }
    return JsonResponse(fields, content_type="application/manifest+json")


@require_safe
@asked_anew
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. It is at the root, since its scope is limited to paths below its own address."""
    kept = {
        "version": shell.version(),
        "offline": reverse("offline"),
        "kept": shell.addresses(),
        "icon": static("images/icon-192.png"),
    }
    lines = [
        f"globalThis.SHELL = {json.dumps(kept)};",
        f"importScripts({json.dumps(static('phone/worker.js'))});",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/javascript")


@require_safe
@asked_anew
def offline(request: HttpRequest) -> HttpResponse:
    """The page that a device shows while it is offline. It contains nothing personal."""
    return render(request, "offline.html")

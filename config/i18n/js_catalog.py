"""The translations of the browser modules: Django's JavaScript catalogue, one script for each language.

Its address has a hash of its content, so that browsers cache it for ever.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import Any

import brotli
from csp.decorators import csp_exempt
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import override
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

A_YEAR = 60 * 60 * 24 * 365
SCRIPT = """(() => {
const words = %(words)s;
const form = (n) => Number(%(form)s);
globalThis.gettext = (id) => [words[id] ?? id].flat()[0];
globalThis.ngettext = (one, many, n) => one in words ? [words[one]].flat()[form(n)] : n === 1 ? one : many;
globalThis.interpolate = (text, values, named) => (
  text.replace(named ? /%%\\((\\w+)\\)s/g : /%%s/g, (_, name) => named ? values[name] : values.shift())
);
})();
"""
"""What the modules call of Django’s catalogue. Unlike in its own script, letters are not escaped."""


class Words(JavaScriptCatalog):
    """Django's catalogue as `SCRIPT`, without formats: the browser's `Intl` writes dates and numbers."""

    def render_to_response(self, context: dict[str, Any], **response_kwargs: Any) -> HttpResponse:
        """The catalogue as a script."""
        words = json.dumps(context["catalog"], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        script = SCRIPT % {"words": words, "form": context["plural"] or "n !== 1"}
        return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@cache
def address(language: str) -> str:
    """The address of the current catalogue of a language."""
    return reverse("js-catalog", args=[language, _version(language)])


@csp_exempt()  # type: ignore[arg-type]  # (its types know no view with arguments)
@xframe_options_exempt
@require_safe
def js_catalog(request: HttpRequest, language: str, version: str) -> HttpResponse:
    """The catalogue of a language. A page of an older version gets the current one, uncached."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    packed = "br" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(_script(language, packed=packed), content_type="text/javascript; charset=utf-8")
    response.headers["Content-Language"] = language
    if packed:
        response.headers["Content-Encoding"] = "br"
    patch_vary_headers(response, ["Accept-Encoding"])
    if version == _version(language):
        patch_cache_control(response, public=True, max_age=A_YEAR, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response


@cache
def _script(language: str, *, packed: bool) -> bytes:
    if packed:
        return bytes(brotli.compress(_script(language, packed=False)))
    with override(language):
        # One app, to leave out the sentences of Django's admin; all of ours are in LOCALE_PATHS.
        return bytes(Words().get(HttpRequest(), packages="games").content)


def _version(language: str) -> str:
    return sha256(_script(language, packed=False)).hexdigest()[:12]

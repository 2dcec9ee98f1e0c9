"""Compresses pages; `.storage` compresses static files once."""

from __future__ import annotations

import secrets

import brotli
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

MARKUP = ("text/html", "image/svg+xml")
"""The content types that brotli compresses. A comment may follow them."""
QUALITY = 5
"""Of brotli: 0.9 of the bytes and of the time of gzip."""
SHORTEST = 200
"""Bytes that are worth compressing."""


class CompressedPages(GZipMiddleware):
    """Compresses whole responses, with random bytes in each, so the length reveals nothing (BREACH).

    Streams are not compressed: their readers wait for every line.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress markup by brotli for clients that read it, and the rest as Django does."""
        if not isinstance(response, HttpResponse):
            return response
        reads_brotli = "br" in request.headers.get("Accept-Encoding", "")
        is_markup = response.headers.get("Content-Type", "").startswith(MARKUP)
        if not (reads_brotli and is_markup) or response.has_header("Content-Encoding"):
            return super().process_response(request, response)
        if len(response.content) >= SHORTEST:
            self._compress(response)
        return response

    def _compress(self, response: HttpResponse) -> None:
        padding = secrets.token_hex(secrets.randbelow(self.max_random_bytes))
        response.content = brotli.compress(response.content + f"<!--{padding}-->".encode(), quality=QUALITY)
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["Content-Encoding"] = "br"
        patch_vary_headers(response, ["Accept-Encoding"])
        etag = response.headers.get("ETag", "")
        if etag.startswith('"'):
            response.headers["ETag"] = f"W/{etag}"

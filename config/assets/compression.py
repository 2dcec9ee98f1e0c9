"""Compresses pages; `.storage` compresses static files once."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressedPages(GZipMiddleware):
    """Compresses whole responses. Django adds random bytes to each, so the length reveals nothing (BREACH).

    Streams are not compressed: their readers wait for every line.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress all but streams, whose lines must arrive one by one."""
        if response.streaming:
            return response
        return super().process_response(request, response)

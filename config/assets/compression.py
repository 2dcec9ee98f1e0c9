"""Pages on their way to a browser, compressed; files are compressed once and for all by `.storage`."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressedPages(GZipMiddleware):
    """Compresses whole answers; lengths tell nothing, since Django adds some bytes by chance to each.

    A stream goes on as it is: whoever reads it waits for every line.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming:
            return response
        return super().process_response(request, response)

"""Which codings of responses a client accepts."""

import pytest

from config.i18n import js_catalog
from config.middleware.accepted_codings import accepted

BROTLI, GZIP = ["br"], ["gzip"]


@pytest.mark.parametrize(
    ("header", "codings"),
    [
        ("", []),
        ("gzip, deflate, br", ["gzip", "deflate", "br"]),
        ("br;q=0, gzip", GZIP),
        ("gzip ; Q=0.000 ,br;q=0.001", BROTLI),
        ("BR, x-gzip", ["br", "gzip"]),
        ("*", []),
        ("*;q=0", []),
        ("br, *;q=0", BROTLI),
        ("identity;q=0, gzip;q=1.0", GZIP),
        ("br;q=much, gzip;q=nan, ,;", []),
        ("brx", ["brx"]),
    ],
)
def test_codings_that_a_header_accepts(header, codings):
    assert accepted(header) == codings


@pytest.mark.parametrize("path", ["/rules", js_catalog.address("et")])
@pytest.mark.parametrize(
    ("header", "coding"), [("br;q=0, gzip", "gzip"), ("br, gzip;q=0", "br"), ("gzip;q=0, br;q=0", None)]
)
@pytest.mark.django_db
def test_refused_codings_are_not_used(client, path, header, coding):
    answer = client.get(path, headers={"accept-encoding": header})
    assert answer.status_code == 200
    assert answer.get("Content-Encoding") == coding

"""The catalogue of the browser modules: one script for each language, cached for ever."""

import brotli
import pytest

from config.i18n import js_catalog

pytestmark = pytest.mark.django_db


def test_catalog_has_sentences_of_language(client):
    assert '"Back to live":"К' in client.get(js_catalog.address("ru")).text
    assert "Praegusse seisu" in client.get(js_catalog.address("et")).text
    assert "Back to live" not in client.get(js_catalog.address("en")).text
    assert client.get("/words/xx.123.js").status_code == 404


def test_catalog_cached_at_current_address_only(client):
    path = js_catalog.address("et")
    old = client.get("/words/et.0123456789ab.js")
    assert "immutable" in client.get(path)["Cache-Control"]
    assert old["Cache-Control"] == "no-cache"
    assert old.content == client.get(path).content


def test_catalog_compressed_by_accept_encoding(client):
    path = js_catalog.address("ru")
    plain = client.get(path)
    packed = client.get(path, headers={"accept-encoding": "gzip, deflate, br"})
    zipped = client.get(path, headers={"accept-encoding": "gzip"})
    assert not plain.has_header("Content-Encoding")
    assert (packed["Content-Encoding"], zipped["Content-Encoding"]) == ("br", "gzip")
    assert brotli.decompress(packed.content) == plain.content
    assert all("Accept-Encoding" in answer["Vary"] for answer in (plain, packed, zipped))


def test_policies_of_documents_on_pages_only(client):
    script, page = client.get(js_catalog.address("ru")), client.get("/rules")
    for policy in (
        *("Permissions-Policy", "Cross-Origin-Opener-Policy"),
        *("Content-Security-Policy", "X-Frame-Options"),
    ):
        assert page.has_header(policy)
        assert not script.has_header(policy)

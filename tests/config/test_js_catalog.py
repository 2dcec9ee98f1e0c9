"""The catalogue of the browser modules: one script for each language, cached for ever."""

import brotli
import pytest

from config.i18n import js_catalog

pytestmark = pytest.mark.django_db


def test_it_has_the_sentences_of_its_language(client):
    assert '"Back to live":"К' in client.get(js_catalog.address("ru")).text
    assert "Praegusse seisu" in client.get(js_catalog.address("et")).text
    assert "Back to live" not in client.get(js_catalog.address("en")).text
    assert client.get("/words/xx.123.js").status_code == 404


def test_it_is_cached_for_ever_at_its_own_address_alone(client):
    path = js_catalog.address("et")
    old = client.get("/words/et.0123456789ab.js")
    assert "immutable" in client.get(path)["Cache-Control"]
    assert old["Cache-Control"] == "no-cache"
    assert old.content == client.get(path).content


def test_it_is_compressed_as_well_as_the_browser_can_read_it(client):
    path = js_catalog.address("ru")
    plain = client.get(path)
    packed = client.get(path, headers={"accept-encoding": "gzip, deflate, br"})
    zipped = client.get(path, headers={"accept-encoding": "gzip"})
    assert not plain.has_header("Content-Encoding")
    assert (packed["Content-Encoding"], zipped["Content-Encoding"]) == ("br", "gzip")
    assert brotli.decompress(packed.content) == plain.content
    assert all("Accept-Encoding" in answer["Vary"] for answer in (plain, packed, zipped))


def test_what_is_no_page_names_no_features_of_devices(client):
    assert not client.get(js_catalog.address("ru")).has_header("Permissions-Policy")
    assert "camera=()" in client.get("/rules")["Permissions-Policy"]

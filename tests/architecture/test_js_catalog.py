"""The words of modules come small: within bundles, or with keys for sentences that the modules have."""

import brotli
import pytest

from config.i18n import js_catalog, localized_bundles
from tools import words


@pytest.mark.parametrize("language", words.PLURALS)
def test_each_sentence_has_a_key_of_its_own(language):
    catalog = js_catalog.catalogue(language)
    said = {message.id if isinstance(message.id, str) else message.id[0] for message in catalog if message.id}
    assert len({js_catalog.key(english) for english in said}) == len(said) > 300


@pytest.mark.parametrize("language", words.PLURALS)
def test_no_english_is_in_them(language):
    script = js_catalog.script(language, "pages/match+boards/kalah")
    assert "Back to live" not in script
    assert f'"{js_catalog.key("Back to live")}":' in script


def test_they_include_those_of_modules_that_come_later():
    script = js_catalog.script("ru", "pages/match")
    assert f'"{js_catalog.key("About %(name)s")}":' in script


MODULE = """let a=gettext("Back to live"),b=gettext(`Strange "words"`),c=gettext('It\\'s');\
ngettext("Throw %(count)s die","Throw %(count)s dice",2);"""


def test_a_bundle_has_the_sentences_of_its_language_where_it_asks_for_them():
    assert localized_bundles.translated(MODULE, js_catalog.catalogue("ru")).splitlines()[1:] == [
        'let a="К текущему ходу",b="Strange \\"words\\"",c="It\'s";'
        'formOf(["Бросить %(count)s кость","Бросить %(count)s кости","Бросить %(count)s костей"],2);'
    ]
    assert localized_bundles.translated(MODULE, None).splitlines() == [
        "globalThis.formOf = (forms, n) => forms[Number(n !== 1)];",
        'let a="Back to live",b="Strange \\"words\\"",c="It\'s";'
        'formOf(["Throw %(count)s die","Throw %(count)s dice"],2);',
    ]


def test_a_bundle_names_those_that_come_later_in_its_language():
    module = 'at(import.meta.resolve("../chat/match-chat.js"))'
    assert (
        localized_bundles.naming_bundles_in("et", module)
        == 'at(import.meta.resolve("../chat/match-chat.et.js"))'
    )


def test_what_is_not_translated_has_as_many_forms_as_its_language():
    catalog = js_catalog.catalogue("ru")
    told = localized_bundles.translated('ngettext("One heron","%(count)s herons",n)', catalog)
    assert told.endswith('formOf(["One heron","%(count)s herons","%(count)s herons"],n)')


def test_a_sentence_that_is_not_written_out_stops_the_bundle():
    with pytest.raises(ValueError, match=r"gettext\(word"):
        localized_bundles.translated("say(gettext(word))", None)


@pytest.mark.django_db
def test_they_come_as_they_are_to_whoever_reads_no_brotli(client):
    path = js_catalog.address("ru", ["pages/match.js"])
    plain = client.get(path)
    packed = client.get(path, headers={"accept-encoding": "gzip, deflate, br"})
    zipped = client.get(path, headers={"accept-encoding": "gzip"})
    assert not plain.has_header("Content-Encoding")
    assert (packed["Content-Encoding"], zipped["Content-Encoding"]) == ("br", "gzip")
    assert brotli.decompress(packed.content) == plain.content
    assert len(packed.content) < len(zipped.content)
    assert all("Accept-Encoding" in answer["Vary"] for answer in (plain, packed, zipped))


@pytest.mark.django_db
def test_what_is_no_page_weighs_nothing_for_features_of_devices(client):
    path = js_catalog.address("ru", ["pages/match.js"])
    assert not client.get(path).has_header("Permissions-Policy")
    assert "camera=()" in client.get("/rules")["Permissions-Policy"]

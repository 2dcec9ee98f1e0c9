"""Every sentence of the site is translated into every language; a guess of a tool counts for nothing."""

import pytest
from babel.messages.pofile import read_po

from tools import words


@pytest.fixture(scope="module")
def gathered():
    return {domain: words.gather(domain) for domain in words.SOURCES}


@pytest.mark.parametrize("domain", words.SOURCES)
@pytest.mark.parametrize("language", words.PLURALS)
class TestLanguage:
    @pytest.fixture
    def catalog(self, language, domain):
        with words.catalogue(language, domain).open("rb") as file:
            return read_po(file)

    def test_no_sentence_is_missing(self, gathered, catalog, domain):
        known = {(message.context, message.id): message for message in catalog if message.id}
        wanted = {(message.context, message.id) for message in gathered[domain] if message.id}
        assert wanted - known.keys() == set(), "Run `make words` and translate them."
        assert known.keys() - wanted == set(), "Run `make words`: nobody says these any more."

    def test_none_is_empty_or_a_guess(self, catalog):
        lacking = [
            message.id
            for message in catalog
            if message.id
            and (
                message.fuzzy
                or not all([message.string] if isinstance(message.string, str) else message.string)
            )
        ]
        assert lacking == []

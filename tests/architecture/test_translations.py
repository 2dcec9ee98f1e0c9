"""What is translated says what the English says: the same values, links and marks, in every form."""

import re
from collections import Counter

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from config.i18n.compile_messages import LOCALE
from tools import words

VALUE = re.compile(r"%(?:\((\w+)\))?[-+ #0]*[\d.]*([a-z%])")
"""Where a value is put in, by its name if it has one."""
TAG = re.compile(r"</?\w+[^>]*>")
CATALOGUES = [(language, domain) for language in words.PLURALS for domain in words.SOURCES]


@pytest.fixture(scope="module")
def catalogues():
    found = {}
    for language, domain in CATALOGUES:
        with words.catalogue(language, domain).open("rb") as file:
            found[language, domain] = read_po(file)
    return found


def forms(said):
    return [said] if isinstance(said, str) else list(said or [])


def translated(catalog):
    """Each sentence that is translated: its forms in English, and those in the language."""
    for message in catalog:
        if message.id and any(forms(message.string)):
            yield forms(message.id), forms(message.string)


def values(form):
    """The values of a sentence; a name may be said twice, or in another order."""
    named = {name for name, _ in VALUE.findall(form) if name}
    return named, Counter(kind for name, kind in VALUE.findall(form) if not name and kind != "%")


def differs(english, told):
    """Whether a form has a value that no English one has, or lacks one that all of these have."""
    names, counts = zip(*map(values, english), strict=True)
    here, nameless = values(told)
    return not set.intersection(*names) <= here <= set.union(*names) or nameless not in counts


def test_the_languages_of_the_site_are_those_that_are_translated():
    assert {code for code, _name in settings.LANGUAGES} == {"en", *words.PLURALS}
    assert {path.name for path in LOCALE.iterdir()} == set(words.PLURALS)


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
class TestTranslated:
    def test_every_form_of_a_number_is_there(self, catalogues, language, domain):
        catalog = catalogues[language, domain]
        assert words.PLURALS[language].startswith(f"nplurals={catalog.num_plurals};")
        lacking = [
            english
            for english, told in translated(catalog)
            if not all(told) or (len(english) > 1 and len(told) != catalog.num_plurals)
        ]
        assert lacking == []

    def test_every_value_is_said_and_no_other(self, catalogues, language, domain):
        pairs = translated(catalogues[language, domain])
        assert [told for english, told in pairs if any(differs(english, form) for form in told)] == []

    def test_no_sign_for_a_value_stands_alone(self, catalogues, language, domain):
        # "50 %" where a value is put in breaks the page, and "50 %%" shows twice where none is.
        wrong = [
            (english, told)
            for english, told in translated(catalogues[language, domain])
            if {"%" in VALUE.sub("", form) for form in told}
            - {"%" in VALUE.sub("", form) for form in english}
        ]
        assert wrong == []

    def test_links_and_marks_are_those_of_the_english(self, catalogues, language, domain):
        wrong = [
            told
            for english, told in translated(catalogues[language, domain])
            for form in told
            if Counter(TAG.findall(form)) not in [Counter(TAG.findall(each)) for each in english]
        ]
        assert wrong == []

    def test_white_space_at_the_ends_is_that_of_the_english(self, catalogues, language, domain):
        for english, told in translated(catalogues[language, domain]):
            for form in told:
                # Before a comma there is none, and another language may need no comma.
                if not re.match(r"\W", english[0]) or re.match(r"\s", english[0]):
                    assert bool(re.match(r"\s", form)) == bool(re.match(r"\s", english[0])), form
                assert bool(re.search(r"\s\Z", form)) == bool(re.search(r"\s\Z", english[0])), form


@pytest.mark.parametrize("language", words.PLURALS)
def test_a_number_of_twenty_one_is_said_as_it_is(catalogues, language):
    # Where 21 has the form of 1, that form says the number, unless the thing is never so many.
    few = {"men", "mills"}
    silent = [
        told[0]
        for domain in words.SOURCES
        for english, told in translated(catalogues[language, domain])
        if catalogues[language, domain].num_plurals > 2
        and len(english) > 1
        and values(english[1])[0] - values(told[0])[0]
        and not few & set(re.findall(r"\w+", english[1]))
    ]
    assert silent == []


@pytest.mark.parametrize("language", words.PLURALS)
def test_commands_have_words_of_their_own_which_the_help_names(catalogues, language):
    script = (words.ROOT / "static/actions/command-words.js").read_text()
    names = re.findall(r'gettext\("([^"]+)"\)', script)
    catalog = catalogues[language, "djangojs"]
    told = {name: catalog[name].string for name in names if name in catalog and catalog[name].string}
    assert len(set(told.values())) == len(told)
    (help,) = [
        message.string for message in catalog if str(message.id).startswith("Type a move as it stands")
    ]
    said = set(re.findall(r"[\w ]+", help.lower().replace(".", ",").replace(":", ",")))
    known = {word.strip() for word in said}
    assert [word for name, word in told.items() if name != "help" and word.lower() not in known] == []

"""Every sentence is marked for the translators, and none says again what was found to be odd."""

from pathlib import Path

import pytest

from tests.house.marked import files, unmarked_in_python, unmarked_in_script, unmarked_in_template

ROOT = Path(__file__).parents[2]
ROOMS = {"templates": "*.html", "static": "*.js", "games": "*.py", "lobby": "*.py"}

ODD = (
    "sit at no table",
    "play no match",
    "Who stood how",
    "worth lost",
    "of the win a decision",
    "the win per decision",
)


@pytest.fixture(scope="module")
def texts():
    return {path: path.read_text() for room, kind in ROOMS.items() for path in (ROOT / room).rglob(kind)}


@pytest.mark.parametrize("words", ODD)
def test_nobody_says_it_any_more(texts, words):
    assert [path.name for path, text in texts.items() if words in text] == []


IN_ENGLISH = {
    "games/api": "the reference of the interface for programs",
    "lobby/api": "the reference of the interface for programs",
    "config/api.py": "the reference of the interface for programs",
    "config/openapi.py": "the reference of the interface for programs",
    "config/management": "for whoever runs the site",
    "games/management": "for whoever runs the site",
    "lobby/management": "for whoever runs the site",
    "config/address.py": "for whoever runs the site",
    "config/operation": "for whoever runs the site",
    "config/server.py": "for whoever runs the site",
    "config/settings.py": "for whoever runs the site",
    "config/http.py": "for programs that speak HTTP in a way that nobody else does",
    "lobby/models/names.py": "names, which are the same in every language",
    "lobby/models/spelling.py": "names of scripts, as Unicode has them",
}
"""Where English stands that need not be marked, and for whom."""
NAMES = {"Otter", "Fox", "Samsung Internet", "Mac OS", "INSERT OR FAIL"}
"""Called so in every language."""


def unmarked(find, room, *kinds):
    found = {}
    for path in files(ROOT / room, *kinds):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(tuple(IN_ENGLISH)):
            found[name] = [words for words in find(path.read_text()) if words not in NAMES]
    assert len(found) > 10
    return {name: words for name, words in found.items() if words}


def test_every_word_of_a_template_is_marked():
    assert unmarked(unmarked_in_template, "templates", "*.html", "*.txt") == {}


@pytest.mark.parametrize("room", ["config", "games", "lobby"])
def test_every_sentence_of_the_server_is_marked(room):
    assert unmarked(unmarked_in_python, room, "*.py") == {}


def test_every_sentence_of_a_module_is_marked():
    assert unmarked(unmarked_in_script, "static", "*.js") == {}


@pytest.mark.parametrize("path", IN_ENGLISH)
def test_what_is_left_in_english_is_there(path):
    assert (ROOT / path).exists()


class TestFinder:
    """What finds them does find them."""

    @pytest.mark.parametrize(
        "source",
        [
            "<p>Play now</p>",
            '<a title="Play now">{{ icon }}</a>',
            "<p>{% translate 'Play' %} now</p>",
            '<img alt="A board">',
            "{% blocktranslate %}x{% endblocktranslate %}<b>now</b>",
        ],
    )
    def test_in_templates(self, source):
        assert unmarked_in_template(source) != []

    @pytest.mark.parametrize(
        "source",
        [
            '<p class="now">{% translate "Play" %} · 3</p>',
            "{# Play now #}{% comment %}Play now{% endcomment %}",
            "{% blocktranslate %}Play <b>now</b>{% endblocktranslate %}",
            "<script>const now = 1;</script><kbd>Esc</kbd>",
        ],
    )
    def test_and_nothing_else_in_templates(self, source):
        assert unmarked_in_template(source) == []

    def test_in_python(self):
        source = 'def f():\n    """A docstring."""\n    return "It is your turn."\n'
        assert unmarked_in_python(source) == ["It is your turn."]
        assert unmarked_in_python('f(gettext("It is your turn."))') == []

    def test_in_modules(self):
        assert unmarked_in_script('element.textContent = "It is your turn.";') == ["It is your turn."]
        assert unmarked_in_script("f(`Your turn, ${name}.`)") == ["Your turn, ${name}."]
        assert unmarked_in_script('f(interpolate(gettext("It is your turn."), []))') == []

"""Every sentence that a visitor may read is marked for translation."""

from pathlib import Path

import pytest

from tests.architecture.marked import files, unmarked_in_python, unmarked_in_script, unmarked_in_template

ROOT = Path(__file__).parents[2]

IN_ENGLISH = {
    "games/api": "the reference of the interface for programs",
    "lobby/api": "the reference of the interface for programs",
    "config/api.py": "the reference of the interface for programs",
    "config/openapi.py": "the reference of the interface for programs",
    "config/management": "for whoever runs the site",
    "games/management": "for whoever runs the site",
    "lobby/management": "for whoever runs the site",
    "config/address.py": "for whoever runs the site",
    "config/observability": "for whoever runs the site",
    "config/server.py": "for whoever runs the site",
    "config/settings.py": "for whoever runs the site",
    "config/daphne": "for programs that speak HTTP in a way that nobody else does",
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

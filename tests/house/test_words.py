"""Sentences that were found to be odd, and say the same in other words since."""

from pathlib import Path

import pytest

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

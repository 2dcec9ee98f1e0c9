"""docs/guide/by-ear has a page for each path, and the site says the sentences on it."""

from __future__ import annotations

import re

import pytest
from babel.messages.pofile import read_po

from tests.browser.by_ear.choosing import PLAYERS
from tests.browser.by_ear.transcript import HEARS, ROOM
from tools import words

PATHS = [*PLAYERS, "pairing", "replay", "analysis", "dice"]
LANGUAGE = next(iter(words.PLURALS))
PLACEHOLDER = re.compile(r"%\(\w+\)s")
SENTENCE = re.compile(r"(?<=[.!?]) ")
WORD = re.compile(r"[\w+-]+")
"""A name, or a move as the list of moves writes it."""


@pytest.fixture(scope="module")
def said_today() -> re.Pattern[str]:
    """Fits every sentence that the scripts of the site can say, whatever names and numbers stand in it."""
    with words.catalogue(LANGUAGE, "djangojs").open("rb") as file:
        known = [message.id for message in read_po(file) if message.id]
    whole = [text for each in known for text in ([each] if isinstance(each, str) else each)]
    sentences = {part for text in whole for part in SENTENCE.split(text) if PLACEHOLDER.sub("", part).strip()}
    # What stands in lists is a part of a sentence.
    sentences |= {piece for each in sentences for piece in each.split(", ")}
    kinds = [".+".join(map(re.escape, PLACEHOLDER.split(each))) for each in sorted(sentences)]
    # Names and numbers alone are no kind of sentence.
    telling = [kind for kind in kinds if re.search(r"[a-z]{2}", kind)]
    return re.compile("|".join(f"(?:{kind})\\.?" for kind in telling))


def is_said(sentence: str, said_today: re.Pattern[str]) -> bool:
    """Whether a sentence is one that the site says, or a list of names, moves and what the site says."""
    parts = re.split(r"[;,] | and ", sentence)
    listed = all(WORD.fullmatch(part) or said_today.fullmatch(part) for part in parts)
    return listed or said_today.fullmatch(sentence) is not None


@pytest.mark.parametrize("path", PATHS)
def test_what_is_heard_there_is_still_said(path: str, said_today: re.Pattern[str]) -> None:
    heard = HEARS.findall((ROOM / f"{path}.md").read_text())
    assert heard, "Somebody who hears nothing has not been there."
    sentences = {part for text in heard for part in SENTENCE.split(text)}
    strange = sorted(part for part in sentences if not is_said(part, said_today))
    assert strange == [], "Walk the path anew with WRITE_TRANSCRIPTS=1, and read aloud what has been written."


def test_the_list_names_every_path() -> None:
    listed = re.findall(r"\]\((\w+)\.md\)", (ROOM / "README.md").read_text())
    assert listed == PATHS


def test_nothing_else_is_kept() -> None:
    assert sorted(path.stem for path in ROOM.iterdir()) == sorted([*PATHS, "README"])

"""The examples of rules: the rules play each as its file says, and each rule of a guide has some."""

import re
from pathlib import Path

import pytest

from games.domain import position
from games.examples.examples import played, rule_of, rules_of, texts
from games.registry import GAMES
from games.rules.base import IllegalMove

ALL = [
    pytest.param(slug, example, id=f"{slug}-{example.name}")
    for slug in GAMES
    for rule in rules_of(slug)
    for example in rule.examples
]
NOT_PLAYED = {
    "kalah": ("Where the last seed lands", "Resigning or leaving"),
    "morris": ("Resigning or leaving",),
    "aces": ("A player who leaves",),
    "cantstop": ("Then decide", "The board shows the chance", "When a player leaves"),
}
"""Texts that no move shows, by the words that they begin with."""


@pytest.mark.parametrize(("slug", "example"), ALL)
def test_example(slug, example):
    assert position.parse(example.position).game.slug == slug
    end = played(example)
    rules = end.game.rules
    if example.after:
        assert str(end) == example.after
    if example.legal:
        assert sorted(map(str, rules.legal_moves(end.state))) == sorted(example.legal)
    if example.refused:
        with pytest.raises(IllegalMove) as refused:
            rules.play(end.state, rules.parse(example.refused))
        assert str(refused.value) == example.sentence
    assert example.after or example.legal or example.refused
    assert example.line or example.refused


@pytest.mark.all_games
def test_names_are_unique():
    for slug in GAMES:
        names = [example.name for rule in rules_of(slug) for example in rule.examples]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("slug", [slug for slug in GAMES if rules_of(slug)])
def test_each_rule_of_the_guide_has_examples(slug):
    said = list(texts(GAMES[slug].rules.GUIDE))
    for rule in rules_of(slug):
        assert sum(text.startswith(rule.begins) for text in said) == 1, rule.begins
    bare = [text for text in said if rule_of(slug, text) is None]
    assert len(bare) == len(NOT_PLAYED[slug])
    assert all(text.startswith(begins) for text, begins in zip(bare, NOT_PLAYED[slug], strict=True))


# docs/reference/requirements.md

ROOT = Path(__file__).parents[3]
ROW = re.compile(r"^\| (.+) \| .+ \| (.+) \|$", re.MULTILINE)
LISTED = [
    (name, where)
    for names, where in ROW.findall((ROOT / "docs" / "reference" / "requirements.md").read_text())
    for name in re.split(r", (?=[A-Z0-9])", names)
]
REQUIREMENTS = [name for name, where in LISTED if where == "example"]
CRITERIA = {1: 4, 2: 2, 3: 3, 4: 8, 5: 7, 6: 5, 7: 6}
"""How many there are in each part of the text on Nine Men’s Morris."""
NUMBERED = {
    *(f"Story {number}:" for number in range(1, 42)),
    *(f"{part}.{number}" for part, count in CRITERIA.items() for number in range(1, count + 1)),
    *(f"Alt{number}" for number in range(1, 10)),
    *("Scenario 1 to 3", "Scenario 4 to 7"),
}
"""What the texts number."""
NAMES = {example.name for slug in GAMES for rule in rules_of(slug) for example in rule.examples}


def by_numbers(name):
    """The names of a range such as "Story 1–12"; any other name is alone."""
    word, _, numbers = name.rpartition(" ")
    first, _, last = numbers.partition("–")
    return [f"{word} {number}:" for number in range(int(first), int(last) + 1)] if last else [name]


def test_all_that_the_texts_number_is_listed():
    assert {each for name, _ in LISTED for each in by_numbers(name)} >= NUMBERED


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_requirement_has_an_example(name):
    for each in by_numbers(name):
        assert any(known.startswith(each) for known in NAMES), each

"""Dice that anyone can check: the format, its fairness and the vectors shared with the browser."""

import hashlib
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from games.domain import dice
from games.rules.base import Dice, Roll

SECRET = "5e" * 32
FORTY = Dice(40)
WORDS = ("clover", "", "šťastné kostky 🎲")
VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "dice_vectors.json").read_text("utf-8")
)


def throw(
    *,
    secret: str = SECRET,
    words: tuple[str, ...] = WORDS,
    match: str = "m1",
    ply: int = 1,
    due: Dice = FORTY,
) -> Roll:
    return dice.throw(secret, words, match, ply, due)


def test_a_secret_is_64_hexadecimal_digits() -> None:
    assert re.fullmatch("[0-9a-f]{64}", dice.new_secret())


def test_secrets_differ() -> None:
    assert dice.new_secret() != dice.new_secret()


def test_the_commitment_is_what_any_sha256_tool_makes_of_the_secret() -> None:
    assert dice.commitment(SECRET) == hashlib.sha256(b"5e" * 32).hexdigest()


def test_the_same_throw_shows_the_same_faces() -> None:
    assert throw() == throw()


@pytest.mark.parametrize(
    "change",
    [
        {"secret": "5f" + "5e" * 31},
        {"match": "m2"},
        {"ply": 2},
        {"words": ("clove", "", WORDS[2])},
        {"words": (WORDS[2], "", "clover")},
        {"words": ("clover", WORDS[2])},
        {"words": ("clover", WORDS[2], "")},
        {"words": ("", "clover", WORDS[2])},
    ],
    ids=["secret", "match", "ply", "a word", "order of words", "fewer seats", "silent seat", "another seat"],
)
def test_every_part_of_a_throw_changes_its_faces(change: dict[str, Any]) -> None:
    assert throw(**change) != throw()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("a\nb",), ("a", "b")),
        (('a","b',), ("a", "b")),
        (("a\x00\x00\x00\x01b",), ("a", "b")),
        ((), ("",)),
    ],
)
def test_words_cannot_pass_for_other_words(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert throw(words=one) != throw(words=other)


def test_words_cannot_pass_for_the_match() -> None:
    assert throw(match="m1clover", words=()) != throw(match="m1", words=("clover",))


def test_fewer_dice_are_another_throw() -> None:
    assert throw(due=Dice(39)).faces != throw().faces[:39]


@pytest.mark.parametrize("count", [1, 4, 33, 200])
def test_throw_has_due_number_of_dice(count: int) -> None:
    assert len(throw(due=Dice(count)).faces) == count


@pytest.mark.parametrize("due", [Dice(0), Dice(1, 0), Dice(1, 257)])
def test_impossible_dice_are_refused(due: Dice) -> None:
    with pytest.raises(ValueError, match="cannot throw"):
        throw(due=due)


@pytest.mark.parametrize("sides", [2, 6, 7, 10, 100, 129, 255, 256])
def test_all_faces_fall_and_no_others(sides: int) -> None:
    assert set(throw(due=Dice(sides * 20, sides)).faces) == set(range(1, sides + 1))


# The 99.99 % points of the chi-square distribution, by degrees of freedom.
CHI_SQUARE = {1: 15.14, 5: 25.74, 6: 27.86, 19: 50.80, 99: 160.06, 128: 196.21}


@pytest.mark.parametrize("sides", [2, 6, 7, 20, 100, 129])
def test_faces_fall_equally_often(sides: int) -> None:
    """129 sides show a missing rejection best: the faces up to 127 would fall twice as often."""
    expected = 200
    seen = Counter(throw(due=Dice(expected * sides, sides)).faces)
    square = sum((seen[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    assert square < CHI_SQUARE[sides - 1]


def test_throws_of_one_match_are_independent() -> None:
    """Pairs of faces from ply to ply fall equally often; 35 degrees of freedom at 99.99 %."""
    faces = [throw(ply=ply, due=Dice(1)).faces[0] for ply in range(1, 7202)]
    seen = Counter(pairwise(faces))
    assert sum((seen[a, b] - 200) ** 2 / 200 for a in range(1, 7) for b in range(1, 7)) < 74.93


def test_bytes_that_would_favour_low_faces_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = bytes([255, 252, 251, 253, 0]) * 7
    monkeypatch.setattr("games.domain.dice.hmac.digest", lambda *_: stream)
    assert throw(due=Dice(4)).faces == (6, 1, 6, 1)


def test_a_sealed_file_says_all_that_a_check_needs() -> None:
    roll = throw(due=Dice(2))
    sealed = dice.sealed_file("m1", "aces", WORDS, SECRET, [dice.Throw(1, Dice(2), roll)])
    assert sealed == {
        "format": "parlour-dice-1",
        "match": "m1",
        "game": "aces",
        "words": list(WORDS),
        "secret": SECRET,
        "commitment": dice.commitment(SECRET),
        "throws": [{"ply": 1, "count": 2, "sides": 6, "faces": list(roll.faces)}],
    }


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_vectors_of_commitments(vector: dict[str, Any]) -> None:
    assert dice.commitment(vector["secret"]) == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS["throws"])
def test_vectors_of_throws(vector: dict[str, Any]) -> None:
    due = Dice(vector["count"], vector["sides"])
    roll = dice.throw(vector["secret"], vector["words"], vector["match"], vector["ply"], due)
    assert list(roll.faces) == vector["faces"]


def test_vectors_of_a_sealed_file() -> None:
    sealed = VECTORS["sealed"]
    throws = []
    for fallen in sealed["throws"]:
        due = Dice(fallen["count"], fallen["sides"])
        roll = dice.throw(sealed["secret"], sealed["words"], sealed["match"], fallen["ply"], due)
        throws.append(dice.Throw(fallen["ply"], due, roll))
    assert sealed == dice.sealed_file(
        sealed["match"], sealed["game"], sealed["words"], sealed["secret"], throws
    )

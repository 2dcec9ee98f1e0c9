"""What names are made of, and which look the same."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from lobby.people.spelling import MAX_CHARACTERS, folded, letters_of, normal, skeleton, well_spelled

TEXT = st.text(max_size=40)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", "misspelled"),
        ("x" * 21, "misspelled"),
        ("a b", "misspelled"),
        ("abc\n", "misspelled"),
        ("ab\u200dcd", "misspelled"),
        ("\u0301abc", "misspelled"),
        ("a\u0301\u0302\u0303\u0304bc", "marks"),
        ("abжc", "scripts"),
        ("Вob", "scripts"),
        ("12\u0663", "scripts"),
    ],
)
def test_name_invalid_refused(name, code):
    with pytest.raises(ValidationError) as refused:
        well_spelled(name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "name", ["Ann", "a" * MAX_CHARACTERS, "-_-", "Δημήτρης", "田中さくら", "ไทยแท้", "क्षेत्रफल", "Ёжик-7"]
)
def test_name_valid_accepted(name):
    well_spelled(name)


def test_characters_are_counted_as_readers_count_them():
    well_spelled("नि" * MAX_CHARACTERS)
    with pytest.raises(ValidationError):
        well_spelled("नि" * (MAX_CHARACTERS + 1))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ian", "lan"),
        ("paypal", "раураl"),
        ("Bob1", "Bobl"),
        ("modern", "modem"),
        ("O0O", "OOO"),
        ("СОВА", "COBA"),
    ],
)
def test_skeleton_same_for_lookalikes(one, other):
    assert skeleton(one) == skeleton(other)
    assert folded(one) != folded(other)


@pytest.mark.parametrize(("one", "other"), [("Ulno", "ulno"), ("ЖАННА", "жанна"), ("Straße", "STRASSE")])
def test_capitals_make_no_other_name(one, other):
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ñandu", "Nandu"), ("ёлка", "елка"), ("Anna", "Hanna"), ("abc", "abd")]
)
def test_skeleton_differs_for_different_names(one, other):
    assert skeleton(one) != skeleton(other)


@given(TEXT)
def test_folding_and_looking_are_done_once(text):
    assert folded(folded(text)) == folded(text)
    assert skeleton(normal(text)) == skeleton(text)


@given(TEXT)
def test_name_of_provider_turned_into_proposal(text):
    proposed = letters_of(text)
    assert "/" not in proposed
    assert not proposed.startswith("-")

"""Numbers that people enter. tests/architecture/test_entered_texts.py has the texts."""

import pytest

from games.domain import texts


@pytest.mark.parametrize("text", ["", " ", "-1", "1.5", "1e3", "³", "٣", "9" * 19, "one"])
def test_text_is_no_number(text: str) -> None:
    assert texts.number(text, default=-1) == -1


@pytest.mark.parametrize(("text", "expected"), [("0", 0), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_text_is_a_number(text: str, expected: int) -> None:
    assert texts.number(text) == expected


def test_number_with_more_digits_than_allowed_is_none() -> None:
    assert (texts.number("99999", digits=5), texts.number("100000", digits=5)) == (99_999, 0)

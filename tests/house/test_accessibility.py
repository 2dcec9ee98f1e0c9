"""docs/accessibility.md names tests that exist, and leaves out no criterion of WCAG 2.2, levels A and AA."""

from __future__ import annotations

import ast
import re

from tests.helpers.services import ROOT

TEXT = (ROOT / "docs" / "accessibility.md").read_text()
CRITERIA = {
    "1.1": [1],
    "1.2": [1, 2, 3, 4, 5],
    "1.3": [1, 2, 3, 4, 5],
    "1.4": [1, 2, 3, 4, 5, 10, 11, 12, 13],
    "2.1": [1, 2, 4],
    "2.2": [1, 2],
    "2.3": [1],
    "2.4": [1, 2, 3, 4, 5, 6, 7, 11],
    "2.5": [1, 2, 3, 4, 7, 8],
    "3.1": [1, 2],
    "3.2": [1, 2, 3, 4, 6],
    "3.3": [1, 2, 3, 4, 7, 8],
    "4.1": [2, 3],
}
"""The guidelines of WCAG 2.2, and their criteria of levels A and AA: 55."""


def test_every_test_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w/.]+?)(?:::(\w+))?`", TEXT)
    assert len(named) > 30
    for path, name in named:
        source = (ROOT / path).read_text()
        if name:
            assert name in {
                each.name for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef)
            }, f"{path}::{name}"


def test_every_criterion_is_gone_through() -> None:
    rows = re.findall(
        r"^\| (\d\.\d)\.(\d+)(?:–\d\.\d\.(\d+))? .* \(A(?:A|, AA)?\) \| (\S.*?) \| (\S.*) \|$",
        TEXT,
        re.MULTILINE,
    )
    told = [
        f"{guideline}.{number}"
        for guideline, first, last, _met, _shown in rows
        for number in range(int(first), int(last or first) + 1)
    ]
    assert told == [f"{guideline}.{number}" for guideline, numbers in CRITERIA.items() for number in numbers]

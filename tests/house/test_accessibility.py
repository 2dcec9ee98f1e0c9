"""docs/accessibility.md leaves out no criterion of WCAG 2.2, levels A and AA."""

from __future__ import annotations

import re

from tests.helpers.services import ROOT
from tests.house.test_paths import TEST

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


TABINDEX = re.compile(r"""tab[Ii]ndex["':=,\s]{1,4}(\d+)""")
POINTED_AT = re.compile(r"([^{}]*:hover[^{}]*)\{([^{}]*)\}")
OPENS = re.compile(r"(?:^|[\s;])(display|visibility|opacity|content|height|max-height|clip-path)\s*:")


def test_the_order_of_the_document_is_the_order_of_the_focus() -> None:
    sources = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    found = {path.name: TABINDEX.findall(path.read_text()) for path in sources}
    assert {name: steps for name, steps in found.items() if any(map(int, steps))} == {}


def test_nothing_opens_by_being_pointed_at() -> None:
    rules = [
        rule
        for path in (ROOT / "static" / "css").glob("*.css")
        for rule in POINTED_AT.findall(path.read_text())
    ]
    assert len(rules) > 10
    assert [selector.strip() for selector, style in rules if OPENS.search(style)] == []


def test_what_is_met_is_shown_by_tests() -> None:
    assert len(TEST.findall(TEXT)) > 30


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

"""docs/security-findings.md leaves no finding out; nonsense is sent in everything that anybody believes."""

from __future__ import annotations

import re

from tests.helpers import fuzz
from tests.helpers.onlookers import SPOKEN, spoken_at
from tests.helpers.services import ROOT
from tests.house.test_paths import TEST

FINDINGS = (ROOT / "docs" / "security-findings.md").read_text()
NUMBERS = [
    "C1",
    *(f"H{n}" for n in range(1, 4)),
    *(f"M{n}" for n in range(1, 15)),
    *(f"L{n}" for n in range(1, 17)),
]
HELD = 14


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    part = FINDINGS.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_every_finding_has_what_was_done_and_the_test_that_sees_it() -> None:
    found = rows("What was found")
    assert [number for number, *_ in found] == NUMBERS
    for number, *told in found:
        assert len(told) == 3, number
        assert all(told), number
        assert TEST.search(told[-1]), number


def test_what_held_has_tests_too() -> None:
    held = rows("What held")
    assert len(held) == HELD
    for told, tests in held:
        assert TEST.search(tests), told


def test_nonsense_is_sent_in_every_header_that_is_listed() -> None:
    text = (ROOT / "docs" / "security.md").read_text()
    part = text.partition("## Trusted headers\n")[2].partition("\n## ")[0]
    cells = [line.split(" | ")[0] for line in part.splitlines() if line.startswith("| `")]
    listed = [name for cell in cells for name in re.findall(r"`([A-Z][\w-]+)", cell)]
    assert len(listed) > 30
    missing = [name for name in listed if not any(sent.startswith(name) for sent in fuzz.HEADERS)]
    assert missing == []


def test_nonsense_is_said_in_every_kind_of_message() -> None:
    declared = {kind for address in SPOKEN for kind in spoken_at(address)}
    assert declared <= set(fuzz.MESSAGES)

"""The flows of docs/explanation/flows.md name files and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

STEP = re.compile(r"^\d+\. `(?P<path>[\w/.-]+)` `(?P<name>\w+)`: ", re.MULTILINE)
FLOWS = {
    flow.partition("\n")[0]: flow
    for flow in (ROOT / "docs/explanation/flows.md").read_text().split("\n## ")[1:]
}


@pytest.mark.parametrize("flow", FLOWS)
def test_every_step_of_a_flow_exists(flow):
    steps = STEP.findall(FLOWS[flow])
    assert len(steps) == len(re.findall(r"^\d+\. ", FLOWS[flow], re.MULTILINE))
    assert [step for step in steps if not defines(*step)] == []


def defines(path: str, name: str) -> bool:
    """Whether a file defines a function, class or variable of that name."""
    file = ROOT / path
    made = rf"(?:def|class|function) {name}\b|^ *(?:const |let )?{name}(?: =|: )|^ +{name}\("
    return file.is_file() and re.search(made, file.read_text(), re.MULTILINE) is not None


def test_the_faults_of_tournaments_name_tests_that_exist() -> None:
    rows = [
        line
        for line in (ROOT / "docs" / "explanation" / "tournaments.md").read_text().splitlines()
        if re.match(r"\| \d+ \|", line)
    ]
    assert [int(row.split("|")[1]) for row in rows] == list(range(1, 26))
    tests = "\n".join(path.read_text() for path in (ROOT / "tests" / "lobby").rglob("test_*.py"))
    named = {name for row in rows for name in re.findall(r"`(test_\w+)`", row)}
    assert {name for name in named if f"def {name}(" not in tests} == set()
    assert all("`test_" in row for row in rows)

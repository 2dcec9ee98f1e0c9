"""The flows of docs/explanation/architecture.md name files and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

STEP = re.compile(r"^\d+\. `(?P<path>[\w/.-]+)` `(?P<name>\w+)`: ", re.MULTILINE)
FLOWS = {
    flow.partition("\n")[0]: flow
    for flow in (ROOT / "docs/explanation/architecture.md")
    .read_text()
    .partition("## Flows")[2]
    .split("\n### ")[1:]
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

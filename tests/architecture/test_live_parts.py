"""Live parts keep folds, focus and typed text by what they are about.

So folds and rows need keys (static/parts/morph.js).
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TEMPLATES = ROOT / "templates"
LIVE = re.compile(r"\b(data-live|data-fills|data-unsettled)\b")
INCLUDE = re.compile(r'{% (?:cached_)?include "([^"]+)"[^%]*%}')
FOLD = re.compile(r'<details(?![^>]*class="menu")[^>]*>')
ROW = re.compile(r"<(li|tr)\b([^>]*)>(.*?)</\1>", re.DOTALL)
USED = re.compile(r"<(details|form|input|button)\b")
COUNTED = re.compile(r'\bid="[^"]*{{ forloop')


def whole(name: str, within: tuple[str, ...] = ()) -> str:
    """A template with the templates that it includes."""
    if name in within:
        return ""
    text = (TEMPLATES / name).read_text()
    return INCLUDE.sub(lambda found: whole(found[1], (*within, name)), text)


live = sorted(
    str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html") if LIVE.search(path.read_text())
)


def test_live_parts_are_found():
    assert {
        "tournaments/_live.html",
        "tournaments/_organiser.html",
        "evenings/host.html",
        "people/online.html",
    } <= set(live)


@pytest.mark.parametrize("name", live)
def test_folds_of_live_part_have_ids(name):
    assert [fold for fold in FOLD.findall(whole(name)) if " id=" not in fold] == []


@pytest.mark.parametrize("name", live)
def test_rows_of_live_part_with_fields_have_ids(name):
    rows = [(attributes, content) for _, attributes, content in ROW.findall(whole(name))]
    assert [
        attributes for attributes, content in rows if USED.search(content) and "data-id=" not in attributes
    ] == []


@pytest.mark.parametrize("name", live)
def test_ids_in_live_part_are_not_numbers_in_a_list(name):
    assert not COUNTED.search(whole(name))

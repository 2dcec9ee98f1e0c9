"""Seats are told apart by every eye: by colour as far as colours go, and by shape always.

`FULL=1 WRITE_FIGURES=1 pytest tests/browser/eyes/test_marks.py` writes the figures into
docs/explanation/accessibility.md.
"""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Browser

from tests.browser.eyes.marks import EYES, SCHEMES, THEMES, Apart, Look, looks, open_stage, pairs
from tools.harness.services import ROOT

SHAPE = 0.25
"""How different every two marks are drawn at least, whatever their colours."""
COLOUR = {2: (20.0, 1.5), 4: (10.0, 1.2)}
"""CIEDE2000 and contrast between any two marks for every eye, by the seats of the fullest table.

The colours of eight seats cannot all be told by every eye: there the shape alone decides."""
DOCUMENT = ROOT / "docs" / "explanation" / "accessibility.md"
TABLE = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.DOTALL)
NAMES = {
    ("kalah", "mark"): "Kalah: marks at the stores",
    ("morris", "man"): "Morris: men",
    ("cantstop", "mark"): "Can’t Stop: cones",
    ("cantstop", "area"): "Can’t Stop: claimed columns",
    ("aces", "mark"): "Aces: marks beside the names",
}
"""The marks of every game, as the document calls them."""
Measured = dict[tuple[str, str], dict[str, dict[str, list[Look]]]]


@pytest.fixture(scope="module")
def measured(browser: Browser) -> Measured:
    """The looks of all seats by mark, by set of colours and by eye."""
    page = browser.new_page()
    open_stage(page)
    found: Measured = {}
    for scheme in SCHEMES:
        for (game, kind, theme), by_eye in looks(page, scheme).items():
            found.setdefault((game, kind), {})[theme] = by_eye
    page.close()
    measured = {mark: found[mark] for mark in NAMES}
    if os.environ.get("WRITE_FIGURES"):
        write_figures(measured)
    return measured


def least(measured: Measured, mark: tuple[str, str], eye: str) -> Apart:
    """The least of each figure, over every two seats and all sets of colours."""
    every = [apart for by_eye in measured[mark].values() for apart in pairs(by_eye[eye]).values()]
    return Apart(*(min(figures) for figures in zip(*every, strict=True)))


def seats(measured: Measured, mark: tuple[str, str]) -> int:
    (number,) = {len(marks) for by_eye in measured[mark].values() for marks in by_eye.values()}
    return number


def test_every_seat_was_photographed_in_every_set_of_colours(measured: Measured) -> None:
    for mark, number in zip(NAMES, (2, 2, 4, 4, 8), strict=True):
        assert seats(measured, mark) == number
        assert set(measured[mark]) == {f"{theme} {scheme}" for theme in THEMES for scheme in SCHEMES}


@pytest.mark.parametrize("mark", NAMES, ids=" ".join)
def test_every_two_seats_are_told_by_their_shapes(measured: Measured, mark: tuple[str, str]) -> None:
    for eye in EYES:
        assert least(measured, mark, eye).shape >= SHAPE, eye


@pytest.mark.parametrize("mark", [mark for mark in NAMES if mark[0] != "aces"], ids=" ".join)
def test_two_to_four_seats_are_told_by_their_colours_too(measured: Measured, mark: tuple[str, str]) -> None:
    delta, contrast = COLOUR[seats(measured, mark)]
    for eye in EYES:
        apart = least(measured, mark, eye)
        assert apart.delta >= delta, (eye, apart)
        assert apart.contrast >= contrast, (eye, apart)


def write_figures(measured: Measured) -> None:
    rows = [row(measured, mark, name) for mark, name in NAMES.items()]
    DOCUMENT.write_text(TABLE.sub("\n".join([*HEAD, *rows, ""]), DOCUMENT.read_text()))


HEAD = [
    "| Marks | Seats | All cones | Greyscale | Protanopia | Deuteranopia | Tritanopia | Shape |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
]


def row(measured: Measured, mark: tuple[str, str], name: str) -> str:
    every = [least(measured, mark, eye) for eye in EYES]
    figures = [f"{apart.delta:.1f} / {apart.contrast:.2f}" for apart in every]
    shape = min(apart.shape for apart in every)
    return f"| {' | '.join([name, str(seats(measured, mark)), *figures, f'{shape:.2f}'])} |"

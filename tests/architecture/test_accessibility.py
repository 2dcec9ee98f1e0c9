"""What WCAG 2.2 asks of the order of focus and of content on hover, read off the sources."""

from __future__ import annotations

import re

from tools.harness.services import ROOT

TABINDEX = re.compile(r"""tab[Ii]ndex["':=,\s]{1,4}(\d+)""")
POINTED_AT = re.compile(r"([^{}]*:hover[^{}]*)\{([^{}]*)\}")
OPENS = re.compile(r"(?:^|[\s;])(display|visibility|opacity|content|height|max-height|clip-path)\s*:")


def test_the_order_of_the_document_is_the_order_of_the_focus() -> None:
    sources = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    found = {path.name: TABINDEX.findall(path.read_text()) for path in sources}
    assert {name: steps for name, steps in found.items() if any(map(int, steps))} == {}


def test_content_never_opens_on_hover() -> None:
    rules = [
        rule
        for path in (ROOT / "static" / "css").glob("*.css")
        for rule in POINTED_AT.findall(path.read_text())
    ]
    assert len(rules) > 10
    assert [selector.strip() for selector, style in rules if OPENS.search(style)] == []

"""Style sheets: media queries use the breakpoints that tokens.css names."""

from __future__ import annotations

import re
from pathlib import Path

CSS = Path("static/css")
BREAKPOINTS = {
    "(width < 30rem)",
    "(width < 45rem)",
    "(width >= 45rem)",
    "(width < 60rem)",
    "(width >= 60rem)",
    "(height < 30rem)",
    "(height >= 30rem)",
}
CHAT_BELOW_MOVES = {"(height < 56rem)", "(30rem <= height < 56rem)"}


def test_media_queries_use_the_named_breakpoints():
    conditions = {
        condition
        for path in CSS.glob("*.css")
        for query in re.findall(r"@media ([^{]+)", path.read_text())
        for condition in re.findall(r"\([^)]*(?:width|height)[^)]*\)", query)
    }
    assert "(width < 45rem)" in conditions
    assert conditions <= BREAKPOINTS | CHAT_BELOW_MOVES

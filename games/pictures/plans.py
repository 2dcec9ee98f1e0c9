"""What boards are drawn from, here and in the browser: outlines and the plans of boards.

They are JSON in modules of static/, which the browser imports.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

STATIC = Path(__file__).resolve().parents[2] / "static"


@cache
def plan(module: str) -> dict[str, Any]:
    """The object that a module of static/ exports, such as `boards/cantstop/plan.js`."""
    source = (STATIC / module).read_text()
    exported: dict[str, Any] = json.loads(source[source.index(" = ") + 3 : source.rindex(";")])
    return exported

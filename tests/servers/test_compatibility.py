"""`config.daphne` alone touches daphne, Twisted and autobahn, and only in tested versions."""

from __future__ import annotations

import ast
from importlib.metadata import version
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import server
from config.daphne import compatibility
from config.daphne.compatibility import VERSIONS
from tools.harness.services import ROOT

PACKAGE = ROOT / "config" / "daphne"


@pytest.mark.parametrize("library", VERSIONS)
@pytest.mark.parametrize("bound", ["older", "newer"])
def test_a_server_with_an_untested_version_does_not_start(
    monkeypatch: pytest.MonkeyPatch, library: str, bound: str
) -> None:
    other = "1.0" if bound == "older" else f"{VERSIONS[library][1][0] + 1}.0.dev1"
    monkeypatch.setattr(compatibility, "version", lambda name: other if name == library else version(name))
    with pytest.raises(ImproperlyConfigured, match=f"^{library} {other} is not tested, only "):
        server.build("127.0.0.1", 0)


def test_imports_of_twisted_autobahn_and_daphne_confined() -> None:
    found = [
        str(path.relative_to(ROOT))
        for folder in ("config", "games", "lobby")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if PACKAGE not in path.parents and imports_them(path)
    ]
    assert found == ["config/server.py"]


def imports_them(path: Path) -> bool:
    """Whether a module imports one of the three libraries."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return any(name.partition(".")[0] in {"twisted", "autobahn", "daphne"} for name in names)

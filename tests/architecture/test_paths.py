"""Whatever a document, a docstring or a comment calls by its path or its dotted name is there."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TREES = ("games", "lobby", "config", "static", "templates", "tests", "tools", "bench", "docs")
PATH = re.compile(rf"(?<![\w./-])((?:{'|'.join(TREES)})/[\w./<>*{{}}-]*[\w>*])")
MODULE = re.compile(r"`((?:games|lobby|config)(?:\.[a-z_0-9]+)+)(?:\.[A-Z]\w*[\w.]*)?`")
TEST = re.compile(r"`(tests/[\w/.]+\.\w+)((?:::\w+)*)`")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)")
CITED = re.compile(r"(?<![\w./-])([\w-]+\.(?:md|txt|json|ya?ml|toml)|[a-z_]+/\d{3}\w*)(?![\w/-]|\.\w)")
"""Files called by their bare names, and numbers in a folder: as documents are cited."""
WHOLE = (
    "README.md",
    "CONTRIBUTING.md",
    "Makefile",
    *(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")),
)
OF_DATA = "docs/reference/stored-names.md"
"""It lists former names too; `test_stored_names.py` checks them."""
SPOKEN = re.compile(r'"""(.*?)"""|#\s(.*?)$|/\*(.*?)\*/|//\s(.*?)$|\{#(.*?)#\}', re.DOTALL | re.MULTILINE)
EXAMPLES = re.compile(r"tictactoe|example|/new\b|data/fifth_game|__pycache__|[<>*{}]")
"""Files of a game that is not one of ours, and patterns."""


def sources() -> list[str]:
    found = [
        path.relative_to(ROOT).as_posix()
        for tree in ("games", "lobby", "config", "static", "templates")
        for suffix in (".py", ".js", ".html")
        for path in (ROOT / tree).rglob(f"*{suffix}")
    ]
    return sorted(path for path in found if "/migrations/" not in path)


def spoken(path: str) -> str:
    """What a file says to those who read it: all of a document, the comments and docstrings of a source."""
    text = (ROOT / path).read_text()
    if path in WHOLE:
        return text
    return "\n".join(part for groups in SPOKEN.findall(text) for part in groups)


def gone(text: str) -> list[str]:
    paths = [path for path in PATH.findall(text) if not EXAMPLES.search(path)]
    modules = [name for name in MODULE.findall(text) if not EXAMPLES.search(name)]
    # The map calls a room by its path without a suffix, also where the room is a module.
    missing = [path for path in paths if not ((ROOT / path).exists() or (ROOT / f"{path}.py").exists())]
    return missing + [name for name in modules if not is_there(name)]


def is_there(name: str) -> bool:
    """Whether a dotted name is a module, or what follows one is a name in it."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:end])
        module = path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
        if module.is_file():
            rest = parts[end:]
            return not rest or re.search(rf"\b{rest[0]}\b", module.read_text()) is not None
    return importlib.util.find_spec(parts[0]) is None


def gone_tests(text: str) -> list[str]:
    """The tests that are named, alone or as those of a class, and are not in their files."""
    return [path + name for path, name in TEST.findall(text) if not is_in(ROOT / path, name.split("::")[1:])]


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a document, as GitHub and GitLab make them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_in(path: Path, names: list[str]) -> bool:
    if not path.is_file():
        return False
    within: ast.AST | None = ast.parse(path.read_text()) if names else None
    for name in names:
        parts = [each for each in ast.iter_child_nodes(within) if getattr(each, "name", "") == name]
        if not parts:
            return False
        within = parts[0]
    return True


@pytest.mark.parametrize("path", [path for path in WHOLE if path != OF_DATA])
def test_a_document_names_what_is_there(path):
    assert gone(spoken(path)) == []


@pytest.mark.parametrize("path", [path for path in WHOLE if path.endswith(".md")])
def test_links_of_a_document_lead_to_files_and_headings(path):
    document = ROOT / path
    broken = []
    for name, anchor in LINK.findall(document.read_text()):
        target = document.parent / name if name else document
        if not target.exists() or (anchor and anchor not in anchors(target.read_text())):
            broken.append((name, anchor))
    assert broken == []


@pytest.mark.parametrize("path", WHOLE)
def test_every_test_that_a_document_names_exists(path):
    assert gone_tests(spoken(path)) == []


def test_sources_name_what_is_there():
    found = {path: gone(spoken(path)) for path in sources()}
    assert {path: names for path, names in found.items() if names} == {}


def test_sources_and_tests_cite_no_file_that_is_not_there():
    there = {path.name for tree in TREES for path in (ROOT / tree).rglob("*.*")}
    there |= {path.name for path in ROOT.iterdir()}
    tests = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")]
    cited = {path: set(CITED.findall(spoken(path))) - there for path in [*sources(), *tests]}
    assert {path: names for path, names in cited.items() if names} == {}

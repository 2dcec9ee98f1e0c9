"""The package tables of docs/explanation/architecture.md, and the imports between packages in the code.

A package ("room" in this module) is a folder or a single module (`games/models`). A file belongs to the
deepest listed package above it, so moving a file into a subfolder does not exempt it from the rules.

A dependency ("arrow") is an import in Python and JavaScript, and `include`, `kept` or `extends` in templates.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.architecture.import_rules import HTML_COMMENT, JS_COMMENT, imported

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "explanation" / "architecture.md"
SUFFIXES = {"games": ".py", "lobby": ".py", "config": ".py", "static": ".js", "templates": ".html"}
"""The top-level folders with a table, and the suffix of the files that are checked."""
UNMAPPED = re.compile(r"(^|/)(migrations|images|css)/")
"""Not checked: generated migrations, images and styles."""

ROOM = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]*) \|$", re.MULTILINE)
WRITER = re.compile(r"^\| (\w+) \| (`[^|]+`) \|$", re.MULTILINE)
JS_SOURCE = re.compile(r"""(?:\bfrom|\bimport|\bimport\(|\bimport\.meta\.resolve\()\s*["']([^"']+)["']""")
TEMPLATE_SOURCE = re.compile(r"""{%\s*(?:include|extends|kept)\s+["']([^"']+)["']""")


@dataclass(frozen=True, slots=True)
class Room:
    """A row of a table: the path of a package, its contents, and its allowed dependencies."""

    path: str
    purpose: str
    needs: frozenset[str]


@cache
def document() -> str:
    return DOCUMENT.read_text()


def rooms(text: str) -> dict[str, Room]:
    """The packages by path, from the lowest layer to the highest."""
    found = {}
    for path, purpose, needs in ROOM.findall(text):
        found[path] = Room(path, purpose.strip(), frozenset(re.findall(r"`([^`]+)`", needs)))
    return found


def writers(text: str) -> dict[str, frozenset[str]]:
    """The files that may write each model."""
    return {model: frozenset(re.findall(r"`([^`]+)`", files)) for model, files in WRITER.findall(text)}


def files(tree: str) -> list[str]:
    """The files of a top-level folder that are checked, as paths in the repository."""
    paths = (path.relative_to(ROOT).as_posix() for path in (ROOT / tree).rglob(f"*{SUFFIXES[tree]}"))
    return sorted(path for path in paths if not UNMAPPED.search(path))


def room_of(path: str, known: Mapping[str, Room]) -> str | None:
    """The package of a file: the deepest listed one above it."""
    place = path.rpartition(".")[0]
    while place:
        if place in known:
            return place
        place = place.rpartition("/")[0]
    return None


def needed(path: str, source: str) -> Iterator[str]:
    """The files that a file depends on, without their suffixes: `games/net/hub`."""
    if path.endswith(".py"):
        for name in imported(path, ast.parse(source)):
            yield name.replace(".", "/")
    elif path.endswith(".js"):
        for name in JS_SOURCE.findall(JS_COMMENT.sub(" ", source)):
            if name.startswith("."):
                yield posixpath.normpath(posixpath.join(posixpath.dirname(path), name)).rpartition(".")[0]
    else:
        for name in TEMPLATE_SOURCE.findall(HTML_COMMENT.sub(" ", source)):
            yield f"templates/{name}".rpartition(".")[0]


def arrows(path: str, source: str, known: Mapping[str, Room]) -> set[tuple[str, str]]:
    """The dependencies of a file on other packages, as pairs (own package, other package)."""
    own = room_of(path, known)
    assert own is not None, f"{path} belongs to no listed package"
    targets = {room_of(f"{target}.", known) for target in needed(path, source)}
    return {(own, target) for target in targets if target is not None and target != own}


def breaches(path: str, source: str, known: Mapping[str, Room]) -> list[str]:
    """The dependencies of a file that its package does not allow."""
    return sorted(f"depends on {to}" for own, to in arrows(path, source, known) if to not in known[own].needs)

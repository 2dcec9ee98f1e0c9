"""The map of the house, read from docs/architecture.md, and the arrows between rooms, read from the code.

A room is a folder; a file stands in the deepest room of the map whose folder it lies in, however deep below
it. So moving a file into a folder of its own room takes it out of no wall's sight. A room may also be a
single module (`games/models`), which then belongs to no folder.

An arrow is a room that another one needs: by an import in Python and JavaScript, by `include`, `kept` and
`extends` in templates.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.house.walls import HTML_COMMENT, JS_COMMENT, imported

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "architecture.md"
SUFFIXES = {"games": ".py", "lobby": ".py", "config": ".py", "static": ".js", "templates": ".html"}
"""The trees of the map and which of their files it is about."""
UNMAPPED = re.compile(r"(^|/)(migrations|images|css)/")
"""What neither imports nor is imported: generated migrations, pictures and styles."""

ROOM = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]*) \|$", re.MULTILINE)
WRITER = re.compile(r"^\| (\w+) \| (`[^|]+`) \|$", re.MULTILINE)
JS_SOURCE = re.compile(r"""(?:\bfrom|\bimport|\bimport\(|\bimport\.meta\.resolve\()\s*["']([^"']+)["']""")
TEMPLATE_SOURCE = re.compile(r"""{%\s*(?:include|extends|kept)\s+["']([^"']+)["']""")


@dataclass(frozen=True, slots=True)
class Room:
    """A row of the map: the path of a room, what lives there, and the rooms that it may need."""

    path: str
    purpose: str
    needs: frozenset[str]


@cache
def document() -> str:
    return DOCUMENT.read_text()


def rooms(text: str) -> dict[str, Room]:
    """The rooms of the map by path, from the ground up."""
    found = {}
    for path, purpose, needs in ROOM.findall(text):
        found[path] = Room(path, purpose.strip(), frozenset(re.findall(r"`([^`]+)`", needs)))
    return found


def writers(text: str) -> dict[str, frozenset[str]]:
    """Who writes the rows of each model."""
    return {model: frozenset(re.findall(r"`([^`]+)`", files)) for model, files in WRITER.findall(text)}


def files(tree: str) -> list[str]:
    """The files of a tree that the map is about, by their paths in the repository."""
    paths = (path.relative_to(ROOT).as_posix() for path in (ROOT / tree).rglob(f"*{SUFFIXES[tree]}"))
    return sorted(path for path in paths if not UNMAPPED.search(path))


def room_of(path: str, known: Mapping[str, Room]) -> str | None:
    """The room that a file stands in: the deepest of the map's that its path begins with."""
    place = path.rpartition(".")[0]
    while place:
        if place in known:
            return place
        place = place.rpartition("/")[0]
    return None


def needed(path: str, source: str) -> Iterator[str]:
    """The files of the house that a file needs, without their suffixes: `games/net/hub`."""
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
    """The arrows that a file draws from its room to others."""
    own = room_of(path, known)
    assert own is not None, f"{path} stands in no room of the map"
    targets = {room_of(f"{target}.", known) for target in needed(path, source)}
    return {(own, target) for target in targets if target is not None and target != own}


def breaches(path: str, source: str, known: Mapping[str, Room]) -> list[str]:
    """What a file needs of rooms that its own room may not need."""
    return sorted(f"needs {to}" for own, to in arrows(path, source, known) if to not in known[own].needs)

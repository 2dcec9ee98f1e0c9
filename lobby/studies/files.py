"""Studies as files (docs/reference/study-file.md), and chapters as pages have them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from games.domain import codec, position, strict_json, texts
from games.domain.position import MOST_CHARACTERS, Position
from games.rules.base import BadPosition, IllegalMove, Step
from lobby.studies.refusals import BadStudy
from lobby.studies.tree import (
    MOST_NODES,
    START,
    ActionText,
    Comment,
    Faces,
    Glyph,
    Marks,
    Node,
    NodeId,
    Tree,
    steps,
)

FORMAT, VERSION = "parlour-study", 1
MOST_CHAPTERS = 32
LONGEST_TITLE = 80
MOST_BYTES = 1_000_000
"""Size limit of a study, of its file, and of a chapter that a page sends."""

Title = Annotated[str, StringConstraints(max_length=LONGEST_TITLE)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NodeFields(_Part):
    """A node. The first one has no parent and stands for the start."""

    id: NodeId
    parent: NodeId | None = None
    action: ActionText | Literal[""] = ""
    dice: Faces | None = None
    comment: Comment = ""
    glyph: Glyph = ""
    marks: Marks = []


class ChapterFields(_Part):
    """A chapter: the position in which it begins, and its moves, each after its parent."""

    title: Title = ""
    position: Annotated[str, StringConstraints(max_length=MOST_CHARACTERS)]
    nodes: Annotated[list[NodeFields], Field(min_length=1, max_length=MOST_NODES + 1)]


class StudyFields(_Part):
    """A file."""

    format: Literal["parlour-study"]
    version: Literal[1]
    title: Title = ""
    chapters: Annotated[list[ChapterFields], Field(min_length=1, max_length=MOST_CHAPTERS)]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter that was read: its moves are legal from its start."""

    title: str
    start: Position
    tree: Tree


def chapter_of(text: bytes) -> Chapter:
    """Read a chapter. Raises `BadStudy`."""
    return _chapter(_read(ChapterFields, text), "")


def chapters_of(text: bytes) -> tuple[str, list[Chapter]]:
    """Read a file: its title and its chapters. Raises `BadStudy`."""
    file = _read(StudyFields, text)
    return texts.cleaned(file.title), [
        _chapter(chapter, f"chapters.{number}.") for number, chapter in enumerate(file.chapters)
    ]


def _read(shape: Any, text: bytes) -> Any:
    if len(text) > MOST_BYTES:
        raise BadStudy("file")
    try:
        return strict_json.model(shape, text)
    except ValidationError as error:
        raise BadStudy(".".join(map(str, error.errors()[0]["loc"])) or "file") from None


def _chapter(fields: ChapterFields, place: str) -> Chapter:
    try:
        start = position.parse(fields.position)
    except BadPosition as error:
        raise BadStudy(f"{place}position.{error.field}") from error
    nodes = list[Node]()
    numbers = dict[int, int]()
    for number, each in enumerate(fields.nodes):
        if (each.id == START) is not (number == START) or each.id in numbers:
            raise BadStudy(f"{place}nodes.{number}.id")
        if number and each.parent not in numbers:
            raise BadStudy(f"{place}nodes.{number}.parent")
        numbers[each.id] = number
        nodes.append(_node(each, number, numbers))
    nodes = list(_legal(start, nodes, place))
    return Chapter(
        texts.cleaned(fields.title), start, Tree({node.id: node for node in nodes}, len(nodes) - 1)
    )


def _node(fields: NodeFields, number: int, numbers: Mapping[int, int]) -> Node:
    """A node with the number of its line as id, so that siblings stay in order."""
    return Node(
        id=number,
        parent=None if number == START else numbers[fields.parent or START],
        action=fields.action,
        dice=None if fields.dice is None else tuple(fields.dice),
        comment=texts.cleaned(fields.comment),
        glyph=fields.glyph,
        marks=tuple(fields.marks),
    )


def _legal(start: Position, nodes: Iterable[Node], place: str) -> Iterator[Node]:
    """The nodes with their moves as the game writes them. Refuses moves that are illegal or come twice."""
    rules, known = start.game.rules, set[Any]()
    reading = steps(start, nodes)
    for node in nodes:
        try:
            next(reading)
        except IllegalMove as error:
            raise BadStudy(f"{place}nodes.{node.id}.action") from error
        if node.parent is None:
            yield replace(node, action="", dice=None, glyph="")
            continue
        action = codec.action(rules, node.action, node.dice)
        text, dice = codec.action_text(action), codec.action_dice(action)
        if (node.parent, text, dice) in known:
            raise BadStudy(f"{place}nodes.{node.id}.action")
        known.add((node.parent, text, dice))
        yield replace(node, action=text, dice=dice)


def title(text: str) -> str:
    """The title for a typed one: one line, cut to its greatest length."""
    return texts.cleaned(text)[:LONGEST_TITLE]


def chapter_fields(title: str, start: Position, tree: Tree) -> dict[str, Any]:
    """A chapter as JSON values."""
    return {"title": title, "position": str(start), "nodes": [node_fields(node) for node in tree.kept()]}


def file(title: str, chapters: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """A file as JSON values."""
    return {"format": FORMAT, "version": VERSION, "title": title, "chapters": list(chapters)}


def node_fields(node: Node) -> dict[str, Any]:
    """A node as JSON values, without what is empty."""
    fields = {
        "parent": node.parent,
        "action": node.action,
        "dice": node.dice,
        "comment": node.comment,
        "glyph": node.glyph,
        "marks": node.marks,
    }
    return {"id": node.id, **{name: value for name, value in fields.items() if value not in (None, "", ())}}


def live_fields(node: Node) -> dict[str, Any]:
    """The same for pages, which keep nodes in order by their ranks."""
    return {**node_fields(node), "rank": node.rank, "removed": node.removed}


def plies(start: Position, nodes: Iterable[Node]) -> dict[str, Any]:
    """What the board needs of nodes, by their ids. Each comes after its parent."""
    return {str(node.id): _ply(start, node, step) for node, step in steps(start, nodes)}


def _ply(start: Position, node: Node, step: Step) -> dict[str, Any]:
    rules, state = start.game.rules, step.state
    there = Position(start.game, state, start.seats)
    return {
        "action": node.action,
        "dice": node.dice,
        "events": [codec.encode_event(event) for event in step.events],
        "state": state,
        "position": str(there),
        "legal": [str(move) for move in rules.legal_moves(state)],
        "due": rules.chance(state),
        "outcome": rules.outcome(state),
        "value": position.proved(there),
    }

"""What programs send and get about studies."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from games.api.positions import DueDice, ProvedFields
from games.domain.instants import timestamp
from games.domain.messages import CommandId, OutcomeFields
from lobby.api.messages import Body
from lobby.sockets.messages import ChapterFields, NodeFields
from lobby.studies.files import StudyFields as FileFields
from lobby.studies.files import Title
from lobby.studies.models import Study
from lobby.studies.tree import Operation

Visibility = Literal["private", "unlisted", "public"]


class StudyCommand(Body):
    """A command about a study. The same `id` acts once, however often it is sent."""

    id: CommandId


class FileBody(StudyCommand):
    """A file (docs/reference/study-file.md). The same `id` acts once, however often it is sent."""

    study: FileFields


class StudyChanges(StudyCommand):
    """What an owner changes. What is left out stays as it is, as does the title for ""."""

    title: Title = ""
    visibility: Visibility | None = None


class OperationBody(Body):
    """An operation on a chapter. The same `id` acts once in the chapter, however often it is sent."""

    id: CommandId
    operation: Operation


class StudyRow(TypedDict):
    """A study in a list; `visibility` says who can see it."""

    id: str
    title: str
    game: str
    owner: str
    visibility: Visibility
    created: str


class ChapterRow(ChapterFields):
    """A chapter, and the number of its last operation."""


class ChapterNode(NodeFields):
    """A node of a chapter. Of siblings the highest `rank` comes first, then the lowest `id`."""


class NodePosition(TypedDict):
    """What a node led to. `due` are dice that are about to be rolled; `value` is null if not proved."""

    action: str
    dice: list[int] | None
    events: list[dict[str, Any]]
    state: dict[str, Any]
    position: str
    legal: list[str]
    due: DueDice | None
    outcome: OutcomeFields | None
    value: ProvedFields | None


class StudyDetails(StudyRow):
    """A study; `role` is yours."""

    role: Literal["read", "comment", "write", "owner"]
    chapters: list[ChapterRow]


class Studies(TypedDict):
    """Studies, the newest first."""

    studies: list[StudyRow]


class ChapterNow(TypedDict):
    """A chapter as it is after operation `number`: its nodes, and by their ids the positions after them."""

    title: str
    position: str
    number: int
    nodes: list[ChapterNode]
    plies: dict[str, NodePosition]


class Added(TypedDict):
    """The first chapter that was added."""

    chapter: int


class Operated(TypedDict):
    """The operation was carried out as `number`; it is about `node`."""

    number: int
    node: int


class FileNode(TypedDict):
    """A node, without what is empty."""

    id: int
    parent: NotRequired[int]
    action: NotRequired[str]
    dice: NotRequired[list[int]]
    comment: NotRequired[str]
    glyph: NotRequired[str]
    marks: NotRequired[list[str]]


class FileChapter(TypedDict):
    """A chapter of a file."""

    title: str
    position: str
    nodes: list[FileNode]


class StudyFile(TypedDict):
    """A study as a file (docs/reference/study-file.md)."""

    format: str
    version: int
    title: str
    chapters: list[FileChapter]


def row(study: Study) -> dict[str, Any]:
    """The fields of a `StudyRow`."""
    return {
        "id": study.pk,
        "title": study.title,
        "game": study.game,
        "owner": study.owner.get_username(),
        "visibility": study.visibility,
        "created": timestamp(study.created),
    }


def study_fields(study: Study, role: str) -> dict[str, Any]:
    """The fields of a `StudyDetails`."""
    return {**row(study), "role": role, "chapters": list(study.chapters.values("id", "title", "number"))}

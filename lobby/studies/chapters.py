"""Chapters and the operations on them. Writes `Chapter` and `Operation`.

An operation is ordered by its number, and carried out once by its key. The chapter is locked meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any

from django.db import transaction

from games.domain import codec, position
from games.domain.position import Position
from lobby.commands import once
from lobby.people.models import User
from lobby.studies import files, lookup, refusals, signals
from lobby.studies.files import MOST_CHAPTERS
from lobby.studies.lookup import Role
from lobby.studies.models import Chapter, Operation, Study
from lobby.studies.tree import Add, Node, SetComment, SetMarks, Tree, apply
from lobby.studies.tree import Operation as TreeOperation

MOST_STORED = files.MOST_BYTES - 4096
"""Bytes of all chapters of a study: a file also has the names of fields and the title of the study."""
KEPT = 500
"""How many operations of a chapter are kept to know repeated ones by."""


@dataclass(frozen=True, slots=True)
class Done:
    """What an operation came to: its number, and the node that it is about."""

    number: int
    node: int


def start_of(chapter: Chapter) -> Position:
    """The position in which a chapter begins."""
    return position.parse(chapter.start)


def tree_of(chapter: Chapter) -> Tree:
    """The tree of a chapter."""
    nodes = codec.decode(list[Node], chapter.nodes)
    return Tree({node.id: node for node in nodes}, chapter.number)


def _stored(tree: Tree) -> str:
    """The nodes without what is empty, in about as many bytes as in a file."""
    return codec.encode([_filled(node) for node in tree.nodes.values()]).decode()


def _filled(node: Node) -> dict[str, Any]:
    return {
        each.name: value
        for each in dataclass_fields(node)
        if (value := getattr(node, each.name)) != each.default
    }


def fields(chapter: Chapter) -> dict[str, Any]:
    """A chapter as files have it."""
    return files.chapter_fields(chapter.title, start_of(chapter), tree_of(chapter))


def create(study: Study, read: Iterable[files.Chapter]) -> list[Chapter]:
    """Add chapters to a locked study.

    Raises StudyError "too-many-chapters", "study-full" or "other-game".
    """
    made = list[Chapter]()
    known = study.chapters.count()
    for each in read:
        if each.start.game.slug != study.game:
            raise refusals.OtherGame
        if known + len(made) >= MOST_CHAPTERS:
            raise refusals.TooManyChapters(most=MOST_CHAPTERS)
        made.append(
            Chapter.objects.create(
                study=study,
                title=each.title,
                start=str(each.start),
                nodes=_stored(each.tree),
                number=each.tree.number,
            )
        )
    if _is_full(study):
        raise refusals.StudyFull
    return made


def _is_full(study: Study) -> bool:
    """Whether a study is larger than its file may be, with what was removed and can be brought back."""
    texts = study.chapters.values_list("title", "start", "nodes")
    return sum(len("".join(each).encode()) for each in texts) > MOST_STORED


def add(user: User, study_id: str, text: str, command: str) -> int:
    """Add the chapters of a file; returns the id of the first.

    Raises:
        StudyError: "unknown-study", "not-allowed", "bad-study", "other-game", "too-many-chapters" or
            "study-full".
        ChatError: a muted user adds to a study that others see.
    """
    return _add(user, study_id, text, files.chapters_of(text.encode())[1], command)


@once("study-add", "study_id", ignored={"read"})
def _add(user: User, study_id: str, text: str, read: list[files.Chapter], command: str) -> int:
    # The file is read before, as in `studies.create`.
    study = lookup.locked(study_id)
    lookup.needs(study, user, Role.WRITE)
    lookup.check_author(study, user)
    made = create(study, read)
    signals.study_changed(study)
    return made[0].pk


@once("study-chapter", "chapter_id")
def rename(user: User, study_id: str, chapter_id: int, title: str, command: str) -> None:
    """Rename a chapter.

    Raises:
        StudyError: "unknown-study", "unknown-chapter" or "not-allowed".
        ChatError: a muted user renames what others see.
    """
    study = lookup.locked(study_id)
    lookup.needs(study, user, Role.WRITE)
    lookup.check_author(study, user)
    chapter = lookup.chapter(study, chapter_id)
    chapter.title = files.title(title)
    chapter.save(update_fields=["title"])
    signals.study_changed(study)


@once("study-drop", "chapter_id")
def delete(user: User, study_id: str, chapter_id: int, command: str) -> None:
    """Delete a chapter.

    Raises:
        StudyError: "unknown-study", "unknown-chapter", "not-allowed" or "last-chapter".
    """
    study = lookup.locked(study_id)
    lookup.needs(study, user, Role.WRITE)
    chapter = lookup.chapter(study, chapter_id)
    if study.chapters.count() == 1:
        raise refusals.LastChapter
    chapter.delete()
    signals.study_changed(study)


@transaction.atomic
def operate(user: User, study_id: str, chapter_id: int, operation: TreeOperation, key: str) -> Done:
    """Carry out an operation on a chapter; the same key leads to what the first one came to.

    Raises:
        StudyError: "unknown-study", "unknown-chapter", "not-allowed", "comments-only", "unknown-node",
            "too-many-nodes" or "study-full".
        IllegalMove: the rules do not allow an added move.
        ChatError: a muted user writes a comment that others read.
    """
    study = lookup.find(study_id)
    _check_role(study, user, operation)
    chapter = Chapter.objects.select_for_update().filter(pk=chapter_id, study=study).first()
    if chapter is None:
        raise refusals.UnknownChapter
    known = chapter.operations.filter(user=user, key=key).first()
    if known is not None:
        return Done(known.number, known.node)
    before = tree_of(chapter)
    tree, node = apply(start_of(chapter), before, operation)
    _keep(chapter, tree)
    if isinstance(operation, Add | SetComment | SetMarks) and _is_full(study):
        tree = replace(tree, nodes={each.id: each for each in tree.kept()})
        _keep(chapter, tree)
        if _is_full(study):
            raise refusals.StudyFull
    Operation.objects.create(chapter=chapter, user=user, key=key, number=tree.number, node=node.id)
    chapter.operations.filter(number__lte=tree.number - KEPT).delete()
    signals.chapter_changed(chapter, user, before, tree, node)
    return Done(tree.number, node.id)


def _keep(chapter: Chapter, tree: Tree) -> None:
    chapter.nodes, chapter.number = _stored(tree), tree.number
    chapter.save(update_fields=["nodes", "number"])


def _check_role(study: Study, user: User, operation: TreeOperation) -> None:
    lookup.needs(study, user, Role.COMMENT)
    is_comment = isinstance(operation, SetComment)
    if not is_comment and lookup.role_of(study, user.pk) == Role.COMMENT:
        raise refusals.CommentsOnly
    if is_comment:
        lookup.check_author(study, user)

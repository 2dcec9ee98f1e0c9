"""Studies for tests."""

from __future__ import annotations

import json
from typing import Any

from lobby.people.models import User
from lobby.studies import chapters, studies
from lobby.studies.models import Study
from lobby.studies.tree import Add
from tests.helpers.tournaments import command

KALAH = "kalah.1 classic turn=0 board=4*6,0,4*6,0"


def file(*nodes: dict[str, Any], title: str = "First moves", position: str = KALAH) -> str:
    """The text of a file with one chapter."""
    chapter = {"title": "Start", "position": position, "nodes": [{"id": 0}, *nodes]}
    return json.dumps({"format": "parlour-study", "version": 1, "title": title, "chapters": [chapter]})


def study_of(owner: User, visibility: str = "private", **members: str) -> Study:
    """A study with one empty chapter; `members` are roles by name."""
    study = studies.create(owner, file(), command())
    if visibility != "private":
        studies.change(owner, study.pk, study.title, visibility, command())
    for name, role in members.items():
        studies.set_member(owner, study.pk, name, role, command())
    study.refresh_from_db()
    return study


def played(user: User, study: Study, *moves: str, after: int = 0) -> int:
    """Add a line to the first chapter; the id of its last node."""
    chapter = study.chapters.all()[0]
    for move in moves:
        add = Add(kind="add", parent=after, action=move)
        after = chapters.operate(user, study.pk, chapter.pk, add, command()).node
    return after


def lines(study: Study) -> list[str]:
    """The moves that lead to each node of the first chapter."""
    tree = chapters.tree_of(study.chapters.all()[0])
    return [" ".join(node.action for node in tree.path(each.id)[1:]) for each in tree.kept()[1:]]

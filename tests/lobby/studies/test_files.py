"""Studies as files: what is written is read, for all games, and what is refused."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.bots.any_game import random_action
from games.domain import codec
from games.domain.position import Position
from games.registry import GAMES
from lobby.studies import files
from lobby.studies.files import MOST_BYTES
from lobby.studies.refusals import BadStudy
from lobby.studies.tree import Add, SetComment, SetGlyph, SetMarks, Tree, apply

KALAH = "kalah.1 classic turn=0 board=4*6,0,4*6,0"


def played(slug: str, most: int = 40) -> tuple[Position, Tree]:
    """A tree of random moves and rolls with variations."""
    game, chance = GAMES[slug], random.Random(slug)
    start = Position(
        game,
        game.rules.setup(next(iter(game.rules.PRESETS.values())), game.rules.SEATS[-1]),
        game.rules.SEATS[-1],
    )
    tree = Tree()
    states: dict[int, Any] = {0: start.state}
    for _ in range(most):
        parent = chance.choice(list(states))
        if game.rules.outcome(states[parent]) is None:
            action = random_action(game.rules, states[parent], chance)
            dice = codec.action_dice(action)
            add = Add(
                kind="add",
                parent=parent,
                action=codec.action_text(action),
                dice=None if dice is None else list(dice),
            )
            tree, node = apply(start, tree, add)
            states[node.id] = game.rules.play(states[parent], action).state
    last = max(tree.nodes)
    for operation in (
        SetComment(kind="comment", node=last, text="Here it is decided."),
        SetGlyph(kind="glyph", node=last, glyph="!?"),
        SetMarks(kind="marks", node=last, marks=["a7", "a7>d7"]),
    ):
        tree, _node = apply(start, tree, operation)
    return start, tree


@pytest.mark.parametrize("slug", GAMES)
def test_a_file_is_read_as_it_was_written(slug: str) -> None:
    start, tree = played(slug)
    chapter = files.chapter_fields("First", start, tree)
    title, [read] = files.chapters_of(json.dumps(files.file("Openings", [chapter])).encode())
    assert (title, read.title, str(read.start)) == ("Openings", "First", str(start))
    assert [(node.action, node.dice, node.comment, node.glyph, node.marks) for node in read.tree.kept()] == [
        (node.action, node.dice, node.comment, node.glyph, node.marks) for node in tree.kept()
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_every_node_has_its_position(slug: str) -> None:
    start, tree = played(slug)
    plies = files.plies(start, tree.kept())
    assert list(plies) == [str(node.id) for node in tree.kept()]
    assert all(ply["legal"] or ply["due"] or ply["outcome"] for ply in plies.values())


def chapter(*nodes: dict[str, Any], position: str = KALAH) -> dict[str, Any]:
    return {"position": position, "nodes": [{"id": 0}, *nodes]}


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("[]", "file"),
        ("{", "file"),
        ({"nodes": []}, "position"),
        ({"position": KALAH, "nodes": []}, "nodes"),
        ({**chapter(), "colour": "red"}, "colour"),
        (chapter(position="kalah.1 classic turn=0 board=1"), "position.board"),
        (chapter({"id": 0}), "nodes.1.id"),
        (chapter({"id": 1, "action": "1"}), "nodes.1.parent"),
        (chapter({"id": 1, "parent": 2, "action": "1"}), "nodes.1.parent"),
        (chapter({"id": 1, "parent": 0}), "nodes.1.action"),
        (chapter({"id": 1, "parent": 0, "action": "7"}), "nodes.1.action"),
        (chapter({"id": 1, "parent": 0, "action": "dice", "dice": [1]}), "nodes.1.action"),
        (
            chapter({"id": 1, "parent": 0, "action": "1"}, {"id": 2, "parent": 0, "action": "1"}),
            "nodes.2.action",
        ),
        (chapter({"id": 1, "parent": 0, "action": "1", "glyph": "!!!"}), "nodes.1.glyph"),
        (chapter({"id": 1, "parent": 0, "action": "1", "comment": "x" * 1001}), "nodes.1.comment"),
        (chapter({"id": 1, "parent": 0, "action": "1", "marks": ["a7>"]}), "nodes.1.marks.0"),
        (" " * (MOST_BYTES + 1), "file"),
    ],
)
def test_what_is_no_chapter_is_refused_with_its_place(content: Any, place: str) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    with pytest.raises(BadStudy) as refused:
        files.chapter_of(text.encode())
    assert refused.value.place == place

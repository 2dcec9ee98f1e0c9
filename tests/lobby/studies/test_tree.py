"""The tree of a chapter: its operations, alone and from several editors at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.domain import position
from games.domain.position import Position
from games.registry import GAMES
from games.rules.base import IllegalMove
from lobby.studies import tree as trees
from lobby.studies.refusals import TooManyNodes, UnknownNode
from lobby.studies.tree import START, Add, Promote, Remove, SetComment, SetGlyph, Tree, apply

START_OF_KALAH = position.parse("kalah.1 classic turn=0 board=4*6,0,4*6,0")


def add(parent: int, action: str, dice: list[int] | None = None) -> Add:
    return Add(kind="add", parent=parent, action=action, dice=dice)


def remove(node: int, seen: int) -> Remove:
    return Remove(kind="remove", node=node, seen=seen)


def after(*operations: trees.Operation, tree: Tree | None = None) -> Tree:
    tree = tree or Tree()
    for operation in operations:
        tree, _node = apply(START_OF_KALAH, tree, operation)
    return tree


def lines(tree: Tree) -> list[str]:
    """The moves that lead to each node."""
    return [" ".join(node.action for node in tree.path(each.id)[1:]) for each in tree.kept()[1:]]


def test_moves_make_a_line_and_its_variations():
    assert lines(after(add(0, "1"), add(1, "2"), add(1, "3"))) == ["1", "1 2", "1 3"]


def test_a_move_that_is_there_already_is_not_added_again():
    tree, node = apply(START_OF_KALAH, after(add(0, "1")), add(0, "1"))
    assert (lines(tree), node.id) == (["1"], 1)


def test_an_illegal_move_is_refused():
    with pytest.raises(IllegalMove):
        after(add(0, "7"))


def test_a_roll_has_its_faces():
    rules = GAMES["cantstop"].rules
    begun = rules.setup(rules.PRESETS["strict"], 2)
    start = Position(GAMES["cantstop"], rules.play(begun, rules.parse("roll")).state, 2)
    tree, node = apply(start, Tree(), add(0, "dice", [1, 2, 3, 4]))
    assert (node.action, node.dice) == ("dice", (1, 2, 3, 4))
    with pytest.raises(IllegalMove):
        apply(start, tree, add(0, "dice", [1, 2, 3]))


def test_a_promoted_move_comes_first():
    assert lines(after(add(0, "1"), add(0, "2"), Promote(kind="promote", node=2))) == ["2", "1"]


def test_a_comment_is_one_line_of_visible_text():
    tree = after(SetComment(kind="comment", node=START, text=" A\u202e\n plan "))
    assert tree.nodes[START].comment == "A plan"


def test_a_branch_is_removed():
    tree = after(add(0, "1"), add(1, "2"), add(0, "3"), remove(1, 3))
    assert lines(tree) == ["3"]


def test_what_was_added_to_a_branch_meanwhile_stays():
    tree = after(add(0, "1"), add(1, "2"), add(1, "3"), remove(1, 2))
    assert lines(tree) == ["1", "1 3"]


def test_what_is_added_to_a_removed_branch_brings_back_the_way_to_it():
    tree = after(add(0, "1"), add(1, "2"), remove(1, 2), add(2, "3"))
    assert lines(tree) == ["1", "1 2", "1 2 3"]


def test_a_comment_on_a_removed_move_brings_it_back():
    tree = after(add(0, "1"), remove(1, 1), SetComment(kind="comment", node=1, text="Why not?"))
    assert lines(tree) == ["1"]


def test_the_start_cannot_be_removed():
    with pytest.raises(UnknownNode):
        after(remove(START, 0))


def test_a_chapter_has_a_limit_and_removed_moves_make_room(monkeypatch):
    monkeypatch.setattr(trees, "MOST_NODES", 2)
    tree = after(add(0, "1"), add(0, "2"))
    with pytest.raises(TooManyNodes):
        after(add(0, "3"), tree=tree)
    assert lines(after(remove(1, 2), add(0, "3"), tree=tree)) == ["2", "3"]


# Several editors at once


@st.composite
def editing(draw: st.DrawFn) -> tuple[Tree, list[tuple[trees.Operation, set[int]]]]:
    """What editors do, each with the part of the operations that they have seen, and the nodes they mean."""
    tree = Tree()
    done: list[tuple[trees.Operation, set[int]]] = []
    for _ in range(draw(st.integers(1, 25))):
        known = list(tree.nodes.values())
        node = draw(st.sampled_from(known))
        kind = draw(st.sampled_from(["add", "add", "add", "comment", "glyph", "promote", "remove"]))
        moves = START_OF_KALAH.game.rules.legal_moves(trees.state_after(START_OF_KALAH, tree.path(node.id)))
        if kind == "add" and moves:
            operation: trees.Operation = add(node.id, str(draw(st.sampled_from(moves))))
        elif kind == "remove" and node.id != START:
            operation = remove(node.id, draw(st.integers(0, tree.number)))
        elif kind == "comment":
            operation = SetComment(kind="comment", node=node.id, text=draw(st.sampled_from(["", "Good"])))
        elif kind == "glyph":
            operation = SetGlyph(kind="glyph", node=node.id, glyph=draw(st.sampled_from(["", "!", "?"])))
        else:
            operation = Promote(kind="promote", node=node.id)
        tree, changed = apply(START_OF_KALAH, tree, operation)
        done.append((operation, {changed.id}))
    return tree, done


@given(editing())
def test_no_branch_is_lost_that_its_remover_had_not_seen(edited):
    """Whatever was done after the last operation that a remover knew is still there."""
    tree = Tree()
    for operation, about in edited[1]:
        before = tree
        tree, _node = apply(START_OF_KALAH, tree, operation)
        if isinstance(operation, Remove):
            unseen = [node for node in before.kept() if node.changed > operation.seen]
            assert all(not tree.nodes[node.id].removed for node in unseen)
        else:
            assert all(not tree.nodes[each].removed for each in about)
            assert {node.id for node in before.kept()} <= {node.id for node in tree.kept()}


@given(editing())
def test_every_kept_node_hangs_on_kept_nodes(edited):
    tree, _done = edited
    for node in tree.kept():
        assert all(not before.removed for before in tree.path(node.id))


@given(editing())
def test_an_operation_that_is_carried_out_again_changes_no_branch(edited):
    tree = Tree()
    for operation, _about in edited[1]:
        tree, _node = apply(START_OF_KALAH, tree, operation)
        again, _node = apply(START_OF_KALAH, tree, operation)
        assert lines(again) == lines(tree)
        assert [(node.comment, node.glyph) for node in again.kept()] == [
            (node.comment, node.glyph) for node in tree.kept()
        ]


@given(
    st.permutations([add(0, "1"), add(0, "2"), add(0, "3"), add(0, "4"), add(0, "1"), add(0, "5")]), st.data()
)
def test_editors_who_add_at_once_lose_nothing_in_any_order(operations, data):
    tree = after(*operations)
    assert sorted(lines(tree)) == ["1", "2", "3", "4", "5"]
    removed = data.draw(st.sampled_from(tree.kept()[1:]))
    late = data.draw(st.permutations([remove(removed.id, tree.number), add(removed.id, "6")]))
    if removed.action != "6":
        assert f"{removed.action} 6" in lines(after(*late, tree=tree))

"""The tree of variations of a chapter, and the operations on it. Pure.

An operation names the nodes that it is about by their ids, so those of several editors can be carried out in
any order, and each again, without losing a branch:

- Adding a move that is there already changes nothing.
- Removing a branch leaves what has changed since the editor looked, and what leads there.
- What is done to a removed move brings it back, with what leads there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from games.domain import codec, texts
from games.domain.position import Position
from games.rules.base import Step
from lobby.studies.refusals import TooManyNodes, UnknownNode

MOST_NODES = 1000
"""Most moves of a chapter, in all its variations."""
LONGEST_COMMENT = 1000
MOST_MARKS = 32
MOST_DICE = 100
START = 0
"""The id of the node that stands for the start of a chapter."""

NodeId = Annotated[int, Field(ge=0, le=1_000_000_000)]
ActionText = Annotated[str, StringConstraints(min_length=1, max_length=32)]
Faces = Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=MOST_DICE)]
Comment = Annotated[str, StringConstraints(max_length=LONGEST_COMMENT)]
Glyph = Literal["", "!", "?", "!?"]
Mark = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,12}(>[A-Za-z0-9_.-]{1,12})?$", max_length=25)
]
"""What is drawn on the board: a ring around a place, or an arrow from one to another, `a7>d7`."""
Marks = Annotated[list[Mark], Field(max_length=MOST_MARKS)]


@dataclass(frozen=True, slots=True)
class Node:
    """A move in a tree.

    Attributes:
        id: the number of the operation that added it.
        parent: the id of the node before it; None for the start.
        action: the move in the notation of the game, `dice` for a roll, or a departure.
        dice: the faces of a roll.
        rank: the number of the operation that promoted it; the sibling with the highest comes first.
        changed: the number of the last operation that changed it.
        removed: whether it was removed. It stays for a while for operations that come late.
    """

    id: int
    parent: int | None
    action: str
    dice: tuple[int, ...] | None = None
    comment: str = ""
    glyph: str = ""
    marks: tuple[str, ...] = ()
    rank: int = 0
    changed: int = 0
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes of a chapter by their ids, and the number of its last operation."""

    nodes: Mapping[int, Node] = field(default_factory=lambda: {START: Node(START, None, "")})
    number: int = 0

    def kept(self) -> list[Node]:
        """The nodes that are not removed: each after its parent, and siblings in order."""
        return [node for node in self.below(START) if not node.removed]

    def children(self, node_id: int) -> list[Node]:
        """The nodes after one, in order, removed ones included."""
        after = (node for node in self.nodes.values() if node.parent == node_id)
        return sorted(after, key=lambda node: (-node.rank, node.id))

    def below(self, node_id: int) -> list[Node]:
        """A node, and all after it."""
        children: dict[int | None, list[Node]] = {}
        for node in sorted(self.nodes.values(), key=lambda node: (-node.rank, node.id)):
            children.setdefault(node.parent, []).append(node)
        found, waiting = [], [self.node(node_id)]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += reversed(children.get(node.id, []))
        return found

    def node(self, node_id: int) -> Node:
        """A node by its id, also a removed one. Raises `UnknownNode`."""
        if node_id not in self.nodes:
            raise UnknownNode
        return self.nodes[node_id]

    def path(self, node_id: int) -> list[Node]:
        """The nodes from the start to one."""
        node = self.node(node_id)
        path = [node]
        while node.parent is not None:
            node = self.node(node.parent)
            path.append(node)
        return path[::-1]


# The operations


class _Operation(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Add(_Operation):
    """Add a move, a roll or a departure after a node."""

    kind: Literal["add"]
    parent: NodeId
    action: ActionText
    dice: Faces | None = None


class SetComment(_Operation):
    """Change the comment of a node."""

    kind: Literal["comment"]
    node: NodeId
    text: Comment


class SetGlyph(_Operation):
    """Change the glyph of a move."""

    kind: Literal["glyph"]
    node: NodeId
    glyph: Glyph


class SetMarks(_Operation):
    """Change what is drawn on the board at a node."""

    kind: Literal["marks"]
    node: NodeId
    marks: Marks


class Promote(_Operation):
    """Make a move the first of those after the same node."""

    kind: Literal["promote"]
    node: NodeId


class Remove(_Operation):
    """Remove a move and all after it, as they were after operation `seen`."""

    kind: Literal["remove"]
    node: NodeId
    seen: NodeId


Operation: TypeAlias = Annotated[
    Add | SetComment | SetGlyph | SetMarks | Promote | Remove, Field(discriminator="kind")
]


def apply(start: Position, tree: Tree, operation: Operation) -> tuple[Tree, Node]:
    """Carry out an operation; returns the tree and the node that it is about.

    Raises:
        StudyError: "unknown-node" or "too-many-nodes".
        IllegalMove: the rules do not allow an added move.
    """
    if isinstance(operation, Add):
        return _add(start, tree, operation)
    if isinstance(operation, Remove):
        return _remove(tree, operation)
    if isinstance(operation, SetComment):
        return _change(tree, operation.node, comment=texts.cleaned(operation.text))
    if isinstance(operation, SetGlyph):
        return _change(tree, operation.node, glyph=operation.glyph)
    if isinstance(operation, SetMarks):
        return _change(tree, operation.node, marks=tuple(operation.marks))
    return _change(tree, operation.node, rank=tree.number + 1)


def _add(start: Position, tree: Tree, add: Add) -> tuple[Tree, Node]:
    rules, path = start.game.rules, tree.path(add.parent)
    before = state_after(start, path)
    action = codec.action(rules, add.action, add.dice)
    rules.play(before, action)
    text, dice = codec.action_text(action), codec.action_dice(action)
    known = (node for node in tree.children(add.parent) if (node.action, node.dice) == (text, dice))
    same = next(known, None)
    if same is not None:
        return _change(tree, same.id)
    if len(tree.nodes) > MOST_NODES:
        tree = replace(tree, nodes={node.id: node for node in tree.kept()})
        if len(tree.nodes) > MOST_NODES:
            raise TooManyNodes(most=MOST_NODES)
        tree.node(add.parent)
    number = tree.number + 1
    node = Node(number, add.parent, text, dice, changed=number)
    return _with(tree, node, *_back(tree, path)), node


def _change(tree: Tree, node_id: int, **changes: Any) -> tuple[Tree, Node]:
    *before, node = tree.path(node_id)
    changed = replace(node, changed=tree.number + 1, removed=False, **changes)
    return _with(tree, changed, *_back(tree, before)), changed


def _back(tree: Tree, path: Iterable[Node]) -> Iterator[Node]:
    """The removed nodes of a path, brought back."""
    return (replace(node, removed=False, changed=tree.number + 1) for node in path if node.removed)


def _remove(tree: Tree, remove: Remove) -> tuple[Tree, Node]:
    if remove.node == START:
        raise UnknownNode
    branch = tree.below(remove.node)
    stays = {
        before.id
        for node in branch
        if node.changed > remove.seen and not node.removed
        for before in tree.path(node.id)
    }
    gone = (replace(node, removed=True) for node in branch if node.id not in stays)
    tree = _with(tree, *gone)
    return tree, tree.node(remove.node)


def _with(tree: Tree, *changed: Node) -> Tree:
    return Tree({**tree.nodes, **{node.id: node for node in changed}}, tree.number + 1)


# The positions


def state_after(start: Position, path: Iterable[Node]) -> Any:
    """The state after the nodes of a path."""
    rules, state = start.game.rules, start.state
    for node in path:
        if node.parent is not None:
            state = rules.play(state, codec.action(rules, node.action, node.dice)).state
    return state


def steps(start: Position, nodes: Iterable[Node]) -> Iterator[tuple[Node, Step]]:
    """What each node led to; each comes after its parent. Raises `IllegalMove`, also for unknown parents."""
    rules, states = start.game.rules, dict[int, Any]()
    for node in nodes:
        if node.parent is None:
            step = Step(start.state, ())
        else:
            step = rules.play(states[node.parent], codec.action(rules, node.action, node.dice))
        states[node.id] = step.state
        yield node, step

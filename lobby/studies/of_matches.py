"""Finished matches as chapters. Pure."""

from __future__ import annotations

from games.domain.position import Position
from games.domain.record import Record
from lobby.studies.files import Chapter
from lobby.studies.tree import MOST_NODES, START, Node, Tree


def chapter_of(record: Record) -> Chapter:
    """The moves of a match that count, as one line; those of a very long match up to `MOST_NODES`."""
    dice = {entry.number: entry.dice for entry in record.plies}
    nodes = {START: Node(START, None, "")}
    for number, (ply, logged) in enumerate(record.line()[:MOST_NODES], 1):
        nodes[number] = Node(number, number - 1, logged.text, dice[ply])
    start = Position(record.game, record.start, len(record.names))
    return Chapter(", ".join(record.names), start, Tree(nodes, len(nodes) - 1))

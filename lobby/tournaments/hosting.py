"""The boards of the host of a simul: what each shows of the others, and which one comes next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser

from games.store import history
from lobby.people.models import User
from lobby.tournaments import tables
from lobby.tournaments.formats import FORMATS
from lobby.tournaments.formats.base import Pairing, PlayerId
from lobby.tournaments.models import Tournament
from lobby.tournaments.sheet import Sheet, sheets


class Board(NamedTuple):
    """A board of the host.

    Attributes:
        number: counts from 1.
        match: the id of its match.
        player: the name of the player.
        waits: whether the host is to move.
        result: the points of the host and the player, "" while the match goes on.
    """

    number: int
    match: str
    player: str
    waits: bool
    result: str


class Hosted(NamedTuple):
    """A simul as its host sees it: the boards that wait come first, those that have ended last.

    `version` is that of the tournament.
    """

    tournament: Tournament
    version: int
    score: str
    boards: Sequence[Board]

    @property
    def next(self) -> Board | None:
        """The board that the host goes to now; None once all have ended."""
        return next((board for board in self.boards if not board.result), None)


def hosted_by(user: User | AnonymousUser, tournament: Tournament) -> Hosted | None:
    """The boards of a simul, if the user is its host; None otherwise."""
    if not FORMATS[tournament.format].HOST:
        return None
    version, known, _standings = sheets.cached(tournament)
    host = known.options.host
    if host is None or known.entrants[host].user_id != user.pk:
        return None
    waiting = waiting_in(known)
    boards = [
        _board(known, pairing, host, waiting) for pairing in known.pairings if pairing.key in known.matches
    ]
    boards.sort(key=lambda board: (board.result != "", not board.waits, board.number))
    return Hosted(tournament, version, tables.score(known.score), boards)


def waiting_in(known: Sheet) -> frozenset[str]:
    """The matches in which the host of a simul is to move."""
    host = known.options.host
    return frozenset() if host is None else frozenset(history.waiting_for(known.entrants[host].user_id))


def _board(known: Sheet, pairing: Pairing, host: PlayerId, waiting: frozenset[str]) -> Board:
    match, seat = known.matches[pairing.key], pairing.seats.index(host)
    player = known.entrants[pairing.seats[1 - seat]].name_in_words()
    result = ""
    if not pairing.open:
        points = pairing.points or (0.0, 0.0)
        result = " : ".join(tables.points_in_words(points[each]) for each in (seat, 1 - seat))
    return Board(pairing.table, match, player, match in waiting and not result, result)

"""Games of the Kalaha note (docs/reference/kalaha-note.md) as matches of this site.

The store is authoritative: the board in a request is only compared with it. The players are guests who are
created for the game and have no session; anyone who knows the ids of a game and a player can move for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from django.db import IntegrityError, transaction

from games.domain import codec
from games.domain.messages import MoveCommand
from games.domain.refusals import GameOver, NotSeated, NotYourTurn, Refused, Stale
from games.net.threads import in_thread
from games.play.begin import create
from games.play.live import LiveMatch
from games.play.matches import matches
from games.rules import kalah
from games.rules.base import IllegalMove, Outcome, Seat, gettext_noop
from games.store import history
from lobby.accounts import guests
from lobby.kalaha.bodies import NewGame, Sowing, text_of
from lobby.kalaha.models import NoteGame

SLUG = "kalah"
FIRST = kalah.PRESETS["kalaha"]
OPENINGS = {kalah.setup(options, 2).board: options for options in reversed((FIRST, *kalah.PRESETS.values()))}
"""The options of a game by its opening board (three, four or six seeds in each pit)."""

IN_PROGRESS = "in-progress"
WON: dict[tuple[Seat, ...], str] = {(0,): "player1Won", (1,): "player2Won"}
DRAW = "draw"


class UnknownGame(Refused):
    """No game of the note has this id."""

    code, status = "unknown-game", 404
    sentence = gettext_noop("No game has this id.")


class PlayerNotSeated(NotSeated):
    """The game has no player with this id."""

    sentence = gettext_noop("No player of this game has the id %(player)s.")


class IdTaken(Refused):
    """Another game has this id."""

    code, status = "id-taken", 409
    sentence = gettext_noop("A game with this id already exists.")


class SamePlayer(Refused):
    """A player cannot play against themselves."""

    code, status = "same-player", 422
    sentence = gettext_noop("The two players need different ids.")


class NoSuchOpening(Refused):
    """The position is not one that a match can begin with."""

    code, status = "no-such-opening", 422
    sentence = gettext_noop("A game starts with three, four or six seeds in every pit and empty stores.")


class StaleBoard(Stale):
    """The board in the request differs from the stored one, which is `position`."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a game; ids are JSON. `turn` is the id of the player to move, None at the end."""

    game: str
    board: Sequence[int]
    status: str
    turn: str | None


@dataclass(frozen=True, slots=True)
class Begun:
    """A new game: its position, its players in order, and its match."""

    position: Position
    players: tuple[str, str]
    match_id: str


@dataclass(frozen=True, slots=True)
class Sown:
    """A move: the boards before and after it, the seeds captured, and whether it gave an extra turn."""

    before: Sequence[int]
    position: Position
    captured: int
    extra_turn: bool


def begin(wanted: NewGame, command: str) -> Begun:
    """Begin a game. Idempotent by `command`.

    Raises `IdTaken`, `SamePlayer`, `NoSuchOpening` or `lobby.accounts.guests.OutOfNames`.
    """
    players = text_of(wanted.player1.id), text_of(wanted.player2.id)
    if players[0] == players[1]:
        raise SamePlayer
    options = FIRST if wanted.gameboard.board is None else OPENINGS.get(tuple(wanted.gameboard.board))
    if options is None:
        raise NoSuchOpening
    made = NoteGame.objects.filter(command=command).first()
    name = None if wanted.gameboard.id is None else text_of(wanted.gameboard.id)
    if made is None:
        made = _store(options, name, players, command)
    return Begun(_position(made, kalah.setup(options, 2)), players, made.match_id)


@transaction.atomic
def _store(options: kalah.Options, name: str | None, players: tuple[str, str], command: str) -> NoteGame:
    if name is not None and NoteGame.objects.filter(pk=name).exists():
        raise IdTaken
    match = create(SLUG, options, [guests.new_guest(), guests.new_guest()])
    try:
        with transaction.atomic():
            made = NoteGame.objects.create(
                id=name or text_of(match.pk),
                match=match,
                player1=players[0],
                player2=players[1],
                command=command,
            )
    except IntegrityError:
        # A concurrent request took the id between the query and the insert.
        raise IdTaken from None
    return made


async def sow(asked: Sowing, command: str) -> Sown:
    """Carry out a move. Idempotent by `command`: a repetition returns the same result.

    Raises `UnknownGame`, `PlayerNotSeated`, `StaleBoard`, `GameOver`, `NotYourTurn`, `SavingUnavailable` or
    `IllegalMove`.
    """
    game = await in_thread(_find)(text_of(asked.gameboard.id))
    name = text_of(asked.player.id)
    if name not in (game.player1, game.player2):
        raise PlayerNotSeated(player=name)
    seat = (game.player1, game.player2).index(name)
    try:
        number = await _number_of(game, seat, asked, command)
    finally:
        matches.forget(game.match_id)
    return await in_thread(_sown)(game, number)


def _find(name: str) -> NoteGame:
    game = NoteGame.objects.filter(pk=name).first()
    if game is None:
        raise UnknownGame
    return game


async def _number_of(game: NoteGame, seat: Seat, asked: Sowing, command: str) -> int:
    """Play the command, unless it was played before; returns the number of its ply."""
    while True:
        live = await matches.up_to_date(game.match_id)
        number = live.answers.get((seat, command))
        if number is not None:
            return number
        pit = _checked(game, live, seat, asked)
        move = MoveCommand(type="move", id=command, after=live.ply, move=str(kalah.Move(pit)))
        try:
            return await matches.play(live.id, live.player_at(seat), move)
        except Stale:
            # A concurrent move came first: check the request against the current board.
            continue


def _checked(game: NoteGame, live: LiveMatch, seat: Seat, asked: Sowing) -> int:
    """The pit to sow from, numbered as in the rules. Raises the errors of the note."""
    if asked.gameboard.board is not None and tuple(asked.gameboard.board) != live.state.board:
        raise StaleBoard(_position(game, live.state))
    if live.outcome is not None:
        raise GameOver
    if live.state.turn != seat:
        raise NotYourTurn
    pit = pit_at(asked.startPosition, seat)
    if not live.state.board[asked.startPosition]:
        raise IllegalMove("empty-pit", gettext_noop("Pit %(place)d is empty."), place=asked.startPosition)
    return pit


def pit_at(place: int, seat: Seat) -> int:
    """The pit of a seat, counted from 1, at an index of the note's board. Raises `IllegalMove`."""
    if not 0 <= place <= 13:
        raise IllegalMove(
            "no-such-pit", gettext_noop("There is no place %(place)d on the board."), place=place
        )
    if place in (6, 13):
        raise IllegalMove("store", gettext_noop("Place %(place)d is a store; sow from a pit."), place=place)
    owner, pit = divmod(place, 7)
    if owner != seat:
        raise IllegalMove("not-your-pit", gettext_noop("Pit %(place)d is the other player’s."), place=place)
    return pit + 1


def _sown(game: NoteGame, number: int) -> Sown:
    before = history.state_after(game.match_id, number - 1)
    ply = history.plies_since(game.match_id, number - 1)[0]
    position = _position(game, codec.decode_state(kalah, ply.state))
    events = [codec.decode_event(kalah, event) for event in orjson.loads(ply.events)]
    captured = sum(event.seeds for event in events if isinstance(event, kalah.Captured))
    return Sown(before.board, position, captured, any(isinstance(event, kalah.TurnKept) for event in events))


def _position(game: NoteGame, state: kalah.State) -> Position:
    outcome = kalah.outcome(state)
    turn = None if outcome is not None else (game.player1, game.player2)[state.turn]
    return Position(game.pk, state.board, status_of(outcome), turn)


def status_of(outcome: Outcome | None) -> str:
    """The status of a game in the note's words; a draw, which the note lacks, has a word of ours."""
    return IN_PROGRESS if outcome is None else WON.get(outcome.winners, DRAW)

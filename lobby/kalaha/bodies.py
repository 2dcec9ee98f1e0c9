"""Request and response bodies of the Kalaha note. Requests are validated strictly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import orjson
from pydantic import BaseModel, ConfigDict, Field, PlainValidator, model_validator
from pydantic_core import PydanticCustomError

PLACES = 14
MOST_SEEDS = 12 * 6

_TEXT = re.compile(r"[A-Za-z0-9_.:@-]{1,64}")
_LARGEST = 2**53


def _game_id(value: object) -> object:
    """Validates a string or an integer. One validator: a mistake gives one error, not one per type."""
    if isinstance(value, str) and _TEXT.fullmatch(value):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST:
        return value
    raise PydanticCustomError("id", "An id is a text of 1 to 64 of A-Z a-z 0-9 _ . : @ - or a whole number")


def _player_id(value: object) -> object:
    return value if isinstance(value, bool) else _game_id(value)


GameId: TypeAlias = Annotated[str | int, PlainValidator(_game_id)]
PlayerId: TypeAlias = Annotated[bool | str | int, PlainValidator(_player_id)]
"""The note defines the id of a player as a boolean; strings and integers are accepted, too."""
Board = Annotated[
    list[Annotated[int, Field(ge=0, le=MOST_SEEDS)]], Field(min_length=PLACES, max_length=PLACES)
]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NewGameboard(_Body):
    """A new game. The default id is generated, the default board has six seeds in each pit."""

    id: GameId | None = None
    board: Board | None = None


class Gameboard(_Body):
    """A game by its id, and the board as the client knows it.

    The note also writes `{id:board}`: an object with one member, whose name is the id and whose value is the
    board. Both forms are accepted.
    """

    id: GameId
    board: Board | None = None

    @model_validator(mode="before")
    @classmethod
    def _spelled_out(cls, value: object) -> object:
        name = _literal_id(value)
        return value if name is None else {"id": name, "board": value[name]}  # type: ignore[index]


class Player(_Body):
    """A player, by id."""

    id: PlayerId


class NewGame(_Body):
    """`POST /mancala/game`."""

    gameboard: NewGameboard = NewGameboard()
    player1: Player
    player2: Player


class Sowing(_Body):
    """`PUT /mancala/game/move`; `startPosition` is the index of a place, as the note numbers them."""

    gameboard: Gameboard
    startPosition: int  # noqa: N815 - the note's own spelling
    player: Player


def pointer(place: Sequence[str | int], body: Any) -> str:
    """The location of a validation error as a JSON pointer (RFC 6901).

    A missing member is located where it belongs.
    """
    steps: list[str] = []
    for step in place:
        name = _literal_id(body) if steps == ["gameboard"] and step in ("id", "board") else None
        steps.append(str(step if name is None else name))
        body = _within(body, step if name is None else name)
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _within(body: Any, step: str | int) -> Any:
    try:
        return body[step]
    except (KeyError, IndexError, TypeError):
        return None


def _literal_id(value: object) -> str | None:
    """The id of a game in `{id:board}`, where the only member is neither `id` nor `board`; None elsewhere."""
    if isinstance(value, dict) and len(value) == 1:
        ((name, board),) = value.items()
        if name not in ("id", "board") and isinstance(board, list):
            return str(name)
    return None


def text_of(name: GameId | PlayerId) -> str:
    """An id as JSON, by which it is stored and compared: 1, "1" and true are three."""
    return orjson.dumps(name).decode()


def gameboard(name: str, board: Sequence[int]) -> dict[str, Any]:
    """A board of the game whose id is `name`, an id as JSON."""
    return {"id": orjson.loads(name), "board": list(board)}


def player(name: str | None) -> dict[str, Any] | None:
    """The player whose id is `name`, an id as JSON; None for nobody."""
    return None if name is None else {"id": orjson.loads(name)}

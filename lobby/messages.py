"""Every message of the lobby socket, both directions, and the one place that parses them.

What browsers are told is made in `lobby.news`; docs/protocol.md describes it for people who write
clients, and a test holds its examples against the types here.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ListRequest(_Message):
    """Send the whole list: a change is missing."""

    type: Literal["list"]


class Ping(_Message):
    """Is anybody there? `t` comes back unchanged."""

    type: Literal["ping"]
    t: float


Incoming: TypeAlias = ListRequest | Ping

incoming: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])


# To the browser. `number` counts the changes of the lobby.


class TableFields(TypedDict):
    id: str
    game: str
    title: str
    preset: str
    options_in_words: list[str]
    host: str
    seats: int
    taken: list[str]
    match: str | None


class MatchFields(TypedDict):
    id: str
    game: str
    title: str
    players: list[str]
    table: str | None


class Lobby(TypedDict):
    type: Literal["lobby"]
    number: int
    tables: list[TableFields]
    matches: list[MatchFields]


class TableChange(TypedDict):
    type: Literal["table"]
    number: int
    table: TableFields


class TableGone(TypedDict):
    type: Literal["table-gone"]
    number: int
    id: str


class MatchBegun(TypedDict):
    type: Literal["match"]
    number: int
    match: MatchFields


class MatchOver(TypedDict):
    type: Literal["match-over"]
    number: int
    id: str


class Latest(TypedDict):
    type: Literal["latest"]
    number: int


class Pong(TypedDict):
    type: Literal["pong"]
    t: float
    number: int


Outgoing: TypeAlias = Lobby | TableChange | TableGone | MatchBegun | MatchOver | Latest | Pong

"""Request and response schemas of the lobby API."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from typing_extensions import TypedDict

from games.domain.messages import CommandId, OutcomeFields
from games.domain.position import MOST_CHARACTERS
from lobby.pairing.pairing_options import MOST_SEATS
from lobby.sockets import messages
from lobby.sockets.messages import CallFields, NextMatchFields, RoomOfMatch, Situation, Text

Slug = Annotated[str, StringConstraints(max_length=50)]
Choice = bool | int | str
ClubKey = Annotated[str, StringConstraints(pattern=r"^[0-9a-z]{1,32}$")]
RatingBound = Annotated[int, Field(ge=0, le=10_000)]


# Requests


class Body(BaseModel):
    """The body of a request; unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RulesBody(Body):
    """Rules of a game: those of `preset`, except for the given `options`."""

    game: Slug
    preset: Slug | None = None
    options: dict[Slug, Choice] = {}
    clock: Annotated[str, StringConstraints(max_length=12)] = ""
    rated: bool = False


class ChallengeBody(RulesBody):
    """The rules and conditions of a challenge.

    The rules are those of `preset` (by default the usual ones, in rated Kalah those with the pie rule),
    except for the given `options`. Only casual tables can choose who moves `first`: rated ones use `lot`, and
    two players who have met in a rated match alternate.

    A casual match may begin at a `position`, which has its own rules.
    """

    first: Literal["host", "other", "lot"] = "lot"
    watchable: bool = True
    delay: int = 0
    chat: bool = True
    position: Annotated[str, StringConstraints(max_length=MOST_CHARACTERS)] | None = None


class TableBody(ChallengeBody):
    """A table of the lobby; the default of `seats` is the minimum of the game.

    `club` is the id of one of your clubs: then only its members can join, and the lobby does not list the
    table. `computers` are the levels of computer players that join at once. If they take all other seats,
    the match begins.
    """

    seats: Annotated[int, Field(ge=1, le=100)] | None = None
    club: ClubKey | None = None
    computers: Annotated[list[Annotated[int, Field(ge=1, le=100)]], Field(max_length=MOST_SEATS)] = []
    lowest_rating: RatingBound | None = None
    highest_rating: RatingBound | None = None


class SeekBody(Body):
    """A tile of quick pairing; `seats` is the number of players."""

    game: Slug
    preset: Slug
    clock: Annotated[str, StringConstraints(max_length=12)]
    rated: bool = False
    seats: Annotated[int, Field(ge=2, le=MOST_SEATS)] = 2


class LineBody(Body):
    """A line for a chat room of a match: a `text`, or the key of a quick message as `preset`."""

    id: CommandId
    room: RoomOfMatch
    text: Text | None = None
    preset: Annotated[str, StringConstraints(max_length=20)] | None = None


# Responses


class OpenTable(TypedDict):
    """A table. `preset` is null for custom rules.

    `match` is null until the match begins; `invited` is null unless the table is a challenge. In games whose
    sides have names, `first` gets the first side. `opens` is the seat that moves first, usually 0. `position`
    is where the match begins; null for the start of the game.
    """

    id: str
    game: str
    preset: str | None
    options: dict[str, Any]
    seats: int
    host: str
    taken: list[str]
    match: str | None
    listed: bool
    invited: str | None
    first: Literal["host", "other", "lot"]
    clock: str
    rated: bool
    watchable: bool
    delay: int
    chat: bool
    lowest_rating: int | None
    highest_rating: int | None
    opens: int
    position: str | None


class Tables(TypedDict):
    """The open tables that the reader may join."""

    tables: list[OpenTable]


class Challenges(TypedDict):
    """Open challenges to you and by you."""

    received: list[OpenTable]
    made: list[OpenTable]


class MatchInPlay(messages.MatchFields):
    """A match in play; `table` is the id of its table, `delay` the delay for spectators in seconds."""


class Said(messages.Accepted):
    """The line was sent."""


class Matches(TypedDict):
    """The matches in play."""

    matches: list[MatchInPlay]


class MyMatches(Matches):
    """Your matches in play; `waiting` are the ids of those in which you are to move."""

    waiting: list[str]


class Me(TypedDict):
    """The owner and the scopes of the token."""

    name: str
    bot: bool
    scopes: list[str]


class OnlinePerson(TypedDict):
    """A user who is online; `match` is the id of the match that they play, if you may watch it."""

    name: str
    guest: bool
    match: str | None


class Online(TypedDict):
    """A page of the users online; `next` is the number of the next page, null on the last one."""

    people: list[OnlinePerson]
    next: int | None


class RatingFields(TypedDict):
    """A rating under a preset; `players` is `two` or `many`, by the number of players of a match."""

    game: str
    preset: str
    players: Literal["two", "many"]
    rating: float
    deviation: float
    provisional: bool
    matches: int


class ResultFields(TypedDict):
    """The results of a user in one game."""

    game: str
    won: int
    drawn: int
    lost: int


class Person(TypedDict):
    """A user; `bot` is true for computer players."""

    name: str
    guest: bool
    bot: bool
    joined: str
    ratings: list[RatingFields]
    results: list[ResultFields]


class PlaceFields(TypedDict):
    """A place on a leaderboard."""

    place: int
    name: str
    rating: float
    deviation: float


class Leaderboard(TypedDict):
    """The best of `ranked` players."""

    game: str
    preset: str
    players: Literal["two", "many"]
    ranked: int
    top: list[PlaceFields]


# The event stream. Events have an `id`, are sent once, and are stored for a week.


class Hello(Situation):
    """The current state when the stream opens; `event` is the id of the last event."""

    type: Literal["hello"]
    event: int
    challenges: list[OpenTable]
    calls: list[CallFields]
    next: list[NextMatchFields]
    matches: list[MatchInPlay]
    waiting: list[str]


class _Event(TypedDict):
    id: int
    at: str


class Challenged(_Event):
    """A challenge to you."""

    type: Literal["challenge"]
    table: OpenTable


class ChallengeGone(_Event):
    """A challenge to you is no longer open."""

    type: Literal["challenge-gone"]
    table: str


class Declined(_Event):
    """A challenge by you was declined."""

    type: Literal["declined"]
    table: str
    name: str


class MatchBegun(_Event):
    """A match of yours has begun."""

    type: Literal["match"]
    match: MatchInPlay


class MatchOver(_Event):
    """A match of yours is over."""

    type: Literal["match-over"]
    match: str
    outcome: OutcomeFields


Event: TypeAlias = Challenged | ChallengeGone | Declined | MatchBegun | MatchOver

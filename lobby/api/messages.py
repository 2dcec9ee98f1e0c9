"""What the interface for programs reads and answers about the lobby, beside what sockets say already."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from typing_extensions import TypedDict

from games.domain.messages import CommandId, OutcomeFields
from lobby.pairing.pairing_options import MOST_SEATS
from lobby.sockets import messages
from lobby.sockets.messages import CallFields, NextMatchFields, RoomOfMatch, Situation, Text

Slug = Annotated[str, StringConstraints(max_length=50)]
Choice = bool | int | str
ClubKey = Annotated[str, StringConstraints(pattern=r"^[0-9a-z]{1,32}$")]
RatingBound = Annotated[int, Field(ge=0, le=10_000)]


# From programs


class Body(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RulesBody(Body):
    """Rules of a game: those of a preset, less the single `options` that are given."""

    game: Slug
    preset: Slug | None = None
    options: dict[Slug, Choice] = {}
    clock: Annotated[str, StringConstraints(max_length=12)] = ""
    rated: bool = False


class ChallengeBody(RulesBody):
    """What two would play.

    The rules are those of `preset` (by default the usual ones, in rated Kalah those with the pie rule), less
    the single `options` that are given. Who moves `first` is for casual tables to choose: for rated ones it
    is `lot`, and two who have had a rated match take turns.
    """

    first: Literal["host", "other", "lot"] = "lot"
    watchable: bool = True
    delay: int = 0
    chat: bool = True


class TableBody(ChallengeBody):
    """A table of the lobby; `seats` are by default as few as the game needs.

    `club` is the id of a club of yours: then its members can sit down, and the lobby does not show the table.
    """

    seats: Annotated[int, Field(ge=1, le=100)] | None = None
    club: ClubKey | None = None
    lowest_rating: RatingBound | None = None
    highest_rating: RatingBound | None = None


class SeekBody(Body):
    """One tile of quick pairing; `seats` is how many play."""

    game: Slug
    preset: Slug
    clock: Annotated[str, StringConstraints(max_length=12)]
    rated: bool = False
    seats: Annotated[int, Field(ge=2, le=MOST_SEATS)] = 2


class LineBody(Body):
    """Something to say in a room of a match: a `text` of one's own, or a `preset` by its key."""

    id: CommandId
    room: RoomOfMatch
    text: Text | None = None
    preset: Annotated[str, StringConstraints(max_length=20)] | None = None


# To programs


class OpenTable(TypedDict):
    """A table. `preset` is null for rules of its own, `match` until it begins, `invited` mostly.

    Where sides have names, `first` gets the first of them, and the seat `opens` moves first, mostly 0.
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


class Tables(TypedDict):
    tables: list[OpenTable]


class Challenges(TypedDict):
    """Open challenges: to whoever asks, and by them."""

    received: list[OpenTable]
    made: list[OpenTable]


class MatchInPlay(messages.MatchFields):
    """A match that is being played; `table` is where it began, `delay` is that of watchers in seconds."""


class Said(messages.Accepted):
    """It has been said."""


class Matches(TypedDict):
    matches: list[MatchInPlay]


class MyMatches(Matches):
    """One's own matches in play; `waiting` are the ids of those in which one is to move."""

    waiting: list[str]


class Me(TypedDict):
    """Whom the token speaks for, and what it is good for."""

    name: str
    bot: bool
    scopes: list[str]


class OnlinePerson(TypedDict):
    """Somebody who is here; `match` is what they play, if you may watch it."""

    name: str
    guest: bool
    match: str | None


class Online(TypedDict):
    """A page of the people online; `next` is the number of the next page, null on the last one."""

    people: list[OnlinePerson]
    next: int | None


class RatingFields(TypedDict):
    """A rating under a preset; `players` says whether two play or more."""

    game: str
    preset: str
    players: Literal["two", "many"]
    rating: float
    deviation: float
    provisional: bool
    matches: int


class ResultFields(TypedDict):
    game: str
    won: int
    drawn: int
    lost: int


class Person(TypedDict):
    """Somebody who plays here; `bot` says that it is a computer player."""

    name: str
    guest: bool
    bot: bool
    joined: str
    ratings: list[RatingFields]
    results: list[ResultFields]


class PlaceFields(TypedDict):
    place: int
    name: str
    rating: float
    deviation: float


class Leaderboard(TypedDict):
    """The best of `ranked` people."""

    game: str
    preset: str
    players: Literal["two", "many"]
    ranked: int
    top: list[PlaceFields]


# The stream of somebody's events. What has an `id` is told once, and kept for a week.


class Hello(Situation):
    """How things are when the stream opens; `event` is the id of the last event there was."""

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
    """Somebody challenges this person."""

    type: Literal["challenge"]
    table: OpenTable


class ChallengeGone(_Event):
    """A challenge to this person is there no more."""

    type: Literal["challenge-gone"]
    table: str


class Declined(_Event):
    """Somebody declined a challenge of this person."""

    type: Literal["declined"]
    table: str
    name: str


class MatchBegun(_Event):
    """A match of this person has begun."""

    type: Literal["match"]
    match: MatchInPlay


class MatchOver(_Event):
    """A match of this person is over."""

    type: Literal["match-over"]
    match: str
    outcome: OutcomeFields


Event: TypeAlias = Challenged | ChallengeGone | Declined | MatchBegun | MatchOver

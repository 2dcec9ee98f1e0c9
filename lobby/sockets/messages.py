"""Every message of the lobby's three sockets, both directions, and the one place that parses them.

What browsers are told is made in `lobby.feed.lobby_feed`; docs/reference/protocol.md describes it for people
who write clients, and a test holds its examples against the types here.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import TypedDict

from games.domain.messages import PRINTABLE, CommandId
from games.watch.board_messages import MatchId

Text: TypeAlias = Annotated[str, StringConstraints(max_length=4000)]
"""What somebody says. What is too long for a line is refused in words; this is only to bound it."""


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ListRequest(_Message):
    """Send the whole list: a change is missing."""

    type: Literal["list"]


class Ping(_Message):
    """Is anybody there? `t` comes back unchanged."""

    type: Literal["ping"]
    t: float


class ChatRequest(_Message):
    """Send the last lines of the chat, and from now on every line."""

    type: Literal["chat"]


class SayCommand(_Message):
    """Say `text` in the chat."""

    type: Literal["say"]
    id: CommandId
    text: Text


class PeopleRequest(_Message):
    """Send how those I follow are, and from now on every change of it."""

    type: Literal["people"]


class PairingRequest(_Message):
    """Do I still wait for an opponent?"""

    type: Literal["pairing"]


class SavedRequest(_Message):
    """Send my saved matches, and from now on every change of them."""

    type: Literal["saved"]


class LookingNote(_Message):
    """This page is in sight, at a path of the site; null once it is not."""

    type: Literal["looking"]
    at: Annotated[str, StringConstraints(pattern=PRINTABLE, max_length=200)] | None


class RatingRequest(_Message):
    """Send what this match did to my rating."""

    type: Literal["rating"]
    match: MatchId


RoomOfMatch: TypeAlias = Literal["players", "watchers"]


class TalkCommand(_Message):
    """Say `text` in a room of a match."""

    type: Literal["say"]
    id: CommandId
    room: RoomOfMatch
    text: Text


class PresetCommand(_Message):
    """Say a sentence that is always the same, by its key."""

    type: Literal["preset"]
    id: CommandId
    room: RoomOfMatch
    preset: Annotated[str, StringConstraints(max_length=20)]


Incoming: TypeAlias = ListRequest | ChatRequest | SayCommand | Ping
PersonalIncoming: TypeAlias = (
    PeopleRequest | PairingRequest | SavedRequest | LookingNote | RatingRequest | Ping
)
TalkIncoming: TypeAlias = ChatRequest | TalkCommand | PresetCommand | Ping

incoming: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])
personal_incoming: TypeAdapter[PersonalIncoming] = TypeAdapter(
    Annotated[PersonalIncoming, Field(discriminator="type")]
)
talk_incoming: TypeAdapter[TalkIncoming] = TypeAdapter(Annotated[TalkIncoming, Field(discriminator="type")])


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
    levels: list[int | None]
    match: str | None
    listed: bool
    invited: str | None
    terms_in_words: list[str]
    rated: bool
    pool: str
    lowest_rating: int | None
    highest_rating: int | None


class MatchFields(TypedDict):
    """A match in play; `holder` is who holds the board at which all of `players` play, null for others."""

    id: str
    game: str
    title: str
    players: list[str]
    levels: list[int | None]
    holder: str | None
    table: str | None
    watchers: int
    watchable: bool
    delay: int


class SeekersFields(TypedDict):
    """How many people wait to be paired for the same: the name of a tile, and whether it counts."""

    game: str
    tile: str
    rated: bool
    people: int


class CountFields(TypedDict):
    """How many people are here, matches are live, and people wait to be paired; and for what they do."""

    online: int
    playing: int
    waiting: int
    seeks: list[SeekersFields]


class Lobby(TypedDict):
    type: Literal["lobby"]
    number: int
    counts: CountFields
    tables: list[TableFields]
    matches: list[MatchFields]
    featured: str | None
    live: dict[str, str]


class TableChange(TypedDict):
    type: Literal["table"]
    number: int
    table: TableFields


class TableGone(TypedDict):
    """A table is there no more: it was cleared away, or its match has begun and only its players see that."""

    type: Literal["table-gone"]
    number: int
    id: str
    begun: bool


class MatchBegun(TypedDict):
    type: Literal["match"]
    number: int
    match: MatchFields


class MatchOver(TypedDict):
    type: Literal["match-over"]
    number: int
    id: str


class Counts(CountFields):
    """The counters have changed; no numbered change."""

    type: Literal["counts"]


class Watching(TypedDict):
    """How many watch each match that somebody watches, the match on the front page, and of each game the live
    match that is shown; it has no number.
    """

    type: Literal["watching"]
    counts: dict[str, int]
    featured: str | None
    live: dict[str, str]


class Latest(TypedDict):
    type: Literal["latest"]
    number: int


class Pong(TypedDict):
    type: Literal["pong"]
    t: float
    number: int


# The chat: unnumbered, since lines have numbers of their own.


class LineFields(TypedDict):
    id: int
    name: str
    text: str
    at: str


class Chat(TypedDict):
    type: Literal["chat"]
    lines: list[LineFields]
    silenced: list[str]
    heard: list[str] | None


class Line(TypedDict):
    type: Literal["line"]
    line: LineFields


class LineGone(TypedDict):
    type: Literal["line-gone"]
    id: int


class Renamed(TypedDict):
    type: Literal["renamed"]
    old: str
    new: str


class Accepted(TypedDict):
    type: Literal["accepted"]
    id: str


class Refused(TypedDict):
    type: Literal["refused"]
    id: str
    code: str
    detail: str


Talk: TypeAlias = Chat | Line | LineGone | Renamed | Accepted | Refused
News: TypeAlias = Lobby | TableChange | TableGone | MatchBegun | MatchOver | Counts | Watching | Latest | Pong
Outgoing: TypeAlias = News | Talk


# To one person, on the socket that every page opens for whoever is signed in.


class ComputerFields(TypedDict):
    """The computer player that is offered to somebody who has waited for `after` seconds."""

    name: str
    level: int
    after: float


class SeekFields(TypedDict):
    """What somebody waits for in the queue of quick pairing; `waited` is in seconds."""

    game: str
    preset: str
    clock: str
    rated: bool
    seats: int
    waited: float
    computer: ComputerFields | None


class PairedFields(TypedDict):
    """The match that was found; `opponents` are the names of those who play there too."""

    match: str
    opponents: list[str]


class Situation(TypedDict):
    """Where somebody stands with quick pairing: they wait, or they were paired and may not know it yet."""

    seek: SeekFields | None
    paired: PairedFields | None


class CallFields(TypedDict):
    """Somebody asks this person back to a match, for `left` milliseconds more if that is not null."""

    match: str
    kind: Literal["resume", "rematch"]
    by: str
    title: str
    left: int | None


class Hello(Situation):
    type: Literal["hello"]
    challenges: list[TableFields]
    calls: list[CallFields]
    waiting: list[str]


class MyTable(TypedDict):
    type: Literal["table"]
    table: TableFields


class MyTableGone(TypedDict):
    type: Literal["table-gone"]
    id: str
    begun: bool


class MyMatch(TypedDict):
    """A match of this person that others may not know of began, or goes on."""

    type: Literal["match"]
    match: MatchFields


class MyMatchOver(TypedDict):
    """The same has ended, or was put away."""

    type: Literal["match-over"]
    id: str


class Declined(TypedDict):
    type: Literal["declined"]
    table: str
    name: str
    title: str


class Turn(TypedDict):
    type: Literal["turn"]
    match: str
    mine: bool


class CallMade(TypedDict):
    type: Literal["call"]
    call: CallFields


class CallOver(TypedDict):
    """Nobody asks this person back to the match any more."""

    type: Literal["call-over"]
    match: str


class Begun(TypedDict):
    """Everybody has agreed to a rematch, and it has begun."""

    type: Literal["begun"]
    match: str
    rematch_of: str | None
    title: str


class OtherFields(TypedDict):
    name: str
    here: bool
    words: str


class SavedFields(TypedDict):
    """A saved match; `words` say whose turn it is and since when it rests."""

    id: str
    title: str
    players: list[str]
    words: str
    others: list[OtherFields]


class SavedMatches(TypedDict):
    type: Literal["saved"]
    matches: list[SavedFields]


class ChangeFields(TypedDict):
    """A rating as it is shown; provisional if too little is known for the number to mean much."""

    before: int
    after: int
    provisional: bool


class OthersChange(ChangeFields):
    name: str


class RatingChange(TypedDict):
    """What a match did to this person's rating, null if nothing, or nothing yet, and to their opponents'."""

    type: Literal["rating"]
    match: str
    change: ChangeFields | None
    others: list[OthersChange]


class Pairing(Situation):
    """It has changed, or it was asked for."""

    type: Literal["pairing"]


class PersonalPong(TypedDict):
    type: Literal["pong"]
    t: float


class Silenced(TypedDict):
    type: Literal["silenced"]
    names: list[str]


class PersonFields(TypedDict):
    name: str
    online: bool
    match: str | None
    words: str


class People(TypedDict):
    type: Literal["people"]
    people: list[PersonFields]


MyMatches: TypeAlias = (
    MyMatch | MyMatchOver | Turn | CallMade | CallOver | Begun | SavedMatches | RatingChange
)
Personal: TypeAlias = (
    Hello | Pairing | Silenced | People | MyTable | MyTableGone | Declined | MyMatches | PersonalPong
)


# In the rooms of a match.


class TalkLineFields(LineFields):
    """A line with its room; of a preset, `text` is for who does not know its key."""

    room: RoomOfMatch
    preset: str | None


class Rooms(TypedDict):
    """All that the reader may read, and where they may speak. It stands for all that was told before."""

    type: Literal["rooms"]
    read: list[RoomOfMatch]
    speak: list[RoomOfMatch]
    lines: list[TalkLineFields]
    silenced: list[str]
    heard: list[str] | None


class TalkLine(TypedDict):
    type: Literal["line"]
    line: TalkLineFields


MatchTalk: TypeAlias = Rooms | TalkLine | LineGone | Renamed | Accepted | Refused | PersonalPong

"""All messages of the lobby's three sockets, in both directions, and their parsers.

`lobby.feed.lobby_feed` builds the outgoing ones. docs/reference/protocol.md describes them for authors of
clients; a test checks its examples against these types.
"""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import TypedDict

from games.domain.messages import PRINTABLE, CommandId, OutcomeFields
from games.watch.board_messages import MatchId
from lobby.studies.tree import NodeId, Operation

Text: TypeAlias = Annotated[str, StringConstraints(max_length=4000)]
"""The text of a chat line. Only a bound: a line that is too long gets a "refused"."""


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ListRequest(_Message):
    """Send the whole list, because a change is missing."""

    type: Literal["list"]


class Ping(_Message):
    """Heartbeat; `t` is returned unchanged."""

    type: Literal["ping"]
    t: float


class ChatRequest(_Message):
    """Send the last lines of the chat, and new lines from now on."""

    type: Literal["chat"]


class SayCommand(_Message):
    """Say `text` in the chat."""

    type: Literal["say"]
    id: CommandId
    text: Text


class PeopleRequest(_Message):
    """Send the status of the players I follow, and changes from now on."""

    type: Literal["people"]


class PairingRequest(_Message):
    """Send my state in quick pairing."""

    type: Literal["pairing"]


class SavedRequest(_Message):
    """Send my saved matches, and changes from now on."""

    type: Literal["saved"]


class LookingNote(_Message):
    """This page is visible, at a path of the site; null: it is hidden."""

    type: Literal["looking"]
    at: Annotated[str, StringConstraints(pattern=PRINTABLE, max_length=200)] | None


class RatingRequest(_Message):
    """Send my rating change in this match."""

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
    """Say a preset sentence, by its key."""

    type: Literal["preset"]
    id: CommandId
    room: RoomOfMatch
    preset: Annotated[str, StringConstraints(max_length=20)]


ChapterId: TypeAlias = Annotated[int, Field(ge=1, le=2**53)]


class OperateCommand(_Message):
    """Carry out an operation on a chapter of the study."""

    type: Literal["operate"]
    id: CommandId
    chapter: ChapterId
    operation: Operation


class CursorNote(_Message):
    """I look at this node, or where the leader looks. Whoever follows goes there too if I lead."""

    type: Literal["cursor"]
    chapter: ChapterId
    node: NodeId
    leads: bool
    # Pages that are open since before 2026-11-28 do not send it.
    follows: bool = False


Incoming: TypeAlias = ListRequest | ChatRequest | SayCommand | Ping
PersonalIncoming: TypeAlias = (
    PeopleRequest | PairingRequest | SavedRequest | LookingNote | RatingRequest | Ping
)
ClubIncoming: TypeAlias = ChatRequest | SayCommand | Ping
StudyIncoming: TypeAlias = OperateCommand | CursorNote | Ping
TalkIncoming: TypeAlias = ChatRequest | TalkCommand | PresetCommand | Ping

incoming: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])
personal_incoming: TypeAdapter[PersonalIncoming] = TypeAdapter(
    Annotated[PersonalIncoming, Field(discriminator="type")]
)
club_incoming: TypeAdapter[ClubIncoming] = TypeAdapter(Annotated[ClubIncoming, Field(discriminator="type")])
study_incoming: TypeAdapter[StudyIncoming] = TypeAdapter(
    Annotated[StudyIncoming, Field(discriminator="type")]
)
talk_incoming: TypeAdapter[TalkIncoming] = TypeAdapter(Annotated[TalkIncoming, Field(discriminator="type")])


# To the browser. `number` is the sequence number of the lobby's changes.


class TableFields(TypedDict):
    """An open table, as the lobby lists it."""

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
    """A match in play; `holder` is the host of a hot-seat match, null for others."""

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
    """The number of players in the queue for a tile, rated or casual."""

    game: str
    tile: str
    rated: bool
    people: int


class CountFields(TypedDict):
    """Number of users online, live matches and players in the queue, and the queue by tile."""

    online: int
    playing: int
    waiting: int
    seeks: list[SeekersFields]


class Lobby(TypedDict):
    """The whole lobby after change `number`."""

    type: Literal["lobby"]
    number: int
    counts: CountFields
    tables: list[TableFields]
    matches: list[MatchFields]
    featured: str | None
    live: dict[str, str]


class TableChange(TypedDict):
    """A table is new or has changed."""

    type: Literal["table"]
    number: int
    table: TableFields


class TableGone(TypedDict):
    """A table is gone: it was cancelled, or its match has begun and is private."""

    type: Literal["table-gone"]
    number: int
    id: str
    begun: bool


class MatchBegun(TypedDict):
    """A match has begun."""

    type: Literal["match"]
    number: int
    match: MatchFields


class MatchesBegun(TypedDict):
    """Matches began together, as a round of a tournament does; the newest first."""

    type: Literal["matches"]
    number: int
    matches: list[MatchFields]


class MatchOver(TypedDict):
    """A match has ended."""

    type: Literal["match-over"]
    number: int
    id: str


class Counts(CountFields):
    """The counters have changed; without a sequence number."""

    type: Literal["counts"]


class Watching(TypedDict):
    """Spectators by match, the featured match, and the live match shown for each game.

    Without a sequence number.
    """

    type: Literal["watching"]
    counts: dict[str, int]
    featured: str | None
    live: dict[str, str]


class Latest(TypedDict):
    """The number of the last change, if the page has missed none."""

    type: Literal["latest"]
    number: int


class Pong(TypedDict):
    """The answer to a ping: its `t`, and the number of the last change."""

    type: Literal["pong"]
    t: float
    number: int


# The chat: without sequence numbers, since lines have ids.


class LineFields(TypedDict):
    """A line of chat; `at` is its time in ISO 8601."""

    id: int
    name: str
    text: str
    at: str


class Chat(TypedDict):
    """The last lines of the lobby chat, and whose lines the reader does not see."""

    type: Literal["chat"]
    lines: list[LineFields]
    silenced: list[str]
    heard: list[str] | None


class Line(TypedDict):
    """A new line of the lobby chat."""

    type: Literal["line"]
    line: LineFields


class LineGone(TypedDict):
    """A moderator has deleted a line."""

    type: Literal["line-gone"]
    id: int


class Renamed(TypedDict):
    """A user has a new name."""

    type: Literal["renamed"]
    old: str
    new: str


class Accepted(TypedDict):
    """The request `id` was carried out."""

    type: Literal["accepted"]
    id: str


class Refused(TypedDict):
    """The request `id` was refused and has changed nothing."""

    type: Literal["refused"]
    id: str
    code: str
    detail: str


# Studies.


class ChapterFields(TypedDict):
    """A chapter, and the number of its last operation."""

    id: int
    title: str
    number: int


class StudyNow(TypedDict):
    """A study as it is: when the feed begins, and when it changes. `role` is the reader’s."""

    type: Literal["study"]
    title: str
    role: Literal["read", "comment", "write", "owner"]
    chapters: list[ChapterFields]


class NodeFields(TypedDict):
    """A node of a tree (docs/reference/study-file.md), without what is empty.

    The sibling with the highest `rank` comes first, then the one with the lowest `id`.
    """

    id: int
    parent: NotRequired[int]
    action: NotRequired[str]
    dice: NotRequired[list[int]]
    comment: NotRequired[str]
    glyph: NotRequired[str]
    marks: NotRequired[list[str]]
    rank: int
    removed: bool


class DueFields(TypedDict):
    """How many dice are about to be rolled, and how many sides they have."""

    count: int
    sides: int


class ProvedFields(TypedDict):
    """The proved result for the seat to move: 1 is a win, 0 a draw, -1 a loss."""

    result: int
    score: int | None
    turns: int | None


class PositionFields(TypedDict):
    """What a node led to. `due` are dice that are about to be rolled; `value` is null if not proved."""

    action: str
    dice: list[int] | None
    events: list[dict[str, Any]]
    state: dict[str, Any]
    position: str
    legal: list[str]
    due: DueFields | None
    outcome: OutcomeFields | None
    value: ProvedFields | None


class ChapterChanged(TypedDict):
    """Operation `number` on a chapter: the nodes that it changed, and by node the positions of new ones."""

    type: Literal["changed"]
    chapter: int
    number: int
    by: str
    nodes: list[NodeFields]
    plies: dict[str, PositionFields]


class Cursor(TypedDict):
    """Somebody looks at a node and leads those who follow, or looks where the leader looks."""

    type: Literal["cursor"]
    by: str
    chapter: int
    node: int
    leads: bool
    follows: bool


class Left(TypedDict):
    """Somebody has closed the page of the study."""

    type: Literal["left"]
    by: str


class OperationDone(TypedDict):
    """The operation `id` was carried out as `number`; it is about `node`."""

    type: Literal["accepted"]
    id: str
    number: int
    node: int


Talk: TypeAlias = Chat | Line | LineGone | Renamed | Accepted | Refused
Change: TypeAlias = TableChange | TableGone | MatchBegun | MatchesBegun | MatchOver
News: TypeAlias = Lobby | Change | Counts | Watching | Latest | Pong
Outgoing: TypeAlias = News | Talk


# The personal socket, which every page of a signed-in user opens.


class ComputerFields(TypedDict):
    """The computer player that is offered to somebody who has waited for `after` seconds."""

    name: str
    level: int
    after: float


class SeekFields(TypedDict):
    """What somebody waits for in the queue of quick pairing.

    `title` is that of the game in their language; `waited` is in seconds.
    """

    game: str
    title: str
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
    """A player asks this user back to a match, for another `left` milliseconds (null: no limit)."""

    match: str
    kind: Literal["resume", "rematch"]
    by: str
    title: str
    left: int | None


class NextMatchFields(TypedDict):
    """A tournament match that has begun and in which this user has not moved yet.

    `name` is that of the tournament, `title` that of the game. `left` are the milliseconds for the first move
    of the player on turn; null without a clock.
    """

    match: str
    tournament: str
    name: str
    title: str
    round: int
    table: int
    opponents: list[str]
    left: int | None


class MuteFields(TypedDict):
    """A moderator keeps this user out of all chats for `left` milliseconds; `words` say why."""

    words: str
    left: int


class MessageFields(TypedDict):
    """A message from one account to another."""

    id: int
    sender: str
    recipient: str
    text: str
    at: str


class Hello(Situation):
    """`muted` is null for users who may chat; `unread` conversations have new messages."""

    type: Literal["hello"]
    challenges: list[TableFields]
    calls: list[CallFields]
    waiting: list[str]
    left: dict[str, int]
    next: list[NextMatchFields]
    muted: MuteFields | None
    unread: int


class InboxMessage(TypedDict):
    """This user has received or sent a message; `unread` conversations have new messages now."""

    type: Literal["message"]
    message: MessageFields
    unread: int


class MessageGone(TypedDict):
    """A moderator has hidden a message."""

    type: Literal["message-gone"]
    id: int


class Unread(TypedDict):
    """The number of conversations with new messages."""

    type: Literal["unread"]
    unread: int


class Muted(TypedDict):
    """A moderator has muted this user, or has ended the mute (null)."""

    type: Literal["muted"]
    muted: MuteFields | None


class NextMatch(TypedDict):
    """A tournament match of this user has begun. It may be told again."""

    type: Literal["next-match"]
    next: NextMatchFields


class MyTable(TypedDict):
    """A table of the user has changed."""

    type: Literal["table"]
    table: TableFields


class MyTableGone(TypedDict):
    """A table of the user is closed; `begun` says whether its match has begun."""

    type: Literal["table-gone"]
    id: str
    begun: bool


class MyMatch(TypedDict):
    """A match of this user began or resumed that spectators may not know of."""

    type: Literal["match"]
    match: MatchFields


class MyMatchOver(TypedDict):
    """A match of this user ended or was saved that spectators may not know of."""

    type: Literal["match-over"]
    id: str


class Declined(TypedDict):
    """A user has declined an invitation to a table."""

    type: Literal["declined"]
    table: str
    name: str
    title: str


class Turn(TypedDict):
    """`left` is the time for my move in milliseconds; null if it is not my turn, or without a clock."""

    type: Literal["turn"]
    match: str
    mine: bool
    left: int | None


class CallMade(TypedDict):
    """Another player asks the user to come back to a match."""

    type: Literal["call"]
    call: CallFields


class CallOver(TypedDict):
    """The call to the match is over."""

    type: Literal["call-over"]
    match: str


class Begun(TypedDict):
    """A rematch has begun."""

    type: Literal["begun"]
    match: str
    rematch_of: str | None
    title: str


class OtherFields(TypedDict):
    """Another player of a saved match; `words` says when they were last here."""

    name: str
    here: bool
    words: str


class SavedFields(TypedDict):
    """A saved match; `words` say whose turn it is and when it was saved."""

    id: str
    title: str
    players: list[str]
    words: str
    others: list[OtherFields]


class SavedMatches(TypedDict):
    """The saved matches of the user."""

    type: Literal["saved"]
    matches: list[SavedFields]


class ChangeFields(TypedDict):
    """A rating as displayed; provisional if it is still too uncertain."""

    before: int
    after: int
    provisional: bool


class OthersChange(ChangeFields):
    """Another player of a saved match has come or gone."""

    name: str


class RatingChange(TypedDict):
    """The match's change of this user's rating (null: none, or not yet), and of the opponents'."""

    type: Literal["rating"]
    match: str
    change: ChangeFields | None
    others: list[OthersChange]


class Pairing(Situation):
    """The state has changed, or was requested."""

    type: Literal["pairing"]


class PersonalPong(TypedDict):
    """The answer to a ping, with its `t`."""

    type: Literal["pong"]
    t: float


class Silenced(TypedDict):
    """The names of users whose lines the reader does not see."""

    type: Literal["silenced"]
    names: list[str]


class PersonFields(TypedDict):
    """A followed user; `match` is the id of the match that they play."""

    name: str
    online: bool
    match: str | None
    words: str


class People(TypedDict):
    """The users whom the reader follows."""

    type: Literal["people"]
    people: list[PersonFields]


MyMatches: TypeAlias = (
    MyMatch | MyMatchOver | Turn | CallMade | CallOver | Begun | NextMatch | SavedMatches | RatingChange
)
Inbox: TypeAlias = InboxMessage | MessageGone | Unread
Personal: TypeAlias = (
    Inbox
    | Hello
    | Pairing
    | Silenced
    | Muted
    | People
    | MyTable
    | MyTableGone
    | Declined
    | MyMatches
    | PersonalPong
)


# The chat of a match.


class TalkLineFields(LineFields):
    """A line with its room; of a preset, `text` is for who does not know its key.

    `called` is what the author is called in this match, if not by `name`: guests of an evening have first
    names.
    """

    room: RoomOfMatch
    preset: str | None
    called: str | None


class Rooms(TypedDict):
    """All that the reader may read, and where they may speak. It stands for all that was told before."""

    type: Literal["rooms"]
    read: list[RoomOfMatch]
    speak: list[RoomOfMatch]
    lines: list[TalkLineFields]
    silenced: list[str]
    heard: list[str] | None


class TalkLine(TypedDict):
    """A new line in a room of the match."""

    type: Literal["line"]
    line: TalkLineFields


ClubTalk: TypeAlias = Talk | PersonalPong
MatchTalk: TypeAlias = Rooms | TalkLine | LineGone | Renamed | Accepted | Refused | PersonalPong
StudyTalk: TypeAlias = StudyNow | ChapterChanged | Cursor | Left | OperationDone | Refused | PersonalPong

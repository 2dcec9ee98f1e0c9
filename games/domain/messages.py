"""Every message of a match socket, both directions, and the one place that parses them.

docs/reference/protocol.md describes them for people who write clients; a test holds its examples against the
types here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from games.rules.base import Seat, gettext_noop

LARGEST = 4096
"""Bytes of the longest message a client may send; the longest sensible one is far below."""


class Malformed(ValueError):
    """A message that is none of those below; `code` is "malformed" or "too-large"."""

    def __init__(self, code: str, sentence: str, **params: object) -> None:
        super().__init__(sentence % params)
        self.code, self.sentence, self.params = code, sentence, params


# From the client

CommandId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]


def server_id(*parts: object) -> str:
    """The id of a command that the server makes, which no client can send: its parts with colons between."""
    return ":".join(map(str, parts))


# Neither control characters nor those that turn the direction of writing.
PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$"
MOST_PLIES = 1_000_000
PlyNumber = Annotated[int, Field(ge=0, le=MOST_PLIES)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=32)]


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class MoveCommand(_Message):
    """Play `move` (the game's notation) on the position after ply `after`."""

    type: Literal["move"]
    id: CommandId
    after: PlyNumber
    move: MoveText


class ResignCommand(_Message):
    """Leave the match for good, having seen ply `after`."""

    type: Literal["resign"]
    id: CommandId
    after: PlyNumber


OfferKind = Literal["draw", "take-back", "pause", "save", "resume", "end"]
"""What seats can agree on; `games.domain.offers` says when, and who has to."""
ClaimKind = Literal["win", "draw", "caretaker", "abort"]
"""What can be claimed instead of waiting; `games.play.validation.claimed` says when."""
PlainCommand = Literal["move", "resign", "decline", "abort", "reclaim", "words", "rematch"]
"""Commands that are allowed or not, whatever is in them; `games.play.permissions` says when."""


class OfferCommand(_Message):
    """Offer something to the others, or agree to what is on offer. Repeating it changes nothing."""

    type: Literal["offer"]
    id: CommandId
    after: PlyNumber
    kind: OfferKind


class DeclineCommand(_Message):
    """Turn an offer down, or take one's own back. Nothing happens if there is none."""

    type: Literal["decline"]
    id: CommandId
    after: PlyNumber
    kind: OfferKind


class AbortCommand(_Message):
    """End a match that has not really begun; it counts for nobody."""

    type: Literal["abort"]
    id: CommandId
    after: PlyNumber


class ClaimCommand(_Message):
    """Do not wait any longer for the seat on turn, or for a saved match to go on."""

    type: Literal["claim"]
    id: CommandId
    after: PlyNumber
    kind: ClaimKind


class ReclaimCommand(_Message):
    """Play again, instead of the bot that took one's chair."""

    type: Literal["reclaim"]
    id: CommandId
    after: PlyNumber


class RematchCommand(_Message):
    """Offer a rematch, or accept the one on offer. Repeating it changes nothing."""

    type: Literal["rematch"]
    id: CommandId


class WordsCommand(_Message):
    """Add one's own words to the dice, before the first ply."""

    type: Literal["words"]
    id: CommandId
    words: Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=PRINTABLE)]


class HideCrowdCommand(_Message):
    """Hide who watches, or do so no longer as far as this seat goes. Repeating it changes nothing."""

    type: Literal["hide-crowd"]
    id: CommandId
    hidden: bool


class SyncRequest(_Message):
    """Send the plies since `after`."""

    type: Literal["sync"]
    after: PlyNumber


class OddsRequest(_Message):
    """What is the chance that this game tells on request?"""

    type: Literal["odds"]


class HintRequest(_Message):
    """What would the best computer player do, on the position after ply `after`?"""

    type: Literal["hint"]
    id: CommandId
    after: PlyNumber


class Ping(_Message):
    """Is anybody there? `t` comes back unchanged."""

    type: Literal["ping"]
    t: float


class ProbeAnswer(_Message):
    """The number of the server's last `probe`, sent back at once."""

    type: Literal["probe"]
    n: Annotated[int, Field(ge=0, le=1_000_000_000)]


PlyCommand: TypeAlias = (
    MoveCommand | ResignCommand | OfferCommand | DeclineCommand | AbortCommand | ClaimCommand | ReclaimCommand
)
"""Commands that may make a ply, or speak of the position after one."""
Command: TypeAlias = PlyCommand | RematchCommand | WordsCommand | HideCrowdCommand
Incoming: TypeAlias = Command | SyncRequest | OddsRequest | HintRequest | Ping | ProbeAnswer

_incoming: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])


def parse(text: str) -> Incoming:
    """The message in `text`. Raises `Malformed`."""
    # A letter has four bytes at most.
    if len(text) * 4 > LARGEST and len(text.encode("utf-8", "surrogatepass")) > LARGEST:
        raise Malformed("too-large", gettext_noop("A message may have %(most)d bytes at most."), most=LARGEST)
    try:
        return _incoming.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "message"
        raise Malformed(
            "malformed", gettext_noop("%(where)s: %(problem)s."), where=where, problem=first["msg"]
        ) from None


# Over HTTP


class ConditionalBody(_Message):
    """Lines from the position after ply `after` on: the opponent's moves and one's own, in turn."""

    after: PlyNumber
    lines: Annotated[list[Annotated[list[MoveText], Field(max_length=200)]], Field(max_length=200)]


# To the client. Plain dictionaries at run time: they are made for every ply.


class OutcomeFields(TypedDict):
    winners: list[Seat]
    reason: str
    scores: list[int]


class SeatFields(TypedDict):
    """Who sits there; `level` is that of a computer player, null for everybody else."""

    seat: Seat
    name: str
    level: int | None


class DiceFields(TypedDict):
    """What makes the dice verifiable; `secret` is null until the match has ended."""

    commitment: str
    words: list[str]
    secret: str | None


class ControlFields(TypedDict):
    """How time is given, in milliseconds; `first_move` is null where there is no such limit."""

    notation: str
    initial: int
    increment: int
    per_move: int
    simple_delay: int
    first_move: int | None


class ClockFields(TypedDict):
    """The clocks of all seats (`games.domain.clock.Clocks`), in milliseconds."""

    left: list[int]
    running: Seat | None
    at: int
    fresh: list[Seat]
    budget: list[int]


class OfferFields(TypedDict):
    """An offer by seat `by`, to which the seats in `agreed` have agreed; open until that moment in ms."""

    kind: OfferKind
    by: Seat
    agreed: list[Seat]
    until: int


class MatchFields(TypedDict):
    """A match and its terms; `shared` says that all play at one board, which somebody holds for them.

    `absence` is how many ms somebody on turn may be away, null: for ever.
    """

    id: str
    game: str
    options: dict[str, Any]
    rated: bool
    draws: bool
    shared: bool
    absence: int | None
    seats: list[SeatFields]
    offered: list[Seat]
    rematch: str | None
    dice: DiceFields | None
    clock: ControlFields | None


class AwayFields(TypedDict):
    """A seat whose player is nowhere connected, and since which moment, in milliseconds of Unix time.

    On turn they need not be waited for from the moment `due` on; null where only the clock counts.
    """

    seat: Seat
    since: int
    due: int | None


class MayFields(TypedDict):
    """What a seat may do in a position.

    `commands` are those without a kind, `offer` what it may propose, `agree` which offers of others it may
    agree to until they end, `claim` what it may claim once the player on turn has been away until `due`, or
    from the moment `idle_due` on.
    """

    commands: list[PlainCommand]
    offer: list[OfferKind]
    agree: list[OfferKind]
    claim: list[ClaimKind]


class PlyFields(TypedDict):
    number: int
    seat: Seat | None
    action: str
    dice: list[int] | None
    events: list[dict[str, Any]]
    state: dict[str, Any]
    command: str | None
    at: str
    clocks: NotRequired[ClockFields]


class MatchNow(TypedDict):
    """A match as somebody may know it, without who is there: on request, for programs."""

    type: Literal["snapshot"]
    match: MatchFields
    you: Seat | None
    ply: int
    start: dict[str, Any]
    state: dict[str, Any]
    outcome: OutcomeFields | None
    halted: Literal["paused", "saved"] | None
    idle_due: int | None
    acted: list[Seat]
    left: list[Seat]
    caretaken: list[Seat]
    offers: list[OfferFields]
    may: NotRequired[MayFields]
    legal: NotRequired[list[str]]
    clocks: NotRequired[ClockFields]
    time: int


class Snapshot(MatchNow):
    watchers: int
    names: list[str]
    present: list[Seat]
    away: list[AwayFields]
    hidden: bool
    hidden_by: list[Seat]


class Plies(TypedDict):
    type: Literal["plies"]
    after: int
    plies: list[PlyFields]
    outcome: OutcomeFields | None
    halted: NotRequired[Literal["paused", "saved"] | None]
    idle_due: NotRequired[int | None]
    acted: NotRequired[list[Seat]]
    left: NotRequired[list[Seat]]
    caretaken: NotRequired[list[Seat]]
    secret: NotRequired[str]
    time: NotRequired[int]
    may: NotRequired[MayFields]
    legal: NotRequired[list[str]]


class Accepted(TypedDict):
    type: Literal["accepted"]
    id: str
    ply: int


class Refused(TypedDict):
    type: Literal["refused"]
    id: str | None
    code: str
    detail: str
    ply: NotRequired[int]
    state: NotRequired[dict[str, Any]]
    halted: NotRequired[Literal["paused", "saved"] | None]
    idle_due: NotRequired[int | None]
    acted: NotRequired[list[Seat]]
    left: NotRequired[list[Seat]]
    caretaken: NotRequired[list[Seat]]
    may: NotRequired[MayFields]
    legal: NotRequired[list[str]]


class Crowd(TypedDict):
    """Who is at the match: none of the watchers while `hidden`, which it is as long as any seat wants it."""

    type: Literal["crowd"]
    watchers: int
    names: list[str]
    present: list[Seat]
    away: list[AwayFields]
    hidden: bool
    hidden_by: list[Seat]


class Offers(TypedDict):
    """All that is on offer in the position after ply `ply`. The next ply ends every offer."""

    type: Literal["offers"]
    ply: int
    offers: list[OfferFields]
    may: NotRequired[MayFields]


class Rematch(TypedDict):
    type: Literal["rematch"]
    offered: list[Seat]
    match: str | None


class Words(TypedDict):
    type: Literal["words"]
    words: list[str]


class Odds(TypedDict):
    """The answer to `OddsRequest`, for the position after ply `ply`; null: there is nothing to tell."""

    type: Literal["odds"]
    ply: int
    chance: float | None


class Hint(TypedDict):
    """The answer to `HintRequest`, for the position after ply `ply` (`games.bots.base.Evaluation`).

    `move` is the best for whoever asked, `share` the share of the win to be expected then, from 0 to 1,
    `score` by how many points it would be won, null in games that count none. `proved` says that the match
    ends like that if nobody errs.
    """

    type: Literal["hint"]
    ply: int
    move: str
    share: float
    score: int | None
    proved: bool


class Waking(TypedDict):
    """The computer player on turn after ply `ply` is not ready to think yet; said again while that is so."""

    type: Literal["waking"]
    ply: int


class Clocks(TypedDict):
    """The clocks after ply `ply` once more, since the site was away and nobody is charged for it."""

    type: Literal["clocks"]
    ply: int
    clocks: ClockFields
    time: int


class Probe(TypedDict):
    """To be answered at once with the same number: the server measures how far away a player is."""

    type: Literal["probe"]
    n: int


class Pong(TypedDict):
    type: Literal["pong"]
    t: float
    ply: int


class Error(TypedDict):
    type: Literal["error"]
    code: str
    detail: str


Outgoing: TypeAlias = (
    Snapshot
    | Plies
    | Accepted
    | Refused
    | Crowd
    | Offers
    | Rematch
    | Words
    | Odds
    | Hint
    | Waking
    | Clocks
    | Probe
    | Pong
    | Error
)

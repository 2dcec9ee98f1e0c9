"""All messages of the match socket in both directions, and the only code that parses them.

docs/reference/protocol.md describes them for authors of clients; a test checks its examples against these
types.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from games.domain import strict_json
from games.rules.base import Seat, gettext_noop

LARGEST = 4096
"""Size limit of a client message in bytes, far above any sensible one."""


class Malformed(ValueError):
    """An invalid message; `code` is "malformed" or "too-large"."""

    def __init__(self, code: str, sentence: str, **params: object) -> None:
        super().__init__(sentence % params)
        self.code, self.sentence, self.params = code, sentence, params


# From the client

COMMAND_ID = r"^[A-Za-z0-9_-]{8,64}$"
CommandId = Annotated[str, StringConstraints(pattern=COMMAND_ID)]


def server_id(*parts: object) -> str:
    """The id of a command made by the server. Its colons keep clients from sending the same id."""
    return ":".join(map(str, parts))


# No control characters, and none that change the text direction.
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
"""Kinds of offers; see `games.domain.offers` and `games.play.offer_rules.offered`."""
ClaimKind = Literal["win", "draw", "caretaker", "abort"]
"""Kinds of claims against an absent player; see `games.play.claims.claimed`."""
PlainCommand = Literal["move", "resign", "decline", "abort", "reclaim", "words", "rematch"]
"""Commands whose permission does not depend on their content; see `games.play.permissions`."""


class OfferCommand(_Message):
    """Make an offer to the other players, or agree to an open one. Idempotent."""

    type: Literal["offer"]
    id: CommandId
    after: PlyNumber
    kind: OfferKind


class DeclineCommand(_Message):
    """Decline an offer, or withdraw one's own. No effect if there is none."""

    type: Literal["decline"]
    id: CommandId
    after: PlyNumber
    kind: OfferKind


class AbortCommand(_Message):
    """Abort a match that has hardly begun; it has no result."""

    type: Literal["abort"]
    id: CommandId
    after: PlyNumber


class ClaimCommand(_Message):
    """Stop waiting for the seat on turn, or for a saved match to be resumed."""

    type: Literal["claim"]
    id: CommandId
    after: PlyNumber
    kind: ClaimKind


class ReclaimCommand(_Message):
    """Return to the match in place of the bot that plays for the seat."""

    type: Literal["reclaim"]
    id: CommandId
    after: PlyNumber


class RematchCommand(_Message):
    """Offer a rematch, or accept one. Idempotent."""

    type: Literal["rematch"]
    id: CommandId


class WordsCommand(_Message):
    """Add a client seed to the dice, before the first ply."""

    type: Literal["words"]
    id: CommandId
    words: Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=PRINTABLE)]


class HideCrowdCommand(_Message):
    """Hide the spectators, or withdraw this seat's wish to. Idempotent."""

    type: Literal["hide-crowd"]
    id: CommandId
    hidden: bool


class SyncRequest(_Message):
    """Send the plies since `after`."""

    type: Literal["sync"]
    after: PlyNumber


class OddsRequest(_Message):
    """Request the odds that this game shows on request."""

    type: Literal["odds"]


class HintRequest(_Message):
    """Request the best computer player's move in the position after ply `after`."""

    type: Literal["hint"]
    id: CommandId
    after: PlyNumber


class Ping(_Message):
    """A keep-alive ping. `t` comes back unchanged."""

    type: Literal["ping"]
    t: float


class ProbeAnswer(_Message):
    """The number of the server's last `probe`, returned at once."""

    type: Literal["probe"]
    n: Annotated[int, Field(ge=0, le=1_000_000_000)]


PlyCommand: TypeAlias = (
    MoveCommand | ResignCommand | OfferCommand | DeclineCommand | AbortCommand | ClaimCommand | ReclaimCommand
)
"""Commands that may make a ply, or that refer to the position after one."""
Command: TypeAlias = PlyCommand | RematchCommand | WordsCommand | HideCrowdCommand
Incoming: TypeAlias = Command | SyncRequest | OddsRequest | HintRequest | Ping | ProbeAnswer

_incoming: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])


def parse(text: str) -> Incoming:
    """Parse a client message. Raises `Malformed`."""
    # Shortcut: UTF-8 takes at most four bytes per character.
    if len(text) * 4 > LARGEST and len(text.encode("utf-8", "surrogatepass")) > LARGEST:
        raise Malformed("too-large", gettext_noop("A message can have at most %(most)d bytes."), most=LARGEST)
    try:
        return cast(Incoming, strict_json.adapted(_incoming, text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "message"
        raise Malformed(
            "malformed", gettext_noop("%(where)s: %(problem)s."), where=where, problem=first["msg"]
        ) from None


# Over HTTP


class ConditionalBody(_Message):
    """Lines from the position after ply `after`: moves of the opponent and of the player."""

    after: PlyNumber
    lines: Annotated[list[Annotated[list[MoveText], Field(max_length=200)]], Field(max_length=200)]


# To the client. TypedDicts, since they are created for every ply.


class OutcomeFields(TypedDict):
    """How a match ended; scores are by seat."""

    winners: list[Seat]
    reason: str
    scores: list[int]


class SeatFields(TypedDict):
    """The player of a seat; `level` is the level of a computer player, null for people."""

    seat: Seat
    name: str
    level: int | None


class DiceFields(TypedDict):
    """The data to verify the dice; `secret` is null until the match has ended."""

    commitment: str
    words: list[str]
    secret: str | None


class ControlFields(TypedDict):
    """The time control, in milliseconds; `first_move` is null if there is no such limit.

    In a simul `host` is the seat of the host, who has `extra` more time; otherwise `host` is null.
    """

    notation: str
    initial: int
    increment: int
    per_move: int
    simple_delay: int
    host: Seat | None
    extra: int
    first_move: int | None


class ClockFields(TypedDict):
    """The clocks of all seats (`games.domain.clock.Clocks`), in milliseconds."""

    left: list[int]
    running: Seat | None
    at: int
    fresh: list[Seat]
    budget: list[int]


class VacationFields(TypedDict):
    """A vacation of a seat, in milliseconds of Unix time. Its clock is not charged for this time."""

    seat: Seat
    begins: int
    ends: int


class OfferFields(TypedDict):
    """An offer by seat `by`; `agreed` are the seats that agree to it. It expires at `until` (Unix ms)."""

    kind: OfferKind
    by: Seat
    agreed: list[Seat]
    until: int


class MatchFields(TypedDict):
    """A match and its terms. `shared` says that all players share one board (hot-seat).

    `from_position`: it began elsewhere than at the start of the game.
    `absence` is how many ms the player on turn may be away; null for no limit.
    """

    id: str
    game: str
    options: dict[str, Any]
    from_position: bool
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
    """A disconnected seat, and since when, in milliseconds of Unix time.

    If it is on turn, the others need not wait from `due` on; null if only the clock counts.
    """

    seat: Seat
    since: int
    due: int | None


class MayFields(TypedDict):
    """What a seat may do in a position.

    `commands` are allowed commands without a kind, `offer` the offers it may make, `agree` the offers of
    others it may accept until they expire, `claim` the claims it may make once the player on turn has been
    away until `due`, or from `idle_due` on.
    """

    commands: list[PlainCommand]
    offer: list[OfferKind]
    agree: list[OfferKind]
    claim: list[ClaimKind]


class PlyFields(TypedDict):
    """A ply, with the dice it was rolled with and what it did on the board."""

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
    """A match as visible to the user, without presence: on request, for programs."""

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
    vacations: NotRequired[list[VacationFields]]
    time: int


class Snapshot(MatchNow):
    """A match as it is now, sent when a socket opens."""

    watchers: int
    names: list[str]
    present: list[Seat]
    away: list[AwayFields]
    hidden: bool
    hidden_by: list[Seat]


class Plies(TypedDict):
    """The plies after ply `after`, and the outcome if the last of them ended the match."""

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
    """The command `id` was carried out and is stored; `ply` is the last ply of the match."""

    type: Literal["accepted"]
    id: str
    ply: int


class Refused(TypedDict):
    """The command `id` was refused and has changed nothing. `id` is null if it could not be read."""

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
    """Presence at the match. Spectators are not listed while `hidden`, that is while any seat hides them."""

    type: Literal["crowd"]
    watchers: int
    names: list[str]
    present: list[Seat]
    away: list[AwayFields]
    hidden: bool
    hidden_by: list[Seat]


class Offers(TypedDict):
    """All open offers in the position after ply `ply`. The next ply ends every offer."""

    type: Literal["offers"]
    ply: int
    offers: list[OfferFields]
    may: NotRequired[MayFields]


class Rematch(TypedDict):
    """Who has offered a rematch, and its id once all agree."""

    type: Literal["rematch"]
    offered: list[Seat]
    match: str | None


class Words(TypedDict):
    """Descriptions of the last plies for screen readers."""

    type: Literal["words"]
    words: list[str]


class Odds(TypedDict):
    """The answer to `OddsRequest` for the position after ply `ply`; null if there are no odds."""

    type: Literal["odds"]
    ply: int
    chance: float | None


class Hint(TypedDict):
    """The answer to `HintRequest` for the position after ply `ply` (`games.bots.base.Evaluation`).

    `move` is the best move, `share` the winning chances after it from 0 to 1, `score` the expected margin in
    points, null in games without points. `proved` says that the match ends like that with best play.
    """

    type: Literal["hint"]
    ply: int
    move: str
    share: float
    score: int | None
    proved: bool


class Waking(TypedDict):
    """The computer player on turn after ply `ply` is still starting; repeated until it is ready."""

    type: Literal["waking"]
    ply: int


class Clocks(TypedDict):
    """The clocks after ply `ply` again: after downtime of the site or with other vacations.

    No player is charged for either. With days per move, `vacations` has those that end after `clocks.at`.
    """

    type: Literal["clocks"]
    ply: int
    clocks: ClockFields
    vacations: NotRequired[list[VacationFields]]
    time: int


class Probe(TypedDict):
    """Return the number at once: the server measures the lag of the player."""

    type: Literal["probe"]
    n: int


class Pong(TypedDict):
    """The answer to a ping: its `t`, and the last ply of the match."""

    type: Literal["pong"]
    t: float
    ply: int


class Error(TypedDict):
    """Why the socket is closed; the last message before the close frame."""

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

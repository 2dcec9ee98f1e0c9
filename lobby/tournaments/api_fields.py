"""What programs send and get about tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, asdict, fields, replace
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from pydantic import Field, StringConstraints, create_model
from typing_extensions import TypedDict

from games.domain import codec
from games.domain.instants import timestamp
from games.domain.messages import PRINTABLE, CommandId
from games.domain.options import preset_of
from games.registry import GAMES
from lobby.api.messages import Body, ClubKey, RulesBody, Slug
from lobby.people.models import NAME_LENGTH
from lobby.tables.api_fields import options_of
from lobby.tournaments.formats.base import Pairing, Standing
from lobby.tournaments.formats.simul import Score
from lobby.tournaments.formats.team_standings import TeamStanding
from lobby.tournaments.models import Entrant, Team, Tournament
from lobby.tournaments.pairings import OpenTable
from lobby.tournaments.plans import Plan
from lobby.tournaments.sheet import Sheet

Number = Annotated[int, Field(ge=1, le=10_000)]
Line = Annotated[str, StringConstraints(max_length=200, pattern=PRINTABLE)]
PlayerName = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH, pattern=PRINTABLE)]

OTHERWISE_SENT = {"title", "options", "club_id", "chat"}
"""The fields of a plan that programs send by other names, or not at all."""


class TournamentCommand(Body):
    """A command in a tournament. The same `id` acts once, however often it is sent."""

    id: CommandId


BodyType = TypeVar("BodyType", bound=RulesBody)


def _with_fields_of_plan(body: type[BodyType]) -> type[BodyType]:
    """Decorator: add the fields of `Plan` that a body does not declare, with their types and defaults."""
    types = get_type_hints(Plan, include_extras=True)
    added: dict[str, Any] = {
        field.name: (types[field.name], ... if field.default is MISSING else field.default)
        for field in fields(Plan)
        if field.name not in {*body.model_fields, *OTHERWISE_SENT}
    }
    return create_model(
        body.__name__, __base__=body, __doc__=body.__doc__, __module__=body.__module__, **added
    )


class _Chosen(RulesBody):
    """What an organiser chooses, of a plan or of changes."""

    id: CommandId
    name: Line
    club: ClubKey | None = None

    def _in_plan(self, only_sent: bool) -> dict[str, Any]:
        """The fields as `Plan` names them, except for the options."""
        sent = self.model_dump(exclude={"id", "preset", "options"}, exclude_unset=only_sent)
        return {{"name": "title", "club": "club_id"}.get(name, name): value for name, value in sent.items()}


@_with_fields_of_plan
class TournamentBody(_Chosen):
    """What an organiser chooses.

    `format` is `arena`, `swiss`, `round_robin`, `knockout`, `tables`, `team_battle`, `team_match` or `simul`.
    `seats` are 2 but for `tables`. `minutes` is the length of an arena or a team battle, `pause` the minutes
    between two rounds. `computer` is the level of the computer player that takes the odd chair, 0 for a bye;
    in a simul the level of the host, 0 for you. `host_seat` is `first`, `second` or `alternating`. `club` is
    the id of one of which you are an organiser: then only its members enter; of a team battle, in which
    `team_size` players of each club count, and of a team match over `team_size` boards it is the club that
    invites. Without `starts` the organiser starts it.
    """

    def plan(self) -> Plan:
        """The plan. Raises what `lobby.tables.api_fields.options_of` does."""
        return Plan(options=options_of(self), **self._in_plan(only_sent=False))


@_with_fields_of_plan
class TournamentChanges(_Chosen):
    """What an organiser changes. What is left out stays as it is, and `null` stands for no limit or no time.

    With `game`, `preset` or `options` the rules are those of the preset, less the single options.
    """

    name: Line = ""
    game: Slug = ""
    format: Slug = ""

    def changed(self, plan: Plan) -> Plan:
        """The plan with these changes. Raises what `lobby.tables.api_fields.options_of` does."""
        chosen = self._in_plan(only_sent=True)
        if self.model_fields_set & {"game", "preset", "options"}:
            rules = self.model_dump(include={"preset", "options"}, exclude_unset=True)
            game, rated = chosen.get("game", plan.game), chosen.get("rated", plan.rated)
            chosen["options"] = options_of(RulesBody(game=game, rated=rated, **rules))
        return replace(plan, **chosen)


class EntryBody(TournamentCommand):
    """An entry; `code` is the entry code, "" where none is needed.

    `club` is the id of the club that you play for, where clubs play; "" if only one of yours takes part.
    """

    code: Annotated[str, StringConstraints(max_length=100, pattern=PRINTABLE)] = ""
    club: ClubKey | Literal[""] = ""


class TeamBody(TournamentCommand):
    """The id of a club that is to take part in a tournament of clubs, or not any more."""

    club: ClubKey


class LineupBody(TeamBody):
    """The lineup of a club: the names of its players by board. All others who have entered are reserves."""

    players: Annotated[list[PlayerName], Field(min_length=1, max_length=1000)]


class TeamAnswerBody(TeamBody):
    """The answer of a club to its invitation."""

    accepted: bool


class ByeBody(TournamentCommand):
    """The number of a round to sit out."""

    round: Number


class PauseBody(TournamentCommand):
    """Whether the tournament is to be paused."""

    paused: bool


class WhyBody(TournamentCommand):
    """A reason that everybody can read."""

    why: Line


class AdmitBody(TournamentCommand):
    """Whether the player `name` plays in a simul; "" for all who have entered."""

    name: Annotated[str, StringConstraints(max_length=NAME_LENGTH, pattern=PRINTABLE)] = ""
    admitted: bool = True


class RemoveBody(WhyBody):
    """The removal of the player `name`."""

    name: PlayerName


class DecideBody(WhyBody):
    """The points of a table by seat; null annuls its pairing."""

    round: Number
    table: Number
    points: Annotated[list[Annotated[float, Field(ge=0, le=1)]], Field(max_length=100)] | None


class TournamentFields(TypedDict):
    """A tournament. `code` says whether an entry code is needed; `version` changes with everything else.

    `round` is the last one that was paired, and `players` are those who have entered and not left. Where
    there is a `club`, only its members enter, or those of the clubs that it has invited to a team battle.
    `score` is the result of a simul so far, the points of the host first, and null in other formats.
    """

    id: str
    version: int
    name: str
    about: str
    organiser: str
    state: str
    paused: bool
    game: str
    preset: str | None
    options: dict[str, Any]
    format: str
    clock: str
    rated: bool
    rounds: int
    seats: int
    minutes: int
    team_size: int
    third_place: bool
    half_byes: int
    computer: int
    pause: int
    host_seat: str
    extra_minutes: int
    host_admits: bool
    code: bool
    club: str | None
    lowest_rating: int | None
    highest_rating: int | None
    late: bool
    bots: bool
    guests: bool
    vacations: bool
    players: int
    round: int
    starts: str | None
    began: str | None
    ended: str | None
    next_round: str | None
    score: list[float] | None


class Tournaments(TypedDict):
    """A list of tournaments."""

    tournaments: list[TournamentFields]


class TieBreakFields(TypedDict):
    """A tie-break and its value."""

    name: str
    value: float


class StandingFields(TypedDict):
    """A line of the standings; `rank` is null for who has not played yet.

    `away`: the player has missed a match, and is not paired until they enter again. `club` is the id of the
    club that the player plays for; null where clubs do not play, and once the club is dissolved.
    """

    rank: int | None
    name: str
    club: str | None
    seed: int
    points: float
    tie_breaks: list[TieBreakFields]
    played: int
    on_streak: bool
    withdrawn: bool
    away: bool


class Standings(TypedDict):
    """The standings after change `version`."""

    version: int
    standings: list[StandingFields]


class CountedFields(TypedDict):
    """A player whose points count for the club."""

    name: str
    points: float


class ClubStandingFields(TypedDict):
    """A line of the standings of clubs; `rank` is null before a first match.

    `counted` are the players who count, the best first. `club` is null once the club is dissolved.
    """

    rank: int | None
    club: str | None
    name: str
    points: float
    players: int
    counted: list[CountedFields]


class TeamFields(TypedDict):
    """A club in a tournament of clubs; `state` is `invited`, `accepted` or `declined`.

    `players` are those who have entered for it and not left. In a team match `handed_in` says whether there
    is a lineup; it is `lineup`, the names by board, from when both clubs have theirs until the start.
    """

    club: str | None
    name: str
    state: str
    players: int
    handed_in: bool
    lineup: list[str] | None


class ClubStandings(TypedDict):
    """The clubs of a tournament, and their standings after change `version`."""

    version: int
    clubs: list[TeamFields]
    standings: list[ClubStandingFields]


class PairingFields(TypedDict):
    """A pairing; `kind` is `played`, `forfeit`, `bye`, `half_bye` or `void`.

    `points` are by seat, and null while it is open.
    """

    round: int
    table: int
    replay: int
    kind: str
    reason: str
    players: list[str]
    match: str | None
    points: list[float] | None


class Pairings(TypedDict):
    """The pairings after change `version`."""

    version: int
    pairings: list[PairingFields]


class OpenTableFields(TypedDict):
    """A table that a round waits for; `status` is `waiting`, `playing` or `saved`."""

    round: int
    table: int
    players: list[str]
    match: str | None
    status: str
    to_move: list[str]
    since: str


class OpenTables(TypedDict):
    """The tables that are not decided yet."""

    tables: list[OpenTableFields]


AS_STORED = (
    *("version", "state", "paused"),
    *(field.name for field in fields(Plan) if field.name not in {*OTHERWISE_SENT, "code", "starts"}),
)
"""The fields that are sent as they are stored."""


def tournament_fields(
    tournament: Tournament, players: int, paired: int, score: Score | None
) -> dict[str, Any]:
    """A tournament as sent to programs.

    Args:
        players: how many have entered and not left.
        paired: the last round that was paired.
        score: the result of a simul so far.
    """
    game = GAMES[tournament.game]
    options = codec.decode(game.rules.Options, tournament.options)
    return {
        "id": tournament.pk,
        "name": tournament.title_in_words,
        "organiser": tournament.organiser.get_username(),
        **{name: getattr(tournament, name) for name in AS_STORED},
        "preset": preset_of(game, options),
        "options": asdict(options),
        "code": bool(tournament.code),
        "club": tournament.club_id,
        "players": players,
        "round": paired,
        **{name: _time(getattr(tournament, name)) for name in ("starts", "began", "ended", "next_round")},
        "score": None if score is None else list(score),
    }


def standing_fields(sheet: Sheet, line: Standing) -> dict[str, Any]:
    """A line of the standings as sent to programs."""
    entrant = sheet.entrants[line.player]
    return {
        "rank": line.rank,
        "name": entrant.get_name(),
        "club": None if entrant.team is None else entrant.team.club_id,
        "seed": entrant.seed,
        "points": line.points,
        "tie_breaks": [{"name": each.name, "value": each.value} for each in line.tie_breaks],
        "played": line.played,
        "on_streak": line.on_streak,
        "withdrawn": entrant.withdrawn is not None,
        "away": entrant.away is not None,
    }


def club_fields(sheet: Sheet, line: TeamStanding) -> dict[str, Any]:
    """A line of the standings of clubs as sent to programs."""
    team = next(entrant.team for entrant in sheet.entrants.values() if entrant.team_id == line.team)
    assert team is not None
    return {
        "rank": line.rank,
        "club": team.club_id,
        "name": team.get_name(),
        "points": line.points,
        "players": line.players,
        "counted": [
            {"name": sheet.entrants[each.player].get_name(), "points": each.points} for each in line.counted
        ],
    }


def team_fields(team: Team, players: int, lineup: Sequence[Entrant] | None) -> dict[str, Any]:
    """A club in a tournament as sent to programs.

    Args:
        players: how many have entered for it.
        lineup: its lineup, if everybody may see it.
    """
    return {
        "club": team.club_id,
        "name": team.get_name(),
        "state": team.state,
        "players": players,
        "handed_in": team.handed_in is not None,
        "lineup": None if lineup is None else [entrant.get_name() for entrant in lineup],
    }


def pairing_fields(sheet: Sheet, pairing: Pairing) -> dict[str, Any]:
    """A pairing as sent to programs."""
    return {
        "round": pairing.round,
        "table": pairing.table,
        "replay": pairing.replay,
        "kind": pairing.kind,
        "reason": pairing.reason,
        "players": [sheet.entrants[player].get_name() for player in pairing.seats],
        "match": sheet.matches.get(pairing.key),
        "points": None if pairing.points is None else list(pairing.points),
    }


def open_table_fields(table: OpenTable) -> dict[str, Any]:
    """A table that a round waits for, as sent to programs."""
    return {**table._asdict(), "since": timestamp(table.since)}


def _time(at: datetime | None) -> str | None:
    return None if at is None else timestamp(at)

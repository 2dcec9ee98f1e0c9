"""What programs send and get about ladders."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from games.domain.instants import timestamp
from games.domain.messages import PRINTABLE, CommandId
from lobby.api.messages import Body, RulesBody
from lobby.ladders import challenges
from lobby.ladders.ladders import Plan
from lobby.ladders.models import ClubLadder, LadderChallenge
from lobby.people.models import NAME_LENGTH
from lobby.tables.api_fields import options_of

MOST_CHALLENGES = 100
"""Challenges that programs are told of."""
Days = Annotated[int, Field(ge=0, le=1000)]


class LadderCommand(Body):
    """A command on a ladder. The same `id` acts once, however often it is sent."""

    id: CommandId


class LadderBody(RulesBody):
    """What leaders choose.

    A challenge is answered within `answer_days` and played within `play_days` after that. Who plays nothing
    for `idle_days` falls by a place; 0: never.
    """

    id: CommandId
    clock: Annotated[str, StringConstraints(max_length=12, pattern=PRINTABLE)]
    answer_days: Days = 3
    play_days: Days = 7
    idle_days: Days = 30

    def plan(self) -> Plan:
        """The plan. Raises what `lobby.tables.api_fields.options_of` does."""
        days = self.model_dump(include={"answer_days", "play_days", "idle_days"})
        return Plan(self.game, options_of(self), self.clock, self.rated, **days)


class LadderChallengeBody(LadderCommand):
    """Whom to challenge."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH, pattern=PRINTABLE)]


class LadderAnswerBody(LadderCommand):
    """The answer to the challenge to you. Who declines loses the place."""

    accepted: bool


class LadderPlaceFields(TypedDict):
    """A place and its player."""

    place: int
    name: str


class LadderChallengeFields(TypedDict):
    """A challenge for `place`.

    `due` is when it must be answered or, once `accepted`, played; null when it is over. `won` says whether
    the challenger has won, and is null if nobody has. `ending` is `played`, `declined`, `unanswered`,
    `unplayed`, `withdrawn` or `left`.
    """

    challenger: str
    challenged: str
    place: int
    created: str
    accepted: str | None
    due: str | None
    match: str | None
    ended: str | None
    ending: str
    won: bool | None


class LadderFields(TypedDict):
    """A ladder: what its leaders chose, the places, the open challenges, and the last ones that are over."""

    game: str
    options: dict[str, Any]
    clock: str
    rated: bool
    answer_days: int
    play_days: int
    idle_days: int
    places: list[LadderPlaceFields]
    challenges: list[LadderChallengeFields]


class LadderTable(TypedDict):
    """The table of your challenge, and its match if that has begun."""

    table: str | None
    match: str | None


def ladder_fields(ladder: ClubLadder) -> dict[str, Any]:
    """A ladder as sent to programs."""
    same = ("game", "options", "clock", "rated", "answer_days", "play_days", "idle_days")
    rungs = ladder.rungs.select_related("user")
    found = challenges.of(ladder).order_by("ended", "-pk")
    open_ones, past = found.filter(ended=None), found.filter(ended__isnull=False).order_by("-ended", "-pk")
    return {
        **{name: getattr(ladder, name) for name in same},
        "places": [{"place": each.place, "name": each.user.get_username()} for each in rungs],
        "challenges": [_challenge_fields(each) for each in [*open_ones, *past[:MOST_CHALLENGES]]],
    }


def _challenge_fields(challenge: LadderChallenge) -> dict[str, Any]:
    match = challenge.match
    times = {name: getattr(challenge, name) for name in ("accepted", "due", "ended")}
    return {
        "challenger": challenge.challenger.get_username(),
        "challenged": challenge.defender.get_username(),
        "place": challenge.place,
        "created": timestamp(challenge.created),
        **{name: at and timestamp(at) for name, at in times.items()},
        "match": match and match.pk,
        "ending": challenge.ending,
        "won": challenge.won,
    }

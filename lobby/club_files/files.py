"""The file of a club (docs/reference/club-file.md): what it may contain, and reading one. Pure.

A name is null if the person has not agreed that it goes along.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import orjson
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from games.domain import strict_json, texts
from lobby.club_files.refusals import BadClubFile, ClubFileTooLarge
from lobby.clubs.models import ABOUT_LENGTH, ANNOUNCEMENT_LENGTH, CLUB_NAME_LENGTH
from lobby.people.models import NAME_LENGTH
from lobby.studies import files as study_files
from lobby.studies.refusals import BadStudy
from lobby.tournaments.models import TITLE_LENGTH

FORMAT, VERSION = "parlour-club", 1
MOST_BYTES = 10_000_000
"""Size limit of a file, and so of an archive."""
MOST_MEMBERS, MOST_ANNOUNCEMENTS, MOST_TOURNAMENTS, MOST_STUDIES = 5_000, 20_000, 2_000, 1_000
MOST_PLAYERS, MOST_PAIRINGS, MOST_CHALLENGES = 2_000, 50_000, 50_000
MOST_MEETINGS, MOST_CLUBS = 2_000, 100

Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,50}$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH)]
Moment = Annotated[AwareDatetime, Field(strict=False)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Points = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RatingPart(_Part):
    """The rating of a member at a game, under its usual rules for two."""

    game: Word
    rating: Annotated[int, Field(ge=-10_000, le=10_000)]
    matches: Count


class MemberPart(_Part):
    """A member."""

    name: Name | None
    role: Literal["owner", "organiser", "member"]
    joined: Moment
    ratings: Annotated[list[RatingPart], Field(max_length=100)] = []


class AnnouncementPart(_Part):
    """An announcement."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=ANNOUNCEMENT_LENGTH)]
    author: Name | None
    created: Moment


class PlayerPart(_Part):
    """A player of a tournament with their place at its end, in the order of the standings."""

    name: Name | None
    rank: Annotated[int, Field(ge=1, le=1_000_000)] | None
    points: Points
    played: Count


class PairingPart(_Part):
    """A pairing: its players by seat, as numbers of the list of players from 0, and their points."""

    round: Count
    table: Count
    kind: Literal["played", "forfeit", "bye", "half_bye", "void"]
    players: Annotated[list[Count], Field(min_length=1, max_length=100)]
    points: Annotated[list[Points], Field(max_length=100)] | None


class TournamentPart(_Part):
    """A tournament that is over."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=TITLE_LENGTH)]
    game: Word
    format: Word
    began: Moment | None
    ended: Moment | None
    players: Annotated[list[PlayerPart], Field(max_length=MOST_PLAYERS)]
    pairings: Annotated[list[PairingPart], Field(max_length=MOST_PAIRINGS)]


class MeetingClubPart(_Part):
    """A club in a meeting, with its place and points."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=CLUB_NAME_LENGTH)]
    rank: Annotated[int, Field(ge=1, le=1_000_000)] | None
    points: Points


class MeetingPart(_Part):
    """A team battle or team match that is over: its clubs, the best first, and the players of this club.

    `own` is the number of this club in `clubs`, from 0.
    """

    title: Annotated[str, StringConstraints(min_length=1, max_length=TITLE_LENGTH)]
    game: Word
    format: Word
    ended: Moment | None
    own: Count
    clubs: Annotated[list[MeetingClubPart], Field(min_length=1, max_length=MOST_CLUBS)]
    players: Annotated[list[PlayerPart], Field(max_length=MOST_PLAYERS)]


class ChallengePart(_Part):
    """A challenge on the ladder that is over; `won` says whether the challenger has won it."""

    challenger: Name | None
    challenged: Name | None
    place: Count
    ended: Moment
    won: bool | None


class LadderPart(_Part):
    """The ladder: who is on it, the first on top, and the challenges that are over, the newest first."""

    game: Word
    places: Annotated[list[Name | None], Field(max_length=MOST_MEMBERS)]
    challenges: Annotated[list[ChallengePart], Field(max_length=MOST_CHALLENGES)]


class StudyPart(_Part):
    """A public study of a member."""

    author: Name | None
    study: study_files.StudyFields


class ClubFile(_Part):
    """A club. `id` is that of the site where it was founded."""

    format: Literal["parlour-club"]
    version: Literal[1]
    id: Annotated[str, StringConstraints(pattern=r"^[0-9a-z]{1,32}$")]
    exported: Moment
    name: Annotated[str, StringConstraints(min_length=1, max_length=CLUB_NAME_LENGTH)]
    about: Annotated[str, StringConstraints(max_length=ABOUT_LENGTH)] = ""
    games: Annotated[list[Word], Field(max_length=100)] = []
    joining: Literal["open", "request", "link"] = "open"
    members: Annotated[list[MemberPart], Field(max_length=MOST_MEMBERS)] = []
    announcements: Annotated[list[AnnouncementPart], Field(max_length=MOST_ANNOUNCEMENTS)] = []
    tournaments: Annotated[list[TournamentPart], Field(max_length=MOST_TOURNAMENTS)] = []
    meetings: Annotated[list[MeetingPart], Field(max_length=MOST_MEETINGS)] = []
    ladder: LadderPart | None = None
    studies: Annotated[list[StudyPart], Field(max_length=MOST_STUDIES)] = []


def written(file: ClubFile) -> bytes:
    """A club as the text of a file. Raises `ClubFileTooLarge`."""
    # Sites of before there were meetings know no such field.
    left_out = set() if file.meetings else {"meetings"}
    text = orjson.dumps(file.model_dump(mode="json", exclude=left_out))
    if len(text) > MOST_BYTES:
        raise ClubFileTooLarge(most=MOST_BYTES)
    return text


def stored(text: str) -> ClubFile:
    """A file that was read before, without checking it again."""
    return ClubFile.model_validate_json(text)


def read(text: bytes) -> ClubFile:
    """Read a file.

    Raises:
        ClubFileError: "club-file-too-large" or "bad-club-file", with the place of what is wrong.
    """
    if len(text) > MOST_BYTES:
        raise ClubFileTooLarge(most=MOST_BYTES)
    try:
        file = strict_json.model(ClubFile, text)
    except ValidationError as error:
        raise BadClubFile(".".join(map(str, error.errors()[0]["loc"])) or "file") from None
    for number, tournament in enumerate(file.tournaments):
        _check_players(tournament, f"tournaments.{number}")
    for number, meeting in enumerate(file.meetings):
        if meeting.own >= len(meeting.clubs):
            raise BadClubFile(f"meetings.{number}.own")
    for number, each in enumerate(file.studies):
        _check_study(each, f"studies.{number}.study")
    for place, words in _texts(file):
        if words != texts.cleaned(words):
            raise BadClubFile(place)
    return file


def _check_players(tournament: TournamentPart, place: str) -> None:
    for number, pairing in enumerate(tournament.pairings):
        seats = pairing.players
        if max(seats) >= len(tournament.players) or len(set(seats)) < len(seats):
            raise BadClubFile(f"{place}.pairings.{number}.players")
        if pairing.points is not None and len(pairing.points) != len(seats):
            raise BadClubFile(f"{place}.pairings.{number}.points")


def _check_study(part: StudyPart, place: str) -> None:
    """Check that every move of a study is legal."""
    try:
        study_files.chapters_of(orjson.dumps(part.study.model_dump(mode="json", exclude_unset=True)))
    except BadStudy as error:
        raise BadClubFile(f"{place}.{error.place}") from error


def _texts(file: ClubFile) -> Iterator[tuple[str, str]]:
    """The lines of a file that people read, with their places: each is one line of visible characters."""
    yield "name", file.name
    for number, line in enumerate(file.about.split("\n") if file.about else ()):
        yield f"about.{number}", line
    for number, member in enumerate(file.members):
        yield f"members.{number}.name", member.name or ""
    for number, each in enumerate(file.announcements):
        yield f"announcements.{number}.text", each.text
        yield f"announcements.{number}.author", each.author or ""
    for number, tournament in enumerate(file.tournaments):
        yield f"tournaments.{number}.title", tournament.title
        for place, player in enumerate(tournament.players):
            yield f"tournaments.{number}.players.{place}.name", player.name or ""
    for number, meeting in enumerate(file.meetings):
        yield from _texts_of_meeting(meeting, f"meetings.{number}")
    for number, study in enumerate(file.studies):
        yield f"studies.{number}.author", study.author or ""
    if file.ladder is not None:
        for number, name in enumerate(file.ladder.places):
            yield f"ladder.places.{number}", name or ""
        for number, challenge in enumerate(file.ladder.challenges):
            yield f"ladder.challenges.{number}.challenger", challenge.challenger or ""
            yield f"ladder.challenges.{number}.challenged", challenge.challenged or ""


def _texts_of_meeting(meeting: MeetingPart, place: str) -> Iterator[tuple[str, str]]:
    yield f"{place}.title", meeting.title
    for number, club in enumerate(meeting.clubs):
        yield f"{place}.clubs.{number}.name", club.name
    for number, player in enumerate(meeting.players):
        yield f"{place}.players.{number}.name", player.name or ""

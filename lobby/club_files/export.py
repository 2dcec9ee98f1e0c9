"""A club as a file, with what it has brought along itself. Reads only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, cast

from games.registry import GAMES
from lobby.club_files import files
from lobby.club_files.files import (
    AnnouncementPart,
    ChallengePart,
    ClubFile,
    LadderPart,
    MeetingClubPart,
    MeetingPart,
    MemberPart,
    PairingPart,
    PlayerPart,
    RatingPart,
    StudyPart,
    TournamentPart,
)
from lobby.club_files.models import ClubArchive
from lobby.clubs import lookup
from lobby.clubs.models import Club, Membership
from lobby.ladders import challenges
from lobby.ladders.models import ClubLadder, LadderChallenge
from lobby.people.models import User
from lobby.ratings import leaderboards
from lobby.studies import chapters
from lobby.studies import files as study_files
from lobby.studies.models import Study
from lobby.tournaments import meetings, sheet
from lobby.tournaments.formats.base import Standing
from lobby.tournaments.models import Team, Tournament

NameOf = Callable[[int], str | None]
"""Returns the name of a user by id, if it goes along."""


def file_of(club: Club, now: datetime) -> ClubFile:
    """A club as a file. Only the names of members who have agreed go along."""
    archive = ClubArchive.objects.filter(club=club).first()
    before = None if archive is None else files.stored(archive.content)
    members = list(lookup.members(club))
    name_of: NameOf = {each.user_id: each.user.get_username() for each in members if each.goes_along}.get
    studies = _studies(members)
    return ClubFile(
        format="parlour-club",
        version=1,
        id=club.pk if archive is None else archive.origin,
        exported=now,
        name=club.name,
        about=club.about,
        games=club.games,
        joining=cast(Any, club.joining),
        members=[*_members(club, members, name_of), *(before.members if before else ())],
        announcements=[*_announcements(club, name_of), *(before.announcements if before else ())],
        tournaments=[*_tournaments(club, name_of), *(before.tournaments if before else ())],
        meetings=[*_meetings(club, name_of), *(before.meetings if before else ())],
        ladder=_ladder(club, name_of) or (before.ladder if before else None),
        studies=[*studies, *(before.studies if before else ())],
    )


def _members(club: Club, members: list[Membership], name_of: NameOf) -> list[MemberPart]:
    ratings = _ratings(club)
    return [
        MemberPart(
            name=name_of(each.user_id),
            role=cast(Any, each.role),
            joined=each.joined,
            ratings=ratings.get(each.user_id, []) if each.goes_along else [],
        )
        for each in members
    ]


def _ratings(club: Club) -> Mapping[int, list[RatingPart]]:
    """The ratings of the best members, by user."""
    found: dict[int, list[RatingPart]] = {}
    for game in GAMES.values():
        for _place, rating in leaderboards.best_of(game, club.memberships.values("user")):
            part = RatingPart(game=game.slug, rating=round(rating.rating), matches=rating.matches)
            found.setdefault(rating.user_id, []).append(part)
    return found


def _announcements(club: Club, name_of: NameOf) -> list[AnnouncementPart]:
    return [
        AnnouncementPart(text=each.text, author=name_of(each.author_id), created=each.created)
        for each in club.announcements.all()
    ]


def _tournaments(club: Club, name_of: NameOf) -> list[TournamentPart]:
    over = club.tournaments.filter(state=Tournament.State.FINISHED).order_by("-ended", "pk")
    return [_tournament(each, name_of) for each in over]


def _tournament(tournament: Tournament, name_of: NameOf) -> TournamentPart:
    known = sheet.read(tournament)
    lines = {line.player: line for line in known.standings()}
    # A computer player in the odd chair has no line.
    order = [*lines, *(player for player in known.entrants if player not in lines)]
    number = {player: place for place, player in enumerate(order)}
    return TournamentPart(
        title=tournament.title,
        game=tournament.game,
        format=tournament.format,
        began=tournament.began,
        ended=tournament.ended,
        players=[
            _player(
                lines.get(player, Standing(player, None, 0.0, (), 0)), name_of(known.entrants[player].user_id)
            )
            for player in order
        ],
        pairings=[
            PairingPart(
                round=each.round,
                table=each.table,
                kind=each.kind.value,
                players=[number[player] for player in each.seats],
                points=None if each.points is None else list(each.points),
            )
            for each in known.pairings
        ],
    )


def _meetings(club: Club, name_of: NameOf) -> list[MeetingPart]:
    return [_meeting(part, name_of) for part in meetings.of(club)]


def _meeting(part: Team, name_of: NameOf) -> MeetingPart:
    tournament, known, clubs = part.tournament, sheet.read(part.tournament), meetings.clubs_in(part)
    if part not in clubs:
        clubs = [*clubs, part]
    return MeetingPart(
        title=tournament.title,
        game=tournament.game,
        format=tournament.format,
        ended=tournament.ended,
        own=clubs.index(part),
        clubs=[
            MeetingClubPart(name=each.get_name(), rank=each.rank, points=each.points or 0.0) for each in clubs
        ],
        players=[
            _player(line, name_of(known.entrants[line.player].user_id))
            for line in known.standings()
            if known.entrants[line.player].team_id == part.pk
        ],
    )


def _player(line: Standing, name: str | None) -> PlayerPart:
    return PlayerPart(name=name, rank=line.rank, points=line.points, played=line.played)


def _ladder(club: Club, name_of: NameOf) -> LadderPart | None:
    ladder = ClubLadder.objects.filter(club=club).first()
    if ladder is None:
        return None
    over = challenges.of(ladder).filter(ended__isnull=False)
    return LadderPart(
        game=ladder.game,
        places=[name_of(each.user_id) for each in ladder.rungs.all()],
        challenges=[
            _challenge(each, name_of) for each in over.exclude(ending=LadderChallenge.Ending.WITHDRAWN)
        ],
    )


def _challenge(challenge: LadderChallenge, name_of: NameOf) -> ChallengePart:
    assert challenge.ended is not None
    return ChallengePart(
        challenger=name_of(challenge.challenger_id),
        challenged=name_of(challenge.defender_id),
        place=challenge.place,
        ended=challenge.ended,
        won=challenge.won,
    )


def _studies(members: list[Membership]) -> list[StudyPart]:
    """The public studies of the members who have agreed."""
    authors: dict[int, User] = {each.user_id: each.user for each in members if each.goes_along}
    public = Study.objects.filter(owner__in=authors, visibility=Study.Visibility.PUBLIC, game__in=GAMES)
    return [
        StudyPart(author=authors[each.owner_id].get_username(), study=_study(each))
        for each in public.order_by("-created").prefetch_related("chapters")
    ]


def _study(study: Study) -> Any:
    fields = study_files.file(study.title, [chapters.fields(each) for each in study.chapters.all()])
    return study_files.StudyFields.model_validate(fields, strict=False)

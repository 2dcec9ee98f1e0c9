"""What programs send and get about clubs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from games.domain.instants import timestamp
from games.domain.messages import PRINTABLE, CommandId
from lobby.api.messages import Body, Slug
from lobby.clubs.clubs import Charter
from lobby.clubs.models import (
    ABOUT_LENGTH,
    ANNOUNCEMENT_LENGTH,
    Announcement,
    Club,
    Exclusion,
    JoinRequest,
    Membership,
)
from lobby.people.models import NAME_LENGTH
from lobby.tournaments import meetings
from lobby.tournaments.models import Team

Line = Annotated[str, StringConstraints(max_length=200, pattern=PRINTABLE)]
Text = Annotated[str, StringConstraints(max_length=4 * ABOUT_LENGTH)]
SomebodysName = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH, pattern=PRINTABLE)]


class ClubCommand(Body):
    """A command in a club. The same `id` acts once, however often it is sent."""

    id: CommandId


class CharterBody(ClubCommand):
    """What the owner of a club chooses.

    Without `games` it plays all. `joining` says who can join: everyone (`open`), people whose `request` is
    accepted, or people with the `link`.
    """

    name: Line
    about: Text = ""
    games: Annotated[list[Slug], Field(max_length=100)] = []
    joining: Literal["open", "request", "link"] = "open"

    def charter(self) -> Charter:
        """The charter."""
        return Charter(self.name, self.about, self.games, self.joining)


class JoinBody(ClubCommand):
    """`link` is the token at the end of the club's link, `text` a message with a request."""

    link: Annotated[str, StringConstraints(max_length=100, pattern=PRINTABLE)] = ""
    text: Line = ""


class ConsentBody(ClubCommand):
    """Whether your name goes along when the club moves to another site."""

    agreed: bool


class NamedBody(ClubCommand):
    """A command about the user `name`."""

    name: SomebodysName


class AnswerBody(NamedBody):
    """The answer to a request to join."""

    accepted: bool


class RemovalBody(NamedBody):
    """The removal of a member, with the reason that only organisers read."""

    why: Line = ""


class RoleBody(NamedBody):
    """The new role of a member."""

    role: Literal["organiser", "member"]


class AnnouncementBody(ClubCommand):
    """The text of a new announcement."""

    text: Annotated[str, StringConstraints(max_length=2 * ANNOUNCEMENT_LENGTH)]


class WithdrawBody(ClubCommand):
    """The number of an announcement to withdraw."""

    number: Annotated[int, Field(ge=1, le=2**53)]


class ClubFields(TypedDict):
    """A club; its `slug` ends its address and follows its name, its `id` stays. Empty `games`: all."""

    id: str
    slug: str
    name: str
    about: str
    games: list[str]
    joining: str
    members: int
    created: str


class Clubs(TypedDict):
    """A page of clubs; `next` is the number of the next page."""

    clubs: list[ClubFields]
    next: int | None


class MemberFields(TypedDict):
    """A member of a club."""

    name: str
    role: str
    joined: str


class Members(TypedDict):
    """A page of members."""

    members: list[MemberFields]
    next: int | None


class Joined(TypedDict):
    """Whether you are a member now; otherwise the organisers have your request."""

    member: bool


class RequestFields(TypedDict):
    """A request to join."""

    name: str
    text: str
    created: str


class Requests(TypedDict):
    """A page of requests to join."""

    requests: list[RequestFields]
    next: int | None


class ExclusionFields(TypedDict):
    """A removed user, who cannot join again."""

    name: str
    why: str
    created: str


class Exclusions(TypedDict):
    """A page of removed users."""

    removed: list[ExclusionFields]
    next: int | None


class AnnouncementFields(TypedDict):
    """An announcement to all members."""

    number: int
    author: str
    text: str
    created: str


class Announcements(TypedDict):
    """A page of announcements."""

    announcements: list[AnnouncementFields]
    next: int | None


class MetClubFields(TypedDict):
    """A club in a team battle or match that is over; `rank` is null if none of its matches was played.

    `club` is null once the club is dissolved.
    """

    club: str | None
    name: str
    rank: int | None
    points: float


class MeetingFields(TypedDict):
    """A team battle or match that is over, with its clubs, the best first. `tournament` is its id."""

    tournament: str
    name: str
    format: str
    ended: str
    clubs: list[MetClubFields]


class Meetings(TypedDict):
    """A page of team battles and matches."""

    meetings: list[MeetingFields]
    next: int | None


class Link(TypedDict):
    """The token of the link by which people join."""

    link: str


def club_fields(club: Club, members: int) -> dict[str, Any]:
    """A club with the number of its members, as sent to programs."""
    same = {name: getattr(club, name) for name in ("slug", "name", "about", "games", "joining")}
    return {"id": club.pk, **same, "members": members, "created": timestamp(club.created)}


def meeting_fields(part: Team) -> dict[str, Any]:
    """A club in a team battle or match that is over, as sent to programs."""
    tournament = part.tournament
    assert tournament.ended is not None
    return {
        "tournament": tournament.pk,
        "name": tournament.title,
        "format": tournament.format,
        "ended": timestamp(tournament.ended),
        "clubs": [
            {"club": team.club_id, "name": team.get_name(), "rank": team.rank, "points": team.points}
            for team in meetings.clubs_in(part)
        ],
    }


def member_fields(membership: Membership) -> dict[str, Any]:
    """A member as sent to programs."""
    name, joined = membership.user.get_username(), timestamp(membership.joined)
    return {"name": name, "role": membership.role, "joined": joined}


def request_fields(asked: JoinRequest) -> dict[str, Any]:
    """A request to join as sent to programs."""
    return {"name": asked.user.get_username(), "text": asked.text, "created": timestamp(asked.created)}


def exclusion_fields(exclusion: Exclusion) -> dict[str, Any]:
    """A person who was removed, as sent to programs."""
    name, created = exclusion.user.get_username(), timestamp(exclusion.created)
    return {"name": name, "why": exclusion.why, "created": created}


def announcement_fields(announcement: Announcement) -> dict[str, Any]:
    """An announcement as sent to programs."""
    return {
        "number": announcement.pk,
        "author": announcement.author.get_username(),
        "text": announcement.text,
        "created": timestamp(announcement.created),
    }

"""Clubs for programs. Services decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router
from ninja.responses import Status

from games.api.access import Token, anybody
from games.api.routes import answer
from games.api.scopes import CLUBS
from lobby.api.callers import my_account
from lobby.api.messages import Tables
from lobby.clubs import announcements, clubs, lookup, members
from lobby.clubs.api_fields import (
    AnnouncementBody,
    Announcements,
    AnswerBody,
    CharterBody,
    ClubCommand,
    ClubFields,
    Clubs,
    ConsentBody,
    Exclusions,
    JoinBody,
    Joined,
    Link,
    Meetings,
    Members,
    NamedBody,
    RemovalBody,
    Requests,
    RoleBody,
    WithdrawBody,
    announcement_fields,
    club_fields,
    exclusion_fields,
    meeting_fields,
    member_fields,
    request_fields,
)
from lobby.clubs.lookup import Role
from lobby.clubs.models import CLUB_NAME_LENGTH, Club
from lobby.clubs.refusals import PageOnly
from lobby.feed import lobby_feed, program_events
from lobby.tournaments import meetings

router = Router(tags=["Clubs"])

ClubId = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$", description="The id of the club, not its address.")]
Find = Annotated[str, Query(max_length=CLUB_NAME_LENGTH, description="Only clubs with this in their names.")]
PageNumber = Annotated[int, Query(ge=1, le=1000, description="Which page, the first being 1.")]
PAGE_SIZE = 100
"""Rows per page of every list."""


@router.get("/clubs", auth=anybody, response=Clubs, summary="Clubs")
def list_clubs(request: HttpRequest, find: Find = "", page: PageNumber = 1) -> HttpResponse:
    """The clubs of the site by name."""
    return _page(lookup.listed(find.strip()), page, "clubs", lambda club: club_fields(club, club.members))


@router.post("/clubs", auth=Token(CLUBS), response={201: ClubFields}, summary="Found a club")
def found_club(request: HttpRequest, body: CharterBody) -> HttpResponse:
    """Found a club. You own it."""
    return _answer(clubs.found(my_account(request), body.charter(), body.id), 201)


@router.get("/clubs/{club_id}", auth=anybody, response=ClubFields, summary="A club")
def one_club(request: HttpRequest, club_id: ClubId) -> HttpResponse:
    """What a club says about itself."""
    return _answer(lookup.find(club_id))


@router.put("/clubs/{club_id}", auth=Token(CLUBS), response=ClubFields, summary="Change your club")
def change_club(request: HttpRequest, club_id: ClubId, body: CharterBody) -> HttpResponse:
    """Change what you have chosen as the owner. The address follows a new name, the id stays."""
    return _answer(clubs.change(my_account(request), club_id, body.charter(), body.id))


@router.get("/clubs/{club_id}/members", auth=anybody, response=Members, summary="Members of a club")
def list_members(request: HttpRequest, club_id: ClubId, page: PageNumber = 1) -> HttpResponse:
    """The owner, the organisers, then the other members by name."""
    return _page(lookup.members(lookup.find(club_id)), page, "members", member_fields)


@router.post("/clubs/{club_id}/join", auth=Token(CLUBS), response=Joined, summary="Join a club")
def join_club(request: HttpRequest, club_id: ClubId, body: JoinBody) -> HttpResponse:
    """Join a club, or ask to where organisers decide."""
    return answer({"member": members.join(my_account(request), club_id, body.id, body.link, body.text)})


@router.post("/clubs/{club_id}/leave", auth=Token(CLUBS), response={204: None}, summary="Leave a club")
def leave_club(request: HttpRequest, club_id: ClubId, body: ClubCommand) -> Status[None]:
    """Leave a club, or withdraw your request to join it."""
    members.leave(my_account(request), club_id, body.id)
    return Status(204, None)


@router.post("/clubs/{club_id}/consent", auth=Token(CLUBS), response={204: None}, summary="Let your name go")
def consent(request: HttpRequest, club_id: ClubId, body: ConsentBody) -> Status[None]:
    """Say whether your name goes along when the club moves to another site."""
    members.consent(my_account(request), club_id, body.agreed, body.id)
    return Status(204, None)


@router.get(
    "/clubs/{club_id}/requests", auth=Token(CLUBS), response=Requests, summary="Requests to join your club"
)
def list_requests(request: HttpRequest, club_id: ClubId, page: PageNumber = 1) -> HttpResponse:
    """Who wants to join, the longest wait first; for organisers."""
    return _page(
        _organised(request, club_id).join_requests.select_related("user"), page, "requests", request_fields
    )


@router.post(
    "/clubs/{club_id}/requests", auth=Token(CLUBS), response={204: None}, summary="Answer a request to join"
)
def answer_request(request: HttpRequest, club_id: ClubId, body: AnswerBody) -> Status[None]:
    """Accept or decline a request, as an organiser."""
    members.answer(my_account(request), club_id, body.name, body.accepted, body.id)
    return Status(204, None)


@router.post("/clubs/{club_id}/remove", auth=Token(CLUBS), response={204: None}, summary="Remove a member")
def remove_member(request: HttpRequest, club_id: ClubId, body: RemovalBody) -> Status[None]:
    """Remove a member with a lower role than yours, who stays out until let in again."""
    members.remove(my_account(request), club_id, body.name, body.why, body.id)
    return Status(204, None)


@router.get(
    "/clubs/{club_id}/removed",
    auth=Token(CLUBS),
    response=Exclusions,
    summary="Who was removed",
)
def list_removed(request: HttpRequest, club_id: ClubId, page: PageNumber = 1) -> HttpResponse:
    """Who was removed and stays out, the newest first; for organisers."""
    return _page(
        _organised(request, club_id).exclusions.select_related("user"), page, "removed", exclusion_fields
    )


@router.post(
    "/clubs/{club_id}/let-in", auth=Token(CLUBS), response={204: None}, summary="Let somebody in again"
)
def let_in(request: HttpRequest, club_id: ClubId, body: NamedBody) -> Status[None]:
    """Let a person who was removed join again."""
    members.let_in(my_account(request), club_id, body.name, body.id)
    return Status(204, None)


@router.post("/clubs/{club_id}/role", auth=Token(CLUBS), response={204: None}, summary="Give a role")
def give_role(request: HttpRequest, club_id: ClubId, body: RoleBody) -> Status[None]:
    """Make a member of your club an organiser, or an organiser a member."""
    members.set_role(my_account(request), club_id, body.name, body.role, body.id)
    return Status(204, None)


@router.post("/clubs/{club_id}/hand-over", auth=Token(CLUBS), response={204: None}, summary="Hand over")
def hand_over(request: HttpRequest, club_id: ClubId, body: NamedBody) -> Status[None]:
    """Refused: offer your club to another member on its page, where they accept it."""
    raise PageOnly


@router.get("/clubs/{club_id}/link", auth=Token(CLUBS), response=Link, summary="The link of your club")
def club_link(request: HttpRequest, club_id: ClubId) -> HttpResponse:
    """The token by which everyone can join; for organisers."""
    return answer({"link": _organised(request, club_id).token})


@router.post("/clubs/{club_id}/link", auth=Token(CLUBS), response=Link, summary="Make a new link")
def renew_link(request: HttpRequest, club_id: ClubId, body: ClubCommand) -> HttpResponse:
    """Make a new link; the one before is void."""
    return answer({"link": clubs.renew_link(my_account(request), club_id, body.id)})


@router.get(
    "/clubs/{club_id}/announcements", auth=anybody, response=Announcements, summary="Announcements of a club"
)
def list_announcements(request: HttpRequest, club_id: ClubId, page: PageNumber = 1) -> HttpResponse:
    """What a club has announced, the newest first."""
    found = lookup.find(club_id).announcements.select_related("author")
    return _page(found, page, "announcements", announcement_fields)


@router.post(
    "/clubs/{club_id}/announcements", auth=Token(CLUBS), response={204: None}, summary="Announce something"
)
def announce(request: HttpRequest, club_id: ClubId, body: AnnouncementBody) -> Status[None]:
    """Announce something to all members, as an organiser. Their devices are notified."""
    announcements.announce(my_account(request), club_id, body.text, body.id)
    return Status(204, None)


@router.post(
    "/clubs/{club_id}/withdraw", auth=Token(CLUBS), response={204: None}, summary="Delete an announcement"
)
def withdraw_announcement(request: HttpRequest, club_id: ClubId, body: WithdrawBody) -> Status[None]:
    """Delete an announcement of your club, as an organiser."""
    announcements.withdraw(my_account(request), club_id, body.number, body.id)
    return Status(204, None)


@router.post("/clubs/{club_id}/dissolve", auth=Token(CLUBS), response={204: None}, summary="Dissolve a club")
def dissolve_club(request: HttpRequest, club_id: ClubId, body: ClubCommand) -> Status[None]:
    """Refused: dissolve your club on its page."""
    raise PageOnly


@router.get("/clubs/{club_id}/tables", auth=Token(CLUBS), response=Tables, summary="Tables of a club")
def club_tables(request: HttpRequest, club_id: ClubId) -> HttpResponse:
    """The tables that wait for members, the newest first."""
    club = lookup.find(club_id)
    lookup.needs(club, my_account(request), Role.MEMBER)
    waiting = lobby_feed.tables_for(club)[:PAGE_SIZE]
    return answer({"tables": [program_events.table_fields(table) for table in waiting]})


@router.get(
    "/clubs/{club_id}/meetings", auth=anybody, response=Meetings, summary="A club against other clubs"
)
def club_meetings(request: HttpRequest, club_id: ClubId, page: PageNumber = 1) -> HttpResponse:
    """The team battles and team matches of a club that are over, the newest first."""
    return _page(meetings.of(lookup.find(club_id)), page, "meetings", meeting_fields)


def _answer(club: Club, status: int = 200) -> HttpResponse:
    return answer(club_fields(club, club.memberships.count()), status)


def _page(
    rows: QuerySet[Any], number: int, name: str, fields: Callable[[Any], dict[str, Any]]
) -> HttpResponse:
    """A page of a list under a name; the last one for numbers beyond it."""
    page = Paginator(rows, PAGE_SIZE).get_page(number)
    return answer(
        {
            name: [fields(row) for row in page.object_list],
            "next": page.next_page_number() if page.has_next() else None,
        }
    )


def _organised(request: HttpRequest, club_id: str) -> Club:
    """A club, for its organisers.

    Raises:
        ClubError: "unknown-club", "not-member" or "not-organiser".
    """
    club = lookup.find(club_id)
    lookup.needs(club, my_account(request), Role.ORGANISER)
    return club

"""Reading and locking clubs, and who may do what in one.

The row of a club is its lock. Lock order: seeks, clubs and memberships, evenings, tournaments, tables, users.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import Case, Count, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from lobby.clubs import refusals
from lobby.clubs.models import Club, FormerAddress, Membership
from lobby.commands import audit_log
from lobby.people import naming
from lobby.people.models import User
from lobby.people.spelling import folded

Role = Membership.Role
RANKS: Mapping[str, int] = {Role.MEMBER: 0, Role.ORGANISER: 1, Role.OWNER: 2}
BY_RANK = Case(*(When(role=role, then=Value(-rank)) for role, rank in RANKS.items()))
"""Orders memberships by role, the owner first."""
DAY = timedelta(days=1)


def find(club_id: str) -> Club:
    """A club by its id. Raises ClubError "unknown-club"."""
    return _one(Club.objects.filter(pk=club_id))


def at(slug: str) -> Club:
    """A club by its address, or by one that it had before. Raises ClubError "unknown-club"."""
    former = FormerAddress.objects.filter(slug=slug).values("club")
    return Club.objects.filter(slug=slug).first() or _one(Club.objects.filter(pk__in=former))


def locked(club_id: str) -> Club:
    """A club, locked until the transaction ends. Raises ClubError "unknown-club"."""
    return _one(Club.objects.select_for_update().filter(pk=club_id))


def _one(rows: QuerySet[Club]) -> Club:
    club = rows.first()
    if club is None:
        raise refusals.UnknownClub
    return club


def listed(name: str = "") -> QuerySet[Club]:
    """The clubs by name, with the number of their members in `members`; only those with `name` in theirs."""
    # A subquery for each club that is read: a join would count the members of all clubs of the site.
    counted = Membership.objects.filter(club=OuterRef("pk")).order_by().values("club").annotate(Count("pk"))
    members = Coalesce(Subquery(counted.values("pk__count")), 0)
    clubs = Club.objects.annotate(members=members).order_by("folded_name")
    return clubs.filter(folded_name__contains=folded(name)) if name else clubs


def of(user_id: int) -> QuerySet[Membership]:
    """The memberships of a user, with their clubs, by name."""
    return Membership.objects.filter(user=user_id).select_related("club").order_by("club__folded_name")


def waiting_for(user_id: int) -> dict[str, int]:
    """How many requests to join wait for a user who is owner or organiser, by the id of the club."""
    staff = of(user_id).exclude(role=Role.MEMBER).annotate(waiting=Count("club__join_requests"))
    return dict(staff.values_list("club", "waiting"))


def membership(club: Club, user_id: int | None) -> Membership | None:
    """The membership of a user in a club; None for others and for visitors."""
    return None if user_id is None else Membership.objects.filter(club=club, user=user_id).first()


def owner(club: Club) -> User:
    """The owner of a club."""
    return Membership.objects.select_related("user").get(club=club, role=Role.OWNER).user


def called(name: str) -> Club:
    """A club by its name, regardless of case. Raises ClubError "unknown-club"."""
    return _one(Club.objects.filter(folded_name=folded(name)))


def is_member(club_id: str, user_id: int) -> bool:
    """Whether a user is a member of a club."""
    return Membership.objects.filter(club=club_id, user=user_id).exists()


def members(club: Club) -> QuerySet[Membership]:
    """The members of a club: the owner, the organisers, then the others, by name."""
    return Membership.objects.filter(club=club).select_related("user").order_by(BY_RANK, "user__folded_name")


def staff_ids(club_id: str) -> list[int]:
    """The ids of the owner and the organisers of a club now."""
    staff = Membership.objects.filter(club=club_id, user__is_active=True).exclude(role=Role.MEMBER)
    return list(staff.values_list("user", flat=True))


def hold(user: User, **of_club: str) -> None:
    """Lock the memberships of a user, if there are any: nobody who leaves meanwhile comes in as a member.

    Call it before anything else is locked but seeks and clubs.

    Args:
        of_club: what identifies the clubs, such as `tables` or `tournaments` with an id.
    """
    mine = Membership.objects.filter(user=user, **{f"club__{name}": pk for name, pk in of_club.items()})
    list(mine.select_for_update(of=("self",)).order_by("pk"))


def needs(club: Club, user: User, role: str) -> Membership:
    """The membership of a user with at least a role.

    Raises:
        ClubError: "not-member", "not-organiser" or "not-owner".
    """
    mine = membership(club, user.pk)
    if mine is None:
        raise refusals.NotMember
    if RANKS[mine.role] < RANKS[role]:
        raise refusals.NotOwner if role == Role.OWNER else refusals.NotOrganiser
    return mine


def check_game(club: Club, game: str) -> None:
    """Check that a club plays a game. Raises ClubError "club-game"."""
    if not club.plays(game):
        raise refusals.ClubGame


def organised_by(user_id: int | None, game: str) -> list[Club]:
    """The clubs that play a game and in which a user is owner or organiser, by name."""
    if user_id is None:
        return []
    staff = of(user_id).exclude(role=Role.MEMBER)
    return [each.club for each in staff if each.club.plays(game)]


def named(club: Club, name: str) -> Membership:
    """The member of a club with a name. Raises ClubError "unknown-member"."""
    person = naming.named(name)
    found = None if person is None else Membership.objects.filter(club=club, user=person).first()
    if found is None:
        raise refusals.UnknownMember(name=name)
    return found


def removed_today(club: Club) -> int:
    """How many members the organisers of a club have removed within a day, the owner's removals apart."""
    lately = audit_log(club.pk).filter(action="club-remove", at__gt=timezone.now() - DAY)
    return lately.filter(details__role=Role.ORGANISER.value).count()

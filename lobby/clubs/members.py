"""Joining and leaving clubs, and roles. Writes `Membership`, `JoinRequest`, `Exclusion`.

Every action is one transaction that holds the row of the club, and is carried out once by its command id.
"""

from __future__ import annotations

import hmac

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.domain import texts
from games.domain.refusals import Refused
from lobby.chat import lines
from lobby.clubs import lookup, refusals, signals
from lobby.clubs.lookup import RANKS, Role
from lobby.clubs.models import REQUEST_LENGTH, WHY_LENGTH, Club, Exclusion, JoinRequest, Membership
from lobby.commands import once, record
from lobby.people import naming, relationships
from lobby.people.models import User


@once("club-join", "club_id")
def join(user: User, club_id: str, command: str, token: str = "", text: str = "") -> bool:
    """Join a club, or ask to; returns whether the user is a member now.

    Args:
        token: the token of the club's link, which lets people in at once.
        text: a message to the organisers, for a request.

    Raises:
        ClubError: "unknown-club", "guest", "removed", "blocked", "link-needed", "too-many-clubs" or
            "club-full".
        ChatError: "muted" or "chat-off", for a request with a message.
    """
    club = lookup.locked(club_id)
    if lookup.is_member(club.pk, user.pk):
        return True
    _may_join(club, user)
    invited = bool(token) and hmac.compare_digest(token.encode(errors="replace"), club.token.encode())
    if not invited and club.joining == Club.Joining.LINK:
        raise refusals.LinkNeeded
    if invited or club.joining == Club.Joining.OPEN:
        _lock_for_another(user, club)
        add(club, user)
    elif JoinRequest.objects.filter(club=club, user=user).exists():
        return False
    else:
        person = _lock_for_another(user, club)
        words = texts.cleaned(text)[:REQUEST_LENGTH]
        if words:
            lines.check_author(person, talk=True)
        JoinRequest.objects.create(club=club, user=user, text=words, due=timezone.now())
        transaction.on_commit(signals.notices_due, robust=True)
    record(user, "club-join", club.pk)
    return lookup.is_member(club.pk, user.pk)


@once("club-leave", "club_id")
def leave(user: User, club_id: str, command: str) -> None:
    """Leave a club, or withdraw a request to join it. Who is not in it leaves nothing.

    Raises:
        ClubError: "unknown-club", "hand-over-first".
    """
    club = lookup.locked(club_id)
    mine = lookup.membership(club, user.pk)
    if mine is not None and mine.role == Role.OWNER:
        raise refusals.HandOverFirst
    asked, _by_model = JoinRequest.objects.filter(club=club, user=user).delete()
    if mine is not None:
        drop(club, user)
    if mine is not None or asked:
        record(user, "club-leave", club.pk)


@once("club-answer", "club_id")
def answer(organiser: User, club_id: str, name: str, accepted: bool, command: str) -> None:
    """Accept or decline a request to join.

    Raises:
        ClubError: "unknown-club", "not-member", "not-organiser", "unknown-request",
            "their-limit" or "club-full".
    """
    club = lookup.locked(club_id)
    lookup.needs(club, organiser, Role.ORGANISER)
    person = naming.named(name)
    asked = JoinRequest.objects.filter(club=club, user=person).select_related("user").first()
    if person is None or asked is None:
        raise refusals.UnknownRequest(name=name)
    if accepted:
        User.objects.select_for_update().get(pk=person.pk)
        if Membership.objects.filter(user=person).count() >= settings.CLUBS_PER_PERSON:
            raise refusals.TheirLimit(name=person.get_username())
        _check_room(club)
        add(club, person)
    else:
        asked.delete()
    record(organiser, "club-answer", club.pk, person=person.pk, accepted=accepted)
    signals.request_answered(club, person, accepted)


@once("club-remove", "club_id")
def remove(organiser: User, club_id: str, name: str, why: str, command: str) -> None:
    """Remove a member, who stays out until an organiser lets them in again.

    Raises:
        ClubError: "unknown-club", "not-member", "not-organiser", "unknown-member", "rank" or
            "owner-only".
        ChatError: "muted", if there is a reason.
    """
    club = lookup.locked(club_id)
    mine = lookup.needs(club, organiser, Role.ORGANISER)
    theirs = _below(mine, lookup.named(club, name))
    if mine.role != Role.OWNER and lookup.removed_today(club) >= settings.CLUB_REMOVALS_PER_DAY:
        raise refusals.OwnerOnly
    words = texts.cleaned(why)[:WHY_LENGTH]
    if words:
        lines.check_author(organiser)
    Exclusion.objects.get_or_create(club=club, user=theirs.user, defaults={"why": words})
    drop(club, theirs.user)
    # The role then, since the owner may be another one later.
    record(organiser, "club-remove", club.pk, person=theirs.user_id, why=words, role=mine.role)


@once("club-let-in", "club_id")
def let_in(organiser: User, club_id: str, name: str, command: str) -> None:
    """Let a person who was removed join again, as everybody else can.

    Raises:
        ClubError: "unknown-club", "not-member", "not-organiser" or "not-removed".
    """
    club = lookup.locked(club_id)
    lookup.needs(club, organiser, Role.ORGANISER)
    person = naming.named(name)
    gone, _by_model = Exclusion.objects.filter(club=club, user=person).delete()
    if person is None or not gone:
        raise refusals.NotRemoved(name=name)
    record(organiser, "club-let-in", club.pk, person=person.pk)


@once("club-role", "club_id")
def set_role(owner: User, club_id: str, name: str, role: str, command: str) -> None:
    """Make a member an organiser, or an organiser a member.

    Raises:
        ClubError: "unknown-club", "not-member", "not-owner", "bad-role", "unknown-member" or
            "rank".
    """
    club = lookup.locked(club_id)
    mine = lookup.needs(club, owner, Role.OWNER)
    if role not in (Role.ORGANISER, Role.MEMBER):
        raise refusals.BadRole
    theirs = _below(mine, lookup.named(club, name))
    _give(theirs, Role(role))
    record(owner, "club-role", club.pk, person=theirs.user_id, role=role)


@once("club-hand-over", "club_id")
def offer(owner: User, club_id: str, name: str, command: str) -> None:
    """Offer a club to another member, who owns it after accepting (`take_over`). It replaces earlier offers.

    Raises:
        ClubError: "unknown-club", "not-member", "not-owner", "unknown-member", "rank", "bot" or
            "their-limit".
    """
    club = lookup.locked(club_id)
    mine = lookup.needs(club, owner, Role.OWNER)
    theirs = _below(mine, lookup.named(club, name))
    if theirs.user.is_bot:
        raise refusals.ClubBot
    if owned(theirs.user_id) >= settings.CLUBS_PER_OWNER:
        raise refusals.TheirLimit(name=theirs.user.get_username())
    _end_offers(club)
    Membership.objects.filter(pk=theirs.pk).update(offered=timezone.now())
    record(owner, "club-offer", club.pk, person=theirs.user_id)
    signals.club_offered(club, owner, theirs.user)


@once("club-take-over", "club_id")
def take_over(heir: User, club_id: str, command: str) -> None:
    """Accept the offer of a club and own it; its owner becomes an organiser.

    Raises:
        ClubError: "unknown-club", "not-member", "not-offered", "bot" or "too-many-owned".
    """
    club = lookup.locked(club_id)
    mine = lookup.needs(club, heir, Role.MEMBER)
    if mine.offered is None:
        raise refusals.NotOffered
    # Lock the user's row, so that two concurrent requests cannot both pass the limit.
    if User.objects.select_for_update().get(pk=heir.pk).is_bot:
        raise refusals.ClubBot
    if owned(heir.pk) >= settings.CLUBS_PER_OWNER:
        raise refusals.TooManyOwned(settings.CLUBS_PER_OWNER)
    # In this order: there is one owner at any time.
    _give(Membership.objects.get(club=club, role=Role.OWNER), Role.ORGANISER)
    _give(mine, Role.OWNER)
    record(heir, "club-take-over", club.pk)


@once("club-end-offer", "club_id")
def end_offer(user: User, club_id: str, command: str) -> None:
    """Withdraw the offer of a club as its owner, or decline it.

    Raises:
        ClubError: "unknown-club", "not-member" or "not-offered".
    """
    club = lookup.locked(club_id)
    mine = lookup.needs(club, user, Role.MEMBER)
    if mine.offered is None and mine.role != Role.OWNER:
        raise refusals.NotOffered
    if _end_offers(club):
        record(user, "club-end-offer", club.pk)


@once("club-consent", "club_id")
def consent(user: User, club_id: str, agreed: bool, command: str) -> None:
    """Say whether one's name goes along when the club moves to another site.

    Raises:
        ClubError: "unknown-club" or "not-member".
    """
    mine = lookup.needs(lookup.locked(club_id), user, Role.MEMBER)
    Membership.objects.filter(pk=mine.pk).update(goes_along=agreed)
    record(user, "club-consent", club_id, agreed=agreed)


# For `lobby.clubs.clubs`


def add(club: Club, user: User, role: Role = Role.MEMBER) -> None:
    """Make a user a member of a locked or new club; a request of theirs is answered by that."""
    JoinRequest.objects.filter(club=club, user=user).delete()
    Membership.objects.create(club=club, user=user, role=role)


def drop(club: Club, user: User) -> None:
    """End a membership in a locked club, with all that it allowed."""
    Membership.objects.filter(club=club, user=user).delete()
    signals.member_gone(club, user)


def inherit(club: Club) -> bool:
    """Give a locked club without an owner to the organiser of longest standing, or else to such a member.

    Limits do not count then: the club would be lost. Returns whether there was anybody.
    """
    heirs = Membership.objects.filter(club=club, user__is_active=True, user__is_bot=False)
    heir = heirs.select_related("user").order_by(lookup.BY_RANK, "since", "pk").first()
    if heir is None:
        return False
    _give(heir, Role.OWNER)
    signals.club_inherited(club, heir.user)
    return True


def forget(user_id: int) -> None:
    """Delete the requests of a user who is banned or deleted. Exclusions stay: a ban may end."""
    JoinRequest.objects.filter(user=user_id).delete()


def owned(user_id: int) -> int:
    """How many clubs a user owns."""
    return Membership.objects.filter(user=user_id, role=Role.OWNER).count()


def check_number(user: User) -> None:
    """Check that a locked user may be in one more club. Requests count, so that accepting them is possible.

    Raises:
        ClubError: "too-many-clubs".
    """
    most = settings.CLUBS_PER_PERSON
    if user.memberships.count() + user.join_requests.count() >= most:
        raise refusals.TooManyClubs(most)


def why_not(user: User, club: Club) -> Refused | None:
    """The reason a user can neither join a club nor ask to, the link and limits apart; None if they can."""
    try:
        _may_join(club, user)
    except Refused as error:
        return error
    return None


def _may_join(club: Club, user: User) -> None:
    if user.is_guest:
        raise refusals.ClubGuest
    if Exclusion.objects.filter(club=club, user=user).exists():
        raise refusals.ClubRemoved
    owner = Membership.objects.filter(club=club, role=Role.OWNER).values_list("user", flat=True).first()
    if owner is not None and relationships.apart(user.pk, owner):
        raise refusals.ClubBlocked


def _lock_for_another(user: User, club: Club) -> User:
    """Lock a user who is to be in one more club, and check the limits of both."""
    # Lock the user's row, so that two concurrent requests cannot both pass the limit.
    person = User.objects.select_for_update().get(pk=user.pk)
    if not person.is_active:
        raise refusals.ClubGuest
    if not person.join_requests.filter(club=club).exists():
        check_number(person)
    _check_room(club)
    return person


def _check_room(club: Club) -> None:
    if club.memberships.count() >= settings.CLUB_MEMBERS:
        raise refusals.ClubFull


def _below(mine: Membership, theirs: Membership) -> Membership:
    """A membership if its role is below mine. Raises ClubError "rank"."""
    if RANKS[theirs.role] >= RANKS[mine.role]:
        raise refusals.SameRank
    return theirs


def _end_offers(club: Club) -> bool:
    return bool(Membership.objects.filter(club=club, offered__isnull=False).update(offered=None))


def _give(membership: Membership, role: Role) -> None:
    if role == Role.OWNER:
        _end_offers(membership.club)
    if membership.role != role:
        membership.role, membership.since = role, timezone.now()
        membership.save(update_fields=["role", "since"])

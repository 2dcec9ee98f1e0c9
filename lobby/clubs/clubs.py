"""Founding, changing and dissolving clubs, and what becomes of them when people go. Writes `Club`.

Every action is one transaction, and carried out once by its command id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from games.domain import texts
from games.registry import GAMES
from lobby.chat import lines
from lobby.clubs import lookup, members, refusals, signals
from lobby.clubs.lookup import Role
from lobby.clubs.models import ABOUT_LENGTH, SLUG_LENGTH, Club, FormerAddress, club_token
from lobby.commands import once, record
from lobby.people import naming
from lobby.people.models import User
from lobby.people.spelling import folded, skeleton


@dataclass(frozen=True, slots=True)
class Charter:
    """What an owner chooses.

    Attributes:
        name: as typed.
        about: a few sentences; "" for none.
        games: slugs of the games that the club plays; empty for all.
        joining: a `Club.Joining`.
    """

    name: str
    about: str = ""
    games: Sequence[str] = ()
    joining: str = Club.Joining.OPEN.value


@once("club-found", again=lookup.find)
def found(founder: User, charter: Charter, command: str) -> Club:
    """Found a club; the founder owns it.

    Raises:
        ClubError: "unknown-club" (it was dissolved meanwhile), "guest", "too-many-owned",
            "too-many-clubs", "bad-name", "bad-about", "unknown-game" or "bad-joining".
        ChatError: "muted".
    """
    # Lock the founder's row, so that two concurrent requests cannot both pass the limit.
    person = User.objects.select_for_update().get(pk=founder.pk)
    if person.is_guest or not person.is_active:
        raise refusals.ClubGuest
    if person.is_bot:
        raise refusals.ClubBot
    if members.owned(person.pk) >= settings.CLUBS_PER_OWNER:
        raise refusals.TooManyOwned(settings.CLUBS_PER_OWNER)
    members.check_number(person)
    club = Club()
    lines.check_author(person)
    _set(club, charter)
    _store(club)
    members.add(club, founder, Role.OWNER)
    record(founder, "club-found", club.pk)
    return club


@once("club-change", "club_id", again=lookup.find)
def change(owner: User, club_id: str, charter: Charter, command: str) -> Club:
    """Change everything that the owner chose. Its address follows a new name.

    Raises:
        ClubError: "unknown-club", "not-member", "not-owner" or what `found` raises about a
            charter.
        ChatError: "muted", if the name or the description changes.
    """
    club = lookup.locked(club_id)
    lookup.needs(club, owner, Role.OWNER)
    if (charter.name, _about(charter.about)) != (club.name, club.about):
        lines.check_author(owner)
    _set(club, charter)
    _store(club)
    record(owner, "club-change", club.pk, name=club.name)
    return club


def rename(club: Club, name: str) -> None:
    """Rename a locked club, for moderators. Raises ClubError "bad-name"."""
    _set_name(club, name)
    _store(club)


@once("club-link", "club_id")
def renew_link(organiser: User, club_id: str, command: str) -> str:
    """Make a new link for joining, and return its token; the one before is void.

    Raises:
        ClubError: "unknown-club", "not-member" or "not-organiser".
    """
    club = lookup.locked(club_id)
    lookup.needs(club, organiser, Role.ORGANISER)
    club.token = club_token()
    club.save(update_fields=["token"])
    record(organiser, "club-link", club.pk)
    return club.token


@once("club-dissolve", "club_id")
def dissolve(owner: User, club_id: str, command: str) -> None:
    """Dissolve a club for good.

    Raises:
        ClubError: "unknown-club", "not-member" or "not-owner".
    """
    club = lookup.locked(club_id)
    lookup.needs(club, owner, Role.OWNER)
    record(owner, "club-dissolve", club.pk, name=club.name)
    close(club, owner)


def close(club: Club, owner: User) -> None:
    """Delete a locked club, with all that is its own. `owner` is its last one."""
    signals.club_closing(club, owner)
    club.delete()


@transaction.atomic
def leave_all(user_id: int) -> None:
    """Take a user out of all clubs, because the account is banned or about to be deleted.

    A club that loses its owner goes to the organiser of longest standing, or else to such a member; without
    either it is dissolved.
    """
    user = User.objects.get(pk=user_id)
    for club_id in sorted(lookup.of(user_id).values_list("club", flat=True)):
        club = lookup.locked(club_id)
        mine = lookup.membership(club, user_id)
        if mine is None:
            continue
        members.drop(club, user)
        if mine.role == Role.OWNER and not members.inherit(club):
            close(club, user)
    members.forget(user_id)


def _set(club: Club, charter: Charter) -> None:
    _set_name(club, charter.name)
    club.about = _about(charter.about)
    unknown = [slug for slug in charter.games if slug not in GAMES]
    if unknown:
        raise refusals.UnknownGame
    club.games = [slug for slug in GAMES if slug in charter.games]
    if charter.joining not in Club.Joining.values:
        raise refusals.BadJoining
    club.joining = charter.joining


def _set_name(club: Club, name: str) -> None:
    known = None if club._state.adding else club
    if known is not None and name == known.name:
        return
    try:
        chosen = naming.choose_for_club(name, known)
    except ValidationError as error:
        raise refusals.BadName(why=" ".join(error.messages)) from None
    club.name, club.folded_name, club.skeleton = chosen, folded(chosen), skeleton(chosen)
    club.slug = _free_slug(club)


def _free_slug(club: Club) -> str:
    """The address of a club: its name in small letters, with a number if another club has that."""
    plain = slugify(club.name, allow_unicode=True)[: SLUG_LENGTH - 4] or "club"
    clubs = Club.objects.exclude(pk=club.pk).filter(slug__startswith=plain)
    former = FormerAddress.objects.exclude(club=club.pk).filter(slug__startswith=plain)
    taken = {*clubs.values_list("slug", flat=True), *former.values_list("slug", flat=True)}
    return next(slug for slug in chain([plain], (f"{plain}-{n}" for n in count(2))) if slug not in taken)


def _about(text: str) -> str:
    words = "\n".join(filter(None, map(texts.cleaned, text.splitlines())))
    if len(words) > ABOUT_LENGTH:
        raise refusals.BadAbout(most=ABOUT_LENGTH)
    return words


def _store(club: Club) -> None:
    before = Club.objects.filter(pk=club.pk).exclude(slug=club.slug).values_list("slug", flat=True).first()
    try:
        with transaction.atomic():
            club.save()
            if before is not None:
                FormerAddress.objects.get_or_create(slug=before, club=club)
    except IntegrityError:
        # Another club took the name at the same moment.
        raise refusals.BadName(why=" ".join(naming.taken().messages)) from None

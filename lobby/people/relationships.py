"""Following, muting and blocking. The only module that writes `Relationship`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from games.domain.refusals import Refused
from games.net import rights
from games.rules.base import gettext_noop, ngettext_noop
from games.watch.visibility import ADMITTED
from lobby.people import circles, signals
from lobby.people.models import Relationship, User
from lobby.people.person import tell

MAX_PEOPLE = settings.PEOPLE_PER_LIST
"""Maximum length of each list."""

SILENCING = (Relationship.Kind.BLOCK, Relationship.Kind.MUTE)
"""The kinds that hide the other user's chat lines."""


class RelationshipError(Refused):
    """A refused relationship; nothing was changed."""


class Unknown(RelationshipError):
    """There is no user with this name."""

    code, status = "unknown", 404
    sentence = gettext_noop("No player has this name.")


class Computer(RelationshipError):
    """The site's own computer players cannot be followed, muted or blocked."""

    code, status = "computer", 400
    sentence = gettext_noop("%(name)s is a computer player.")


class Oneself(RelationshipError):
    """Nobody follows, mutes or blocks themselves."""

    code, status = "oneself", 400
    sentence = gettext_noop("You cannot do that to yourself.")


class Blocked(RelationshipError):
    """One of the two blocks the other."""

    code, status = "blocked", 400
    sentence = gettext_noop("You cannot follow this person while one of you blocks the other.")


class TooMany(RelationshipError):
    """The list has `most` people."""

    code, status = "too-many", 400
    sentence, many = ngettext_noop(
        "Your list already has %(most)d person. Remove one first.",
        "Your list already has %(most)d people. Remove one first.",
    )

    def __init__(self) -> None:
        super().__init__(most=MAX_PEOPLE)


def named(name: str, asker: int | None) -> User:
    """The user of that name, regardless of case, whom a user or a visitor may see.

    Raises:
        RelationshipError: "unknown", or "computer" for a computer player of the site.
    """
    person = circles.named(name, asker)
    if person is None or person.is_deleted:
        raise Unknown
    if person.computer:
        raise Computer(name=person.name_in_words())
    return person


@transaction.atomic
def follow(user: User, other: User) -> None:
    """Follow `other`. Following twice changes nothing.

    Raises:
        RelationshipError: "oneself", "unknown", "blocked" or "too-many".
    """
    _lock(user, other)
    if apart(user.pk, other.pk):
        raise Blocked
    _add(user, other, Relationship.Kind.FOLLOW)


@transaction.atomic
def unfollow(user: User, other: User) -> None:
    """Stop following `other`."""
    _remove(user, other, Relationship.Kind.FOLLOW)


@transaction.atomic
def block(user: User, other: User) -> None:
    """Block `other`: no games together, no chat lines; ends following in both directions.

    Raises:
        RelationshipError: "oneself", "unknown" or "too-many".
    """
    _lock(user, other)
    _add(user, other, Relationship.Kind.BLOCK)
    _remove(user, other, Relationship.Kind.FOLLOW)
    _remove(other, user, Relationship.Kind.FOLLOW)


@transaction.atomic
def unblock(user: User, other: User) -> None:
    """Unblock `other`."""
    _remove(user, other, Relationship.Kind.BLOCK)


@transaction.atomic
def mute(user: User, other: User) -> None:
    """Hide the chat lines of `other`.

    Raises:
        RelationshipError: "oneself", "unknown" or "too-many".
    """
    _lock(user, other)
    _add(user, other, Relationship.Kind.MUTE)


@transaction.atomic
def unmute(user: User, other: User) -> None:
    """Show the chat lines of `other` again."""
    _remove(user, other, Relationship.Kind.MUTE)


def part_from_strangers(user_id: int) -> None:
    """End following and watching between a user and those whom they may not meet any more.

    Call it in the transaction in which a pupil or a teacher leaves a class.
    """
    rights.ended(ADMITTED)
    follows = Relationship.objects.filter(kind=Relationship.Kind.FOLLOW)
    others = {*follows.filter(user=user_id).values_list("other", flat=True)}
    others |= {*follows.filter(other=user_id).values_list("user", flat=True)}
    gone = circles.strangers(user_id, others)
    follows.filter(Q(user=user_id, other__in=gone) | Q(other=user_id, user__in=gone)).delete()


@transaction.atomic
def forget(user_id: int) -> None:
    """Delete all relationships from and to a user whose account is deleted."""
    Relationship.objects.filter(Q(user=user_id) | Q(other=user_id)).delete()


def apart(one: int, other: int) -> bool:
    """Whether two users are kept apart: one blocks the other, or is a pupil whom the other may not meet."""
    return bool(apart_from(one, [other]))


def apart_from(user_id: int, others: Collection[int]) -> frozenset[int]:
    """Those of some users from whom a user is kept apart."""
    return circles.strangers(user_id, others) | blocked_ids(user_id).intersection(others)


def blocks_among(user_ids: Collection[int]) -> frozenset[tuple[int, int]]:
    """Who of these users blocks whom of them: pairs of the blocking and the blocked user."""
    blocks = Relationship.objects.filter(kind=Relationship.Kind.BLOCK)
    among = blocks.filter(user__in=user_ids).values_list("user", "other")
    return frozenset((user, other) for user, other in among if other in user_ids)


def blocked_ids(user_id: int) -> frozenset[int]:
    """All users whom this user blocks, or who block this user."""
    rows = Relationship.objects.filter(Q(user=user_id) | Q(other=user_id), kind=Relationship.Kind.BLOCK)
    pairs = rows.values_list("user", "other")
    return frozenset(each for pair in pairs for each in pair if each != user_id)


def muted_ids(user_id: int) -> frozenset[int]:
    """All users whom this user mutes."""
    return frozenset(
        Relationship.objects.filter(user=user_id, kind=Relationship.Kind.MUTE).values_list("other", flat=True)
    )


def followed_names(user_id: int) -> list[str]:
    """The names of all users whom this user follows."""
    rows = Relationship.objects.filter(user=user_id, kind=Relationship.Kind.FOLLOW)
    return sorted(row.other.get_username() for row in rows.select_related("other"))


def silenced_names(user_id: int) -> list[str]:
    """The names of all users whose chat lines are hidden from this user."""
    rows = Relationship.objects.filter(user=user_id, kind__in=SILENCING)
    return sorted({row.other.get_username() for row in rows.select_related("other")})


def kinds_to(user_id: int, other_id: int) -> frozenset[str]:
    """The relationships of one user to another: some of "follow", "block", "mute"."""
    return frozenset(Relationship.objects.filter(user=user_id, other=other_id).values_list("kind", flat=True))


def kinds_by_user(user_id: int) -> dict[int, frozenset[str]]:
    """All relationships of one user, as `kinds_to` tells them, by the other user."""
    found = defaultdict[int, set[str]](set)
    for other, kind in Relationship.objects.filter(user=user_id).values_list("other", "kind"):
        found[other].add(kind)
    return {other: frozenset(kinds) for other, kinds in found.items()}


def people(user_id: int, kind: Relationship.Kind) -> list[User]:
    """The users to whom this user has a relationship of a kind, sorted by name."""
    rows = Relationship.objects.filter(user=user_id, kind=kind, other__is_deleted=False).select_related(
        "other"
    )
    return sorted((row.other for row in rows), key=lambda other: other.folded_name)


def _lock(user: User, other: User) -> None:
    """Lock both users' rows until the transaction ends.

    Blocking and being followed at the same moment must not both succeed. The rows are locked in the order
    of their ids, so that two users who block each other do not deadlock.
    """
    if user.pk == other.pk:
        raise Oneself
    both = User.objects.select_for_update().filter(pk__in=[user.pk, other.pk]).order_by("pk")
    if any(person.is_deleted for person in both):
        raise Unknown


def _add(user: User, other: User, kind: Relationship.Kind) -> None:
    mine = Relationship.objects.filter(user=user, kind=kind)
    if mine.filter(other=other).exists():
        return
    if mine.count() >= MAX_PEOPLE:
        raise TooMany
    Relationship.objects.create(user=user, other=other, kind=kind)
    _tell(user, kind)


def _remove(user: User, other: User, kind: Relationship.Kind) -> None:
    gone, _by_model = Relationship.objects.filter(user=user, other=other, kind=kind).delete()
    if gone:
        _tell(user, kind)


def _tell(user: User, kind: Relationship.Kind) -> None:
    """Send the user's open pages the names whose chat lines are hidden now."""
    if kind in SILENCING:
        message = {"type": "silenced", "names": silenced_names(user.pk)}
        transaction.on_commit(partial(tell, user.pk, message), robust=True)
        signals.silenced(user)

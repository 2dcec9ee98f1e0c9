"""Reading and locking studies, and who may do what in one.

The row of a study is its lock. Lock order: studies, chapters, users.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from lobby.chat import lines
from lobby.people.models import User
from lobby.studies import refusals
from lobby.studies.models import Chapter, Study, StudyMember

Role = StudyMember.Role
OWNER = "owner"
RANKS = {"": 0, Role.READ: 1, Role.COMMENT: 2, Role.WRITE: 3, OWNER: 4}
"""The roles, each of which may do what those before it may. "" is nobody."""
MOST_LISTED = 50


def find(study_id: str) -> Study:
    """A study by its id, whoever asks. Raises `UnknownStudy`."""
    return _one(Study.objects.filter(pk=study_id))


def locked(study_id: str) -> Study:
    """A study, locked until the transaction ends. Raises `UnknownStudy`."""
    return _one(Study.objects.select_for_update().filter(pk=study_id))


def _one(rows: QuerySet[Study]) -> Study:
    study = rows.first()
    if study is None:
        raise refusals.UnknownStudy
    return study


def role_of(study: Study, user_id: int | None) -> str:
    """The role of a user; "" for those who may not see the study."""
    if user_id is not None and study.owner_id == user_id:
        return OWNER
    member = study.members.filter(user=user_id).first() if user_id is not None else None
    if member is not None:
        return member.role
    return "" if study.visibility == Study.Visibility.PRIVATE else Role.READ.value


def seen_by(study_id: str, user_id: int | None) -> tuple[Study, str]:
    """A study that a user may see, and the role of the user. Raises `UnknownStudy`."""
    study = find(study_id)
    role = role_of(study, user_id)
    if not role:
        raise refusals.UnknownStudy
    return study, role


def needs(study: Study, user: User, role: str) -> None:
    """Refuse users below a role. Raises StudyError "unknown-study", "not-allowed" or "not-owner"."""
    mine = role_of(study, user.pk)
    if not mine:
        raise refusals.UnknownStudy
    if RANKS[mine] < RANKS[role]:
        raise refusals.NotOwner if role == OWNER else refusals.NotAllowed


def check_author(study: Study, user: User) -> None:
    """Refuse words of a muted user in a study that others see. Raises ChatError "muted" or "banned"."""
    if study.visibility != Study.Visibility.PRIVATE or study.members.exists():
        lines.check_author(user)


def chapter(study: Study, number: int) -> Chapter:
    """A chapter by its id. Raises `UnknownChapter`."""
    found = study.chapters.filter(pk=number).first()
    if found is None:
        raise refusals.UnknownChapter
    return found


def of(user_id: int) -> QuerySet[Study]:
    """The studies of a user: their own, and those that they are members of; the newest first."""
    mine = Q(owner=user_id) | Q(pk__in=StudyMember.objects.filter(user=user_id).values("study"))
    return Study.objects.filter(mine).select_related("owner")


def public(game: str = "") -> QuerySet[Study]:
    """The newest public studies."""
    listed = Study.objects.filter(visibility=Study.Visibility.PUBLIC, created__lte=timezone.now())
    return (listed.filter(game=game) if game else listed).select_related("owner")[:MOST_LISTED]

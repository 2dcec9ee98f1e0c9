"""Studies and their members. Writes `Study` and `StudyMember`.

Every action is one transaction under the row of the study, and carried out once by its command id.
"""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from games.domain.refusals import Refused
from lobby.chat import lines
from lobby.commands import once
from lobby.people import naming, relationships
from lobby.people.models import User
from lobby.studies import chapters, files, lookup, refusals, signals
from lobby.studies.lookup import OWNER, Role
from lobby.studies.models import Study, StudyMember

MOST_MEMBERS = 64


def copied(study_id: str) -> Study:
    """The study that a repeated command made. Raises `UnknownStudy` if it was deleted."""
    return lookup.find(study_id)


def create(user: User, text: str, command: str) -> Study:
    """Keep a file as a private study.

    Raises:
        StudyError: "guest", "bad-study", "bad-title", "other-game", "too-many-studies" or
            "too-many-chapters".
    """
    return _create(user, text, files.chapters_of(text.encode()), command)


@once("study-create", ignored={"read"}, again=copied)
def _create(user: User, text: str, read: tuple[str, list[files.Chapter]], command: str) -> Study:
    # The file is read before: that takes a second, in which nobody else could write to SQLite.
    title, made = read
    # Lock the row, so that two requests at once cannot both pass the limit.
    owner = User.objects.select_for_update().get(pk=user.pk)
    if owner.is_guest or owner.is_bot:
        raise refusals.StudyGuest
    if Study.objects.filter(owner=owner).count() >= settings.STUDIES_PER_PERSON:
        raise refusals.TooManyStudies(most=settings.STUDIES_PER_PERSON)
    game = made[0].start.game
    study = Study.objects.create(owner=owner, title=_title(title) or gettext(game.title), game=game.slug)
    chapters.create(study, made)
    return study


@once("study-change", "study_id")
def change(user: User, study_id: str, title: str, visibility: str | None, command: str) -> None:
    """Change the title, and who can see it; "" and None leave it as it is.

    Raises:
        StudyError: "unknown-study", "not-owner", "bad-study", "bad-title" or "study-held".
        ChatError: a muted user shows it to others.
    """
    study = lookup.locked(study_id)
    lookup.needs(study, user, OWNER)
    if visibility is not None:
        if visibility not in Study.Visibility.values:
            raise refusals.BadStudy("visibility")
        study.visibility = Study.Visibility(visibility)
    study.title = _title(title) or study.title
    if study.held and study.visibility != Study.Visibility.PRIVATE:
        raise refusals.StudyHeld
    lookup.check_author(study, user)
    study.save(update_fields=["title", "visibility"])
    signals.study_changed(study)


def hold(study_id: str) -> None:
    """Show a study to its members only until a moderator releases it.

    Call it in a transaction. Raises `UnknownStudy`.
    """
    study = lookup.locked(study_id)
    study.visibility, study.held = Study.Visibility.PRIVATE, True
    study.save(update_fields=["visibility", "held"])
    signals.study_changed(study)


def release(study_id: str) -> None:
    """Let the owner of a held study show it again. Call it in a transaction. Raises `UnknownStudy`."""
    study = lookup.locked(study_id)
    study.held = False
    study.save(update_fields=["held"])


@once("study-delete", "study_id")
def delete(user: User, study_id: str, command: str) -> None:
    """Delete a study for good. Raises StudyError "unknown-study" or "not-owner"."""
    study = lookup.locked(study_id)
    lookup.needs(study, user, OWNER)
    signals.study_changed(study)
    study.delete()


@once("study-member", "study_id")
def set_member(user: User, study_id: str, name: str, role: str, command: str) -> None:
    """Give somebody a role, or another one.

    Raises:
        StudyError: "unknown-study", "not-owner", "bad-study", "unknown-member" or "too-many-members".
        ChatError: a muted user shows a study to somebody.
    """
    study = lookup.locked(study_id)
    lookup.needs(study, user, OWNER)
    lines.check_author(user)
    if role not in Role.values:
        raise refusals.BadStudy("role")
    person = _person(user, name)
    known = study.members.filter(user=person)
    if not known.exists() and study.members.count() >= MOST_MEMBERS:
        raise refusals.TooManyMembers(most=MOST_MEMBERS)
    StudyMember.objects.update_or_create(study=study, user=person, defaults={"role": Role(role)})
    signals.study_changed(study)


@once("study-remove", "study_id")
def remove_member(user: User, study_id: str, name: str, command: str) -> None:
    """Take a member out: the owner anybody, and members themselves.

    Raises:
        StudyError: "unknown-study", "not-owner" or "unknown-member".
    """
    study = lookup.locked(study_id)
    member = study.members.filter(user__username=name).first()
    if member is None or member.user_id != user.pk:
        lookup.needs(study, user, OWNER)
    if member is None:
        raise refusals.UnknownMember
    StudyMember.objects.filter(pk=member.pk).delete()
    signals.study_changed(study)


def _title(text: str) -> str:
    try:
        return naming.choose_title(files.title(text))
    except ValidationError as error:
        raise refusals.BadTitle(why=" ".join(error.messages)) from error


def _person(owner: User, name: str) -> User:
    try:
        person = relationships.named(name, owner.pk)
    except Refused as error:
        raise refusals.UnknownMember from error
    if person.pk == owner.pk or person.is_guest or relationships.apart(owner.pk, person.pk):
        raise refusals.UnknownMember
    return person


@transaction.atomic
def forget(user_id: int) -> None:
    """Delete the studies of a user whose account is deleted, and take the user out of others."""
    for study in Study.objects.select_for_update().filter(owner=user_id):
        signals.study_changed(study)
        study.delete()
    StudyMember.objects.filter(user=user_id).delete()

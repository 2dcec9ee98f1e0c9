"""Idempotent forms: sending a form again leads to the result of the first time.

Each form that must not take effect twice has a key. Services that are commands (`lobby.commands`) get it as
their key. What a view composes itself is one command by `once`, and so is what makes a visitor a guest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from games.domain.messages import COMMAND_ID
from games.models import Match
from lobby import commands
from lobby.classes.models import PupilCard
from lobby.commands.models import TARGET_LENGTH
from lobby.evenings.models import Evening
from lobby.people.models import User
from lobby.tables.models import Invite, Table
from lobby.templatetags.parts import new_form_key
from lobby.tokens.models import Token
from lobby.tournaments.models import Tournament
from lobby.webhooks.models import Hook

FIELD = "key"
CSRF = "csrfmiddlewaretoken"

Act: TypeAlias = Callable[[HttpRequest, User, str, str], object]
"""What a form does: a function of the request, its user, the id of a row, and the id of the command."""

STANDING: dict[str, Callable[[], QuerySet[Any]]] = {
    "table": lambda: Table.objects.filter(match=None),
    "match": lambda: Match.objects.filter(status=Match.Status.PLAYING),
    "invite": lambda: Invite.objects.filter(used=None),
    "token": Token.objects.all,
    "hook": Hook.objects.all,
    "tournament": Tournament.objects.all,
    "evening": Evening.objects.all,
    "pupilcard": PupilCard.objects.all,
}
"""Results that a repeated form still leads to, by model; otherwise it takes effect again."""


def command_of(request: HttpRequest) -> str:
    """The id of the form's command, for services that are commands; a form without one acts each time."""
    key = request.POST.get(FIELD, "")
    return key if re.fullmatch(COMMAND_ID, key) else new_form_key()


def without_fields(act: Callable[[User, str, str], object]) -> Act:
    """A service as the action of a form that has no fields."""
    return lambda _request, user, pk, command: act(user, pk, command)


@transaction.atomic
def once(request: HttpRequest, begin: Callable[[], tuple[User, Any]]) -> tuple[User, Any, bool]:
    """Run the action of a form; returns its user, its result, and whether it ran now.

    A visitor counts as the guest that the same form created.

    Raises:
        CommandUsed: the form was sent before with other values.
        CommandsTooFast: see `lobby.commands`.
    """
    if not request.POST.get(FIELD):
        return *begin(), True
    user = request.user if isinstance(request.user, User) else None
    sent = {name: values for name, values in request.POST.lists() if name not in (FIELD, CSRF)}
    key, target = command_of(request), request.path[:TARGET_LENGTH]
    own = key
    if user is None:
        # The key is bound to the browser: another one that sends it gets its own result.
        own = commands.digest_of([request.COOKIES.get(settings.CSRF_COOKIE_NAME, ""), key])
    row, new = commands.take(user, own, "form", target, sent)
    found = None if new else _found(user, row.result)
    if found is not None:
        return *found, False
    person, begun = begin()
    result = {"person": person.pk, "kind": begun._meta.model_name, "pk": begun.pk}
    commands.keep(row, result, person if user is None else None)
    if user is None:
        # A visitor who goes back and sends the form again is a guest by then.
        # If the action is a command of its own, it has the key already.
        with suppress(commands.CommandUsed):
            commands.keep(commands.take(person, key, "form", target, sent)[0], result)
    return person, begun, True


@transaction.atomic
def once_for_visitor(request: HttpRequest, begin: Callable[[], tuple[User, Any]]) -> tuple[User, Any]:
    """The same for a form whose action is a command of its own, once there is a user to have it."""
    if request.user.is_authenticated:
        return begin()
    return once(request, begin)[:2]


def _found(user: User | None, known: Any) -> tuple[User, Any] | None:
    if not isinstance(known, dict):
        return None
    person = User.objects.filter(pk=known["person"], is_active=True).first()
    if person is None or (user is None and not person.is_guest):
        return None
    standing = STANDING[known["kind"]]().filter(pk=known["pk"]).first()
    return None if standing is None else (person, standing)

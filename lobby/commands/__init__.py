"""Commands: each is carried out once, and the audit log tells what was done.

The only module that writes `Command` and `AuditEntry`.
Every command has a key that its sender chose. The same key and the same command lead to the stored result of
the first time; the same key and another command are refused. The row is stored in the transaction of the
change: neither exists without the other, a refused command leaves nothing and may be tried again, and a copy
that comes at the same time waits at the unique constraint until the first one has ended.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import operator
import time
from collections.abc import Callable, Collection
from dataclasses import asdict, is_dataclass
from datetime import date, datetime, timedelta
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from pydantic import BaseModel

from games.domain.refusals import Refused
from games.net.limits import limiter
from games.net.process import process
from games.net.tasks import Periodic
from games.net.threads import in_low_priority_thread
from games.rules.base import gettext_noop
from lobby.commands.models import AuditEntry, Command
from lobby.people.models import User

P = ParamSpec("P")
R = TypeVar("R")

LIFETIME = timedelta(days=7)
"""For how long a command is known."""
PURGE_SECONDS = 3600.0
BATCH = 500
"""Commands deleted in one transaction."""

COMMANDS: dict[str, Callable[..., Any]] = {}
"""The services that are commands, by their actions."""

_limits = limiter(settings.COMMAND_LIMIT)


class CommandError(Refused):
    """A refused command; nothing was changed."""


class CommandUsed(CommandError):
    """The key belongs to another command: to another action, object or arguments."""

    code, status = "command-used", 409
    sentence = gettext_noop("This form was already sent for something else. Please reload the page.")


class CommandsTooFast(CommandError):
    """The user is above COMMAND_LIMIT."""

    code, status = "too-fast", 429
    sentence = gettext_noop("You are changing things too quickly. Please wait a minute.")
    headers = settings.COMMAND_LIMIT.retry_after


def once(
    action: str,
    target: str = "",
    *,
    ignored: Collection[str] = (),
    again: Callable[[Any], Any] = lambda result: result,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: make a service a command, which is carried out once and in one transaction.

    The first parameter of the service is the user who acts, and `command` is the key; with an empty key it
    acts each time, as part of another command. Besides its own refusals it raises `CommandUsed` and
    `CommandsTooFast`.

    Args:
        action: the name that the command is stored under. Do not change it.
        target: the parameter with the id of the object, "" if the command makes one.
        ignored: parameters that a repeated command may have other values for.
        again: returns what the service returns, from the stored result. Stored are JSON values, and of models
            the primary key.
    """

    def decorate(service: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(service)
        actor = next(iter(signature.parameters))

        @functools.wraps(service)
        @transaction.atomic
        def carry_out(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = {name: value for name, value in bound.arguments.items() if name not in ignored}
            user, key = given.pop(actor), given.pop("command")
            if not key:
                return service(*args, **kwargs)
            row, new = take(user, key, action, str(given.pop(target, "")), given)
            if not new:
                repeated: R = again(row.result)
                return repeated
            result = service(*args, **kwargs)
            keep(row, result.pk if isinstance(result, Model) else result)
            return result

        COMMANDS[action] = carry_out
        return carry_out

    return decorate


def take(user: User | None, key: str, action: str, target: str, arguments: Any) -> tuple[Command, bool]:
    """The row of a command, and whether it is new. Call it in the transaction of the change.

    Args:
        user: who acts; None for senders without an account, whose keys must be unguessable.
        arguments: what else a repeated command must have in common: values as in `digest_of`.

    Raises:
        CommandUsed, CommandsTooFast.
    """
    digest = digest_of(arguments)
    defaults = {"action": action, "target": target, "digest": digest}
    row, new = Command.objects.get_or_create(user=user, key=key, defaults=defaults)
    known = (row.action or action, row.target if row.action else target, row.digest or digest)
    if known != (action, target, digest):
        raise CommandUsed
    if new and user is not None and not _limits.take(str(user.pk), time.monotonic()):
        raise CommandsTooFast
    return row, new


def keep(row: Command, result: Any, guest: User | None = None) -> None:
    """Store the result of a command.

    Args:
        result: a JSON value.
        guest: who a sender without an account has become, with whom the command is deleted.
    """
    if result is not None:
        Command.objects.filter(pk=row.pk).update(result=result, guest=guest)


def renew(row: Command, taken_before: datetime) -> bool:
    """Take on a command without a result that was taken before a time; False if somebody else has."""
    left = Command.objects.filter(pk=row.pk, result__isnull=True, at__lt=taken_before)
    return bool(left.update(at=timezone.now()))


def release(row: Command) -> None:
    """Forget a command without a result, which was taken in a transaction of its own and changed nothing."""
    Command.objects.filter(pk=row.pk, result__isnull=True).delete()


def forget(user_id: int) -> None:
    """Delete the commands of a user whose account is deleted."""
    Command.objects.filter(Q(user=user_id) | Q(guest=user_id)).delete()


def forget_objects(user_ids: Collection[int], *objects: str | int) -> None:
    """Delete the commands of users that concern these objects, by their ids, or made them.

    Also those by which they became guests, whose object is known by its URL only.
    """
    made = (Q(target="", result=each) for each in objects)
    concerned = functools.reduce(operator.or_, made, Q(target__in=list(map(str, objects))))
    Command.objects.filter(Q(concerned, user__in=user_ids) | Q(guest__in=user_ids)).delete()


def record(user: User, action: str, target: str, **details: Any) -> None:
    """Add an entry to the audit log, in the transaction of the change.

    Args:
        user: who acts.
        action: the name of the command, or of what it came to.
        target: the id of the object.
        details: JSON values. The log outlives accounts, so people are ids, not names.
    """
    AuditEntry.objects.create(user=user, action=action, target=target, details=details)


def audit_log(target: str) -> QuerySet[AuditEntry]:
    """What was done to an object, the oldest first."""
    return AuditEntry.objects.filter(target=target)


def erase_log(target: str) -> None:
    """Delete what the audit log has about an object that is to leave no trace."""
    AuditEntry.objects.filter(target=target).delete()


def digest_of(arguments: Any) -> str:
    """The SHA-256 of JSON values, dataclasses, pydantic models, times, days, and the primary keys of rows."""
    text = json.dumps(arguments, default=_plain, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Model):
        return value.pk
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude={"id"}, exclude_unset=True)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value)} cannot be an argument of a command")


def purge(now: datetime) -> int:
    """Delete some of the commands that are older than `LIFETIME`; returns how many."""
    old = Command.objects.filter(at__lt=now - LIFETIME).order_by("at").values_list("pk", flat=True)
    gone, _by_model = Command.objects.filter(pk__in=list(old[:BATCH])).delete()
    return gone


async def purge_commands() -> None:
    """Delete all commands that are too old."""
    while await in_low_priority_thread(purge)(timezone.now()) == BATCH:
        pass


command_sweeper = process.part(Periodic, PURGE_SECONDS, purge_commands)

"""Idempotency keys: the first request with a key computes the answer, and copies wait for it.

Keys and answers are commands of senders without an account (`lobby.commands`). A move is stored by the match
and not in a transaction of ours, so a key is taken before. If the process that took it is gone, a copy takes
it on, and acts under the same command id in the match (`Request.command`). Refusals are not stored.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus

from django.utils import timezone

from games.domain.refusals import Refused
from games.net.threads import in_thread
from games.rules.base import gettext_noop
from lobby import commands
from lobby.commands.models import Command

ACTION = "kalaha"
LEASE = timedelta(seconds=5)
"""For how long a key is left to whoever took it on; finding an answer takes milliseconds."""
LOOK_SECONDS = 0.05


class KeyReused(Refused):
    code, status = "key-reused", 422
    sentence = gettext_noop("This Idempotency-Key was used for another request.")


class InFlight(Exception):
    """A copy of the request is being answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program is told: a status, JSON, and the page of what it made or nothing."""

    status: int
    body: str
    location: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked.

    Attributes:
        key: the digest of the key in the header and of who sent it, "" if there was none.
        digest: the digest of method, address and body.
    """

    key: str
    digest: str

    @classmethod
    def of(cls, key: str, caller: str, *parts: bytes) -> Request:
        """What a caller asks, who is known by an address."""
        return cls(key and _digest(caller.encode(), key.encode()), _digest(*parts))

    @property
    def command(self) -> str:
        """What the deed is known by in the store: the same for every copy, another without a key."""
        return (
            sha256(f"{self.key}\n{self.digest}".encode()).hexdigest() if self.key else secrets.token_hex(16)
        )


def _digest(*parts: bytes) -> str:
    digest = sha256()
    for part in parts:
        digest.update(b"%d:%s" % (len(part), part))
    return digest.hexdigest()


async def once(request: Request, find: Callable[[str], Awaitable[Answer]]) -> Answer:
    """The answer to a request: the one it had before, or what `find` makes of its command.

    Raises `KeyReused`, or what `find` raises, which is not stored.
    """
    if not request.key:
        return await find(request.command)
    row = await _taken(request)
    if row.result is not None:
        return Answer(**row.result)
    try:
        answer = await find(request.command)
    except BaseException:
        await in_thread(commands.release)(row)
        raise
    if answer.status < HTTPStatus.BAD_REQUEST:
        await in_thread(commands.keep)(row, asdict(answer))
    else:
        await in_thread(commands.release)(row)
    return answer


async def _taken(request: Request) -> Command:
    """The command of a request, once no other copy is computing its answer.

    Holds no connection to the database while it waits.
    """
    while True:
        try:
            return await in_thread(_take)(request)
        except InFlight:
            await asyncio.sleep(LOOK_SECONDS)


def _take(request: Request) -> Command:
    """The command of a request, with its result or for the caller to carry out.

    Raises `KeyReused` or `InFlight`.
    """
    try:
        row, new = commands.take(None, request.key, ACTION, "", request.digest)
    except commands.CommandUsed:
        raise KeyReused from None
    if not new and row.result is None and not commands.renew(row, timezone.now() - LEASE):
        raise InFlight
    return row

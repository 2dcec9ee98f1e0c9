"""Idempotency keys: the first request with a key computes the response, duplicates wait for it.

Keys and responses are stored as commands of senders without an account (`lobby.commands`). The match stores
a move outside of our transaction, so the key is claimed first. If the process that claimed it dies, a
duplicate claims it after `LEASE` and uses the same command id in the match (`Request.command`). Refusals are
not stored.
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
"""How long a claimed key is reserved; computing a response takes milliseconds."""
LOOK_SECONDS = 0.05


class KeyReused(Refused):
    """The key belongs to a request with another method, path or body."""

    code, status = "key-reused", 422
    sentence = gettext_noop("This Idempotency-Key was used for another request.")


class InFlight(Exception):
    """A duplicate of the request is being processed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: status, JSON, and the URL of the created object, if any."""

    status: int
    body: str
    location: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """The identity of a request.

    Attributes:
        key: the digest of the idempotency key and of the sender, "" without a key.
        digest: the digest of method, URL and body.
    """

    key: str
    digest: str

    @classmethod
    def of(cls, key: str, caller: str, *parts: bytes) -> Request:
        """The request of a sender.

        Args:
            key: the idempotency key in the header, "" without one.
            caller: the network address of the sender.
            parts: method, URL and body.
        """
        return cls(key and _digest(caller.encode(), key.encode()), _digest(*parts))

    @property
    def command(self) -> str:
        """The command id in the store: the same for all duplicates, a new one without a key."""
        return (
            sha256(f"{self.key}\n{self.digest}".encode()).hexdigest() if self.key else secrets.token_hex(16)
        )


def _digest(*parts: bytes) -> str:
    digest = sha256()
    for part in parts:
        digest.update(b"%d:%s" % (len(part), part))
    return digest.hexdigest()


async def once(request: Request, find: Callable[[str], Awaitable[Answer]]) -> Answer:
    """The response to a request: the stored one, or the result of `find`.

    Args:
        request: the request.
        find: computes the response, given the command id.

    Raises:
        KeyReused: the key was used for another request.
        Exception: whatever `find` raises; it is not stored.
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

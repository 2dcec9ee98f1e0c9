"""Answers to programs, each found once: the same key and request get the same answer, however often sent.

Whoever comes first with a key takes it on to find the answer; copies wait. If that one is gone, a copy takes
it on in turn, and what it does must then be the same deed under the same command (`Request.command`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.utils import timezone

from games.domain.refusals import Refused
from games.net.threads import in_thread
from games.rules.base import gettext_noop
from lobby.models import NoteAnswer

KEEP = timedelta(days=7)
"""For how long an answer is kept at least."""
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

    Raises `KeyReused`, or what `find` raises, which is not kept.
    """
    if not request.key:
        return await find(request.command)
    known = await _known_or_claimed(request.key, request.digest)
    if known is not None:
        return known
    try:
        answer = await find(request.command)
    except BaseException:
        await in_thread(_let_go)(request.key)
        raise
    return await in_thread(_keep)(request.key, answer)


async def _known_or_claimed(key: str, digest: str) -> Answer | None:
    """`_claim` once nobody else is finding the answer; no connection to the database is held meanwhile."""
    while True:
        try:
            return await in_thread(_claim)(key, digest)
        except InFlight:
            await asyncio.sleep(LOOK_SECONDS)


def forget_old() -> None:
    """Let go of answers that nobody asks for any more."""
    NoteAnswer.objects.filter(claimed__lt=timezone.now() - KEEP).delete()


def _claim(key: str, digest: str) -> Answer | None:
    """The answer of a key, or None once it is the caller's to find. Raises `KeyReused` or `InFlight`."""
    now = timezone.now()
    row, fresh = NoteAnswer.objects.get_or_create(key=key, defaults={"request": digest, "claimed": now})
    if row.request != digest:
        raise KeyReused
    if row.status is not None:
        return Answer(row.status, row.body, row.location)
    if not fresh:
        left_behind = NoteAnswer.objects.filter(key=key, status=None, claimed__lt=now - LEASE)
        if not left_behind.update(claimed=now):
            raise InFlight
    return None


def _let_go(key: str) -> None:
    NoteAnswer.objects.filter(key=key, status=None).delete()


def _keep(key: str, answer: Answer) -> Answer:
    """Store an answer, unless somebody who took the key on as well was faster; the answer that is stored."""
    fields = {"status": answer.status, "body": answer.body, "location": answer.location}
    NoteAnswer.objects.filter(key=key, status=None).update(**fields)
    row = NoteAnswer.objects.filter(key=key).first()
    return answer if row is None or row.status is None else Answer(row.status, row.body, row.location)

"""API tokens. The only module that writes `Token`.

A token is 256 random bits with a prefix for secret scanners. It is shown once; only its SHA-256 is stored. A
slow hash is not needed, as 256 bits cannot be guessed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta
from functools import partial

import orjson
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.api.access import Caller
from games.api.scopes import SCOPES
from games.api.streams import streams
from games.domain import texts
from games.domain.refusals import Refused
from games.net.hub import hub
from games.net.process import process
from games.rules.base import gettext_noop
from lobby.people.models import User
from lobby.tokens.models import TOKEN_NAME_LENGTH, Token

PREFIX = "prl_"
TOKEN_BYTES = 32
MAX_TOKENS = settings.TOKENS_PER_PERSON
"""Maximum tokens of a user."""
USED_EVERY = timedelta(minutes=1)
"""Minimum interval between two updates of `Token.used`, so that not every request writes."""

REVOKED = "token-revoked"
"""Name of the message by which processes tell each other that a token was revoked."""


class TokenError(Refused):
    """A refused request for a token."""


class NoAccount(TokenError):
    """Guests cannot have tokens."""

    code, status = "no-account", 403
    sentence = gettext_noop("Tokens are for people with an account.")


class EmptyName(TokenError):
    """The token has no name."""

    code, status = "empty", 422
    sentence = gettext_noop("Give it a name.")


class NoScope(TokenError):
    """No scope is chosen."""

    code, status = "no-scope", 422
    sentence = gettext_noop("Choose what it can do.")


class TooManyTokens(TokenError):
    """The user has `most` tokens."""

    code, status = "too-many-tokens", 409
    sentence = gettext_noop("You already have %(most)d tokens. Revoke one first.")


@transaction.atomic
def make(user: User, name: str, scopes: Collection[str]) -> str:
    """Create a token; returns its plain text, which cannot be read again.

    Args:
        user: the owner.
        name: the owner's name for it.
        scopes: keys of `games.api.access.SCOPES`.

    Raises:
        TokenError: "no-account", "empty", "no-scope" or "too-many-tokens".
    """
    if user.is_guest:
        raise NoAccount
    name = texts.cleaned(name)[:TOKEN_NAME_LENGTH]
    if not name:
        raise EmptyName
    chosen = [scope for scope in SCOPES if scope in scopes]
    if not chosen:
        raise NoScope
    # Lock the user's row, so that two concurrent requests cannot both pass the limit.
    User.objects.select_for_update().get(pk=user.pk)
    if Token.objects.filter(user=user).count() >= MAX_TOKENS:
        raise TooManyTokens(most=MAX_TOKENS)
    token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    Token.objects.create(user=user, name=name, scopes=chosen, digest=digest(token))
    return token


@transaction.atomic
def revoke(user: User, number: int) -> None:
    """Revoke a token of `user` by its id. Idempotent."""
    for token in Token.objects.filter(user=user, pk=number):
        _revoke(token)


@transaction.atomic
def forget(user_id: int) -> None:
    """Revoke all tokens of an account that is being deleted."""
    for token in Token.objects.filter(user=user_id):
        _revoke(token)


def of(user: User) -> list[Token]:
    """The tokens of `user`, newest first."""
    return list(Token.objects.filter(user=user))


def caller(token: str) -> Caller | None:
    """The caller that a token authenticates, None if it is invalid. Updates `Token.used`."""
    if not token.startswith(PREFIX):
        return None
    found = Token.objects.filter(digest=digest(token), user__is_active=True).select_related("user").first()
    if found is None:
        return None
    now = timezone.now()
    if found.used is None or now - found.used >= USED_EVERY:
        Token.objects.filter(pk=found.pk).update(used=now)
    return Caller(found.user_id, found.user.get_username(), found.pk, frozenset(found.scopes))


def is_good(number: int) -> bool:
    """Whether the token with this id is still valid."""
    return Token.objects.filter(pk=number, user__is_active=True).exists()


def find(token: str) -> Token:
    """The row of a token, by its plain text."""
    return Token.objects.get(digest=digest(token))


def digest(token: str) -> str:
    """The SHA-256 of a token in hexadecimal, as stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def _revoke(token: Token) -> None:
    number = token.pk
    token.delete()
    transaction.on_commit(partial(hub.tell_everyone, REVOKED, {"token": number}), robust=True)


def _hear_revoked(_topic: str, payload: bytes) -> None:
    streams.end_of_token(orjson.loads(payload)["token"])


process.at_start(hub.listen, REVOKED, _hear_revoked)

"""What a new name, a new password, a ban or a sign-out changes in sockets, tokens and live matches."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from games.net.sessions import sessions
from games.play import begin
from games.play.matches import matches
from lobby.people.models import User
from lobby.tokens import tokens


def renamed(user: User, _before: str) -> None:
    """Show a user's new name at boards, after the commit."""
    begin.rename(user.pk, user.first_name)
    transaction.on_commit(partial(matches.renamed, user.pk), robust=True)


def signed_out(request: HttpRequest, user: User | None, **_: Any) -> None:
    """Close the sockets of a session that ends."""
    key = request.session.session_key
    # Django flushes it right after this signal. Do it now, so that the session cannot open new sockets.
    request.session.flush()
    if user is not None and key:
        sessions.sign_out(user.pk, key)


def before_saving(instance: User, update_fields: Any = None, **_: Any) -> None:
    """Remember the user's password and ban before they change."""
    instance.entry_before = None  # type: ignore[attr-defined]
    if instance.pk and (update_fields is None or {"password", "is_active"} & {*update_fields}):
        instance.entry_before = User.objects.filter(pk=instance.pk).first()  # type: ignore[attr-defined]


def after_saving(instance: User, **_: Any) -> None:
    """Close the sockets of a user with a new password, or who was banned or deleted.

    A new password revokes the API tokens too: an attacker who knew the old one may have created some.
    """
    before: User | None = instance.entry_before  # type: ignore[attr-defined]
    if before is None:
        return
    if before.has_usable_password() and _has_new_password(instance):
        tokens.forget(instance.pk)
    if before.is_active != instance.is_active:
        transaction.on_commit(partial(matches.renamed, instance.pk), robust=True)
    now = instance.get_session_auth_hash()
    if before.is_active and not instance.is_active:
        act = partial(sessions.sign_out, instance.pk)
    elif before.get_session_auth_hash() == now:
        return
    elif before.is_guest and not instance.is_guest:
        # No other client was ever signed in as this guest.
        act = partial(sessions.renew, instance.pk, now)
    else:
        act = partial(sessions.sign_out, instance.pk, keep=now)
    transaction.on_commit(act, robust=True)


def _has_new_password(user: User) -> bool:
    """Whether the password has changed; Django also saves the same one again when it upgrades the hash."""
    chosen = user._password is not None  # type: ignore[attr-defined]
    return chosen or not user.has_usable_password()

"""Two-factor authentication of people in tests: an app's codes, by allauth's own arithmetic."""

from __future__ import annotations

from typing import Any


def code_of(secret: str) -> str:
    """What an app would show now, or in half a minute, which is taken as well."""
    from allauth.mfa.totp.internal import auth

    return auth.format_hotp_value(auth.hotp_value(secret, next(auth.yield_hotp_counters_from_time()) + 1))


def give_second_factor(client: Any, user: Any) -> None:
    """Set a second factor up for somebody who is signed in, and give it."""
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
    from django.core.cache import cache

    # People of other tests, who had the same number in the database, have had tries of their own.
    cache.clear()
    Authenticator.objects.filter(user=user).delete()
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    answer = client.post("/accounts/2fa/reauthenticate/", {"code": code_of(secret)})
    assert answer.status_code == 302, "the code was refused"

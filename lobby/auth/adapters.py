"""allauth adapters: guests become accounts in place, names follow our rules, bans are explained."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.mfa import app_settings
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.net.limits import network, network_of
from games.net.sessions import sessions
from lobby.accounts import guests, traces
from lobby.accounts.guests import NameTaken
from lobby.auth import banned
from lobby.auth.afterwards import after_answer
from lobby.moderation import moderation
from lobby.people import language, naming, preferences
from lobby.people.models import User
from lobby.people.spelling import letters_of

logger = logging.getLogger(__name__)

EMAIL_LENGTH = 254
"""Maximum length of an e-mail address (RFC 5321), and of the column."""


LIMITS: dict[str, Mapping[str, str]] = {
    "too_many_login_attempts": settings.WRONG_PASSWORD_LIMIT.retry_after,
    "rate_limited": settings.WRONG_PASSWORD_LIMIT.retry_after,
    "too_many_from_address": {},
}
"""Form errors that are rate limits, with the headers of their responses."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's account adapter, with our names and guests."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account has been closed."),
        "email_password_mismatch": _("This e-mail address and password do not match."),
        "username_password_mismatch": _("This name and password do not match."),
        "incorrect_password": _("Wrong password."),
        "enter_current_password": _("Wrong password."),
        "too_many_login_attempts": _("Too many wrong passwords. Wait five minutes, or reset your password."),
        "too_many_from_address": _(
            "Too many wrong passwords from your network, not only yours. Wait a minute and try again."
        ),
        "rate_limited": _("Too many attempts. Please wait a moment."),
    }

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count failed logins by name and address.

        By the name alone, an attacker could lock the owner out.
        """
        login: str = credentials.get("email", credentials.get("username", ""))
        return f"{ratelimit.get_ip(request)} {login.lower()}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse a login after too many failures for this name or from this address."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            if settings.WRONG_PASSWORDS_PER_MINUTE and not self._address_may_try(request):
                raise self.validation_error("too_many_from_address") from None
            raise

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """The error of a code; for a rate limit the response gets status 429 (`lobby.auth.gates`)."""
        if code in LIMITS and self.request is not None:
            self.request.tries_too_often = LIMITS[code]
        error: ValidationError = super().validation_error(code, *args)
        return error

    def _address_may_try(self, request: HttpRequest) -> bool:
        # The same text as in the settings: allauth counts each spelling of a limit separately.
        of_address = {"login_failed": f"{settings.WRONG_PASSWORDS_PER_MINUTE}/60s/ip"}
        usage = ratelimit.consume(
            request, app="allauth.account", action="login_failed", config=of_address, dry_run=True
        )
        return usage is not None

    def get_client_ip(self, request: HttpRequest) -> str:
        """The network by which tries are counted."""
        return network(super().get_client_ip(request))

    def new_user(self, request: HttpRequest) -> User:
        """The user who signs up: the guest of the request, or a new one."""
        return guests.guest_of(request) or User()

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Validate a name; guests may keep theirs."""
        return naming.choose(username, guests.guest_of(self.request))

    def clean_email(self, email: str) -> str:
        """Check the length of an e-mail address; SQLite would store a longer one, PostgreSQL fails."""
        MaxLengthValidator(EMAIL_LENGTH)(email)
        return email

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Make an account of the user who signs up."""
        super().save_user(request, user, form, commit=False)
        if commit:
            try:
                guests.make_account(user)
            except NameTaken:
                # The name was taken between validation and saving.
                messages.error(request, gettext("That name has just been taken. Please choose another."))
                raise ImmediateHttpResponse(redirect(request.get_full_path())) from None
        return user

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> Any:
        """Lift an expired ban: logins by a provider pass no backend."""
        if not user.is_active:
            moderation.lift_if_over(user)
        return super().pre_login(request, user, **kwargs)

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Show a banned user the reason, the end of the ban and how to appeal."""
        return banned.page(request, user)

    def login(self, request: HttpRequest, user: User) -> None:
        """Log in, and sign out the user who used this browser before."""
        before, session = request.user.pk, request.session.session_key
        super().login(request, user)
        # Logging in begins a new session; the old one tells who else has used this browser.
        traces.note(user.pk, network_of(request), [session] if session else [])
        if before is not None and before != user.pk:
            sessions.sign_out(before, session)

    def logout(self, request: HttpRequest) -> None:
        """Log out, except a guest who is about to become an account by a provider."""
        if not getattr(request, "stays_guest", False):
            super().logout(request)

    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse:
        """The response after a login, with the account's language as a cookie."""
        response: HttpResponse = super().post_login(request, user, **how)
        last = get_authentication_records(request, user)[-1:]
        if [record["method"] for record in last] == ["password_reset"]:
            # An attacker who knew the old password may have added a passkey.
            messages.info(
                request,
                gettext(
                    "Your other logins and your tokens no longer work. Check that all passkeys are yours."
                ),
            )
            response = redirect("mfa_index")
        chosen = preferences.chosen(user).get(preferences.LANGUAGE)
        if chosen:
            language.note(response, chosen)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail after the response, so that its timing reveals nothing; failures are logged."""
        send = super().send_mail

        def try_to_send() -> None:
            try:
                send(template_prefix, email, context)
            except (OSError, SMTPException):
                logger.exception("an e-mail could not be sent", extra={"request": self.request})

        after_answer(self.request, try_to_send)

    def send_notification_mail(
        self, template_prefix: str, user: User, context: Any = None, email: str | None = None
    ) -> None:
        """Notify a user of a change to their account, at a confirmed address only."""
        confirmed = EmailAddress.objects.filter(user=user, verified=True)
        if confirmed.filter(email=email).exists() if email else confirmed.filter(primary=True).exists():
            super().send_notification_mail(template_prefix, user, context, email)


class SessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]
    """allauth's list of a user's sessions."""

    def end_sessions(self, ended: Iterable[UserSession]) -> None:
        """End sessions, and close their sockets."""
        for each in list(ended):
            each.end()
            sessions.sign_out(each.user_id, each.session_key)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """allauth's second factor and passkeys, with our texts."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is wrong or already used. Wait for the next one."),
        "incorrect_passkey": _("No account here uses this passkey."),
        "unverified_email": _("Confirm your e-mail address first. You need it if you lose access."),
    }

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        """The default name of a new passkey."""
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("My passkey") if number == 1 else gettext("My passkey %(n)d") % {"n": number}

    def _get_site_name(self) -> str:
        """The name that browsers and apps show for the site."""
        name: str = app_settings.TOTP_ISSUER
        return name


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """allauth's login by a provider."""

    def new_user(self, request: HttpRequest, sociallogin: Any) -> User:
        """An unsaved user; `save_user` replaces it by the guest, if there is one."""
        return User()

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: Any) -> User:
        """Take the name and the e-mail address; do not store first and last name."""
        user: User = super().populate_user(request, sociallogin, data)
        user.first_name = user.last_name = ""
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Send a guest who returns from a provider to sign-up, unless the account exists already."""
        if guests.guest_of(request) is None:
            return
        sociallogin.state["process"] = AuthProcess.LOGIN
        request.stays_guest = not sociallogin.is_existing  # type: ignore[attr-defined]

    def get_signup_form_initial_data(self, sociallogin: Any) -> dict[str, Any]:
        """Propose the provider's name, as far as it is valid here."""
        initial: dict[str, Any] = super().get_signup_form_initial_data(sociallogin)
        initial["username"] = letters_of(initial["username"])
        return initial

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> User:
        """Make an account of the user who signs up, in place if it is a guest."""
        sociallogin.user = guests.guest_of(request) or sociallogin.user
        user: User = super().save_user(request, sociallogin, form)
        return user

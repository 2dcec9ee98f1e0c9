"""Access rules: banned guests, allauth's pages, and the admin.

Banned guests see the page of their ban. For allauth's pages and the admin, guests must sign up first, forms
may redirect to providers, and staff need a second factor.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import urlsplit

from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.adapter import get_adapter
from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from lobby.auth import banned

OF_ACCOUNTS = frozenset(
    {
        "account_email",
        "account_change_password",
        "account_set_password",
        "account_reauthenticate",
        "socialaccount_connections",
        "tokens",
        "usersessions_list",
    }
)
"""Pages that need an account, besides those of the second factor (`mfa_...`)."""
TO_COME_IN = frozenset({"mfa_authenticate", "mfa_login_webauthn"})
"""Pages of the second factor during login, which guests may open too."""
TO_SIGN_UP = frozenset({"account_signup", "socialaccount_signup"})
"""Pages on which guests become accounts, which pupils do not."""
OPEN_TO_BANNED = frozenset({"appeal", "contact", "privacy", "imprint", "language"})
"""Pages that banned guests may open, besides those to log in with an account."""


View = TypeVar("View", bound=Callable[..., HttpResponse])


def password_again(view: View, *, enabled: Callable[[HttpRequest], bool] | None = None) -> View:
    """Require reauthentication by password or passkey before a sensitive view."""
    asked: View = reauthentication_required(app="allauth.account", enabled=enabled)(view)
    return asked


class AccountPages:
    """Middleware, after allauth's own, that sends guests to sign-up.

    To allauth a guest is a logged-in user who may set a password; that would be an account still marked as
    a guest.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with 429 and `Retry-After` where allauth has refused for too many tries."""
        response = self._get_response(request)
        limit = getattr(request, "tries_too_often", None)
        if limit is not None:
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            for header, value in limit.items():
                response[header] = value
        name = request.resolver_match.url_name if request.resolver_match else None
        if name in {f"{provider}_login" for provider in settings.SOCIAL_LOGIN}:
            # Browsers apply a page's form-action policy to the redirects of its forms too.
            origin = _origin(request, str(name).removesuffix("_login"))
            return csp_update({"form-action": [origin]})(lambda _: response)(request)
        return response

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Redirect guests from pages that need an account to sign-up, and pupils to their class."""
        name = request.resolver_match.url_name if request.resolver_match else None
        for_accounts = name in OF_ACCOUNTS or (str(name).startswith("mfa_") and name not in TO_COME_IN)
        # Other pages are answered without a look at the session, so that proxies may keep some of them.
        if not (for_accounts or name in TO_SIGN_UP):
            return None
        if not request.user.is_authenticated or not request.user.is_guest:
            return None
        if request.user.pupil_of is not None:
            messages.info(request, gettext("Pupils have a card of their class, and no account."))
            return redirect(request.user.pupil_of)
        if for_accounts:
            messages.info(request, gettext("You need an account for that. Sign up here."))
            return redirect(f"{reverse('account_signup')}?{urlencode({'next': request.path})}")
        return None


class BannedGuests:
    """Middleware that shows a banned guest the page of the ban on every page.

    A guest has no login where it could be shown, as it is to accounts.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on; `process_view` decides."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Answer pages, not pictures, files and programs."""
        match = request.resolver_match
        if match is None or match.url_name in OPEN_TO_BANNED or match.route.startswith("accounts/"):
            return None
        if "text/html" not in request.headers.get("Accept", ""):
            return None
        guest = banned.guest_of_session(request)
        return None if guest is None else banned.page(request, guest)


class AdminPages:
    """Middleware: staff see the admin only after giving their second factor in this session.

    Other users are turned away by the admin itself.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on; `process_view` decides."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Redirect staff to set up their second factor, or to give it."""
        of_admin = request.resolver_match is not None and request.resolver_match.app_name == "admin"
        if not of_admin or not request.user.is_authenticated or not request.user.is_staff:
            return None
        has_app = is_mfa_enabled(request.user, [Authenticator.Type.TOTP])
        if not has_app and not is_mfa_enabled(request.user, [Authenticator.Type.WEBAUTHN]):
            messages.info(request, gettext("The admin needs two-factor authentication. Set it up here."))
            return redirect("mfa_activate_totp")
        if not _gave_second_factor(request):
            asking = reverse("mfa_reauthenticate" if has_app else "mfa_reauthenticate_webauthn")
            return redirect(f"{asking}?{urlencode({'next': request.get_full_path()})}")
        return None


def _gave_second_factor(request: HttpRequest) -> bool:
    records = get_authentication_records(request, request.user)
    return any(record["method"] == "mfa" for record in records)


def _origin(request: HttpRequest, name: str) -> str:
    """Origin of the page where a provider asks for consent."""
    provider = get_adapter(request).get_provider(request, name)
    address = urlsplit(provider.get_oauth2_adapter(request).authorize_url)
    return f"{address.scheme}://{address.netloc}"

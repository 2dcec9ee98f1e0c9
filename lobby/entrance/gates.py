"""What stands before allauth's pages: guests sign up first, and providers may be gone to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from allauth.socialaccount.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

OF_ACCOUNTS = frozenset(
    {
        "account_email",
        "account_change_password",
        "account_set_password",
        "account_reauthenticate",
        "socialaccount_connections",
        "tokens",
    }
)
"""Pages for people with an account, beside those of the second factor (`mfa_...`)."""


class AccountPages:
    """Middleware, after allauth's own.

    A guest is signed in, which is all that allauth asks before it shows the page that sets a password;
    one who had a password would be an account without being one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        name = request.resolver_match.url_name if request.resolver_match else None
        if name in {f"{provider}_login" for provider in settings.SOCIAL_LOGIN}:
            # Browsers hold a form's redirections against the policy of the page that has the form.
            response._csp_update = {"form-action": [_origin(request, str(name).removesuffix("_login"))]}  # type: ignore[attr-defined]
        return response

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Send guests who want what only accounts have to the page that makes one of them."""
        name = request.resolver_match.url_name if request.resolver_match else None
        for_accounts = name is not None and (name in OF_ACCOUNTS or name.startswith("mfa_"))
        if for_accounts and request.user.is_authenticated and request.user.is_guest:
            messages.info(request, gettext("That is for people with an account. Here you get one."))
            return redirect(f"{reverse('account_signup')}?{urlencode({'next': request.path})}")
        return None


def _origin(request: HttpRequest, name: str) -> str:
    """Scheme and host of the page where a provider asks people for their consent."""
    provider = get_adapter(request).get_provider(request, name)
    address = urlsplit(provider.get_oauth2_adapter(request).authorize_url)
    return f"{address.scheme}://{address.netloc}"

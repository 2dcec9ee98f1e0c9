"""The URL of an invitation: redirects to its table, and keeps the secret in a cookie.

So no page has the secret in its URL, where it could leak by the Referer header. Without the redirect the page
would have to suppress that header, and browsers would then hide the origin of its forms. The cookie is sent
to the pages of that table only and expires with the invitation; nothing is stored on the server.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from lobby.models import Invite
from lobby.tables import invites
from lobby.tables.refusals import NoInvitation

COOKIE = "invitation"


@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect to the table of an invitation; an invalid one gets an error page (404 or 410)."""
    try:
        invite = invites.read(token, timezone.now())
    except NoInvitation as error:
        response = _no_invitation(request, error)
    else:
        response = redirect("table", invite.table_id)
        response.set_cookie(
            COOKIE,
            token,
            expires=invite.expires,
            path=reverse("table", args=[invite.table_id]),
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "no-store"
    return response


def path_of(token: str) -> str:
    """The path of an invitation."""
    return reverse("invitation", args=[token])


def token(request: HttpRequest) -> str | None:
    """The token of the invitation by which the user came to this table."""
    return request.COOKIES.get(COOKIE)


def shown(request: HttpRequest) -> Invite | None:
    """The invitation itself, if it is still valid."""
    secret = token(request)
    try:
        return None if secret is None else invites.read(secret, timezone.now())
    except NoInvitation:
        return None


def _no_invitation(request: HttpRequest, error: NoInvitation) -> HttpResponse:
    return render(
        request,
        "tables/no_invitation.html",
        {"code": error.code, "sentence": error.words},
        status=error.status,
    )

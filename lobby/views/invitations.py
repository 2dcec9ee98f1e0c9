"""The address of an invitation. It leads to its table, and its secret stays behind in a cookie.

So the secret stands in no address that a page could give away, and the form at the table is like any
other: on a page that sends no referrer browsers would hide where it comes from. The cookie goes to the pages
of that table alone and lasts as long as the invitation; to open a link stores nothing here.
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
    """Go to the table of an invitation; one that is no longer good says why (404 or 410)."""
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
    """The address of an invitation."""
    return reverse("invitation", args=[token])


def token(request: HttpRequest) -> str | None:
    """The invitation with which somebody came to the table whose page this is."""
    return request.COOKIES.get(COOKIE)


def shown(request: HttpRequest) -> Invite | None:
    """The same, if it is still good."""
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

"""The URL of an invitation: redirects to its table, and keeps the secret in a cookie.

So no page has the secret in its URL, where it could leak by the Referer header. Without the redirect the page
would have to suppress that header, and browsers would then hide the origin of its forms. The cookie is sent
to the pages of that table only and expires with the invitation; nothing is stored on the server.

The waiting page of the inviter shows the URL in the address bar, since people copy that. It leads the players
of the table there, also when the invitation has been used.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from lobby.tables import invites
from lobby.tables.models import Invite
from lobby.tables.refusals import NoInvitation

COOKIE = "invitation"


@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect to the table of an invitation; an invalid one gets an error page (404 or 410)."""
    mine = invites.seated_by(request.user, token)
    try:
        invite = None if mine else invites.read(token, timezone.now())
    except NoInvitation as error:
        response = _no_invitation(request, error)
    else:
        response = redirect("table", invite.table_id if invite else mine)
        if invite:
            _keep(invite, response)
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "no-store"
    return response


def _keep(invite: Invite, response: HttpResponse) -> None:
    response.set_cookie(
        COOKIE,
        invite.pk,
        expires=invite.expires,
        path=reverse("table", args=[invite.table_id]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


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

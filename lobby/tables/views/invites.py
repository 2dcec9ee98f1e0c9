"""The URL of an invitation shows the table, with a form that sends the secret along.

So the URL works in every browser of a friend until somebody takes the seat, also when it is copied from the
address bar. The policy `same-origin` (Django's default) keeps it out of the Referer header to other sites.
Nothing is stored.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from lobby.feed import lobby_feed
from lobby.tables import invites
from lobby.tables.refusals import NoInvitation
from lobby.tables.views.tables import waiting_page


@require_safe
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The table of an invitation; an invalid one gets an error page (404 or 410).

    Players of the table are redirected there, also when the invitation has been used.
    """
    mine = invites.seated_by(request.user, token)
    if mine:
        return redirect("table", mine)
    try:
        invite = invites.read(token, timezone.now())
    except NoInvitation as error:
        context = {"code": error.code, "sentence": error.words}
        return render(request, "tables/no_invitation.html", context, status=error.status)
    found = lobby_feed.open_tables().filter(pk=invite.table_id).first()
    return redirect("table", invite.table_id) if found is None else waiting_page(request, found, invite)

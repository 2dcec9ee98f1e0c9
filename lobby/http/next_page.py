"""Where a form sends the user afterwards."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme


def next_page(request: HttpRequest, otherwise: str = "lobby") -> str:
    """The address that the form or the query names as `next`, if it is on this site.

    Redirect to it by `HttpResponseRedirect`: `redirect` would take a path without a slash for a view's name.

    Args:
        otherwise: name of the view whose address is returned if there is none, or one of another site.
    """
    given = request.POST.get("next") or request.GET.get("next", "")
    if url_has_allowed_host_and_scheme(given, {request.get_host()}, request.is_secure()):
        return given
    return reverse(otherwise)

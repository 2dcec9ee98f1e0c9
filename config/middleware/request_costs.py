"""Charges what requests cost to their user and address."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from config.api_middleware import PATH, TooManyRequests
from config.error_views import too_many
from games.api.access import caller_of
from games.api.problems import of_error
from games.net.costs import Account, Bill, sent, timed
from games.net.limits import network_of

MOST_SESSIONS = 100_000
"""Sessions whose users are remembered."""


class RequestCosts:
    """Middleware: refuses requests while their user or address owes for earlier ones.

    A page that proxies may keep must not look at the session. So the user of a request is the one that an
    earlier request of the same session has found out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = timed(get_response)
        self._user_ids: OrderedDict[str, int] = OrderedDict()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Refuse a request whose account is spent, otherwise charge the time it takes."""
        network = network_of(request)
        wait = math.ceil(Account(self._user_id(request), network).wait())
        if wait:
            refusal = TooManyRequests(wait)
            return of_error(refusal) if request.path_info.startswith(PATH) else too_many(refusal)
        with Bill() as bill:
            try:
                response = self._get_response(request)
                if isinstance(response, HttpResponse):
                    sent(len(response.content))
            finally:
                # Also if the client has left.
                self._note_user(request)
                account = Account(self._user_id(request), network)
                account.spend(bill)
        if isinstance(response, StreamingHttpResponse):
            # A server of ASGI would read the whole of any other stream at once.
            content = cast(AsyncGenerator[bytes], response.streaming_content)
            response.streaming_content = account.stream(content)
        return response

    def _user_id(self, request: HttpRequest) -> int | None:
        session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        return caller_of(request).user_id or self._user_ids.get(session)

    def _note_user(self, request: HttpRequest) -> None:
        session: Any = getattr(request, "session", None)
        if session is None or not session.accessed or SESSION_KEY not in session:
            return
        self._user_ids[session.session_key] = int(session[SESSION_KEY])
        if len(self._user_ids) > MOST_SESSIONS:
            self._user_ids.popitem(last=False)

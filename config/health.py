"""What load balancers and container engines ask: are you alive, may people be sent to you?"""

from collections.abc import Callable

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.net.hub import hub


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """The process takes people in: it is not on its way out, and it reaches its database."""
    problem = "draining" if hub.draining else _database_problem()
    if problem:
        return HttpResponse(f"{problem}\n", content_type="text/plain", status=503)
    return HttpResponse("ready\n", content_type="text/plain")


def _database_problem() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "the database does not answer"
    return ""


class HealthProbes:
    """Middleware that answers them before anything else judges the request.

    Who asks knows the process by its number, not by a name in ALLOWED_HOSTS, and does not follow
    redirections to https.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        match request.path_info:
            case "/healthz":
                return healthz(request)
            case "/readyz":
                return readyz(request)
        return self._get_response(request)

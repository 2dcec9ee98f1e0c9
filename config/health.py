"""The liveness and readiness probes of load balancers and container engines."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.schema import schema
from games.net.hub import hub
from games.net.periodic import activity
from games.store.disk import disk

READY_SECONDS = 2.0
"""How long the database may take to answer; load balancers wait hardly longer for us."""

NO_ANSWER = "the database does not answer"

_asker = ThreadPoolExecutor(1, thread_name_prefix="readyz")
_asking: Future[str] | None = None


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Liveness: the process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Readiness: the process is not shutting down, and its database answers, has this release's tables
    and can be written to."""
    problem = "draining" if hub.draining else _database_problem() or _disk_problem()
    if problem:
        return HttpResponse(f"{problem}\n", content_type="text/plain", status=503)
    return HttpResponse("ready\n", content_type="text/plain")


def _database_problem() -> str:
    """What is wrong with the database, within READY_SECONDS; the query itself waits in its own thread."""
    # Concurrent probes share one query.
    global _asking
    if _asking is None or _asking.done():
        _asking = _asker.submit(_ask)
    try:
        return _asking.result(READY_SECONDS)
    except TimeoutError:
        return NO_ANSWER


def _ask() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return schema.problem()
    except DatabaseError:
        return NO_ANSWER
    finally:
        connection.close()


def _disk_problem() -> str:
    return "the disk is full" if disk.full else ""


class HealthProbes:
    """Middleware that answers the probes before any other middleware.

    Probes use an IP address, not a name in ALLOWED_HOSTS, and do not follow redirects to https.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        match request.path_info:
            case "/healthz":
                return healthz(request)
            case "/readyz":
                return readyz(request)
        activity.note()
        return self._get_response(request)

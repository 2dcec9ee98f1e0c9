"""The liveness and readiness probes of load balancers and container engines."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.schema import schema
from games.net.hub import hub
from games.net.process import process
from games.net.tasks import activity
from games.store.disk import disk

READY_SECONDS = 2.0
"""How long the database may take to answer; load balancers wait hardly longer for us."""

STUCK_SECONDS = 60.0
"""How long all connections of the pool may be taken before the process needs a restart."""

NO_ANSWER = "the database does not answer"
STUCK = "no database connection has been free for a minute"

_asker = ThreadPoolExecutor(1, thread_name_prefix="readyz")
_asking: Future[str] | None = None


class PoolWatch:
    """Notices a pool whose connections are all taken and not given back, which a restart mends.

    A database that is down is something else: then the pool has no connections.
    """

    def __init__(self) -> None:
        self._taken_since: float | None = None
        self._looked = 0.0

    def saw(self, *, all_taken: bool, now: float) -> None:
        """Note the state of the pool at a time of the steady clock."""
        if not all_taken:
            self._taken_since = None
        elif self._taken_since is None or not self._is_fresh(now):
            self._taken_since = now
        self._looked = now

    def stuck(self, now: float) -> bool:
        """Whether none was free at any look for `STUCK_SECONDS`, the last of which was lately."""
        return (
            self._taken_since is not None
            and self._looked - self._taken_since > STUCK_SECONDS
            and self._is_fresh(now)
        )

    def _is_fresh(self, now: float) -> bool:
        """Whether the last look says anything about now. Nobody knows what was before a long pause."""
        return now - self._looked <= STUCK_SECONDS


pool_watch = process.part(PoolWatch)
"""The watch of this process."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Liveness: the process answers, and its pool has had a connection within a minute."""
    # It answers at once; the next probe sees what comes of it.
    _ask_once()
    if pool_watch.stuck(time.monotonic()):
        return HttpResponse(f"{STUCK}\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Readiness of the process and of its database.

    The process is not shutting down; the database answers, has this release's tables and can be written to.
    """
    problem = "draining" if hub.draining else _database_problem() or _disk_problem()
    if problem:
        return HttpResponse(f"{problem}\n", content_type="text/plain", status=503)
    return HttpResponse("ready\n", content_type="text/plain")


def _database_problem() -> str:
    """What is wrong with the database, within READY_SECONDS; the query itself waits in its own thread."""
    try:
        return _ask_once().result(READY_SECONDS)
    except TimeoutError:
        return NO_ANSWER


def _ask_once() -> Future[str]:
    """Ask the database. Concurrent probes share one query."""
    global _asking
    if _asking is None or _asking.done():
        _asking = _asker.submit(_ask)
    return _asking


def _ask() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        pool_watch.saw(all_taken=False, now=time.monotonic())
        return schema.problem()
    except DatabaseError:
        pool_watch.saw(all_taken=_all_taken(), now=time.monotonic())
        return NO_ANSWER
    finally:
        connection.close()


def _all_taken() -> bool:
    """Whether the pool has all its connections, and none of them is free. SQLite has no pool."""
    pool = getattr(connection, "pool", None)
    if pool is None:
        return False
    stats = pool.get_stats()
    return stats["pool_size"] >= stats["pool_max"] and not stats["pool_available"]


def _disk_problem() -> str:
    return "the disk is full" if disk.full else ""


class HealthProbes:
    """Middleware that answers the probes before any other middleware.

    Probes use an IP address, not a name in ALLOWED_HOSTS, and do not follow redirects to https.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer probes; pass other requests on."""
        match request.path_info:
            case "/healthz":
                return healthz(request)
            case "/readyz":
                return readyz(request)
        activity.note()
        return self._get_response(request)

"""`make cluster`: Parlour as on several machines, on this one, until Ctrl-C.

PostgreSQL, Redis, a proxy, servers and a bot worker, each on a free port and all in a temporary directory.
The proxy is nginx (with config/proxy/nginx.conf), or with `PROXY=caddy` Caddy (with config/proxy/Caddyfile)
in front of one server. Nothing is installed, and no service of this computer is touched.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tools.harness.proxy import Caddy, Proxy
from tools.harness.servers import ParlourServer, manage, parlour_environment
from tools.harness.services import DidNotStart, Postgres, Redis, Service
from tools.programs import caddy, nginx, postgres_bin, redis_server

S = TypeVar("S", bound=Service)


class Missing(Exception):
    """A required program is missing."""


class BotWorker(Service):
    """`manage.py runbots`, for one move at a time."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        super().__init__("bots")
        self._settings = settings

    def environment(self) -> Mapping[str, str]:
        """The environment of the site's processes."""
        return parlour_environment(**self._settings)

    def command(self) -> Sequence[str]:
        """`manage.py runbots` with one process."""
        return [sys.executable, "manage.py", "runbots", "--processes", "1"]

    def ready(self) -> bool:
        """Whether the worker has said that it works."""
        return "Computer players think here" in self.log


@dataclass(frozen=True, slots=True)
class Cluster:
    """The running cluster; the site is at the proxy's address."""

    postgres: Postgres
    redis: Redis
    servers: list[ParlourServer]
    bots: list[BotWorker]
    proxy: Proxy | Caddy


@contextlib.contextmanager
def cluster(
    servers: int = 2,
    bots: int = 1,
    port: int = 0,
    *,
    by_match: bool = True,
    with_caddy: bool = False,
    static: Path | None = None,
    **settings: str,
) -> Iterator[Cluster]:
    """Start everything with an empty database; all of it is removed afterwards.

    Args:
        servers: how many.
        bots: how many bot workers.
        port: of the proxy; 0 for any free port.
        by_match: route all clients of a match to the same server (`Proxy`).
        with_caddy: Caddy is the proxy; then there must be one server.
        static: where static files were collected already.
        settings: more variables for servers and workers.
    """
    before, package = (caddy(), "caddy") if with_caddy else (nginx(), "nginx")
    programs = postgres_bin(), redis_server(), before
    if None in programs:
        packages = f"postgresql redis-server {package}"
        raise Missing(f"It takes PostgreSQL, Redis and {package}: apt-get install {packages}")
    with contextlib.ExitStack() as running:

        def run(service: S) -> S:
            running.callback(service.discard)
            return service.start()

        scratch = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="parlour-cluster-")))
        postgres, redis = run(Postgres(str(programs[0]), durable=True)), run(Redis(str(programs[1])))
        site: dict[str, Any] = {
            "DATABASE_URL": postgres.url("postgres"),
            "REDIS_URL": redis.url(),
            "VAR_DIR": str(static or scratch),
            "BEHIND_PROXY": "1",
            **({"HTTPS": "1"} if with_caddy else {}),
            **settings,
        }
        manage("migrate", "--no-input", "--verbosity=0", **site)
        if static is None:
            manage("collectstatic", "--no-input", "--verbosity=0", **site)
        parts = site["DATABASE_URL"], site["REDIS_URL"], Path(site["VAR_DIR"])
        more = {
            name: value
            for name, value in site.items()
            if name not in ("DATABASE_URL", "REDIS_URL", "VAR_DIR")
        }
        serving = [run(ParlourServer(*parts, cold=True, **more)) for _ in range(servers)]
        thinking = [run(BotWorker(site)) for _ in range(bots)]
        ports = [server.port for server in serving]
        proxy: Proxy | Caddy
        if with_caddy:
            (only,) = ports
            proxy = run(Caddy(str(programs[2]), only, port))
        else:
            proxy = run(Proxy(str(programs[2]), ports, port, by_match=by_match))
        yield Cluster(postgres, redis, serving, thinking, proxy)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Start everything, print the address, and wait for Ctrl-C."""
    parser = argparse.ArgumentParser(prog="make cluster", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="of the proxy; any that is free if 0")
    parser.add_argument("--servers", type=int, help="2 by default, 1 behind Caddy")
    parser.add_argument("--proxy", choices=["nginx", "caddy"], default="nginx")
    parser.add_argument("--bots", type=int, default=1, help="workers in which computer players think")
    parser.add_argument("--static", type=Path, help="where static files were collected already")
    parser.add_argument(
        "--by-lot", action="store_true", help="players of a match may come to different servers"
    )
    options = parser.parse_args()
    end = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    try:
        with_caddy = options.proxy == "caddy"
        servers = options.servers or (1 if with_caddy else 2)
        if with_caddy and servers > 1:
            parser.error("Caddy finds servers by one port, so here it can have one only")
        with cluster(
            servers,
            options.bots,
            options.port,
            by_match=not options.by_lot,
            with_caddy=with_caddy,
            static=options.static,
        ) as site:
            say(f"Parlour is at {site.proxy.url}")
            for server in site.servers:
                say(f"  a server is at {server.url}, and logs to {server.log_file}")
            end.wait()
            # Stop servers gracefully before the services that they need.
            for server in site.servers:
                server.terminate()
    except (Missing, DidNotStart) as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

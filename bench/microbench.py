"""`python -m bench.microbench`: cost of pages, sockets, moves and services, for docs/explanation/scaling.md.

A server stands on PostgreSQL that flushes, behind nginx with the configuration that hosts are given, without
TLS; what counts is the processor time of each of the three. Then Redis and the disk of the database say by
their own benchmarks what they do in a second. The site has no past: `bench.slow_pages` asks for pages of one.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http.client import HTTPConnection

import psycopg
from redis import Redis as RedisClient

from bench.measure import processor_time, spent_by
from bench.scaling_invariance import OPENED, come, kinds, table
from bench.site import endless_match, fresh, prepare, serving, signed_in, wait_until_ready
from tools.harness.patience import wait_until
from tools.harness.proxy import Proxy
from tools.harness.services import Postgres, Redis
from tools.programs import nginx, postgres_bin, redis_server

MATCHES, WATCHERS, PLIES = 50, 4, 40
TIMES = 100
"""How often each page is asked for."""
BYTES = 600
"""As long as a message between servers."""
MESSAGES = 200_000
COMMIT_SECONDS = 5
WRITERS = (1, 8)
"""Connections that commit at once."""


class Parts:
    """A server between its database and nginx, and what each of the three spends."""

    def __init__(self, pid: int, postgres: Postgres, proxy: Proxy) -> None:
        self.postgres, self.port = postgres, proxy.port
        self._clocks: tuple[Callable[[], float], ...] = (
            partial(processor_time, pid),
            partial(spent_by, postgres),
            partial(spent_by, proxy),
        )
        self.rows: list[tuple[object, ...]] = [("CPU µs", "server", "PostgreSQL", "nginx")]

    @contextmanager
    def spent(self, name: str, number: int) -> Iterator[None]:
        """What is done inside is so many alike: note what one of them took."""
        before = [clock() for clock in self._clocks]
        yield
        after = [clock() for clock in self._clocks]
        each = ((now - was) / number * 1e6 for now, was in zip(after, before, strict=True))
        self.rows.append((name, *(f"{spent:.0f}" for spent in each)))


def pages(parts: Parts) -> None:
    """Ask for pages as somebody who has signed in."""
    person, cookie = signed_in()
    (match,), _ = prepare(1)
    found = {
        "front page": "/",
        "match page": f"/m/{match}",
        "profile": f"/@/{person.username}",
        "leaderboard": "/leaderboards/kalah",
    }
    with closing(HTTPConnection("127.0.0.1", parts.port)) as connection:

        def ask(path: str, times: int) -> None:
            for _ in range(times):
                connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200, (path, answer.status)

        for name, path in found.items():
            ask(path, TIMES // 10)
            with parts.spent(name, TIMES):
                ask(path, TIMES)


def sockets(parts: Parts) -> None:
    """Open sockets of each kind until each was told what it came for, and leave them."""
    import uvloop

    from bench.client import hang_up

    async def visit(path: str, cookie: str, number: int) -> None:
        await hang_up(await come(parts.port, path, number, cookie))

    for name, (path, cookie) in kinds().items():
        uvloop.run(visit(path, cookie, OPENED // 4))
        with parts.spent(f"socket: {name}", OPENED):
            uvloop.run(visit(path, cookie, OPENED))


def moves(parts: Parts) -> None:
    """Play matches that do not end, and look at what that has written."""
    import uvloop

    from bench import load

    def written() -> int:
        with closing(psycopg.connect(parts.postgres.url("postgres"))) as connection:
            row = connection.execute("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint").fetchone()
        assert row is not None
        return int(row[0])

    async def play(name: str, made: tuple[list[str], list[list[str]]]) -> None:
        tables = await load.open_tables(load.EndlessTable, parts.port, *made, WATCHERS, PLIES)
        with parts.spent(name, MATCHES * PLIES):
            await load.play(tables)
        await load.close(tables)

    uvloop.run(play("", prepare(MATCHES, endless_match)))
    # The first round warms all of them up and is thrown away.
    parts.rows.pop()
    made, before = prepare(MATCHES, endless_match), written()
    uvloop.run(play(f"move, sent to {2 + WATCHERS} sockets", made))
    each = (written() - before) / MATCHES / PLIES
    print(f"\nA move writes {each:.0f} bytes of WAL; that includes opening the sockets of its match.")


def messages(redis: Redis) -> None:
    """Have Redis take messages, each of which one other hears."""
    port = ("-p", str(redis.port))
    rows: list[tuple[object, ...]] = [("Redis", "messages/s", "CPU µs")]
    command = ["redis-benchmark", *port, "-n", str(MESSAGES), "-q"]
    hears = subprocess.Popen(["redis-cli", *port, "subscribe", "bench"], stdout=subprocess.DEVNULL)
    with closing(RedisClient(port=redis.port)) as asked:
        # However slowly it is heard, whoever hears it stays.
        asked.config_set("client-output-buffer-limit", "pubsub 0 0 0")
        wait_until(lambda: asked.pubsub_numsub("bench")[0][1] == 1, "somebody who hears")
    for name, more in (("no pipelining", ()), ("pipelines of 16", ("-P", "16"))):
        before = spent_by(redis)
        answer = subprocess.run(
            [*command, *more, "publish", "bench", "x" * BYTES], check=True, capture_output=True, text=True
        ).stdout
        each = (spent_by(redis) - before) / MESSAGES * 1e6
        a_second = float(re.findall(r"([\d.]+) requests per second", answer)[-1])
        rows.append((name, f"{a_second:,.0f}", f"{each:.1f}"))
    hears.terminate()
    hears.wait()
    table(*rows)


def commits(postgres: Postgres) -> None:
    """Have PostgreSQL commit one row at a time."""
    postgres.execute("CREATE TABLE bench_commits (number integer)")
    rows: list[tuple[object, ...]] = [("connections", "commits/s", "ms each")]
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write("INSERT INTO bench_commits VALUES (1);\n")
        script.flush()
        for number in WRITERS:
            shape = ("-n", "-f", script.name, "-T", str(COMMIT_SECONDS), "-c", str(number))
            answer = subprocess.run(
                ["pgbench", *shape, postgres.url("postgres")], check=True, capture_output=True, text=True
            ).stdout
            a_second = float(re.findall(r"tps = ([\d.]+)", answer)[-1])
            rows.append((number, f"{a_second:,.0f}", f"{number / a_second * 1e3:.2f}"))
    table(*rows)


def main() -> None:
    ArgumentParser(prog="bench.microbench", description=re.sub(r"\s+", " ", __doc__ or "")).parse_args()
    with ExitStack() as running:
        postgres = Postgres(str(postgres_bin()), durable=True)
        redis = Redis(str(redis_server()))
        for service in (postgres, redis):
            running.callback(service.discard)
            service.start()
        addresses = {"DATABASE_URL": postgres.url("postgres"), "REDIS_URL": redis.url()}
        running.enter_context(fresh(**addresses, BOT_PROCESSES="0", BEHIND_PROXY="1"))
        pid, port = running.enter_context(serving("config.server"))
        wait_until_ready(port)
        proxy = Proxy(str(nginx()), [port])
        running.callback(proxy.discard)
        proxy.start()
        parts = Parts(pid, postgres, proxy)
        for measure in (pages, sockets, moves):
            measure(parts)
        table(*parts.rows)
        messages(redis)
        commits(postgres)


if __name__ == "__main__":
    main()

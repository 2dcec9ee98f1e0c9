"""What whoever runs the site is told: numbers for Prometheus, lines of the log, and what was slow."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from config.observability import slow
from config.observability.log import JsonLines
from config.observability.metrics import Queues
from games.net.limits import Bucket
from games.net.measures import measures
from lobby.people.models import User
from lobby.webhooks import deliveries, hooks
from lobby.webhooks.models import Hook
from tests.helpers.samples import in_full
from tests.servers.test_computers_servers import give_to_computers
from tools.harness.cluster import BotWorker
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, command_id, seat_two
from tools.harness.servers import parlour_environment
from tools.harness.services import ROOT, free_port

DASHBOARD = json.loads((ROOT / "docs" / "dashboard.json").read_text())
LISTENS = "0A"
"""The state of a socket that does, in the tables of the system."""
PASSWORD = "a quiet evening in June"


@pytest.fixture(scope="module")
def port():
    return free_port()


@pytest.fixture(scope="module")
def server(launcher, port):
    settings = {"METRICS_PORT": str(port), "LOG_FORMAT": "json", "LOG_LEVEL": "INFO"}
    return launcher.open(launcher.store("sqlite"), **settings)


@pytest.fixture(scope="module")
def plain(launcher):
    """A server that nobody told how to speak, nor to tell its numbers."""
    return launcher.open(launcher.store("sqlite"), LOG_LEVEL="INFO")


@pytest.fixture(scope="module")
def numbers(port):
    return partial(numbers_at, port)


def numbers_at(port):
    """All samples by name and labels, as Prometheus reads them."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=patience(10)) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in families
            for sample in family.samples
        }


def lines(server):
    """What the server has said as JSON so far; its first line is for whoever started it."""
    return [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]


@contextmanager
def held(server, seconds):
    """Keep the database from all others for so long."""
    path = server.database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, timeout=patience(20), check_same_thread=False)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        release = threading.Timer(seconds, connection.rollback)
        release.start()
        yield
        release.join()


def test_numbers_follow_what_happens(server, numbers):
    before = numbers()
    host, other, match = seat_two(server)
    with host.watch(match) as first, other.watch(match) as second:
        during = numbers()
        assert during["parlour_sockets",] == before["parlour_sockets",] + 2
        assert during["parlour_matches_in_memory",] == before["parlour_matches_in_memory",] + 1
        assert first.move(0, "1")["type"] == "accepted"
        assert second.ask({"type": "move", "id": command_id(), "after": 0, "move": "1"})["type"] == "refused"
        second.send({"type": "sync", "after": 0})
        second.next("plies")
        after = numbers()
    for name in ("moves_total", "move_seconds_count", "journal_batch_entries_count"):
        assert after[f"parlour_{name}",] == before[f"parlour_{name}",] + 1, name
    assert after["parlour_resyncs_total", "browser"] == before["parlour_resyncs_total", "browser"] + 1
    assert 0 < after["parlour_move_seconds_sum",] - before["parlour_move_seconds_sum",] < 5
    wait_until(lambda: numbers()["parlour_sockets",] == before["parlour_sockets",], "the end of the sockets")


def test_a_distribution_counts_as_prometheus_does(numbers):
    now = numbers()
    buckets = [value for (name, *_), value in now.items() if name == "parlour_loop_late_seconds_bucket"]
    assert buckets == sorted(buckets)
    assert buckets[-1] == now["parlour_loop_late_seconds_count",] > 0


def test_metrics_count_due_work_in_database(server, numbers):
    _, _, match = seat_two(server)
    server.write("UPDATE games_match SET bot_due = '2020-01-01 00:00:00' WHERE id = ?", match)
    assert numbers()["parlour_bots_due",] == numbers()["parlour_bots_overdue",] == 1
    server.write("UPDATE games_match SET bot_due = NULL WHERE id = ?", match)
    assert (numbers()["parlour_bots_due",], numbers()["parlour_database_up",]) == (0, 1)


@pytest.mark.django_db(transaction=True)
def test_a_delivery_is_due_until_somebody_takes_it_up():
    owner = User.objects.create_user("Ulno")
    hook = Hook.objects.create(user=owner, url="https://scores.example/hook", site="https://parlour.example")

    def due():
        found = {metric.name: metric.samples[0].value for metric in Queues().collect()}
        return found["parlour_deliveries_due"]

    assert due() == 0
    hooks.ping(hook)
    assert due() == 1
    deliveries.take(timezone.now(), 1)
    assert due() == 0


def test_every_number_of_the_dashboard_exists(numbers):
    known = {name for name, *_ in numbers()} | {"parlour_deliveries_total"}
    asked = {name for panel in DASHBOARD["panels"] for each in panel["targets"]
             for name in re.findall(r"\b(?:parlour|process)_\w+", each["expr"])}  # fmt: skip
    assert asked
    assert asked <= known
    shown = {
        re.sub(r"_(bucket|sum|count|created)$", "", name) for name in known if name.startswith("parlour_")
    }
    assert shown <= {re.sub(r"_bucket$", "", name) for name in asked}, "a number that nobody looks at"


def test_visitors_do_not_find_them(server, port):
    assert server.get("/metrics").status == 404
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://[::1]:{port}/metrics", timeout=patience(5))


@pytest.mark.full
def test_a_worker_tells_its_own_numbers_on_a_port_of_its_own(server):
    own = free_port()
    with closing_worker(DATABASE_URL=server.database_url, METRICS_PORT=str(own)) as worker:
        before = numbers_at(own)
        assert (before["parlour_sockets",], before["parlour_moves_total",]) == (0, 0)
        assert before["parlour_database_up",] == 1
        _, _, match = seat_two(server)
        give_to_computers(server, match, 0, 1)
        wait_until(lambda: numbers_at(own)["parlour_moves_total",] > 1, "two moves of the worker")
        wait_until(lambda: numbers_at(own)["parlour_loop_late_seconds_count",] > 1, "two turns of its loop")
        slow_until_now = numbers_at(own)["parlour_slow_queries_total",]

        def was_slow():
            """It looks for what is due every second, and has to wait for that, if it comes to it in time."""
            with held(server, 1.5):
                pass
            return numbers_at(own)["parlour_slow_queries_total",] > slow_until_now

        wait_until(was_slow, "a slow query of the worker")
        assert worker.terminate() == 0


@contextmanager
def closing_worker(**settings):
    worker = BotWorker(settings)
    try:
        yield worker.start()
    finally:
        worker.discard()


@pytest.mark.parametrize(
    "program",
    in_full(
        pytest.param(("-m", "config.server", "--port", "0"), id="server"),
        pytest.param(("manage.py", "runbots"), id="worker"),
    ),
)
def test_a_port_that_is_taken_is_named_at_the_start(server, port, program):
    command = [sys.executable, *program]
    environment = parlour_environment(DATABASE_URL=server.database_url, METRICS_PORT=str(port))
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"Port {port} is taken" in done.stderr
    assert f"METRICS_PORT={port + 1}" in done.stderr


# The log


def test_a_slow_command_names_match_person_and_command(server):
    host, _, match = seat_two(server)
    (person,) = server.rows("SELECT user_id FROM games_seating WHERE match_id = ? AND seat = 0", match)[0]
    command = {"type": "move", "id": command_id(), "after": 0, "move": "1"}
    with host.watch(match) as first, held(server, 0.4):
        assert first.ask(command)["type"] == "accepted"
    said = [line for line in lines(server) if line.get("command") == command["id"]]
    assert [(line["level"], line["match"], line["person"]) for line in said] == [("INFO", match, person)]
    assert said[0]["logger"] == "games.net.measures"
    assert said[0]["milliseconds"] > 100
    assert set(said[0]) == {
        "time", "level", "logger", "message", "match", "person", "command", "milliseconds",
    }  # fmt: skip


def test_text_log_line_names_match_and_person(plain):
    host, _, match = seat_two(plain)
    (person,) = plain.rows("SELECT user_id FROM games_seating WHERE match_id = ? AND seat = 0", match)[0]
    command = {"type": "move", "id": command_id(), "after": 0, "move": "1"}
    with host.watch(match) as first, held(plain, 0.4):
        assert first.ask(command)["type"] == "accepted"
    said = re.findall(r"INFO games\.net\.measures: a command took \d+ ms (.*)", plain.log)
    assert said == [f"[match={match} person={person} command={command['id']}]"]


def test_text_log_line_escapes_line_breaks(plain):
    assert plain.get("/m/one%0Aanother").status == 404
    said = [line for line in plain.log.splitlines() if "Not Found: " in line]
    assert said
    assert said[-1].endswith("[match=one\\nanother]")


def test_a_slow_query_is_told_without_what_it_was_given(server, numbers):
    people, before, counted = [], len(lines(server)), numbers()["parlour_slow_queries_total",]

    def was_slow():
        """Somebody signs up while the database is kept from them, if the server comes to it in time."""
        people.append(Person(server))
        with held(server, 0.4):
            people[-1].sign_up(f"Slowpoke{len(people)}", PASSWORD)
        said = [line for line in lines(server)[before:] if line["message"].startswith("a query took")]
        return any("BEGIN IMMEDIATE" in line["message"] and line["milliseconds"] > 100 for line in said)

    wait_until(was_slow, "a slow query")
    assert numbers()["parlour_slow_queries_total",] > counted
    for person in people:
        cookies = dict(pair.split("=", 1) for pair in person.headers()["Cookie"].split("; "))
        assert cookies.keys() >= {"sessionid", "csrftoken"}
        # No secret, and two letters that other words have.
        cookies.pop("django_language", None)
        for secret in (PASSWORD, *cookies.values()):
            assert secret not in server.log


@pytest.mark.django_db
@pytest.mark.parametrize("sql", ["SELECT %s", "SELECT %s FROM nowhere"], ids=["answered", "refused"])
def test_a_query_is_timed_without_a_word_of_its_parameters(monkeypatch, caplog, sql):
    caplog.set_level("INFO")
    monkeypatch.setattr(slow, "SLOW", 0.0)
    monkeypatch.setattr(slow, "_complaints", Bucket.full(1.0, 1.0, time.monotonic()))
    counted = measures.slow_queries
    with connection.execute_wrapper(slow._timed), connection.cursor() as cursor, suppress(DatabaseError):
        cursor.execute(sql, [PASSWORD])
    assert measures.slow_queries == counted + 1
    (said,) = caplog.records
    assert said.getMessage() == f"a query took {said.milliseconds} ms: {sql}"
    # `make run` shows warnings: slowness of the computer is none.
    assert said.levelname == "INFO"
    assert PASSWORD not in JsonLines().format(said) + str(vars(said))


async def test_slow_callback_named_in_log(monkeypatch, caplog):
    caplog.set_level("INFO")
    monkeypatch.setattr(slow, "_complaints", Bucket.full(1.0, 1.0, time.monotonic()))
    over = asyncio.Event()

    class Loop:
        """The loop of the test, in which the watch comes round once and not for ever."""

        def call_later(self, seconds, came_round):
            asyncio.get_running_loop().call_later(seconds, lambda: (came_round(), over.set()))
            self.call_later = lambda *_: None

    watch = slow.LoopWatch(Loop())  # type: ignore[arg-type]
    watch.begin()
    count_the_beans(lambda: watch._where and time.monotonic() > watch._due + slow.SLOW)
    await asyncio.wait_for(over.wait(), patience(10))
    said = [line for line in caplog.records if line.getMessage().startswith("the event loop was kept")]
    assert [line.levelname for line in said] == ["INFO"]
    assert "count_the_beans (test_observability.py:" in said[0].getMessage()
    assert said[0].milliseconds >= 100


def count_the_beans(enough):
    """Be busy until there are enough of them, but not for ever."""
    beans, last = 0, time.monotonic() + 10
    while not enough() and time.monotonic() < last:
        beans += 1


def test_a_loop_that_is_kept_from_its_work_says_so(server, numbers):
    def said():
        return [line for line in lines(server) if line["message"].startswith("the event loop was kept")]

    before = len(said())
    server.signal(signal.SIGSTOP)
    wait_until(lambda: "T" in stat(server), "the stop")
    threading.Event().wait(0.3)
    server.signal(signal.SIGCONT)
    wait_until(lambda: len(said()) > before, "a line about it")
    assert said()[-1]["milliseconds"] >= 200


def stat(server):
    """The state of the process, as the system says it."""
    return open(f"/proc/{server.process.pid}/stat").read().rpartition(")")[2].split()[0]


def test_server_by_default_logs_text_and_has_no_metrics_port(plain):
    Person(plain).get("/leaderboards")
    assert lines(plain) == []
    assert listening(plain) == {("tcp", "0100007F", plain.port)}


def listening(server):
    """Where the process waits for connections, as the system says it: the kind, the address, the port."""
    process = Path(f"/proc/{server.process.pid}")
    own, found = set(), set()
    for opened in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            own.add(str(opened.readlink()))
    for kind in ("tcp", "tcp6"):
        for _, at, _, state, *more in map(str.split, (process / "net" / kind).read_text().splitlines()[1:]):
            if state == LISTENS and f"socket:[{more[5]}]" in own:
                address, _, port = at.partition(":")
                found.add((kind, address, int(port, 16)))
    return found


def test_another_format_is_refused_with_a_sentence(server):
    command = [sys.executable, "-m", "config.server", "--port", str(free_port())]
    environment = parlour_environment(DATABASE_URL=server.database_url, LOG_FORMAT="xml")
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, "LOG_FORMAT=xml: must be text or json." in done.stderr) == (1, True)

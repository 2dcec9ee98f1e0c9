"""Several servers behind nginx: configured, played through, begun and ended by one command."""

import contextlib
import os
import random
import re
import signal
import ssl
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.servers.test_run import stubborn_peer
from tools.harness.cluster import cluster
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, guest, play_out, seat_two
from tools.harness.proxy import Proxy
from tools.harness.services import ROOT
from tools.programs import caddy, nginx

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def servers(launcher):
    store = launcher.store("postgres+redis")
    return [launcher.open(store, BEHIND_PROXY="1") for _ in range(2)]


@pytest.fixture(scope="module")
def behind(servers):
    """`behind(by_match=False)`: the servers behind a proxy."""
    program = nginx() or pytest.skip("nginx is not installed")
    proxies = []

    def behind(**options):
        proxies.append(Proxy(program, [server.port for server in servers], **options))
        return proxies[-1].start()

    yield behind
    for proxy in proxies:
        proxy.discard()


def test_nginx_understands_the_configuration(behind):
    proxy = behind()
    said = subprocess.run([*proxy.command(), "-t"], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert "warn" not in said.stderr


def test_people_at_different_processes_play_to_the_end_through_the_proxy(behind):
    proxy = behind(by_match=False)
    *people, match = seat_two(proxy)
    sockets = [person.watch(match) for person in people]
    if sockets[0].server == sockets[1].server:
        # Each connection comes to the next server.
        sockets[1].close()
        sockets[1] = people[1].watch(match)
    assert sockets[0].server != sockets[1].server
    assert play_out(tuple(sockets), random.Random(3))["outcome"] is not None  # type: ignore[arg-type]
    for socket in sockets:
        socket.close()


def test_all_who_look_at_a_match_come_to_the_same_process(behind):
    proxy = behind()
    places = []
    for _ in range(8):
        *people, match = seat_two(proxy)
        opened = [open_at(match) for person in people for open_at in (person.watch, person.talk)]
        opened.append(Person(proxy).watch(match))
        places.append({socket.server for socket in opened})
        with connect(f"{proxy.ws_url}/ws/page/match/{match}?feeds=match+chat", proxy=None) as page:
            places[-1].add(page.response.headers["X-Server"])
        for socket in opened:
            socket.close()
    assert all(len(place) == 1 for place in places)
    assert len(set().union(*places)) == 2


def test_a_server_that_is_gone_is_stood_in_for(behind, servers):
    proxy = behind()
    mover, _, match = seat_two(proxy)
    with mover.watch(match) as socket:
        place = next(server for server in servers if socket.server.endswith(f":{server.port}"))
        socket.move(0, "1")
    place.kill9()
    with mover.watch(match) as socket:
        assert not socket.server.endswith(f":{place.port}")
        assert socket.snapshot["ply"] == 1
    place.restart()


def test_a_server_that_takes_leave_is_stood_in_for_before_it_has_ended(behind, servers):
    """By the next one, which is asked at once: nobody comes back to 4012."""
    proxy = behind()
    mover, _, match = seat_two(proxy)
    with mover.watch(match) as socket:
        place = next(server for server in servers if socket.server.endswith(f":{server.port}"))
        other = next(server for server in servers if server is not place)
        socket.move(0, "1")
        # It waits for this one before it ends.
        with contextlib.closing(stubborn_peer(place)):
            place.signal(signal.SIGTERM)
            assert socket.closed_with() == 4012
            with mover.watch(match) as back:
                assert back.server == f"127.0.0.1:{place.port}, 127.0.0.1:{other.port}"
                assert back.snapshot["type"] == "snapshot"
                assert back.snapshot["ply"] == 1
            assert place.get("/readyz").status == 503
    place.restart()


@dataclass(frozen=True)
class Site:
    """Where people find a site that another process began."""

    url: str
    root: Path = ROOT

    @property
    def ws_url(self):
        return self.url.replace("http", "ws", 1)


def a_computer_moves_at(site):
    person = guest(site)
    person.post("/computer/kalah", preset="circle", seats="2", first="other", level="1")
    with person.watch(person.path.removeprefix("/m/")) as socket:
        assert socket.snapshot["ply"] == 1 or socket.next("plies")["plies"][0]["number"] == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [((), ""), (("PORT=8000",), "--port 8000"), (("PROXY=caddy",), "--proxy caddy")],
)
def test_a_port_and_a_proxy_that_are_named_are_taken_and_else_any_port_that_is_free(given, told):
    said = subprocess.run(
        ["make", "--dry-run", "cluster", *given],
        cwd=ROOT,
        # Whoever runs the tests by `make` has a port, or flags, of their own.
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.splitlines()[-1].partition("tools.harness.cluster")[2].strip() == told


@pytest.mark.full
def test_one_command_begins_everything_and_ctrl_c_ends_it(var_dir, tmp_path):
    nginx() or pytest.skip("nginx is not installed")
    said = tmp_path / "said"
    with said.open("wb") as out:
        command = [sys.executable, "-m", "tools.harness.cluster", "--static", str(var_dir)]
        cluster = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)
    try:
        wait_until(lambda: "a server" in said.read_text() or cluster.poll() is not None, "the start", 120)
        addresses = re.findall(r"at (http://\S+?),?$", said.read_text().replace(",", "\n"), re.MULTILINE)
        assert len(addresses) == 3, said.read_text()
        for address in addresses:
            with urllib.request.urlopen(f"{address}/readyz") as answer:
                assert answer.status == 200
        a_computer_moves_at(Site(addresses[0]))
        cluster.send_signal(signal.SIGINT)
        assert cluster.wait(patience(60)) == 0, said.read_text()
    finally:
        cluster.kill()
    for address in addresses:
        with pytest.raises(OSError, match="refused"):
            urllib.request.urlopen(f"{address}/readyz")


if caddy() is not None:  # Nothing installs it for the tests, and none may be skipped.

    @pytest.mark.full
    def test_the_site_stands_behind_caddy_as_well(var_dir):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with cluster(servers=1, bots=0, with_caddy=True, static=var_dir) as site:
            opener = urllib.request.build_opener(
                urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)
            )
            with opener.open(f"{site.proxy.url}/leaderboards", timeout=patience(20)) as answer:
                assert answer.status == 200

"""The server as a host meets it: where it says it is, what it serves, and how it takes leave."""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from config import address, probe
from tests.conftest import Launcher
from tests.helpers.samples import FULL
from tools.harness.patience import patience, wait_until
from tools.harness.people import guest, seat_two
from tools.harness.servers import ParlourServer, parlour_environment
from tools.harness.services import ROOT, free_port

pytestmark = [pytest.mark.cold] if FULL else []

NOTICE_SECONDS = 30.0
"""How long a dead peer may count as present."""


# Where it listens


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_taken_port_is_named_with_a_way_out(taken_port: int) -> None:
    with pytest.raises(address.Unusable, match=rf"^Port {taken_port} is taken: .*PORT={taken_port + 1}"):
        address.check_free("127.0.0.1", taken_port)


def test_a_port_out_of_range_is_refused() -> None:
    with pytest.raises(address.Unusable, match="80000 is no port"):
        address.check_free("127.0.0.1", 80000)


def test_an_address_of_another_computer_is_refused() -> None:
    with pytest.raises(address.Unusable, match=r"^This computer cannot listen on 192\.0\.2\.77"):
        address.check_free("192.0.2.77", 0)


def test_a_free_port_may_be_used() -> None:
    address.check_free("127.0.0.1", free_port())


def test_a_server_for_this_computer_says_so() -> None:
    assert address.announcement("127.0.0.1", 8000) == "Parlour is at http://127.0.0.1:8000"


def test_a_server_for_the_network_names_the_addresses_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "lan_addresses", lambda host: ["192.168.1.20", "10.0.0.5"])
    assert address.announcement("0.0.0.0", 8000) == (
        "Parlour is at http://127.0.0.1:8000, for others on this network at "
        "http://192.168.1.20:8000 or http://10.0.0.5:8000"
    )


def test_a_computer_without_a_network_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "lan_addresses", lambda host: [])
    assert address.announcement("0.0.0.0", 8000) == "Parlour is at http://127.0.0.1:8000"


@pytest.mark.parametrize("host", ["8.8.8.8", "2606:4700::1111"])
def test_server_on_a_public_address_without_a_proxy_says_so(host: str) -> None:
    assert "no proxy is in front" in address.exposure(host, behind_proxy=False)
    assert address.exposure(host, behind_proxy=True) == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "192.168.1.20", "fd00::1"])
def test_server_on_a_private_address_says_nothing_of_a_proxy(host: str) -> None:
    assert address.exposure(host, behind_proxy=False) == ""


def test_addresses_for_others_are_never_this_computers_own() -> None:
    assert not any(found.startswith("127.") for found in address.lan_addresses("0.0.0.0"))


def test_a_server_for_the_network_answers_to_its_addresses_and_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "lan_addresses", lambda host: ["192.168.1.20"])
    monkeypatch.setattr(socket, "gethostname", lambda: "Club-PC")
    hosts = address.allowed_hosts("0.0.0.0")
    assert {"127.0.0.1", "localhost", "192.168.1.20", "club-pc", "club-pc.local"} <= set(hosts)


@pytest.mark.parametrize(
    ("host", "allowed", "reached"),
    [
        ("127.0.0.1", "127.0.0.1,localhost,[::1]", "127.0.0.1,localhost"),
        ("::1", "localhost", "127.0.0.1,localhost"),
        ("127.0.0.1", "127.0.0.1,localhost,[::1],192.168.1.20", ""),
        ("127.0.0.1", "parlour.example", ""),
        # Everybody on the network can claim to ask for localhost.
        ("0.0.0.0", "127.0.0.1,localhost,[::1]", ""),
        ("192.168.1.20", "localhost", ""),
    ],
)
def test_webhooks_reach_this_computer_only_if_nobody_else_reaches_the_site(
    host: str, allowed: str, reached: str
) -> None:
    assert address.webhook_hosts(host, allowed) == reached


# How it starts


def run_server(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Start a server that is expected to refuse."""
    return subprocess.run(
        [sys.executable, "-m", "config.server", *arguments],
        cwd=ROOT,
        env=parlour_environment(**settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )


def test_a_server_says_one_line(sqlite_server: ParlourServer) -> None:
    assert sqlite_server.log.splitlines()[0] == f"Parlour is at {sqlite_server.url}"
    assert sqlite_server.log.count("Parlour is at") == 1


def test_a_second_server_on_the_port_ends_with_one_sentence(
    sqlite_server: ParlourServer, tmp_path: Path
) -> None:
    second = run_server("--port", str(sqlite_server.port), VAR_DIR=str(tmp_path))
    assert second.returncode == 1
    assert second.stderr.startswith(f"Port {sqlite_server.port} is taken")
    assert len(second.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "key",
    [
        "",
        "x",
        "x" * 64,
        "k3y-of-31-characters-is-2-short",
        "development-only-key-that-a-public-server-refuses",
    ],
)
def test_no_server_for_others_without_a_key_of_its_own(key: str, tmp_path: Path) -> None:
    refused = run_server("--port", "0", SECRET_KEY=key, VAR_DIR=str(tmp_path))
    assert refused.returncode == 1
    assert "SECRET_KEY" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


# What it serves


def hashed(var_dir: Path, name: str) -> str:
    manifest = json.loads((var_dir / "static" / "staticfiles.json").read_text())
    return str(manifest["paths"][name])


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_static_files_are_hashed_compressed_and_kept_for_ever(
    sqlite_server: ParlourServer, var_dir: Path, encoding: str
) -> None:
    name = hashed(var_dir, "css/tokens.css")
    assert re.fullmatch(r"css/tokens\.[0-9a-f]{12}\.css", name)
    answer = sqlite_server.get(f"/static/{name}", {"Accept-Encoding": encoding})
    assert answer.status == 200
    assert answer.headers["content-encoding"] == encoding
    assert "immutable" in answer.headers["cache-control"]
    assert int(re.findall(r"max-age=(\d+)", answer.headers["cache-control"])[0]) >= 60 * 60 * 24 * 365


def test_pages_are_compressed_for_whoever_reads_that(sqlite_server: ParlourServer) -> None:
    plain = sqlite_server.get("/rules/kalah")
    packed = sqlite_server.get("/rules/kalah", {"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["vary"]
    assert len(packed.body) < len(plain.body) / 2
    assert gzip.decompress(packed.body).endswith(b"</html>\n")
    smaller = sqlite_server.get("/rules/kalah", {"Accept-Encoding": "gzip, br"})
    assert smaller.headers["content-encoding"] == "br"
    assert "Accept-Encoding" in smaller.headers["vary"]
    assert len(smaller.body) < len(packed.body)
    assert re.search(rb"</html>\n<!--\w*-->$", brotli.decompress(smaller.body))


def test_the_module_of_a_page_has_a_hashed_name_and_imports_no_other(var_dir: Path) -> None:
    name = hashed(var_dir, "pages/match.js")
    assert re.fullmatch(r"pages/match\.[0-9a-f]{12}\.js", name)
    module = (var_dir / "static" / name).read_text()
    assert "WebSocket" in module
    assert re.findall(r'from\s*"(\.\.?/[^"]+)"', module) == []


def test_an_unknown_host_name_is_refused(sqlite_server: ParlourServer) -> None:
    assert sqlite_server.get("/", {"Host": "elsewhere.example"}).status == 400


def test_probes_are_answered_under_any_name(sqlite_server: ParlourServer) -> None:
    assert sqlite_server.get("/readyz", {"Host": "10.0.0.7"}).status == 200


def test_the_probe_of_containers_tells_by_its_exit_code(sqlite_server: ParlourServer) -> None:
    assert probe.ready(sqlite_server.port)
    assert not probe.ready(free_port())


@pytest.fixture(scope="module")
def public_server(launcher: Launcher) -> ParlourServer:
    """A server behind a proxy that ends https."""
    return launcher.open(launcher.store("sqlite"), HTTPS="1", BEHIND_PROXY="1")


def test_plain_http_is_sent_to_https(public_server: ParlourServer) -> None:
    answer = public_server.get("/", {"X-Forwarded-Proto": "http"})
    assert answer.status == 301
    assert answer.headers["location"].startswith("https://")


def test_a_proxy_vouches_for_https(public_server: ParlourServer) -> None:
    answer = public_server.get("/", {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"})
    assert answer.status == 200
    assert re.fullmatch(r"max-age=\d{8}", answer.headers["strict-transport-security"])


def test_a_whole_domain_is_for_its_owner_to_promise(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), HTTPS="1", BEHIND_PROXY="1", HSTS_PRELOAD="1")
    answer = server.get("/", {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"})
    assert answer.headers["strict-transport-security"].endswith("; includeSubDomains; preload")


def test_database_file_private_to_user(launcher: Launcher) -> None:
    store = launcher.store("sqlite")
    path = Path(store.database_url.removeprefix("sqlite:///"))
    path.chmod(0o644)
    server = launcher.open(store)
    guest(server)
    files = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]
    assert [each.stat().st_mode & 0o777 for each in files] == [0o600] * 3


@pytest.mark.parametrize("path", ["/", "/no-such-page", "/accounts/login/"])
def test_no_page_may_use_the_device(sqlite_server: ParlourServer, path: str) -> None:
    assert "camera=()" in sqlite_server.get(path).headers["permissions-policy"]


@pytest.mark.parametrize("path", ["/", "/no-such-page", "/api/v1/games", "/manifest.webmanifest"])
def test_nothing_may_stand_in_other_sites(sqlite_server: ParlourServer, path: str) -> None:
    assert sqlite_server.get(path).headers["cross-origin-resource-policy"] == "same-origin"


def test_static_files_stay_here_and_pictures_of_matches_need_not(
    sqlite_server: ParlourServer, var_dir: Path
) -> None:
    answer = sqlite_server.get(f"/static/{hashed(var_dir, 'css/tokens.css')}")
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    _host, _other, match_id = seat_two(sqlite_server)
    answer = sqlite_server.get(f"/m/{match_id}.svg")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


def test_forwarded_https_without_proxy_ignored(sqlite_server: ParlourServer) -> None:
    answer = sqlite_server.get("/", {"X-Forwarded-Proto": "https"})
    assert "strict-transport-security" not in answer.headers


def test_an_error_shows_no_debugging_page(sqlite_server: ParlourServer) -> None:
    answer = sqlite_server.get("/no-such-page")
    assert answer.status == 404
    assert "DEBUG" not in answer.text


# How it takes leave


def stubborn_peer(server: ParlourServer) -> socket.socket:
    """A peer that opens a socket and then answers nothing: no ping, no close."""
    peer = socket.create_connection(("127.0.0.1", server.port), timeout=NOTICE_SECONDS)
    key = base64.b64encode(os.urandom(16)).decode()
    peer.sendall(
        (
            f"GET /ws/lobby HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
    )
    assert b"101 Switching Protocols" in peer.recv(4096)
    return peer


def close_code(client: ClientConnection) -> int | None:
    """Read to the end; the code with which the server closed."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            client.recv(timeout=patience(20))
    return client.close_code


@pytest.fixture
def leaving(launcher: Launcher) -> ParlourServer:
    """A server of one's own, to be ended."""
    return launcher.open(launcher.store("sqlite"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_ends_asks_every_socket_to_come_back(
    leaving: ParlourServer, number: signal.Signals
) -> None:
    with connect(leaving.ws_url + "/ws/lobby") as one, connect(leaving.ws_url + "/ws/lobby") as other:
        one.recv(timeout=patience(20)), other.recv(timeout=patience(20))
        leaving.signal(number)
        assert (close_code(one), close_code(other)) == (4012, 4012)
    assert leaving.process is not None
    assert leaving.process.wait(timeout=patience(20)) == 0
    assert "Traceback" not in leaving.log


def test_a_server_that_ends_is_ready_for_nobody(leaving: ParlourServer) -> None:
    with contextlib.closing(stubborn_peer(leaving)):
        leaving.signal(signal.SIGTERM)
        wait_until(lambda: leaving.get("/readyz").status == 503, "the refusal of /readyz", 5)


def test_a_server_that_ends_lets_no_socket_in_and_shows_pages_to_the_end(leaving: ParlourServer) -> None:
    with contextlib.closing(stubborn_peer(leaving)):
        leaving.signal(signal.SIGTERM)
        wait_until(lambda: leaving.get("/readyz").status == 503, "the start of the leave", 5)
        with pytest.raises(InvalidStatus) as refused, connect(leaving.ws_url + "/ws/lobby"):
            pass
        assert refused.value.response.status_code == 503
        assert int(refused.value.response.headers["Retry-After"]) > 0
        assert leaving.get("/leaderboards").status == 200


def test_a_second_signal_ends_a_server_at_once(leaving: ParlourServer) -> None:
    with contextlib.closing(stubborn_peer(leaving)):
        leaving.signal(signal.SIGTERM)
        wait_until(lambda: leaving.get("/readyz").status == 503, "the start of the leave", 5)
        assert leaving.terminate() == 128 + signal.SIGTERM


def test_a_server_comes_back_at_its_port(leaving: ParlourServer) -> None:
    port = leaving.port
    assert leaving.terminate() == 0
    assert leaving.restart().port == port


def test_a_dead_peer_is_noticed(leaving: ParlourServer) -> None:
    began = time.monotonic()
    with contextlib.closing(stubborn_peer(leaving)) as peer:
        with contextlib.suppress(ConnectionResetError):
            while peer.recv(4096):
                pass
        assert time.monotonic() - began < NOTICE_SECONDS


def test_a_message_above_the_limit_ends_its_socket(sqlite_server: ParlourServer) -> None:
    with connect(sqlite_server.ws_url + "/ws/lobby") as client:
        client.send("x" * (16 * 1024 + 1))
        assert close_code(client) == 1009


# On Windows


WITHOUT_POSIX = """
import asyncio, os, sys
sys.modules["uvloop"] = sys.modules["resource"] = None
del os.nice
def add_signal_handler(*_):
    raise NotImplementedError
asyncio.BaseEventLoop.add_signal_handler = asyncio.SelectorEventLoop.add_signal_handler = add_signal_handler
"""
"""Takes away what Windows does not have. Python runs it at start-up under the name `sitecustomize`."""


def test_a_match_is_played_where_posix_is_missing(launcher: Launcher, tmp_path: Path, var_dir: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_POSIX)
    store = launcher.store("sqlite")
    server = ParlourServer(store.database_url, "", var_dir, cold=True, PYTHONPATH=str(tmp_path))
    server.start()
    try:
        host, *_, match_id = seat_two(server)
        with host.watch(match_id) as socket:
            assert socket.move(0, "1")["type"] == "accepted"
            server.signal(signal.SIGTERM)
            assert socket.closed_with() == 4012
        assert server.process is not None
        assert server.process.wait(patience(20)) == 0
    finally:
        server.discard()

"""The proxy of docker-compose.yml, run as it is configured there, before a real server."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import http.server
import json
import os
import re
import shutil
import ssl
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import create_connection
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.conftest import Launcher
from tests.helpers.certificates import own_certificate
from tests.helpers.samples import in_full
from tools import programs
from tools.harness import proxy as example
from tools.harness.patience import patience, wait_until
from tools.harness.proxy import caddy_command, caddy_variables
from tools.harness.services import ROOT, Service, free_port

CONFIGURATION = ROOT / "config" / "proxy" / "containers.conf"


class Proxy(Service):
    """nginx with the configuration of the containers, at other ports and before another server."""

    def __init__(self, program: str, site: str) -> None:
        super().__init__("proxy")
        self._program, self.http, self.https = program, free_port(), free_port()
        own_certificate(self.directory)
        told = CONFIGURATION.read_text()
        for there, here in {
            "listen 8080": f"listen 127.0.0.1:{self.http}",
            "listen 8443": f"listen 127.0.0.1:{self.https}",
            "http://web:8000": site,
            "/tmp/": f"{self.directory}/",
            "/certificates": str(self.directory),
        }.items():
            assert there in told
            told = told.replace(there, here)
        self._told = self.directory / "nginx.conf"
        self._told.write_text(told)

    def command(self) -> list[str]:
        return [self._program, "-c", str(self._told), "-g", "daemon off; user root;"]

    def ready(self) -> bool:
        try:
            return self.get(f"https://127.0.0.1:{self.https}/readyz")[0] == 200
        except OSError:
            return False

    def get(self, url: str, **headers: str) -> tuple[int, str, str]:
        """Status, address to go to and text; redirections are not followed."""

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_: object) -> None:
                return None

        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), Stay, urllib.request.HTTPSHandler(context=trusting())
        )
        try:
            with opener.open(urllib.request.Request(url, headers=headers), timeout=patience(10)) as answer:
                return answer.status, "", answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers.get("Location", ""), error.read().decode()


class Caddy(Proxy):
    """Caddy, whose certificate is one of its own making, as for DOMAIN=localhost."""

    def __init__(self, program: str, site: str) -> None:
        super().__init__(program, site)
        server = int(site.rpartition(":")[2])
        self._variables = caddy_variables(program, self.directory, self.http, self.https, server)

    def environment(self) -> dict[str, str]:
        return {**os.environ, **self._variables}

    def command(self) -> list[str]:
        return caddy_command(self._program)


def trusting() -> ssl.SSLContext:
    """Believes any certificate: it is the proxy that is tested."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@pytest.fixture(scope="module", params=in_full("nginx", "caddy"))
def proxy(launcher: Launcher, request: pytest.FixtureRequest) -> Iterator[Proxy]:
    server = launcher.open(launcher.store("sqlite"), HTTPS="1", BEHIND_PROXY="1", CONNECTIONS_PER_ADDRESS="2")
    with in_front(request.param, server.url) as proxy:
        yield proxy


@contextlib.contextmanager
def in_front(name: str, site: str) -> Iterator[Proxy]:
    """A running proxy."""
    program = {"nginx": programs.nginx, "caddy": programs.caddy}[name]()
    if program is None:
        pytest.skip(f"{name} is not installed")
    proxy = {"nginx": Proxy, "caddy": Caddy}[name](program, site)
    try:
        yield proxy.start()
    finally:
        proxy.discard()


def test_pages_come_by_https_and_keep_browsers_there(proxy: Proxy) -> None:
    status, _, page = proxy.get(f"https://127.0.0.1:{proxy.https}/leaderboards")
    assert (status, "<h1>" in page) == (200, True)


def test_http_leads_there(proxy: Proxy) -> None:
    status, place, _ = proxy.get(f"http://127.0.0.1:{proxy.http}/leaderboards?a=b")
    assert (status, place) == (308, "https://127.0.0.1/leaderboards?a=b")


def test_http_leads_to_https_with_the_example_of_nginx() -> None:
    program = programs.nginx()
    if program is None:
        pytest.skip("nginx is not installed")
    proxy = example.Proxy(program, [free_port()]).start()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", proxy.http, timeout=patience(10))
        with contextlib.closing(connection):
            connection.request("GET", "/leaderboards?a=b", headers={"Host": "parlour.example"})
            response = connection.getresponse()
            assert response.status == 308
            assert response.headers["Location"] == "https://parlour.example/leaderboards?a=b"
    finally:
        proxy.discard()


@pytest.mark.parametrize("name", in_full("caddy", "nginx"))
def test_slow_uploads_of_one_address_shut_nobody_out(name: str, launcher: Launcher) -> None:
    limits = {"CONNECTIONS": "40", "CONNECTIONS_PER_ADDRESS": "10", "BEHIND_PROXY": "1", "HTTPS": "1"}
    server = launcher.open(launcher.store("sqlite"), **limits)
    with in_front(name, server.url) as proxy, contextlib.ExitStack() as stack:
        uploads = [stack.enter_context(slow_upload(proxy)) for _ in range(60)]
        if name == "caddy":
            # nginx reads whole requests before the server hears of them.
            waiting = set(uploads)

            def one_is_left() -> bool:
                waiting.difference_update([each for each in waiting if is_refused(each)])
                return len(waiting) == 1

            wait_until(one_is_left, "the refusal of all but one")
        for _ in range(3):
            assert proxy.get(f"https://127.0.0.1:{proxy.https}/leaderboards")[0] == 200


@pytest.mark.parametrize("name", in_full("caddy", "nginx"))
def test_slow_headers_of_one_address_are_cut_off_and_shut_nobody_out(name: str, launcher: Launcher) -> None:
    limits = {"CONNECTIONS": "40", "CONNECTIONS_PER_ADDRESS": "10", "BEHIND_PROXY": "1", "HTTPS": "1"}
    server = launcher.open(launcher.store("sqlite"), **limits)
    with in_front(name, server.url) as proxy, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(slow_headers(proxy)) for _ in range(60)]
        for _ in range(3):
            assert proxy.get(f"https://127.0.0.1:{proxy.https}/leaderboards")[0] == 200
        wait_until(lambda: all(is_cut_off(each) for each in slow), "the end of the connections", 25)


def slow_headers(proxy: Proxy) -> ssl.SSLSocket:
    """A request from another address than the tests', of which only the first bytes come."""
    plain = create_connection(("127.0.0.1", proxy.https), patience(10), ("127.0.0.2", 0))
    connection = trusting().wrap_socket(plain, server_hostname="127.0.0.1")
    connection.sendall(b"GET / HTTP/1.1\r\nX: ")
    connection.settimeout(0.001)
    return connection


def is_cut_off(connection: ssl.SSLSocket) -> bool:
    """Send one more byte, which would prolong any limit of silence."""
    try:
        connection.sendall(b"x")
        return not connection.recv(4096).startswith(b"HTTP/1.1 200")
    except TimeoutError:
        return False
    except OSError:
        return True


def slow_upload(proxy: Proxy) -> ssl.SSLSocket:
    """A form from another address than the tests', of which only the beginning comes."""
    plain = create_connection(("127.0.0.1", proxy.https), patience(10), ("127.0.0.2", 0))
    connection = trusting().wrap_socket(plain, server_hostname="127.0.0.1")
    head = b"POST /guest HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 1000000\r\n\r\n" % proxy.https
    # More than Caddy keeps to itself.
    connection.sendall(head + b"x" * 10_000)
    connection.settimeout(0.001)
    return connection


def is_refused(connection: ssl.SSLSocket) -> bool:
    try:
        # Caddy says so once more of the body comes.
        connection.sendall(b"x")
        answer = connection.recv(12)
    except TimeoutError:
        return False
    except OSError:
        return True
    assert answer in (b"", b"HTTP/1.1 429")
    return True


class Busy(http.server.BaseHTTPRequestHandler):
    """A server that answers 503 at /busy, and /held once it is let go."""

    begun, let_go = threading.Event(), threading.Event()

    def do_GET(self) -> None:
        if self.path == "/held":
            self.begun.set()
            self.let_go.wait(patience(60))
        self.send_response(503 if self.path == "/busy" else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("name", in_full("caddy", "nginx"))
def test_page_answered_with_503_shuts_nobody_out(name: str) -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server, ThreadPoolExecutor() as pool:
        pool.submit(server.serve_forever)
        try:
            with in_front(name, f"http://127.0.0.1:{server.server_port}") as proxy:
                here = f"https://127.0.0.1:{proxy.https}"
                # Caddy forgets a server that it found by its name when nobody uses it.
                held = pool.submit(proxy.get, f"{here}/held")
                assert Busy.begun.wait(patience(20))
                assert proxy.get(f"{here}/busy")[0] == 503
                assert proxy.get(f"{here}/")[0] == 200
                Busy.let_go.set()
                assert held.result()[0] == 200
        finally:
            Busy.let_go.set()
            server.shutdown()


def test_forwarded_host_of_visitor_ignored(proxy: Proxy) -> None:
    lies = {"Daphne-Root-Path": "http://attacker.example", "X-Forwarded-Host": "attacker.example"}
    for path in ("/accounts/2fa/", "/admin/", "/api"):
        url = f"https://127.0.0.1:{proxy.https}{path}"
        status, place, page = proxy.get(url, **lies)
        assert (status, place) == proxy.get(url)[:2]
        assert "attacker.example" not in place + page


@pytest.mark.parametrize("protocol", ["--http1.1", "--http2"])
def test_the_site_knows_by_which_name_and_port_it_is_reached(protocol: str, proxy: Proxy) -> None:
    curl = shutil.which("curl") or pytest.skip("curl is not installed")
    here = f"https://127.0.0.1:{proxy.https}"
    form = ["--header", f"Origin: {here}", "--cookie", f"csrftoken={'a' * 32}"]
    form += ["--data", f"csrfmiddlewaretoken={'a' * 32}&next=/leaderboards", "--write-out", "%{redirect_url}"]
    said = subprocess.run(
        [curl, protocol, "--noproxy", "*", "--silent", "--insecure", *form, f"{here}/guest"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == f"{here}/leaderboards"


async def test_sockets_pass(proxy: Proxy) -> None:
    async with socket(proxy) as opened:
        assert (await first_word(opened))["type"] == "lobby"


async def test_forwarded_address_of_visitor_ignored(proxy: Proxy) -> None:
    async with (
        socket(proxy, "192.0.2.1") as one,
        socket(proxy, "192.0.2.2") as two,
        socket(proxy, "192.0.2.3") as three,
    ):
        told = [await first_word(each) for each in (one, two, three)]
    assert [each["type"] for each in told] == ["lobby", "lobby", "error"]
    assert told[-1]["code"] == "too-many-sockets"


def socket(proxy: Proxy, address: str = "192.0.2.9") -> connect:
    # Not the client with threads: one of them reads while another writes, which OpenSSL does not allow. What
    # the proxy says right after the handshake is read just when the request is written, and one gets lost.
    return connect(
        f"wss://127.0.0.1:{proxy.https}/ws/lobby",
        ssl=trusting(),
        # At a port that is not the usual one, which browsers name.
        origin=f"https://127.0.0.1:{proxy.https}",  # type: ignore[arg-type]
        additional_headers={"X-Forwarded-For": address},
        proxy=None,
    )


async def first_word(opened: ClientConnection) -> dict[str, Any]:
    return json.loads(await asyncio.wait_for(opened.recv(), patience(20)))


@pytest.mark.parametrize("proxy", ["nginx"], indirect=True)
def test_the_configuration_has_no_mistakes(proxy: Proxy) -> None:
    done = subprocess.run([*proxy.command(), "-t"], capture_output=True, text=True, check=False)
    assert (done.returncode, "warn" in done.stderr) == (0, False)


VISITORS = """
daemon off; user root; error_log stderr; pid {directory}/pid;
events {{ }}
http {{
    access_log off; client_body_temp_path {directory}/body; proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi; uwsgi_temp_path {directory}/uwsgi; scgi_temp_path {directory}/scgi;
    {map}
    server {{
        listen 127.0.0.1:{port};
        set_real_ip_from 127.0.0.1; real_ip_header X-Address;
        location / {{ return 200 $visitor; }}
    }}
}}
"""


@pytest.mark.parametrize("name", ["nginx.conf", "containers.conf"])
def test_a_household_counts_as_one_visitor(name: str, tmp_path: Path) -> None:
    program = programs.nginx()
    if program is None:
        pytest.skip("nginx is not installed")
    told = (CONFIGURATION.parent / name).read_text()
    (visitor,) = re.findall(r"map \$remote_addr \$visitor \{.*?\n    \}", told, re.DOTALL)
    assert "limit_conn_zone $visitor " in told
    port, file = free_port(), tmp_path / "nginx.conf"
    file.write_text(VISITORS.format(directory=tmp_path, map=visitor, port=port))

    def counted_as(address: str) -> str:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"X-Address": address})
        with urllib.request.urlopen(request, timeout=patience(10)) as answer:
            return answer.read().decode()

    def answers() -> bool:
        with contextlib.suppress(OSError):
            return counted_as("192.0.2.1") == "192.0.2.1"
        return False

    with subprocess.Popen([program, "-c", str(file)]) as process:
        try:
            wait_until(answers, "the start of nginx")
            of_one = {counted_as(f"2001:db8:1:2:{rest}") for rest in ("0:0:0:1", ":1", "a:b:c:d")}
            others = {counted_as(f"2001:db8:1:{net}::1") for net in ("3", "4", "22")}
            assert len(of_one) == 1
            assert len(of_one | others) == 4
            assert counted_as("2001:db8::1") == counted_as("2001:db8::2") != counted_as("2001:db9::1")
            assert counted_as("192.0.2.2") == "192.0.2.2"
        finally:
            process.terminate()

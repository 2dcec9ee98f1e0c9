"""Answers that take long: daphne's timeout is for them to begin."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tools.harness.patience import patience
from tools.harness.servers import parlour_environment
from tools.harness.services import ROOT

SERVER = """
import asyncio
from config import server

server.HTTP_TIMEOUT = 2

async def application(scope, receive, send):
    async def body(data, more):
        await send({"type": "http.response.body", "body": data, "more_body": more})

    if scope["path"] == "/late":
        await asyncio.sleep(60)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/slow":
        for _ in range(7):
            await asyncio.sleep(1)
            await body(b".", True)
    await body(b"", False)

server.build("127.0.0.1", 0, lambda: application).run()
"""


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server with little patience, and its port."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER],
        cwd=ROOT,
        env=parlour_environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = re.search(r":(\d+)", process.stdout.readline())
        assert said is not None
        yield process, int(said[1])
        process.kill()


def ask(port: int, path: str) -> socket.socket:
    peer = socket.create_connection(("127.0.0.1", port), timeout=patience(30))
    peer.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    return peer


def everything(peer: socket.socket) -> bytes:
    with peer:
        return b"".join(iter(lambda: peer.recv(65536), b""))


def test_an_answer_that_has_begun_takes_as_long_as_it_likes(server):
    answer = everything(ask(server[1], "/slow"))
    assert answer.count(b"\r\n.\r\n") == 7
    assert answer.endswith(b"0\r\n\r\n")


def test_response_that_never_begins_times_out(server):
    assert everything(ask(server[1], "/late")).startswith(b"HTTP/1.1 503")


def test_a_form_is_left_to_the_application(server):
    """Twisted would parse it in the event loop, and refuse this one with 400."""
    with socket.create_connection(("127.0.0.1", server[1]), timeout=patience(30)) as peer:
        head = b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n"
        peer.sendall(head + b"Content-Type: multipart/form-data; boundary=x\r\n\r\nform")
        assert peer.recv(65536).startswith(b"HTTP/1.1 200 ")

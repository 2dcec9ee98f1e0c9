"""`python -m bench.walks`: the files of the project that four requests enter in a running server.

A move, the end of a match until its result is stored, joining a club, and creating a tournament by the form.
A server on SQLite runs under `sys.setprofile`. Each request is made once before, so that nothing is counted
that only the first one does. Files that every page enters (middleware) are left out of the forms. Files are
listed in the order in which they are entered.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from websockets.sync.client import ClientConnection, connect

from bench.site import endless_match, fresh, running, signed_in, wait_until_ready
from tools.harness.patience import wait_until

ROOT = Path(__file__).resolve().parents[1]
OURS = tuple(f"{ROOT / folder}{os.sep}" for folder in ("config", "games", "lobby"))
TIMES = 3
"""How often each request is made under the profiler."""
TOKEN = "0" * 32
"""A CSRF token, which form and cookie share."""


# The server


def serve(report: Path, port: str) -> int:
    """Serve under a profiler: SIGUSR1 begins a walk, SIGUSR2 writes its files to `report`."""
    entered: dict[str, None] = {}
    walking = False

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if walking and event == "call" and frame.f_code.co_filename.startswith(OURS):
            entered[frame.f_code.co_filename] = None

    def begin(*_: object) -> None:
        nonlocal walking
        entered.clear()
        walking = True
        report.write_text("walking")

    def end(*_: object) -> None:
        nonlocal walking
        walking = False
        report.write_text(json.dumps([str(Path(path).relative_to(ROOT)) for path in entered]))

    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, end)
    threading.setprofile(profile)
    sys.setprofile(profile)
    from config.server import main

    return main(["--port", port])


# The requests


class Walks:
    """A client of the profiled server."""

    def __init__(self, pid: int, port: int, report: Path) -> None:
        self._pid, self._port, self._report = pid, port, report
        self._ids = count(1)

    def files(self, act: Callable[[], None]) -> list[str]:
        """Act once unobserved, then a few times more; the files that each of these entered."""
        act()
        walks = []
        for _ in range(TIMES):
            self.watching()
            act()
            os.kill(self._pid, signal.SIGUSR2)
            wait_until(lambda: self._report.read_text().startswith("["), "the files")
            walks.append(json.loads(self._report.read_text()))
        # What is not in all of them is background work.
        return [path for path in walks[0] if all(path in walk for walk in walks)]

    def watching(self) -> None:
        """Let the walk begin here."""
        self._report.unlink(missing_ok=True)
        os.kill(self._pid, signal.SIGUSR1)
        wait_until(self._report.exists, "the profiler")

    @contextmanager
    def socket(self, match_id: str, cookie: str) -> Iterator[ClientConnection]:
        headers = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{self._port}"}
        with connect(
            f"ws://127.0.0.1:{self._port}/ws/match/{match_id}", additional_headers=headers
        ) as socket:
            heard(socket, "snapshot")
            yield socket

    def command(self, socket: ClientConnection, kind: str, after: int, **fields: str) -> int:
        """Send a command, and return the number of the last ply."""
        told = {"type": kind, "id": f"command-{next(self._ids):08d}", "after": after, **fields}
        socket.send(json.dumps(told))
        answer = heard(socket, "accepted", "refused")
        assert answer["type"] == "accepted", answer
        return int(answer["ply"])

    def ask(self, path: str, cookie: str) -> None:
        """Ask for a page that does not exist."""
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}{path}", headers={"Cookie": cookie})
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(request).close()

    def form(self, path: str, cookie: str, action: str, **fields: str) -> urllib.request.Request:
        """The form of a page that leads to `action`, filled in."""
        site = f"http://127.0.0.1:{self._port}"
        headers = {"Cookie": f"{cookie}; csrftoken={TOKEN}", "Origin": site}
        with urllib.request.urlopen(urllib.request.Request(site + path, headers=headers)) as answer:
            form = Form(path, action, answer.read().decode())
        filled = {**form.fields, "csrfmiddlewaretoken": TOKEN, **fields}
        return urllib.request.Request(site + action, urllib.parse.urlencode(filled).encode(), headers)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves redirects alone, so that only the form is counted."""

    def redirect_request(self, *_: Any) -> None:
        return None


def send(request: urllib.request.Request) -> None:
    """Send a form; it must be answered by a redirect."""
    try:
        urllib.request.build_opener(NoRedirect()).open(request).close()
    except urllib.error.HTTPError as answer:
        if answer.code == 302:
            return
        raise
    raise AssertionError(f"{request.full_url} was refused")


CHOICES = ("radio", "checkbox")


class Form(HTMLParser):
    """The fields of the form of a page that leads to `action`, as a browser would send them."""

    def __init__(self, path: str, action: str, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._path, self._action, self._inside, self._select = path, action, False, ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        name, value = about.get("name") or "", about.get("value") or ""
        if tag == "form":
            self._inside = (about.get("action") or self._path) == self._action and about.get(
                "method"
            ) == "post"
        elif not self._inside:
            return
        elif tag == "select":
            self._select = name
        elif tag == "option" and ("selected" in about or self._select not in self.fields):
            self.fields[self._select] = value
        elif tag == "textarea" and name:
            self.fields[name] = ""
        elif tag == "input" and name and (about.get("type") not in CHOICES or "checked" in about):
            self.fields[name] = value


def heard(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=30))
        if message["type"] in kinds:
            return message


def main() -> None:
    with fresh() as _, tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "walk"
        command = (sys.executable, "-m", "bench.walks", "--serve", str(report))
        with running(*command) as (pid, port):
            wait_until_ready(port)
            walks = Walks(pid, port, report)
            for name, walk in (
                ("a move", a_move),
                ("a finished match until its result", a_finished_match),
                ("joining a club", joining_a_club),
                ("creating a tournament", creating_a_tournament),
            ):
                entered = walk(walks)
                print(f"\n{name}: {len(entered)} files\n  " + "\n  ".join(entered))


def a_move(walks: Walks) -> list[str]:
    match_id, cookies = endless_match()
    points, plies = iter(("a7", "g7", "d6", "b4", "f4")), [0]
    with walks.socket(match_id, cookies[0]) as first, walks.socket(match_id, cookies[1]) as second:

        def move() -> None:
            mover = (first, second)[plies[-1] % 2]
            plies.append(walks.command(mover, "move", plies[-1], move=next(points)))

        return walks.files(move)


def a_finished_match(walks: Walks) -> list[str]:
    from lobby.ratings.models import Result

    def finish() -> None:
        match_id, cookies = endless_match()
        with walks.socket(match_id, cookies[0]) as first, walks.socket(match_id, cookies[1]) as second:
            ply = walks.command(first, "move", 0, move="a7")
            ply = walks.command(second, "move", ply, move="g7")
            walks.watching()
            walks.command(first, "resign", ply)
            wait_until(lambda: Result.objects.filter(match=match_id).count() == 2, "the results")

    return walks.files(finish)


def forms(walks: Walks, page: str, action: str, each: Callable[[int], dict[str, str]]) -> list[str]:
    """The files that sending a form enters and a page that does not exist does not."""
    people = [signed_in()[1] for _ in range(1 + TIMES)]
    requests = [walks.form(page, cookie, action, **each(nth)) for nth, cookie in enumerate(people)]
    every_page = walks.files(lambda: walks.ask("/nowhere", people[0]))
    return [path for path in walks.files(lambda: send(requests.pop())) if path not in every_page]


def joining_a_club(walks: Walks) -> list[str]:
    from lobby.clubs import clubs

    founder, _ = signed_in()
    club = clubs.found(founder, clubs.Charter(name="Friday Club", joining="open"), "command-club")
    return forms(walks, f"/club/{club.slug}", f"/club/{club.slug}/join", lambda _: {})


def creating_a_tournament(walks: Walks) -> list[str]:
    path = "/tournaments/new/kalah"
    return forms(walks, path, path, lambda nth: {"title": f"Cup {nth}"})


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        sys.exit(serve(Path(sys.argv[2]), sys.argv[-1]))
    main()

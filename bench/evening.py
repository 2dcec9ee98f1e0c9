"""An evening of thirty people behind one address: `python -m bench.evening`; writes a row of reliability.md.

Thirty clients on sockets and four contexts of Chromium (the host and three guests) play five rounds at a
server with its real limits. The server is killed in the middle and started again. At the end the tournament
is replayed from its plies, and after the erasing every row of the database is counted.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from playwright.sync_api import Browser, Error, Page, TimeoutError, sync_playwright

from bench.fault_injection.environments import Environment
from bench.fault_injection.tournaments import verified
from tools.harness import subprocess_call
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, command_id
from tools.harness.servers import ParlourServer
from tools.programs import chromium

CLIENTS, BROWSERS, ROUNDS = 30, 3, 5
SECONDS_UNTIL_SEATED = 120
"""The goal: so long from the code until everybody sits at a board."""
SECONDS = 600
"""So long an evening may take here."""
MAX_PLIES = 2
"""Plies after which whoever moved second resigns."""
PAUSE = 0.1
REPORT = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "reliability.md"
ROW = re.compile(r"^\| an evening of .*\n", re.MULTILINE)
OTHER_TABLES = ("lobby_news", "games_heartbeat", "sqlite_sequence", "sqlite_stat1")
"""Tables that say nothing about people: a number, a time, and what SQLite keeps for itself."""


@dataclass
class Evening:
    """An evening at a server.

    Attributes:
        seated: who has seen the board of their first match.
        over: whether everybody may stop.
    """

    server: ParlourServer
    code: str = ""
    seated: set[str] = field(default_factory=set)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def tournament(self) -> str:
        rows = self.server.rows("SELECT tournament_id FROM lobby_evening WHERE code = ?", self.code)
        return str(rows[0][0] or "")

    @property
    def round(self) -> int:
        """The last round that was paired."""
        rows = self.server.rows(
            "SELECT max(round) FROM lobby_pairing WHERE tournament_id = ?", self.tournament
        )
        return int(rows[0][0] or 0)

    @property
    def finished(self) -> bool:
        rows = self.server.rows("SELECT state FROM lobby_tournament WHERE id = ?", self.tournament)
        return bool(rows) and rows[0][0] == "finished"

    def pairings(self, guest: Page) -> list[dict[str, Any]]:
        """All pairings, as a guest may read them; empty while the server is away."""
        try:
            found = guest.request.get(f"/tournament/{self.tournament}/results.json")
            return list(found.json()["pairings"]) if found.ok else []
        except Error:
            return []


def client(evening: Evening, name: str) -> None:
    """Mistype the code twice, come in, and play every match on sockets until the evening is over."""
    person = Person(evening.server)
    for wrong in ("BBBB", "CCCC"):
        with suppress(HTTPError):
            person.get(f"/evening/{wrong}")
    assert "You are in" in person.post(f"/evening/{evening.code}/join", name=name), f"{name} is not in"
    while not evening.over.is_set():
        try:
            with person.me() as pages:
                _follow(evening, person, name, pages.snapshot, pages)
        except (OSError, Exception) as error:
            if isinstance(error, AssertionError):
                raise
            time.sleep(PAUSE)


def _follow(evening: Evening, person: Person, name: str, hello: dict[str, Any], pages: Any) -> None:
    waiting = [each["match"] for each in hello["next"]] + list(hello["waiting"])
    while not evening.over.is_set():
        for match in waiting:
            _play(evening, person, name, match)
        told = pages.receive()
        waiting = [told["next"]["match"]] if told["type"] == "next-match" else []


def _play(evening: Evening, person: Person, name: str, match: str) -> None:
    """Move once in turn; whoever moved second resigns."""
    with person.watch(match) as board:
        evening.seated.add(name)
        now = board.snapshot
        while now.get("outcome") is None and not evening.over.is_set():
            if now.get("legal") and now["ply"] < MAX_PLIES:
                # The answer comes after the ply itself.
                now = {**now, "ply": board.move(now["ply"], now["legal"][0])["ply"], "legal": None}
            elif now["ply"] >= MAX_PLIES and now["you"] == 1:
                board.ask({"type": "resign", "id": command_id(), "after": now["ply"]})
                return
            else:
                told = board.next("plies")
                last = told["plies"][-1]["number"] if told["plies"] else now["ply"]
                now = {**now, "outcome": told["outcome"], "ply": last, "legal": told.get("legal")}


def come_in(browser: Browser, evening: Evening, name: str) -> Page:
    """A guest in Chromium."""
    page = browser.new_context(base_url=evening.server.url).new_page()
    page.goto(f"/evening/{evening.code}")
    page.fill("#name", name)
    page.locator("main form button").click()
    page.locator("#live .lead").wait_for()
    return page


def press_all(evening: Evening, guests: Mapping[str, Page]) -> None:
    """Every guest in Chromium does the next thing at their board: open it, move, resign."""
    for pairing in evening.pairings(next(iter(guests.values()))):
        if pairing["points"] is None and pairing["match"]:
            for seat, name in enumerate(pairing["players"]):
                if name in guests:
                    # The page may go on to another match meanwhile.
                    with suppress(TimeoutError):
                        _press(evening, guests[name], name, pairing["match"], seat)


def _press(evening: Evening, page: Page, name: str, match: str, seat: int) -> None:
    if not page.url.endswith(f"/m/{match}"):
        offered = page.locator(f"#challenges a[href='/m/{match}']").first
        if offered.count():
            offered.click()
        return
    ply = page.locator("#match").get_attribute("data-ply")
    if ply is None:
        return
    evening.seated.add(name)
    if ply == str(seat):
        page.locator(f"#board [data-cell='{seat * 7}']").click(timeout=2_000)
    elif int(ply) >= MAX_PLIES and seat == 1 and page.locator("#resign").is_visible():
        page.locator("#resign").click(timeout=2_000)


def rows(server: ParlourServer) -> dict[str, int]:
    """How many rows each table has."""
    tables = [name for (name,) in server.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        table: server.rows(f'SELECT count(*) FROM "{table}"')[0][0]
        for table in tables
        if table not in OTHER_TABLES
    }


LIMITS = {
    **{"GUESTS_PER_HOUR": "60", "SOCKET_RATE": "10", "SOCKETS_PER_PERSON": "50"},
    **{"CONNECTIONS_PER_ADDRESS": "500", "COST_PERSON_LIMIT": "5000/10s", "COST_ADDRESS_LIMIT": "40000/20s"},
}
"""As a site has them; the harness lifts some for other drills."""


def main() -> None:
    """Hold the evening, and write its row into the report."""
    environment = Environment()
    try:
        with environment.servers(environment.sqlite(), **LIMITS) as (server,), sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            row = hold(server, browser)
    finally:
        environment.close()
    print(row)
    REPORT.write_text(ROW.sub(f"{row}\n", REPORT.read_text()))
    if not row.endswith("| pass |"):
        sys.exit(1)


def hold(server: ParlourServer, browser: Browser) -> str:
    """The whole evening, and what came of it as a row of the report."""
    before, began = rows(server), time.monotonic()
    host = browser.new_context(base_url=server.url).new_page()
    evening = Evening(server, open_evening(host))
    with ThreadPoolExecutor(CLIENTS) as pool:
        try:
            playing = [pool.submit(client, evening, f"Pupil-{number}") for number in range(CLIENTS)]
            guests = {
                f"Tablet-{number}": come_in(browser, evening, f"Tablet-{number}")
                for number in range(BROWSERS)
            }
            everybody = CLIENTS + BROWSERS
            wait_until(lambda: people(server) == everybody, "everybody to come in")
            start(host)
            seated, killed = play_rounds(evening, guests, began)
            found = subprocess_call.at(server, verified, evening.tournament)
            matches = server.rows("SELECT count(*) FROM lobby_pairing WHERE match_id IS NOT NULL")[0][0]
            evening.over.set()
            # It closes the sockets of all guests.
            erase(host)
        finally:
            evening.over.set()
        for each in playing:
            each.result()
    left = {table: count - before[table] for table, count in rows(server).items() if count != before[table]}
    good = not found and not left and killed and seated <= SECONDS_UNTIL_SEATED
    what = (
        f"{everybody} people seated {seated:.0f} s after the code; {matches} matches in {ROUNDS} rounds;"
        f" standings {'not ' if found else ''}as replayed from the plies;"
        f" rows left after erasing: {sum(left.values())}"
    )
    print(*found, left, sep="\n", file=sys.stderr)
    drill = f"an evening of {CLIENTS} socket clients and {BROWSERS + 1} browsers behind one address"
    return f"| {drill}, kill -9 in round 3 | SQLite | {what} | {'pass' if good else 'FAIL'} |"


def open_evening(host: Page) -> str:
    """Host an evening in Chromium; its code."""
    host.goto("/evening")
    host.locator("form[action='/evening/open'] button").click()
    host.wait_for_url(re.compile("/evening/[A-Z]{4}$"))
    return host.url[-4:]


def people(server: ParlourServer) -> int:
    """How many are at the evening."""
    return int(server.rows("SELECT count(*) FROM lobby_eveningguest")[0][0])


def start(host: Page) -> None:
    """Choose a Swiss of so many rounds, and start."""
    host.reload()
    host.locator("form[action$='/plan']").evaluate("form => (form.closest('details').open = true)")
    host.select_option("#id_format", "swiss")
    host.fill("#id_rounds", str(ROUNDS))
    host.locator("form[action$='/plan'] button").click()
    host.locator("form[action$='/start'] button").click()
    host.locator("#now-title").wait_for()


def play_rounds(evening: Evening, guests: Mapping[str, Page], began: float) -> tuple[float, bool]:
    """Play to the end, and kill the server once.

    Returns the seconds until everybody sat at a board, but who has a bye, and whether the server was killed.
    """
    seated, killed, until = 0.0, False, time.monotonic() + patience(SECONDS)
    in_round_one = CLIENTS + BROWSERS - (CLIENTS + BROWSERS) % 2
    while not evening.finished:
        if time.monotonic() > until:
            raise AssertionError(f"round {evening.round} did not end")
        if not seated and len(evening.seated) >= in_round_one:
            seated = time.monotonic() - began
        if not killed and evening.round == 3:
            evening.server.kill9()
            evening.server.start()
            killed = True
        press_all(evening, guests)
        time.sleep(PAUSE)
    return seated or time.monotonic() - began, killed


def erase(host: Page) -> None:
    """Erase everything, as hosts do."""
    host.goto(host.url)
    host.locator("form[action$='/erase']").evaluate("form => (form.closest('details').open = true)")
    host.locator("form[action$='/erase'] button").click()
    host.wait_for_url(re.compile("/evening$"))


if __name__ == "__main__":
    main()

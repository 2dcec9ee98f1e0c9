"""`make pages`: weight and load time of pages on a slow phone; writes docs/explanation/performance.md.

Chromium on a processor four times slower, behind 150 ms and 1.6 Mbit/s, with nothing in its cache. Bytes
are those on the wire, headers of answers included; a match page goes on to fetch its chat once the board is
there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, sync_playwright

from bench.site import fresh, new_match, serving, wait_until_ready
from tools.programs import chromium

GAMES = {"kalah": "kalaha", "morris": "nine", "cantstop": "published", "aces": "standard"}
PAGES = {"Front page": "/", "Table form": "/new/kalah", "Rules": "/rules/kalah", "Log in": "/accounts/login/"}
PHONE: ViewportSize = {"width": 390, "height": 664}
SLOWER = 4
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
REPORT = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "performance.md"
WATCH = """
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += entry.hadRecentInput ? 0 : entry.value;
    }).observe({type: 'layout-shift', buffered: true});
    window.tasks = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.tasks.push(entry.duration);
    }).observe({type: 'longtask', buffered: true});
    new MutationObserver((_, observer) => {
      if (document.querySelector('#match[data-ply]')) {
        window.board = performance.now();
        observer.disconnect();
      }
    }).observe(document, {attributes: true, childList: true, subtree: true});
"""
SOWN = "() => document.getElementById('match').dataset.ply === '1'"
BEFORE_BOARD = """() => performance.getEntriesByType('resource')
    .filter((each) => each.responseEnd <= window.board).map((each) => each.name).concat(location.href)"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@dataclass(frozen=True, slots=True)
class Load:
    """One page that was loaded; times in milliseconds."""

    name: str
    requests: int
    kilobytes: float
    before_board: float
    """Those of them that the board waited for."""
    painted: float
    board: float | None
    shift: float

    def row(self) -> str:
        before, board = "", ""
        if self.board is not None:
            before, board = f"{self.before_board:.1f}", f"{self.board / 1000:.2f}"
        return (
            f"| {self.name} | {self.requests} | {self.kilobytes:.1f} | {before} |"
            f" {self.painted / 1000:.2f} | {board} | {self.shift:.3f} |"
        )


@dataclass(frozen=True, slots=True)
class Sow:
    """The long tasks of one move on the board; times in milliseconds."""

    name: str
    tasks: list[float]

    def row(self) -> str:
        return f"| {self.name} | {len(self.tasks)} | {max(self.tasks, default=0):.0f} |"


@contextmanager
def slow_phone(browser: Browser, origin: str, cookie: str | None) -> Iterator[tuple[Page, CDPSession]]:
    """A page with nothing in its cache, on a slow processor."""
    context = browser.new_context(base_url=origin, viewport=PHONE, locale="en-GB")
    if cookie is not None:
        name, _, value = cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": origin}])
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    yield page, session
    context.close()


def load(browser: Browser, origin: str, name: str, path: str, cookie: str | None = None) -> Load:
    """Load a page behind a slow network and wait until it is at rest."""
    with slow_phone(browser, origin, cookie) as (page, session):
        session.send("Network.emulateNetworkConditions", NETWORK)
        addresses: dict[str, str] = {}
        sizes: dict[str, float] = {}
        session.on(
            "Network.requestWillBeSent",
            lambda sent: addresses.update({sent["requestId"]: sent["request"]["url"]}),
        )
        session.on(
            "Network.loadingFinished",
            lambda end: sizes.update({addresses[end["requestId"]]: end["encodedDataLength"]}),
        )
        page.goto(path)
        if path.startswith("/m/"):
            page.wait_for_selector("#talk:not([inert])", state="attached")
        page.wait_for_load_state("networkidle")
        before_board = page.evaluate(BEFORE_BOARD)
        return Load(
            name,
            len(sizes),
            sum(sizes.values()) / 1000,
            sum(size for address, size in sizes.items() if address in before_board) / 1000,
            page.evaluate(PAINTED),
            page.evaluate("window.board ?? null"),
            page.evaluate("window.shift"),
        )


def sow(browser: Browser, origin: str, match_id: str, cookie: str) -> Sow:
    """Press the rightmost pit of a board and look at the tasks until its seeds lie."""
    with slow_phone(browser, origin, cookie) as (page, _):
        page.goto(f"/m/{match_id}")
        page.wait_for_selector("#match[data-ply='0']")
        page.wait_for_load_state("networkidle")
        box = page.locator("#board [data-cell='5']").bounding_box()
        assert box
        page.evaluate("window.tasks = []")
        # Nothing that looks for elements, again and again, in tasks of the page itself.
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_function(SOWN, polling=1000, timeout=60_000)
        return Sow("Kalah, six seeds", page.evaluate("window.tasks"))


def measure() -> tuple[list[Load], Sow]:
    """Serve the site and look at its pages one after the other."""
    program = chromium()
    if program is None:
        raise SystemExit("Chromium is not installed.")
    matches = {game: new_match(game, preset) for game, preset in GAMES.items()}
    sown, (sower, _) = new_match("kalah", "kalaha")
    with serving("config.server") as (_, port), sync_playwright() as playwright:
        wait_until_ready(port)
        origin = f"http://127.0.0.1:{port}"
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        loads = [
            load(browser, origin, f"Match, {game}", f"/m/{match_id}", cookies[0])
            for game, (match_id, cookies) in matches.items()
        ]
        loads += [load(browser, origin, name, path) for name, path in PAGES.items()]
        moved = sow(browser, origin, sown, sower)
        browser.close()
    return loads, moved


HEAD = """# Performance

`make pages` measures pages in Chromium on a phone screen: 4x CPU slowdown, 150 ms latency, 1.6 Mbit/s,
empty cache. Machines differ, so compare only figures of one run.

| page | requests | kB transferred | kB before the board | first paint, s | board, s | layout shift |
|---|---|---|---|---|---|---|
"""
TASKS = """
Tasks longer than 50 ms block the page. Long tasks while a move is animated, on the same CPU:

| move | long tasks | longest, ms |
|---|---|---|
"""


def report(loads: list[Load], moved: Sow) -> str:
    """The document with the figures."""
    return HEAD + "".join(f"{each.row()}\n" for each in loads) + TASKS + f"{moved.row()}\n"


def main() -> None:
    with fresh(BOT_PROCESSES="0"):
        text = report(*measure())
    # What is measured otherwise stands below, each under a heading of its own.
    _, heading, others = REPORT.read_text().partition("\n## ")
    REPORT.write_text(text + heading + others)
    print(text)


if __name__ == "__main__":
    main()

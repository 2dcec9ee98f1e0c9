"""People in real browsers: they play by pressing what they see.

Where coming in or sitting down is not what is tested, they do so without a page, which saves several.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from functools import cached_property
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import APIResponse, Locator, Page, expect

from games.registry import GAMES
from tests.helpers import nearly_over
from tools.harness.servers import ParlourServer
from tools.harness.timed import timed_match

NewPage = Callable[..., Page]

NO_ANIMATION = "localStorage.setItem('parlour:speed', '\"off\"')"

# What a page says while the server it listens to is down.
SERVER_AWAY = r"WebSocket|ERR_CONNECTION|Failed to load resource"


class Seats:
    """The pages of one match: a player by seat, and one who watches, once somebody asks for them."""

    def __init__(self, players: list[Page], open_watcher: Callable[[], Page], match_id: str) -> None:
        self.players = players
        self.match_id = match_id
        self._open_watcher = open_watcher

    @cached_property
    def watcher(self) -> Page:
        """A visitor at the board as it stands now."""
        page = self._open_watcher()
        page.goto(f"/m/{self.match_id}")
        expect(page.locator("#match[data-ply]")).to_be_visible()
        return page

    @property
    def all(self) -> list[Page]:
        return [*self.players, self.watcher]


def post(page: Page, path: str, **fields: Any) -> APIResponse:
    """Send a form in somebody's name without their pressing anything; the page it leads to."""
    answer = send(page, path, **fields)
    assert answer.ok, answer.text()
    return answer


def submit(page: Page, path: str, **fields: str) -> str:
    """Send a form in somebody's name; the address of the page it leads to, which is not asked for."""
    return _leads_to(send(page, path, follow=False, **fields))


def _leads_to(answer: APIResponse) -> str:
    assert "location" in answer.headers, answer.text()
    return urljoin(answer.url, answer.headers["location"])


def send(page: Page, path: str, language: str = "en", *, follow: bool = True, **fields: Any) -> APIResponse:
    """Send a form that may be refused; the answer, or with `follow` the page to which that leads."""
    # What a form and a cookie have in common; any value will do.
    token = secrets.token_hex(16)
    site = page.request.get("/healthz").url
    page.context.add_cookies([{"name": "csrftoken", "value": token, "url": site}])
    form: dict[str, Any] = {**fields, "csrfmiddlewaretoken": token}
    return page.request.post(
        path, form=form, headers={"Accept-Language": language}, max_redirects=None if follow else 0
    )


def led_to(page: Page, address: str | re.Pattern[str]) -> None:
    """Wait until a page has come to an address, or to one right below it where that ends with a slash: "/m/".

    A form and the word of the socket may both lead there: Playwright's own wait ends with an error when
    the second way ends the first.
    """
    if isinstance(address, str):
        site = "[a-z]+://[^/]+" if address.startswith("/") else ""
        below = "[^/]*" if address.endswith("/") else ""
        address = re.compile(f"^{site}{re.escape(address)}{below}$")
    expect(page).to_have_url(address)
    page.wait_for_load_state()


def come_in(page: Page) -> str:
    """Become a guest without a page; the name one was given."""
    # It goes on to a page that is quickly made.
    name = re.search(r'<body data-me="([^"]+)"', post(page, "/guest", next="/leaderboards").text())
    assert name
    return name[1]


def become_guest(page: Page) -> str:
    """Come to the front page as a guest; the name one was given."""
    come_in(page)
    page.goto("/")
    return at_the_lobby(page)


def press_play_as_guest(page: Page) -> str:
    """Become a guest as people do; the name one was given."""
    page.goto("/")
    page.get_by_role("button", name="Play as guest").click()
    return at_the_lobby(page)


def at_the_lobby(page: Page) -> str:
    """Wait for the lobby of a guest; their name."""
    # The scripts of the page are at work.
    expect(page.locator("#lobby:not([data-me=''])[data-ready]")).to_be_visible()
    name = page.locator("#lobby").get_attribute("data-me")
    assert name
    return name


def set_table(page: Page, game: str, preset: str, seats: int) -> str:
    """Create a table and come to it, the host moving first; its address."""
    page.goto(submit(page, f"/new/{game}", preset=preset, seats=str(seats), first="host"))
    return page.url


def press_set_table(page: Page, game: str, preset: str, seats: int) -> str:
    """Create a table as people do, the host moving first; its address."""
    page.goto("/")
    page.get_by_role("region", name="Open tables").get_by_role("link", name="Create a table").click()
    page.get_by_role("navigation", name="Games").get_by_role("link", name=re.compile(game)).click()
    page.locator(f"input[name=preset][value={preset}]").check()
    if page.locator("input[name=seats][type=radio]").count():
        page.locator(f"input[name=seats][value='{seats}']").check()
    change(page)
    page.locator("input[name=first][value=host]").check()
    page.get_by_role("button", name="Create table").click()
    expect(page).to_have_url(re.compile("/t/"))
    return page.url


def change(form: Page | Locator) -> None:
    """Open what a form has folded away."""
    form.locator("#change > summary").click()


def at_board(
    new_page: NewPage,
    server: ParlourServer,
    game: str,
    preset: str,
    seats: int = 2,
    animation: bool = False,
    **options: Any,
) -> Seats:
    """Guests at a new match, and one who watches, all at their boards. The first to sit moves first."""
    come = _visitors(new_page, server, animation, options)
    host, *others = pages = [come() for _ in range(seats)]
    come_in(host)
    table = submit(host, f"/new/{game}", preset=preset, seats=str(seats), first="host")
    for page in others:
        submit(page, f"{table}/sit")
    match = _leads_to(host.request.get(table, max_redirects=0))
    for page in pages:
        page.goto(match)
        wait_for_ply(page, 0)
    return Seats(pages, come, match.rpartition("/")[2])


def at_the_end(
    new_page: NewPage, server: ParlourServer, game: str, preset: str, most: int, seats: int = 2
) -> tuple[Seats, dict[int, str]]:
    """Guests at a match of which `most` plies are left; what is decided at each ply until somebody wins."""
    come = _visitors(new_page, server, animation=False, options={})
    pages = [come() for _ in range(seats)]
    options = GAMES[game].rules.PRESETS[preset]
    match = nearly_over.begin(server, game, options, [come_in(page) for page in pages], most)
    for page in pages:
        page.goto(f"/m/{match.match_id}")
        wait_for_ply(page, match.ply)
    return Seats(pages, come, match.match_id), {each.ply - 1: each.move for each in match.decisions}


def _visitors(
    new_page: NewPage, server: ParlourServer, animation: bool, options: dict[str, Any]
) -> Callable[[], Page]:
    """Pages of people who come for the first time, one for each call."""

    def come() -> Page:
        page = new_page(server, **options)
        if not animation:
            page.add_init_script(NO_ANIMATION)
        return page

    return come


def seat(
    new_page: NewPage,
    server: ParlourServer,
    game: str,
    preset: str,
    seats: int = 2,
    animation: bool = False,
    **options: Any,
) -> Seats:
    """Everybody from the front page to the board. Seats are in the order of sitting down."""
    come = _visitors(new_page, server, animation, options)
    host, *others = pages = [come() for _ in range(seats)]
    press_play_as_guest(host)
    table = press_set_table(host, game, preset, seats)
    for page in others:
        page.goto(table)
        page.get_by_role("button", name="Join").click()
    for page in pages:
        led_to(page, "/m/")
        wait_for_ply(page, 0)
    return Seats(pages, come, host.url.rpartition("/")[2])


def seat_timed(
    new_page: NewPage,
    server: ParlourServer,
    clock: str,
    seats: int = 2,
    game: str = "kalah",
    **options: Any,
) -> Seats:
    """Guests at a casual match with a clock, and one who watches, all at their boards."""
    come = _visitors(new_page, server, animation=False, options=options)
    pages = [come() for _ in range(seats)]
    match_id = timed_match(server, clock, [come_in(page) for page in pages], game=game)
    for page in pages:
        page.goto(f"/m/{match_id}")
        wait_for_ply(page, 0)
    return Seats(pages, come, match_id)


def wait_for_ply(page: Page, ply: int) -> None:
    """Wait until the board stands at a ply, all pieces at rest."""
    expect(page.locator("#match")).to_have_attribute("data-ply", str(ply))


def press(page: Page, cell: str) -> None:
    """Press a place of the board."""
    page.locator(f"#board [data-cell='{cell}']").click()


def resign(page: Page) -> None:
    """Give up a match, which takes two presses."""
    for _ in range(2):
        page.locator("#resign").click()


def move_and_resign(first: Page, second: Page) -> None:
    """Both move once in a new match of Kalah, and the second player resigns."""
    for ply, (page, pit) in enumerate(((first, "0"), (second, "7"))):
        wait_for_ply(page, ply)
        press(page, pit)
    wait_for_ply(second, 2)
    resign(second)


def swipe(page: Page, across: int, down: int = 0, board: str = "#board") -> None:
    """A finger goes over the middle of the board, so many pixels to the right."""
    box = page.locator(board).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2 - across / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    for kind, share in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0), ("touchEnd", None)):
        points = [] if share is None else [{"x": x + across * share, "y": y + down * share}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def open_more(page: Page) -> None:
    """Open the menu of the match page, where everything is that play does not need all the time."""
    if not page.locator("#more").is_visible():
        page.locator("[data-dialog=more]:visible").first.click()
    expect(page.locator("#more")).to_be_visible()


def choice(page: Page, name: str) -> Locator:
    """The button of an action, wherever it stands now."""
    return page.locator(f"[data-choice='{name}']:visible")


def choose(page: Page, name: str) -> None:
    """Press the button of an action, in the menu if that is where it is."""
    expect(page.locator(f"[data-choice='{name}']:not([hidden])")).not_to_have_count(0)
    if not choice(page, name).count():
        open_more(page)
    choice(page, name).click()


def summary(page: Page) -> str:
    """What the command "board" answers: the whole position in words."""
    page.locator("#command-text").fill("board")
    page.locator("#command-text").press("Enter")
    expect(page.locator("#answer")).not_to_be_empty()
    # The same answer once more ends in a space, so that it is heard again.
    return page.locator("#answer").inner_text().strip()

"""Boards in frames of another site, as its readers see them: live, as a replay, in every size of frame."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from games.registry import GAMES
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import Picture, check_looks, fits
from tests.browser.players import NO_ANIMATION, at_board, press, swipe
from tests.helpers import finished
from tests.helpers.playout import random_playout
from tests.helpers.samples import FULL, in_full
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer

SIZES = ((360, 360), (640, 480), (1280, 720))


class Blog(BaseHTTPRequestHandler):
    """A page on another site that is nothing but the frame its address asks for."""

    def do_GET(self) -> None:
        frame = f'<iframe src="{unquote(self.path[1:])}" width="640" height="480" title="Board"></iframe>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>Blog</title><link rel=icon href=data:,>{frame}".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def blog() -> Iterator[str]:
    """The address of another site, under another name: to a browser it has nothing to do with Parlour."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Blog)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def embedded(new_page: NewPage, watch: Watch, blog: str) -> Callable[..., Page]:
    """`embedded(server, path)`: the other site's page with a frame of this one, as a stranger sees it."""
    watch.allow(f"^request elsewhere: {blog}")

    def open_page(server: ParlourServer, path: str, **options: object) -> Page:
        page = new_page(server, **options)
        page.add_init_script(NO_ANIMATION)
        page.goto(f"{blog}/{quote(server.url + path, safe='')}")
        return page

    return open_page


def frame_of(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def stands_at(frame: FrameLocator | Page, ply: int) -> None:
    expect(frame.locator("#art")).to_have_attribute("data-ply", str(ply))


def played(game: str, seats: int, share: float, over: bool) -> str:
    """A match played at random, to the end or a share of the way; the id of it. Runs on a server's store."""
    from lobby.accounts import guests

    rules = GAMES[game].rules
    options = next(iter(rules.PRESETS.values()))
    states, actions = random_playout(GAMES[game], options, seats, Random(f"{game} {seats}"))
    users = [guests.new_guest() for _ in range(seats)]
    match = finished.begun(users, game, options, rated=False, first=states[0].turn)
    some = actions if over else actions[: int(len(actions) * share)]
    return str(finished.play(match, *(text_of(action) for action in some)).pk)


def text_of(action: object) -> object:
    """Moves are stored by their notation, throws as they are."""
    return action if hasattr(action, "faces") else str(action)


def make(server: ParlourServer, game: str, seats: int, share: float = 0.5, over: bool = False) -> str:
    return str(subprocess_call.call(server.database_url, played, game, seats, share, over))


def test_embedded_board_follows_a_match_to_its_end_and_replays_it(
    new_page: NewPage, sqlite_server: ParlourServer, embedded: Callable[..., Page]
) -> None:
    seats = at_board(new_page, sqlite_server, "kalah", "kalaha")
    frame = frame_of(embedded(sqlite_server, f"/embed/{seats.match_id}"))
    stands_at(frame, 0)
    mover = frame.locator("[data-turn]")
    first = mover.inner_text()
    press(seats.players[0], "1")
    stands_at(frame, 1)
    expect(mover).not_to_have_text(first)
    press(seats.players[1], "8")
    stands_at(frame, 2)
    expect(frame.locator("#headline")).to_contain_text("to move")
    # Whoever looks on from elsewhere is not counted, and keeps no session.
    expect(seats.watcher.locator("#watchers")).to_have_text("1")
    for _ in range(2):
        seats.players[0].locator("#resign").click()
    stands_at(frame, 3)
    expect(frame.locator("#headline")).to_contain_text("won")
    frame.get_by_role("button", name="Replay").click()
    frame.get_by_role("button", name="Previous move").click()
    stands_at(frame, 2)


@pytest.mark.full
def test_a_finger_steps_through_it(sqlite_server: ParlourServer, new_page: NewPage) -> None:
    match_id = make(sqlite_server, "morris", 2, over=True)
    page = new_page(sqlite_server, viewport={"width": 360, "height": 360}, has_touch=True, is_mobile=True)
    page.add_init_script(NO_ANIMATION)
    page.goto(f"/embed/{match_id}")
    last = int(page.locator("#art[data-ply]").get_attribute("data-ply") or 0)
    page.get_by_role("button", name="Replay").click()
    stands_at(page, 1)
    # A finger stops what plays by itself, wherever that is by now.
    swipe(page, 150, board="#art")
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    here = int(page.locator("#art").get_attribute("data-ply") or 0)
    assert here < last - 1
    swipe(page, -150, board="#art")
    stands_at(page, here + 1)
    swipe(page, -30, board="#art")
    swipe(page, -100, down=90, board="#art")
    stands_at(page, here + 1)
    swipe(page, 150, board="#art")
    stands_at(page, here)
    page.get_by_role("button", name="Last position").click()
    swipe(page, -150, board="#art")
    stands_at(page, last)


def test_other_pages_stay_out_of_frames(
    sqlite_server: ParlourServer, embedded: Callable[..., Page], watch: Watch
) -> None:
    # What the test itself puts into every page asks for storage, which the page of an error has not.
    watch.allow("frame-ancestors|localStorage|X-Frame-Options|Refused to display|refused to connect")
    page = embedded(sqlite_server, "/")
    expect(frame_of(page).locator("body")).not_to_contain_text("Play as guest")


def test_frame_without_scripts_has_picture(sqlite_server: ParlourServer, new_page: NewPage) -> None:
    match_id = make(sqlite_server, "morris", 2)
    page = new_page(sqlite_server, java_script_enabled=False)
    page.goto(f"/embed/{match_id}")
    expect(page.locator(".embed-still")).to_be_visible()


def check_sizes(page: Page, picture: Picture, name: str) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        if FULL or (width, height) == SIZES[0]:
            check_looks(page, picture, name)
        assert fits(page)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        box = page.locator("#art svg").bounding_box()
        assert box
        assert box["height"] > height / 2
        # The foot is one line.
        foot = page.locator(".embed-foot").bounding_box()
        assert foot
        assert foot["height"] <= 44


@pytest.mark.parametrize("game", GAMES)
def test_a_live_board_looks_right_in_every_frame(
    sqlite_server: ParlourServer, new_page: NewPage, picture: Picture, game: str
) -> None:
    match_id = make(sqlite_server, game, GAMES[game].rules.SEATS[-1])
    page = new_page(sqlite_server)
    page.goto(f"/embed/{match_id}")
    expect(page.locator("#art svg")).to_be_visible()
    check_sizes(page, picture, f"embed-{game}")


@pytest.mark.parametrize("game", in_full(*GAMES))
def test_a_replay_looks_right_in_every_frame(
    sqlite_server: ParlourServer, new_page: NewPage, picture: Picture, game: str
) -> None:
    match_id = make(sqlite_server, game, GAMES[game].rules.SEATS[0], over=True)
    page = new_page(sqlite_server)
    page.goto(f"/embed/{match_id}")
    expect(page.locator("#art svg")).to_be_visible()
    check_sizes(page, picture, f"embed-over-{game}")


def test_frame_of_unknown_match_looks_right(
    sqlite_server: ParlourServer, new_page: NewPage, picture: Picture, watch: Watch
) -> None:
    watch.allow("404")
    page = new_page(sqlite_server, viewport={"width": 360, "height": 360})
    page.goto("/embed/nothing")
    expect(page.get_by_role("heading", name="This match does not exist.")).to_be_visible()
    check_looks(page, picture, "embed-nothing")

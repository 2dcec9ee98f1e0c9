"""The site as an app: what a device installs, shows without a network, and learns of new versions."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games.share import colours
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import Picture, check_looks_everywhere
from tests.browser.players import at_board, come_in, press, wait_for_ply
from tests.conftest import Launcher
from tools import icons
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer
from tools.harness.services import ROOT

NO_NETWORK = r"ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to load resource|WebSocket"
CONTROLLED = """async () => {
    await navigator.serviceWorker.ready;
    return navigator.serviceWorker.controller !== null;
}"""


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def with_worker(page: Page, address: str) -> None:
    """Come to a page that the service worker looks after."""
    page.goto(address)
    page.evaluate(CONTROLLED)
    page.reload()
    assert page.evaluate(CONTROLLED)


@pytest.fixture
def app(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server, worker=True)


def test_a_phone_finds_what_it_needs_to_install_the_site(app: Page, sqlite_server: ParlourServer) -> None:
    app.goto("/leaderboards")
    link = app.locator("link[rel=manifest]").get_attribute("href")
    assert link
    answer = sqlite_server.get(link)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert manifest["start_url"] == manifest["scope"] == "/"
    assert manifest["display"] == "standalone"
    found = set()
    for icon in manifest["icons"]:
        picture = sqlite_server.get(icon["src"])
        assert picture.headers["content-type"] == icon["type"] == "image/png"
        assert "immutable" in picture.headers["cache-control"]
        width, height = size_of(picture.body)
        assert icon["sizes"] == f"{width}x{height}"
        found.add((width, icon["purpose"]))
    assert found == {(192, "any"), (512, "any"), (192, "maskable"), (512, "maskable")}
    for shown in manifest["screenshots"]:
        width, height = size_of(sqlite_server.get(shown["src"]).body)
        assert shown["sizes"] == f"{width}x{height}"
        assert (width > height) == (shown["form_factor"] == "wide")
    for shortcut in manifest["shortcuts"]:
        assert sqlite_server.get(shortcut["url"]).status == 200


def test_bars_and_manifest_have_the_colours_of_the_page(app: Page) -> None:
    app.goto("/leaderboards")
    by_day, by_night = (
        app.locator(f"meta[name=theme-color][media*={theme}]").get_attribute("content")
        for theme in ("light", "dark")
    )
    assert (by_day, by_night) == (colours.by_day()["paper"], colours.by_night()["paper"])
    assert app.request.get("/manifest.webmanifest").json()["theme_color"] == by_day
    # Whoever chooses a theme of their own has bars of that theme, whatever the system's is.
    app.get_by_role("link", name="Settings").click()
    app.get_by_role("dialog").get_by_label("Dark", exact=True).check()
    ground = app.evaluate("getComputedStyle(document.body).backgroundColor")
    for meta in app.locator("meta[name=theme-color]").all():
        expect(meta).to_have_attribute("content", ground)


def test_icons_are_what_the_command_draws() -> None:
    images = ROOT / "static" / "images"
    for name, png in icons.files().items():
        assert (images / name).read_bytes() == png, f"{name}: run `make icons`"


def test_the_worker_may_look_after_every_page_and_is_asked_for_anew(sqlite_server: ParlourServer) -> None:
    answer = sqlite_server.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "no-cache" in answer.headers["cache-control"]
    assert "'self'" in answer.headers["content-security-policy"]


def test_offline_page_recovers_by_itself(app: Page, watch: Watch, picture: Picture) -> None:
    watch.allow(NO_NETWORK)
    name = come_in(app)
    with_worker(app, "/leaderboards")
    app.context.set_offline(True)
    app.goto("/people")
    expect(app.get_by_role("heading", level=1)).to_have_text("You are offline")
    expect(app.get_by_text("Your games are safe on the server.")).to_be_visible()
    # It is the same for everybody, in its own clothes.
    assert name not in app.content()
    assert app.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 240, 229)"
    check_looks_everywhere(app, picture, "offline")
    app.context.set_offline(False)
    expect(app.get_by_role("heading", level=1)).to_have_text("People")


def test_a_server_that_is_away_is_not_called_a_missing_network(
    new_page: NewPage, launcher: Launcher, watch: Watch
) -> None:
    watch.allow(NO_NETWORK)
    server = launcher.open(launcher.store("sqlite"))
    page = new_page(server, worker=True)
    with_worker(page, "/leaderboards")
    server.kill9()
    page.goto("/leaderboards")
    expect(page.get_by_role("heading", level=1)).to_have_text("Parlour is not responding")
    server.restart()
    expect(page.get_by_role("heading", level=1)).to_have_text("Leaderboards")


def test_pages_are_never_told_from_memory_and_hashed_files_always(app: Page) -> None:
    with_worker(app, "/leaderboards")
    kept = app.evaluate(
        """async () => {
            const [name] = await caches.keys();
            return (await (await caches.open(name)).keys()).map((each) => new URL(each.url).pathname);
        }"""
    )
    assert [path for path in kept if not path.startswith(("/static/", "/words/"))] == ["/offline"]
    assert any("pages/plain." in path for path in kept)
    # What was kept under the address of a page would be shown if anything but the network were asked.
    app.evaluate(
        """async () => {
            const [name] = await caches.keys();
            await (await caches.open(name)).put("/leaderboards", new Response("stale"));
        }"""
    )
    app.reload()
    expect(app.get_by_role("heading", level=1)).to_have_text("Leaderboards")


# An update


@pytest.fixture
def own_files(launcher: Launcher, var_dir: Path, tmp_path: Path) -> Iterator[ParlourServer]:
    """A server whose static files are its own."""
    shutil.copytree(var_dir / "static", tmp_path / "static")
    server = ParlourServer(launcher.store("sqlite").database_url, "", tmp_path)
    yield server.start()
    server.discard()


def bring_out_another_version(server: ParlourServer, var_dir: Path) -> None:
    manifest = var_dir / "static" / "staticfiles.json"
    told = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**told, "hash": told["hash"][::-1]}))
    server.restart()


UPDATE = """async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
}"""

WAITING = "async () => (await navigator.serviceWorker.ready).waiting !== null"


def test_a_new_version_is_offered_and_comes_with_a_press(
    new_page: NewPage, own_files: ParlourServer, tmp_path: Path, watch: Watch
) -> None:
    watch.allow(NO_NETWORK)
    page = new_page(own_files, worker=True)
    with_worker(page, "/leaderboards")
    version = page.locator("link[rel=manifest]").get_attribute("data-version")
    bring_out_another_version(own_files, tmp_path)
    expect(page.locator("#update")).to_be_hidden()
    page.evaluate(UPDATE)
    expect(page.get_by_text("A new version is ready.")).to_be_visible()
    assert page.locator("link[rel=manifest]").get_attribute("data-version") == version
    page.get_by_role("button", name="Reload").click()
    expect(page.locator("link[rel=manifest]")).not_to_have_attribute("data-version", str(version))
    expect(page.locator("#update")).to_be_hidden()
    wait_until(lambda: len(page.evaluate("caches.keys()")) == 1, "the end of the old one's memory")


def test_new_version_taken_on_navigation(
    new_page: NewPage, own_files: ParlourServer, tmp_path: Path, watch: Watch
) -> None:
    watch.allow(NO_NETWORK)
    page = new_page(own_files, worker=True)
    with_worker(page, "/leaderboards")
    before = page.evaluate("caches.keys()")
    bring_out_another_version(own_files, tmp_path)
    page.goto("/settings")
    wait_until(lambda: page.evaluate("caches.keys()") not in (before, []), "a worker of the new version")
    wait_until(lambda: len(page.evaluate("caches.keys()")) == 1, "the end of the old one's memory")
    expect(page.locator("#update")).to_be_hidden()


def test_new_version_not_offered_at_board(
    new_page: NewPage, own_files: ParlourServer, tmp_path: Path, watch: Watch
) -> None:
    watch.allow(NO_NETWORK)
    seats = at_board(new_page, own_files, "kalah", "circle", worker=True)
    page = seats.players[0]
    with_worker(page, page.url)
    bring_out_another_version(own_files, tmp_path)
    page.evaluate(UPDATE)
    wait_until(lambda: page.evaluate(WAITING), "a worker that waits")
    press(page, "0")
    wait_for_ply(page, 1)
    expect(page.locator("#update")).to_be_hidden()

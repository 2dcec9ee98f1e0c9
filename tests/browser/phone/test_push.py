"""Being told on a device: a real service worker in real Chromium, and a stand-in for its push service.

Chromium without a screen has no push service. So `PushManager.subscribe` answers with the address and keys of
the stand-in, which opens and checks what really arrives there by http; what it opened is handed to the real
worker as Chromium itself would.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import Picture, check_looks, check_looks_everywhere
from tests.browser.players import come_in, open_more, post, press, seat_timed, wait_for_ply
from tests.conftest import Launcher
from tests.helpers.push_service import Browser, PushService
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer
from tools.harness.timed import timed_match

STAND_IN = """{
    const told = %s;
    const known = "stand-in-subscription";
    const subscription = {
        endpoint: told.endpoint,
        toJSON: () => told,
        unsubscribe: async () => { localStorage.removeItem(known); return true; },
    };
    PushManager.prototype.getSubscription = async () => localStorage.getItem(known) && subscription;
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly || !applicationServerKey) throw new TypeError();
        localStorage.setItem(known, "yes");
        return subscription;
    };
}"""

SHOWN = """() => {
    globalThis.shown = [];
    registration.showNotification = async (title, { body, data }) => { shown.push([title, body, data]); };
}"""
"""Chromium without a screen shows no notifications: what the worker asks it to show is noted instead."""


@pytest.fixture(scope="module")
def push() -> Iterator[PushService]:
    with PushService().running() as service:
        yield service


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"), WEBHOOK_ALLOWED_HOSTS="127.0.0.1", SOCKET_RATE="0")


def with_push(page: Page, browser: Browser) -> Page:
    page.context.grant_permissions(["notifications"])
    page.context.add_init_script(STAND_IN % json.dumps({"endpoint": browser.endpoint, "keys": browser.keys}))
    return page


def ask_to_be_told(page: Page) -> None:
    page.goto("/settings")
    page.evaluate("navigator.serviceWorker.ready")
    page.get_by_role("button", name="Turn on", exact=True).click()
    expect(page.get_by_text("Notifications are on for this device.")).to_be_visible()


def deliver(page: Page, message: dict[str, Any]) -> None:
    """Hand a message to the worker, as Chromium does with what its push service sends."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    # Events of the session come while the page is asked something.
    wait_until(lambda: page.evaluate("true") and found, "the registration of the worker")
    origin = page.evaluate("location.origin")
    data = {"origin": origin, "registrationId": found[0], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", data)
    session.detach()


def test_a_turn_is_told_on_the_device_that_asked_for_it(
    new_page: NewPage, server: ParlourServer, push: PushService, picture: Picture
) -> None:
    browser = push.browser()
    page = with_push(new_page(server, worker=True), browser)
    me, other = come_in(page), come_in(new_page(server))
    ask_to_be_told(page)
    row = page.locator("[data-device]")
    expect(row).to_contain_text("Chrome")
    check_looks_everywhere(page, picture, "settings-devices")
    match = timed_match(server, "3d", [me, other])
    wait_until(lambda: browser.heard, "a notice of the turn")
    (message,) = browser.told
    assert (message["title"], message["text"]) == ("Your turn", f"Kalah against {other}")
    (worker,) = page.context.service_workers
    worker.evaluate(SHOWN)
    deliver(page, message)
    wait_until(lambda: worker.evaluate("shown"), "a notification")
    assert worker.evaluate("shown.splice(0)") == [[message["title"], message["text"], f"/m/{match}"]]
    # At the board itself nothing is shown over it.
    page.goto(f"/m/{match}")
    wait_for_ply(page, 0)
    deliver(page, message)
    deliver(page, {**message, "path": "/t/elsewhere", "about": "marker", "title": "A marker"})
    wait_until(lambda: worker.evaluate("shown"), "a notification")
    assert [title for title, *_ in worker.evaluate("shown")] == ["A marker"]


def test_the_board_of_a_slow_match_offers_to_tell_of_ones_turn(
    new_page: NewPage, server: ParlourServer, push: PushService, picture: Picture
) -> None:
    page = with_push(new_page(server, worker=True), push.browser())
    people = [come_in(page), come_in(new_page(server))]
    tell = page.get_by_role("button", name="Notify me when it is my turn")
    page.goto(f"/m/{timed_match(server, '3d', people)}")
    wait_for_ply(page, 0)
    page.evaluate("navigator.serviceWorker.ready")
    open_more(page)
    check_looks(page, picture, "match-tell")
    tell.click()
    expect(page.get_by_text("Notifications are on for this device.")).to_be_visible()
    expect(tell).to_be_hidden()
    page.reload()
    open_more(page)
    expect(page.get_by_text("Notifications are on for this device.")).to_be_visible()
    expect(tell).to_be_hidden()
    # Where people sit at the board nobody need be told.
    page.goto(f"/m/{timed_match(server, '', people)}")
    wait_for_ply(page, 0)
    expect(page.locator("[data-push]")).to_have_count(0)


def test_push_not_sent_while_board_is_open(
    new_page: NewPage, server: ParlourServer, push: PushService
) -> None:
    browser = push.browser()
    seats = seat_timed(new_page, server, "3d")
    first, second = seats.players
    post(second, "/settings/devices", url=browser.endpoint, name="A phone", **browser.keys)
    press(first, "0")
    wait_for_ply(second, 1)
    press(second, "7")
    wait_for_ply(first, 2)
    second.goto("/leaderboards")
    press(first, "2")
    wait_for_ply(first, 3)
    wait_until(lambda: browser.heard, "a notice of the turn")
    assert [message["id"] for message in browser.told] == [f"{seats.match_id}.yours.3"]


def test_a_device_is_ended_in_the_settings_and_by_logging_out(
    new_page: NewPage, server: ParlourServer, push: PushService
) -> None:
    page = with_push(new_page(server, worker=True), push.browser())
    come_in(page)
    ask_to_be_told(page)
    page.locator("[data-device]").get_by_role("button").click()
    expect(page.get_by_text("Notifications are off for that device.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on", exact=True)).to_be_visible()
    ask_to_be_told(page)
    page.context.clear_cookies()
    page.goto("/leaderboards")
    wait_until(
        lambda: page.evaluate("localStorage.getItem('stand-in-subscription')") is None,
        "the end of the subscription",
    )


def test_push_permission_requested_on_press_only(new_page: NewPage, server: ParlourServer) -> None:
    page = new_page(server, worker=True)
    page.add_init_script(
        "Notification.requestPermission = async () => { window.asked = true; return 'denied'; }"
    )
    come_in(page)
    page.goto("/settings")
    expect(page.get_by_role("button", name="Turn on", exact=True)).to_be_visible()
    assert page.evaluate("window.asked") is None
    page.get_by_role("button", name="Turn on", exact=True).click()
    expect(page.get_by_text("Your browser blocks notifications from Parlour.")).to_be_visible()


def test_all_processes_of_a_site_have_one_key(launcher: Launcher) -> None:
    store = launcher.store("sqlite")
    one, other = launcher.open(store), launcher.open(store)
    wait_until(lambda: one.rows("SELECT private FROM lobby_pushkey"), "a key")
    (key,) = other.rows("SELECT private FROM lobby_pushkey")
    one.restart()
    assert other.rows("SELECT private FROM lobby_pushkey") == [key]

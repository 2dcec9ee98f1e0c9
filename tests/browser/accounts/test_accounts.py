"""Accounts in real browsers, as somebody new would go about them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import DESKTOP, check_looks, fits
from tests.browser.players import at_board, come_in, led_to, press, set_table, wait_for_ply
from tests.conftest import Launcher
from tests.helpers import accounts
from tests.helpers.samples import FULL
from tests.helpers.second_factor import code_of
from tools.harness import subprocess_call
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer
from tools.harness.timed import timed_match

PASSWORD = "a quiet evening"
SEEN = {"menu", "lobby-visitor", "reset", "reset-done", "mfa", "mfa-set-up", "delete", "settings"}
SEEN |= {"settings-visitor", "sign-up-guest", "match-guest"}
"""Names of pages about which eyes/test_every_page.py asks axe in a usual run."""
SIZES = {1280: 800, 390: 844}


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server puts its e-mails."""
    return tmp_path_factory.mktemp("post")


@pytest.fixture(scope="module")
def server(launcher: Launcher, post: Path) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"), EMAIL_URL=f"filemail:///{post}", SOCKET_RATE="0")


def newest_mail(post: Path, about: str) -> str:
    """The text of the newest e-mail whose subject has these words."""
    for path in sorted(post.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        for raw in reversed(path.read_bytes().split(b"-" * 79)):
            message = message_from_bytes(raw.strip())
            if about in str(message["Subject"]):
                payload = message.get_payload(decode=True)
                assert isinstance(payload, bytes)
                return payload.decode()
    raise AssertionError(f"no e-mail about {about!r}")


def link_in(text: str, part: str) -> str:
    found = re.search(rf"http://\S*{part}\S*", text)
    assert found is not None, text
    return found[0]


def sign_up(page: Page, name: str, email: str = "", password: str = PASSWORD) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_label("Repeat password").fill(password)
    page.get_by_label("E-mail address").fill(email)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    is_in_as(page, name)


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/")
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Name or e-mail address").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in").click()


def is_in_as(page: Page, name: str) -> None:
    expect(page.locator(".site-account .menu .site-name")).to_have_text(name)


def open_menu(page: Page) -> None:
    page.locator(".menu:not(.site-language) > summary").click()


def check(page: Page, picture: Callable[[Page, str], None], name: str) -> None:
    """At both sizes nothing sticks out, and axe finds nothing serious; in the full run in dark too."""
    before = page.viewport_size
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        # During play a phone has the way back there instead.
        head = page.locator(".brand:visible, .match-back:visible").bounding_box()
        assert head is not None
        assert head["height"] <= 48
        if FULL or (width == DESKTOP and name not in SEEN):
            check_looks(page, picture, name)
        assert fits(page)
    page.emulate_media(color_scheme=None)
    if before is not None:
        page.set_viewport_size(before)


def test_a_guest_who_has_played_signs_up_and_keeps_the_game(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    seats = at_board(new_page, server, "kalah", "circle")
    guest, other = seats.players
    press(guest, "2")
    wait_for_ply(other, 1)
    check(guest, picture, "match-guest")
    guest.get_by_role("link", name="Sign up").click()
    check(guest, picture, "sign-up-guest")
    guest.get_by_label("Name", exact=True).fill("Played-Before")
    guest.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.get_by_label("Repeat password").fill(PASSWORD)
    guest.get_by_role("main").get_by_role("button", name="Sign up").click()
    # Back at the board, under the new name, in the same seat.
    led_to(guest, f"/m/{seats.match_id}")
    is_in_as(guest, "Played-Before")
    expect(guest.locator("#mine")).to_contain_text("Played-Before")
    expect(guest.locator("#mine")).to_contain_text("you")
    elsewhere = new_page(server)
    log_in(elsewhere, "played-before")
    elsewhere.goto(f"/m/{seats.match_id}")
    expect(elsewhere.locator("#mine")).to_contain_text("you")


@pytest.mark.full
def test_another_tab_of_the_guest_plays_on_after_the_sign_up(
    new_page: NewPage, server: ParlourServer
) -> None:
    seats = at_board(new_page, server, "kalah", "circle")
    playing = seats.players[0]
    tab = playing.context.new_page()
    sign_up(tab, "Two-Tabs")
    press(playing, "2")
    wait_for_ply(seats.watcher, 1)


def test_wrong_password_then_right_then_out(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    page = new_page(server)
    sign_up(page, "In-And-Out")
    open_menu(page)
    check(page, picture, "menu")
    page.keyboard.press("Escape")
    expect(page.locator(".menu-list")).to_be_hidden()
    page.locator(".menu:not(.site-language) > summary").press("Enter")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    check(page, picture, "lobby-visitor")
    log_in(page, "In-And-Out", "wrong")
    expect(page.get_by_role("alert")).to_have_text("This name and password do not match.")
    check(page, picture, "log-in-wrong")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    is_in_as(page, "In-And-Out")


@pytest.mark.full
def test_a_guest_reads_what_logging_in_means(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    page = new_page(server)
    name = come_in(page)
    page.goto("/accounts/login/")
    expect(page.locator(".notice")).to_contain_text(f"You are playing as the guest {name}.")
    check(page, picture, "log-in-guest")


def test_a_forgotten_password(
    new_page: NewPage, server: ParlourServer, post: Path, picture: Callable[[Page, str], None]
) -> None:
    page = new_page(server)
    sign_up(page, "Forgetful", "forgetful@parlour.example")
    wait_until(lambda: has_mail(post, "Confirm your e-mail"), "an e-mail to confirm the address")
    page.goto(link_in(newest_mail(post, "Confirm your e-mail"), "confirm-email"))
    check(page, picture, "confirm-email")
    page.get_by_role("button", name="Yes, confirm it").click()
    page.goto("/accounts/email/")
    expect(page.locator(".list-row")).to_contain_text("confirmed")
    check(page, picture, "email")
    elsewhere = new_page(server)
    elsewhere.goto("/accounts/login/")
    elsewhere.get_by_role("link", name="Forgot your password?").click()
    check(elsewhere, picture, "reset")
    elsewhere.get_by_label("E-mail address of your account").fill("forgetful@parlour.example")
    elsewhere.get_by_role("button", name="Send the link").click()
    expect(elsewhere.get_by_role("heading", level=1)).to_have_text("Check your e-mail")
    check(elsewhere, picture, "reset-done")
    wait_until(lambda: has_mail(post, "Choose a new password"), "an e-mail with the link")
    elsewhere.goto(link_in(newest_mail(post, "Choose a new password"), "/password/reset/key/"))
    check(elsewhere, picture, "reset-key")
    elsewhere.get_by_label("New password", exact=True).fill("another evening")
    elsewhere.get_by_label("Repeat new password").fill("another evening")
    elsewhere.get_by_role("button", name="Set the password").click()
    is_in_as(elsewhere, "Forgetful")
    # The first browser is out, and was told.
    page.goto("/")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    log_in(page, "Forgetful", "another evening")
    is_in_as(page, "Forgetful")


def test_a_changed_password_signs_the_others_out_before_their_eyes(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    page, other = new_page(server), new_page(server)
    sign_up(page, "Changeable")
    log_in(other, "Changeable")
    is_in_as(other, "Changeable")
    page.goto("/settings")
    page.get_by_role("link", name="Change the password").click()
    check(page, picture, "password-change")
    page.get_by_label("Your current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("another evening")
    page.get_by_label("Repeat new password").fill("another evening")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_role("status").filter(has_text="Your password has been changed.")).to_be_visible()
    expect(other.locator("#connection")).to_contain_text("You were logged out.")
    is_in_as(page, "Changeable")


def test_the_second_factor(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    page = new_page(server)
    sign_up(page, "Careful")
    page.goto("/settings")
    page.get_by_role("link", name="Change passkeys and two-factor authentication").click()
    check(page, picture, "mfa")
    page.get_by_role("link", name="Set it up").click()
    check(page, picture, "reauthenticate")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    secret = page.get_by_label("Secret").input_value()
    check(page, picture, "mfa-set-up")
    page.get_by_label("Code", exact=True).fill(code_of(secret))
    page.get_by_role("button", name="Turn it on").click()
    codes = page.locator(".codes li")
    expect(codes).to_have_count(10)
    check(page, picture, "mfa-codes")
    recovery = codes.first.inner_text()
    page.goto("/accounts/2fa/")
    check(page, picture, "mfa-on")

    elsewhere = new_page(server)
    log_in(elsewhere, "Careful")
    expect(elsewhere.get_by_role("heading", level=1)).to_have_text("Two-factor authentication")
    check(elsewhere, picture, "mfa-log-in")
    elsewhere.get_by_label("Code", exact=True).fill("000000")
    elsewhere.get_by_role("button", name="Log in").click()
    expect(elsewhere.locator(".field-error")).to_contain_text("This code is wrong or already used")
    elsewhere.get_by_label("Code", exact=True).fill(code_of(secret))
    elsewhere.get_by_role("button", name="Log in").click()
    is_in_as(elsewhere, "Careful")

    without_phone = new_page(server)
    log_in(without_phone, "Careful")
    without_phone.get_by_label("Code", exact=True).fill(recovery)
    without_phone.get_by_role("button", name="Log in").click()
    is_in_as(without_phone, "Careful")


def test_data_taken_along_and_the_account_deleted(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    seats = at_board(new_page, server, "kalah", "circle")
    page, other = seats.players
    sign_up(page, "Leaving")
    page.goto("/settings")
    page.get_by_role("link", name="Download", exact=True).click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    with page.expect_download() as download:
        page.get_by_role("button", name="Continue").click()
    data = json.loads(Path(download.value.path()).read_text())
    assert data["account"]["name"] == "Leaving"
    assert [match["id"] for match in data["matches"]] == [seats.match_id]
    page.goto("/settings")
    page.get_by_role("link", name="Delete…").click()
    expect(page.locator(".bullets")).to_contain_text("You resign your match in progress.")
    check(page, picture, "delete")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("status").filter(has_text="Your data has been deleted.")).to_be_visible()
    expect(other.locator("#headline")).to_have_text("You won")
    other.reload()
    expect(other.locator("#others")).to_contain_text("deleted")
    log_in(page, "Leaving")
    expect(page.get_by_role("alert")).to_be_visible()


@pytest.mark.full
def test_a_guest_deletes_the_guest_with_a_plain_yes(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    page = new_page(server)
    come_in(page)
    page.goto("/settings")
    check(page, picture, "settings-guest")
    page.get_by_role("link", name="Delete…").click()
    check(page, picture, "delete-guest")
    page.get_by_label("Yes, delete all my data.").check()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("button", name="Play as guest")).to_be_visible()


# Settings


def choose(page: Page, legend: str, value: str) -> None:
    page.get_by_role("group", name=legend).get_by_role("radio", name=value, exact=True).check()


def test_settings_are_seen_in_another_tab_at_once_and_on_another_device(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    page = new_page(server)
    sign_up(page, "Particular")
    tab = page.context.new_page()
    tab.goto("/")
    page.goto("/settings")
    check(page, picture, "settings")
    choose(page, "Theme", "Dark")
    expect(page.locator("#setting-said")).to_have_text("Saved.")
    expect(tab.locator("html")).to_have_attribute("data-theme", "dark")
    choose(page, "Colours of the boards", "Paper")
    choose(page, "Who can challenge me", "Nobody")
    expect(tab.locator("html")).to_have_attribute("data-board", "paper")
    page.wait_for_load_state("networkidle")

    elsewhere = new_page(server)
    log_in(elsewhere, "Particular")
    is_in_as(elsewhere, "Particular")
    expect(elsewhere.locator("html")).to_have_attribute("data-theme", "dark")
    expect(elsewhere.locator("html")).to_have_attribute("data-board", "paper")
    elsewhere.goto("/settings")
    expect(elsewhere.get_by_role("group", name="Who can challenge me").get_by_label("Nobody")).to_be_checked()
    picture(elsewhere, "settings-dark-paper")


def test_the_dialog_has_the_same_settings_on_every_page(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    page = new_page(server)
    page.goto("/")
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    choose(page, "Theme", "Dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    picture(page, "settings-dialog")
    page.get_by_role("button", name="Close").click()
    page.goto("/settings")
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    choose(page, "Theme", "Same as system")
    expect(page.locator("html[data-theme]")).to_have_count(0)
    check(page, picture, "settings-visitor")


@pytest.mark.full
def test_a_browser_that_had_boards_of_slate_has_boards_of_paper(
    new_page: NewPage, server: ParlourServer
) -> None:
    page = new_page(server)
    page.add_init_script("localStorage.setItem('parlour:board', '\"slate\"')")
    page.goto("/settings")
    expect(page.locator("html")).to_have_attribute("data-board", "paper")
    expect(page.get_by_role("radio", name="Paper")).to_be_checked()


@pytest.mark.full
@pytest.mark.parametrize("board", ["paper", "contrast"])
def test_boards_in_other_colours(
    new_page: NewPage, server: ParlourServer, picture: Callable[[Page, str], None], board: str
) -> None:
    for game, preset in (("kalah", "circle"), ("morris", "nine")):
        seats = at_board(new_page, server, game, preset)
        page = seats.players[0]
        page.evaluate(f"localStorage.setItem('parlour:board', '\"{board}\"')")
        page.reload()
        wait_for_ply(page, 0)
        expect(page.locator("html")).to_have_attribute("data-board", board)
        check(page, picture, f"board-{board}-{game}")


@pytest.fixture
def confirming(new_page: NewPage, server: ParlourServer) -> tuple[Page, Page]:
    """Two at a board, of whom the first confirms every move."""
    seats = at_board(new_page, server, "kalah", "circle")
    seats.players[0].evaluate("localStorage.setItem('parlour:confirm', '\"on\"')")
    return seats.players[0], seats.watcher


def test_a_pressed_move_waits_to_be_confirmed(
    confirming: tuple[Page, Page], picture: Callable[[Page, str], None]
) -> None:
    page, watcher = confirming
    press(page, "2")
    expect(page.get_by_role("group", name="Confirm the move")).to_contain_text("Play 3?")
    # The pit is marked by a sign, whatever else happens meanwhile, and by no other.
    asked = page.locator("#board [data-pending]")
    expect(asked).to_have_attribute("data-cell", "2")
    assert asked.evaluate("pit => getComputedStyle(pit, '::before').content").startswith('"?"')
    check(page, picture, "confirm")
    page.get_by_role("button", name="Cancel move").click()
    expect(page.locator("#confirm")).to_be_hidden()
    expect(asked).to_have_count(0)
    expect(watcher.locator("#match")).to_have_attribute("data-ply", "0")
    press(page, "4")
    page.keyboard.press("Enter")
    wait_for_ply(watcher, 1)
    expect(watcher.locator("#moves")).to_contain_text("5")


@pytest.mark.full
def test_a_typed_move_waits_too_and_escape_takes_it_back(confirming: tuple[Page, Page]) -> None:
    page, watcher = confirming
    box = page.locator("#command-text")
    box.fill("2")
    box.press("Enter")
    expect(page.get_by_role("button", name="Play it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_focused()
    box.fill("3")
    box.press("Enter")
    page.keyboard.press("Enter")
    wait_for_ply(watcher, 1)
    expect(watcher.locator("#moves")).to_contain_text("3")


@pytest.mark.full
def test_a_sound_is_made_unless_it_is_not_wanted(
    new_page: NewPage, server: ParlourServer, watch: Watch
) -> None:
    seats = at_board(new_page, server, "kalah", "circle")
    page = seats.players[0]
    page.evaluate(
        """() => {
            const start = OscillatorNode.prototype.start;
            window.sounds = 0;
            OscillatorNode.prototype.start = function (...when) {
                window.sounds += 1;
                return start.apply(this, when);
            };
        }"""
    )
    page.get_by_role("link", name="Settings").click()
    choose(page, "Sounds", "Off")
    page.get_by_role("button", name="Close").click()
    press(page, "5")
    wait_for_ply(page, 1)
    assert page.evaluate("window.sounds") == 0
    page.get_by_role("link", name="Settings").click()
    choose(page, "Sounds", "On")
    page.get_by_role("button", name="Close").click()
    # What was chosen is heard at once.
    tried = page.evaluate("window.sounds")
    assert tried > 0
    press(seats.players[1], "7")
    wait_for_ply(page, 2)
    # Of a seed, and the two of my turn.
    assert page.evaluate("window.sounds") == tried + 3


@pytest.mark.full
def test_lobby_shows_new_name_of_table_host(new_page: NewPage, server: ParlourServer) -> None:
    host, other = new_page(server), new_page(server)
    come_in(host)
    set_table(host, "kalah", "circle", 2)
    other.goto("/")
    sign_up(host, "New-Name")
    expect(other.locator("#open-tables")).to_contain_text("New-Name")


def confirm_address(user_id: int, address: str) -> None:
    """Called inside the server."""
    from allauth.account.models import EmailAddress

    EmailAddress.objects.create(user_id=user_id, email=address, verified=True, primary=True)


@pytest.mark.full
def test_an_e_mail_about_a_turn_comes_when_asked_for_and_ends_by_its_link(
    new_page: NewPage, server: ParlourServer, post: Path, picture: Callable[[Page, str], None]
) -> None:
    slow, other = accounts.registered(server, "Slow-Mover", "Slow-Friend")
    subprocess_call.at(server, confirm_address, slow.user_id, "slow@parlour.example")
    page = new_page(server)
    accounts.sign_in(page, server, slow)
    page.goto("/settings")
    page.get_by_role("button", name="E-mail me").click()
    expect(page.get_by_text("at most once a day, to slow@parlour.example")).to_be_visible()
    check(page, picture, "settings-reminders")
    timed_match(server, "3d", [slow.name, other.name])
    # Whoever is here is not written to; nor is anybody before a quarter of an hour is over.
    page.goto("about:blank")
    assert server.rows("SELECT due FROM lobby_reminder WHERE due IS NOT NULL")
    server.write("UPDATE lobby_reminder SET due = ?", "2026-01-01 00:00:00")
    server.restart()
    wait_until(lambda: has_mail(post, "Your turn"), "an e-mail about the turn")
    text = newest_mail(post, "Your turn in Kalah against Slow-Friend")
    page.goto(link_in(text, "/reminders/stop/"))
    check(page, picture, "stop-reminders")
    page.get_by_role("button", name="Stop them").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("No more e-mails about your turns")
    page.goto("/settings")
    expect(page.get_by_role("button", name="E-mail me")).to_be_visible()


def has_mail(post: Path, about: str) -> bool:
    return any(about.encode() in path.read_bytes() for path in post.iterdir())

"""Profiles and leaderboards in browsers, and a rated match that changes them."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from games.registry import GAMES
from tests.browser.conftest import NewPage
from tests.browser.looks import Picture, check_looks_everywhere, serious_violations
from tests.browser.players import NO_ANIMATION, change, open_more, wait_for_ply
from tests.conftest import Launcher
from tests.helpers import accounts
from tests.helpers.samples import in_full
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    """A site where much has been played, by Ulno most of all."""
    return launcher.open(launcher.store("sqlite"))


@pytest.fixture(scope="module", autouse=True)
def ulno(server: ParlourServer) -> accounts.Account:
    return accounts.Account(*subprocess_call.call(server.database_url, a_history))


def a_history() -> tuple[int, str, str]:
    """Ulno's matches, and a crowd with ratings."""
    from lobby.people.models import User
    from lobby.ratings.models import Rating
    from lobby.ratings.results import settle
    from tests.helpers import finished

    lot, now = random.Random(4), datetime.now(UTC)
    (account,) = accounts.make_accounts(["Ulno"])
    ulno = User.objects.get(username="Ulno")
    others = [User.objects.create_user(name) for name in ("Artjom", "Ludmilla-the-second", "Bo")]
    for number in range(45):
        users = [ulno, lot.choice(others)]
        winner = 0 if lot.random() < 0.6 else 1
        options = None if number % 4 else GAMES["kalah"].rules.PRESETS["kalaha"]
        at = now - timedelta(hours=6 * (45 - number))
        match = finished.won(users, winner, at, options=options, rated=number % 9 != 0)
        settle(match.pk)
    guest = User.objects.create_user("Brave-Otter-42", is_guest=True)
    settle(finished.won([guest, ulno], 0, now, rated=True).pk)
    crowd = User.objects.bulk_create(User(username=f"Player-{i}") for i in range(300))
    for user in crowd:
        fields = {"rating": 1500 + lot.gauss(0, 180), "deviation": 70, "volatility": 0.06}
        Rating.objects.create(
            user=user,
            game="kalah",
            family="classic",
            pool="two",
            matches=lot.randint(15, 400),
            opponents=5,
            updated=now,
            **fields,
        )
    # A place is for those who have been here for some days and met several others.
    Rating.objects.filter(user=ulno).update(opponents=5)
    User.objects.update(date_joined=now - timedelta(days=30))
    return account


def test_two_people_play_a_rated_match_and_everybody_sees_what_came_of_it(
    new_page: NewPage, server: ParlourServer
) -> None:
    two = accounts.registered(server, "Rated-One", "Rated-Two")
    match_id = subprocess_call.call(
        server.database_url, accounts.begin_match, [account.user_id for account in two], "kalah", True
    )
    first, second = pages = [new_page(server) for _ in two]
    for page, account in zip(pages, two, strict=True):
        page.add_init_script(NO_ANIMATION)
        accounts.sign_in(page, server, account)
        page.goto(f"/m/{match_id}")
        wait_for_ply(page, 0)
    expect(first.locator(".match-about")).to_contain_text("Rated")
    # One seed too many for the first to move again, so that both have moved.
    for ply, page in enumerate(pages):
        page.locator("#command-text").fill("1")
        page.locator("#command-text").press("Enter")
        for each in pages:
            wait_for_ply(each, ply + 1)
    second.locator("#resign").click()
    second.locator("#resign").click()
    expect(first.locator("#headline")).to_contain_text("won")
    # They are told at the board, and whoever comes back is told again.
    won, lost = "1662 (+162), provisional", "1338 (−162), provisional"
    expect(first.locator("#end-rating > *")).to_have_text([f"Your rating: {won}", f"Rated-Two: {lost}"])
    ratings = [f"Your rating: {lost}", f"Rated-One: {won}"]
    expect(second.locator("#end-rating > *")).to_have_text(ratings)
    second.reload()
    expect(second.locator("#end-rating > *")).to_have_text(ratings)
    wait_for_results(server, match_id)

    first.goto("/@/rated-two")
    expect(first).to_have_url(f"{server.url}/@/Rated-Two")
    expect(first.locator(".record")).to_contain_text("1 lost")
    expect(first.get_by_role("img", name="Rating curve over 1 rated match")).to_be_visible()
    expect(first.get_by_text("▼")).to_be_visible()
    row = first.locator("#recent .list-row")
    row.get_by_role("link", name="Rated-One").click()
    expect(first.get_by_role("heading", level=1)).to_have_text("Rated-One")
    expect(first.locator(".curve-rating")).to_contain_text("provisional")
    first.get_by_role("link", name="Replay of").click()
    expect(first).to_have_url(f"{server.url}/m/{match_id}")

    second.goto("/leaderboards")
    second.get_by_role("link", name="Kalah").click()
    expect(second.locator(".my-place")).to_contain_text("your rating is provisional")


def wait_for_results(server: ParlourServer, match_id: str) -> None:
    from tools.harness.patience import wait_until

    count = "SELECT count(*) FROM lobby_result WHERE match_id = ?"
    wait_until(lambda: server.rows(count, match_id)[0][0] == 2, "the result")


@pytest.mark.full
def test_older_matches_are_a_page_further(new_page: NewPage, server: ParlourServer) -> None:
    page = new_page(server)
    page.goto("/@/Ulno")
    expect(page.locator("#recent .list-row")).to_have_count(20)
    page.get_by_role("link", name="Older").click()
    page.get_by_role("link", name="Older").click()
    expect(page.locator("#recent .list-row")).to_have_count(6)
    expect(page.get_by_role("link", name="Older")).to_have_count(0)
    page.get_by_role("link", name="Newer").click()
    expect(page.locator(".pages")).to_contain_text("Page 2 of 3")


@pytest.mark.full
def test_a_leaderboard_is_chosen_by_its_rules(new_page: NewPage, server: ParlourServer) -> None:
    page = new_page(server)
    page.goto("/leaderboards/kalah")
    expect(page.locator(".places").first.locator("tbody tr")).to_have_count(50)
    page.get_by_role("navigation", name="Rules").get_by_role("link", name="Circle").click()
    expect(page.get_by_text("Nobody is ranked yet")).to_be_visible()


PAGES = {
    "profile": "/@/Ulno",
    "leaderboard": "/leaderboards/kalah",
    "guest": "/@/Brave-Otter-42",
    "newcomer": "/@/Player-7",
    "leaderboards": "/leaderboards",
    "pure-luck": "/leaderboards/aces",
    "empty-board": "/leaderboards/cantstop?pool=many",
}
FIRST, *OTHERS = PAGES
"""A usual run looks at the first of each."""


@pytest.mark.parametrize("name", [FIRST, *in_full(*OTHERS)])
def test_profile_pages_layout_and_accessibility(
    new_page: NewPage, server: ParlourServer, picture: Picture, name: str
) -> None:
    page = new_page(server)
    page.goto(PAGES[name])
    check_looks_everywhere(page, picture, name)


@pytest.mark.full
@pytest.mark.parametrize(("path", "name"), [("/leaderboards/kalah", "my-place"), ("/@/Ulno", "my-profile")])
def test_profile_pages_own_layout_and_accessibility(
    new_page: NewPage, server: ParlourServer, ulno: accounts.Account, picture: Picture, path: str, name: str
) -> None:
    page = new_page(server)
    accounts.sign_in(page, server, ulno)
    page.goto(path)
    expect(page.get_by_role("main").get_by_text("You", exact=True).first).to_be_visible()
    check_looks_everywhere(page, picture, name)


@pytest.mark.full
@pytest.mark.parametrize("address", ["/new/aces", "match"])
def test_pure_luck_game_said_to_be_unrated(
    new_page: NewPage, server: ParlourServer, picture: Picture, address: str
) -> None:
    if address == "match":
        two = accounts.registered(server, "Lucky", "Luckless")
        ids = [account.user_id for account in two]
        address = "/m/" + subprocess_call.call(server.database_url, accounts.begin_match, ids, "aces", False)
    page = new_page(server)
    page.goto(address)
    if address == "/new/aces":
        change(page)
    else:
        open_more(page)
    expect(page.get_by_text("is pure luck, so it is never rated.")).to_be_visible()
    picture(page, "pure-luck-" + address.strip("/").split("/")[0])


@pytest.mark.full
def test_a_deleted_account_is_told_of_calmly(new_page: NewPage, server: ParlourServer, watch) -> None:
    watch.allow("410")
    subprocess_call.call(server.database_url, somebody_who_left)
    page = new_page(server)
    page.goto("/@/Gone-Person")
    expect(page.get_by_role("heading", level=1)).to_have_text("This account was deleted")
    assert serious_violations(page) == []


def somebody_who_left() -> None:
    from lobby.people.models import User

    User.objects.create_user("Gone-Person", is_deleted=True)

"""What there is to watch, as people in the lobby see it: boards that move, and one on the front page."""

import contextlib

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import check_looks, serious_violations
from tests.browser.players import (
    NO_ANIMATION,
    become_guest,
    come_in,
    led_to,
    open_more,
    set_table,
    wait_for_ply,
)
from tools.harness.people import Person, agree, command_id, seat_two
from tools.harness.servers import ParlourServer

SIZES = {1280: {"width": 1280, "height": 720}, 390: {"width": 390, "height": 664}}

COVERED = """
    (tile) => {
        const board = tile.querySelector('[data-part=art]').getBoundingClientRect();
        return ['live', 'waiting'].some((part) => {
            const badge = tile.querySelector(`[data-part=${part}]`).getBoundingClientRect();
            return badge.bottom > board.top;
        });
    }
"""
"""Whether a word on a tile lies over its board."""


@pytest.fixture
def server(sqlite_server: ParlourServer) -> ParlourServer:
    """The one that tests share: other matches may be played there."""
    return sqlite_server


@pytest.fixture
def page(page: Page) -> Page:
    page.add_init_script(NO_ANIMATION)
    return page


@pytest.fixture
def own_server(house) -> ParlourServer:
    """A Parlour of one's own, where nobody else plays."""
    return house.open(house.store("sqlite"), SOCKET_RATE="0")


@pytest.fixture
def own_page(new_page: NewPage, own_server: ParlourServer) -> Page:
    page = new_page(own_server)
    page.add_init_script(NO_ANIMATION)
    return page


def card(page: Page, match_id: str):
    return page.locator(f"#boards [href='/m/{match_id}']")


def art(page: Page, match_id: str):
    return card(page, match_id).locator("[data-part=art]")


def names(server, match_id):
    rows = server.rows(
        "SELECT username FROM lobby_user u JOIN games_seating s ON s.user_id = u.id"
        " WHERE s.match_id = ? ORDER BY seat",
        match_id,
    )
    return [name for (name,) in rows]


def play(person, match_id, *moves):
    with person.watch(match_id) as board:
        for move in moves:
            board.move(board.snapshot["ply"], move)


def resign(person, match_id):
    with person.watch(match_id) as board:
        board.ask({"type": "resign", "id": command_id(), "after": board.snapshot["ply"]})


def test_a_new_match_appears_and_its_board_moves(page, server):
    page.goto("/#watch")
    first, second, match = seat_two(server)
    expect(art(page, match)).to_have_attribute("data-ply", "0")
    before = art(page, match).inner_html()
    play(first, match, "1")
    expect(art(page, match)).to_have_attribute("data-ply", "1")
    assert art(page, match).inner_html() != before
    play(second, match, "1")
    expect(art(page, match)).to_have_attribute("data-ply", "2")


def test_pieces_fly_on_small_boards_too(new_page, server):
    page = new_page(server)
    first, _, match = seat_two(server)
    page.goto("/#watch")
    expect(art(page, match)).to_have_attribute("data-ply", "0")
    page.evaluate(
        """(match) => {
            window.flown = 0;
            const layer = document.querySelector(`#boards [href="/m/${match}"] .miniboard-svg`).children[1];
            new MutationObserver((changes) => {
                window.flown += changes.filter((change) => change.addedNodes.length).length;
            }).observe(layer, {childList: true});
        }""",
        match,
    )
    play(first, match, "1")
    expect(art(page, match)).to_have_attribute("data-ply", "1")
    assert page.evaluate("window.flown") > 0


def test_a_board_is_one_link_that_the_keyboard_reaches(page, server):
    *_, match = seat_two(server)
    page.goto("/#watch")
    link = card(page, match)
    expect(link).to_have_accessible_name(f"Watch {' – '.join(names(server, match))}: Kalah")
    page.locator("#watch-all").focus()
    page.keyboard.press("Tab")
    # The newest match is the first of those that nobody watches.
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    led_to(page, f"/m/{match}")


def test_a_match_that_ends_shows_its_result_and_goes(page, server):
    _, second, match = seat_two(server)
    page.goto("/#watch")
    expect(art(page, match)).to_have_attribute("data-ply", "0")
    resign(second, match)
    expect(card(page, match)).to_contain_text(f"{names(server, match)[0]} won")
    expect(card(page, match)).to_have_count(0, timeout=15_000)


def test_what_players_keep_to_themselves_is_not_offered(page, server, watch: Watch):
    watch.allow("403")
    *_, open_match = seat_two(server)
    *_, kept = seat_two(server)
    agree(server, kept, watchable=False)
    page.goto("/#watch")
    expect(card(page, open_match)).to_be_visible()
    expect(card(page, kept)).to_have_count(0)
    page.goto(f"/m/{kept}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Only its players see this match")
    expect(page.locator("#board")).to_have_count(0)
    assert serious_violations(page) == []


def test_whoever_watches_with_a_delay_sees_the_ply_later_and_is_told_why(page, server):
    first, _, match = seat_two(server)
    agree(server, match, delay=8)
    page.goto(f"/m/{match}")
    expect(page.locator("#delay")).to_have_text("You see everything 8 seconds after the players.")
    expect(page.locator("#match")).to_have_attribute("data-ply", "0")
    with first.watch(match) as board:
        board.move(0, "1")
        expect(page.locator("#match")).to_have_attribute("data-ply", "0", timeout=100)
        expect(page.locator("#match")).to_have_attribute("data-ply", "1", timeout=20_000)


class TestWhoWatches:
    def come(self, new_page, server, width):
        """Two players and a guest who watches, with the names of all three."""
        pages = [new_page(server, viewport=SIZES[width]) for _ in range(3)]
        names = []
        for page in pages:
            page.add_init_script(NO_ANIMATION)
            names.append(become_guest(page))
        return pages, names

    def sit(self, pages):
        host, other, watcher = pages
        table = set_table(host, "kalah", "circle", 2)
        other.goto(table)
        other.get_by_role("button", name="Sit down").click()
        for page in (host, other):
            led_to(page, "/m/")
        watcher.goto(host.url)
        for page in pages:
            wait_for_ply(page, 0)

    @pytest.mark.parametrize("width", SIZES)
    def test_players_see_who_watches_and_may_hide_it(self, new_page, server, picture, width):
        pages, names = self.come(new_page, server, width)
        host, other, watcher = pages
        self.sit(pages)
        visitor = new_page(server)
        visitor.goto(host.url)
        for page in pages:
            expect(page.locator("#watching")).to_have_text(f"Watching: {names[2]} and 1 visitor")
            expect(page.locator("#watchers")).to_have_text("2")
        open_more(host)
        switch = host.get_by_role("switch", name="Hide who watches")
        row = host.locator("label", has=switch)
        assert row.bounding_box()["height"] >= 44
        host.locator("#watching").scroll_into_view_if_needed()
        place = row.evaluate("row => row.getBoundingClientRect().top + scrollY")
        expect(watcher.get_by_role("switch")).to_have_count(0)
        check_looks(host, picture, "watchers")
        host.get_by_text("Hide who watches").click()
        for page in pages:
            expect(page.locator("#watching")).to_have_text("The players hide who watches.")
            expect(page.locator("#watchers")).to_be_hidden()
        assert row.evaluate("row => row.getBoundingClientRect().top + scrollY") == place
        expect(switch).to_be_checked()
        open_more(other)
        expect(other.get_by_role("switch")).not_to_be_checked()
        check_looks(host, picture, "watchers-hidden")
        host.reload()
        open_more(host)
        expect(switch).to_be_checked()
        switch.press("Space")
        expect(watcher.locator("#watching")).to_have_text(f"Watching: {names[2]} and 1 visitor")
        expect(switch).not_to_be_checked()

    def test_a_crowd_is_a_number(self, new_page, server, picture):
        pages, _ = self.come(new_page, server, 1280)
        self.sit(pages)
        match = pages[0].url.rpartition("/")[2]
        with contextlib.ExitStack() as visitors:
            for _ in range(20):
                visitors.enter_context(Person(server).watch(match))
            expect(pages[0].locator("#watching")).to_have_text("21 people are watching.")


def test_a_watcher_who_has_stepped_back_stays_there_until_they_want_to_see_the_present(page, server):
    first, second, match = seat_two(server)
    page.goto(f"/m/{match}")
    wait_for_ply(page, 0)
    with first.watch(match) as one, second.watch(match) as other:
        one.move(0, "1")
        other.move(1, "1")
        wait_for_ply(page, 2)
        page.locator("#previous").click()
        wait_for_ply(page, 1)
        before = page.locator("#board").inner_html()
        one.move(2, "2")
        other.move(3, "2")
        expect(page.locator("#progress")).to_contain_text("4")
        wait_for_ply(page, 1)
        assert page.locator("#board").inner_html() == before
        page.get_by_role("button", name="Back to live").click()
        wait_for_ply(page, 4)
        expect(page.locator("#live")).to_be_hidden()


def test_one_game_can_be_looked_at_alone(own_page, own_server):
    *_, kalah = seat_two(own_server)
    *_, morris = seat_two(own_server, "morris", "nine")
    own_page.goto("/#watch")
    expect(own_page.locator("#boards > li")).to_have_count(2)
    own_page.locator("#watch-morris").check()
    expect(own_page.locator("#boards > li")).to_have_count(1)
    expect(card(own_page, morris)).to_be_visible()
    expect(card(own_page, kalah)).to_have_count(0)


def test_the_most_watched_comes_first_as_soon_as_that_is_known(own_page, own_server):
    *_, watched = seat_two(own_server)
    *_, newest = seat_two(own_server)
    own_page.goto("/#watch")
    first = own_page.locator("#boards a").first
    expect(first).to_have_attribute("href", f"/m/{newest}")
    with Person(own_server).watch(watched):
        expect(first).to_have_attribute("href", f"/m/{watched}")
        expect(first.locator("[data-part=count]")).to_have_text("1")


def test_twelve_boards_and_more_when_asked_for(own_page, own_server):
    for _ in range(14):
        seat_two(own_server)
    own_page.goto("/#watch")
    expect(own_page.locator("#boards > li")).to_have_count(12)
    own_page.get_by_role("button", name="Show more").click()
    expect(own_page.locator("#boards > li")).to_have_count(14)
    expect(own_page.locator("#boards > li").nth(12).get_by_role("link")).to_be_focused()
    expect(own_page.locator("#more-boards")).to_be_hidden()


def test_boards_that_nobody_sees_are_not_asked_for(own_page, own_server):
    *_, match = seat_two(own_server)
    with own_page.expect_websocket(lambda socket: "/ws/watch?" in socket.url) as opened:
        own_page.goto("/#watch")
    expect(art(own_page, match)).to_have_attribute("data-ply", "0")
    nothing = '{"type":"show","matches":[]}'
    with opened.value.expect_event("framesent", lambda frame: frame == nothing):
        own_page.evaluate("for (const id of ['watch', 'tiles']) document.getElementById(id).hidden = true")


def test_without_javascript_there_is_a_list(new_page, own_server):
    *_, match = seat_two(own_server)
    page = new_page(own_server, java_script_enabled=False)
    page.goto("/")
    row = page.locator("#matches .list-row")
    expect(row).to_be_visible()
    row.get_by_role("link", name="Watch").click()
    led_to(page, f"/m/{match}")


class TestTheTiles:
    @pytest.mark.parametrize("width", SIZES)
    @pytest.mark.parametrize("guest", [False, True])
    def test_nothing_jumps_when_a_match_comes_and_goes(self, new_page, own_server, width, guest):
        page = new_page(own_server, viewport=SIZES[width])
        page.add_init_script(NO_ANIMATION)
        if guest:
            come_in(page)
        page.goto("/")
        tile = page.locator("#tiles [data-game=kalah]")
        expect(tile.locator(".miniboard-svg")).to_be_visible()
        expect(tile.get_by_text("Live")).to_be_hidden()
        before = [page.locator(part).bounding_box() for part in ("#tiles", "#tables")]
        first, second, match = seat_two(own_server)
        expect(tile.get_by_text("Live")).to_be_visible()
        play(first, match, "1")
        expect(tile.locator("[data-part=art]")).to_have_attribute("data-ply", "1")
        assert [page.locator(part).bounding_box() for part in ("#tiles", "#tables")] == before
        resign(second, match)
        # The result stays for a moment; then the game shows itself again.
        expect(tile.get_by_text("Live")).to_be_hidden(timeout=15_000)
        expect(tile.locator(".miniboard-svg")).to_be_visible()
        assert [page.locator(part).bounding_box() for part in ("#tiles", "#tables")] == before

    def test_each_shows_a_match_of_its_own_game(self, own_page, own_server):
        first, _, match = seat_two(own_server, "morris", "nine")
        own_page.goto("/")
        expect(own_page.locator("#tiles .game-tile", has_text="Live")).to_have_count(4)
        expect(own_page.locator("#tiles [data-part=live]:visible")).to_have_count(1)
        assert own_page.locator("#tiles [data-game=morris]").evaluate(COVERED) is False
        with first.watch(match) as board:
            board.move(0, board.snapshot["legal"][0])
        art = own_page.locator("#tiles [data-game=morris] [data-part=art]")
        expect(art).to_have_attribute("data-ply", "1")


@pytest.mark.parametrize("width", SIZES)
def test_nothing_sticks_out_and_axe_finds_nothing_serious(new_page, own_server, picture, width):
    for game in GAMES:
        preset = next(iter(GAMES[game].rules.PRESETS))
        for _ in range(2):
            first, _, match = seat_two(own_server, game, preset)
            with first.watch(match) as board:
                board.move(0, board.snapshot["legal"][0])
    page = new_page(own_server, viewport=SIZES[width])
    come_in(page)
    with Person(own_server).watch(match):
        page.goto("/#watch")
        expect(page.locator("#boards > li")).to_have_count(8)
        expect(page.locator("#boards [data-part=count]").first).to_have_text("1")
        # Boards are asked for as they come into sight.
        for each in page.locator("#boards > li").all():
            each.scroll_into_view_if_needed()
            expect(each.locator(".miniboard-svg")).to_be_visible()
        page.evaluate("scrollTo(0, 0)")
        page.mouse.move(0, 0)
        check_looks(page, picture, "watch")
        visitor = new_page(own_server, viewport=SIZES[width])
        visitor.goto("/")
        expect(visitor.locator("#tiles [data-part=live]:visible")).to_have_count(4)
        expect(visitor.locator("#tiles .miniboard-svg")).to_have_count(4)
        check_looks(visitor, picture, "front")

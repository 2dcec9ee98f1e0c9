"""What there is to watch, as people in the lobby see it: boards that move, and one on the front page."""

from contextlib import ExitStack

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import Watch
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
from tests.helpers.samples import FULL, in_full
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
def own_server(launcher) -> ParlourServer:
    """A Parlour of one's own, where nobody else plays."""
    return launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")


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


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
def test_players_only_match_not_offered(page, server, watch: Watch):
    watch.allow("403")
    *_, open_match = seat_two(server)
    *_, kept = seat_two(server)
    agree(server, kept, watchable=False)
    page.goto("/#watch")
    expect(card(page, open_match)).to_be_visible()
    expect(card(page, kept)).to_have_count(0)
    page.goto(f"/m/{kept}")
    expect(page.get_by_role("heading", level=1)).to_have_text("This match is private")
    expect(page.locator("#board")).to_have_count(0)
    assert serious_violations(page) == []


@pytest.mark.full
def test_delayed_watcher_sees_ply_later_with_notice(page, server):
    first, _, match = seat_two(server)
    agree(server, match, delay=1)
    page.goto(f"/m/{match}")
    expect(page.locator("#delay")).to_have_text("You are 1 second behind the players.")
    expect(page.locator("#match")).to_have_attribute("data-ply", "0")
    with first.watch(match) as board:
        board.move(0, "1")
        expect(page.locator("#match")).to_have_attribute("data-ply", "1")


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
        other.get_by_role("button", name="Join").click()
        for page in (host, other):
            led_to(page, "/m/")
        watcher.goto(host.url)
        for page in pages:
            wait_for_ply(page, 0)

    @pytest.mark.parametrize("width", in_full(*SIZES))
    def test_players_see_who_watches_and_may_hide_it(self, new_page, server, picture, width):
        pages, names = self.come(new_page, server, width)
        host, other, watcher = pages
        self.sit(pages)
        visitor = new_page(server)
        visitor.goto(host.url)
        for page in pages:
            expect(page.locator("#watching")).to_have_text(f"Watching: {names[2]} and 1 guest")
            expect(page.locator("#watchers")).to_have_text("2")
        open_more(host)
        switch = host.get_by_role("switch", name="Hide spectators")
        row = host.locator("label", has=switch)
        assert row.bounding_box()["height"] >= 44
        host.locator("#watching").scroll_into_view_if_needed()
        place = row.evaluate("row => row.getBoundingClientRect().top + scrollY")
        expect(watcher.get_by_role("switch")).to_have_count(0)
        if FULL:
            check_looks(host, picture, "watchers")
        host.get_by_text("Hide spectators").click()
        for page in pages:
            expect(page.locator("#watching")).to_have_text("The players have hidden the spectators.")
            expect(page.locator("#watchers")).to_be_hidden()
        assert row.evaluate("row => row.getBoundingClientRect().top + scrollY") == place
        expect(switch).to_be_checked()
        open_more(other)
        expect(other.get_by_role("switch")).not_to_be_checked()
        if FULL:
            check_looks(host, picture, "watchers-hidden")
        host.reload()
        open_more(host)
        expect(switch).to_be_checked()
        switch.press("Space")
        expect(watcher.locator("#watching")).to_have_text(f"Watching: {names[2]} and 1 guest")
        expect(switch).not_to_be_checked()


@pytest.mark.full
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


@pytest.mark.full
def test_boards_that_nobody_sees_are_not_asked_for(page, server):
    *_, match = seat_two(server)
    with page.expect_websocket(lambda socket: "/ws/page?" in socket.url) as opened:
        page.goto("/#watch")
    expect(art(page, match)).to_have_attribute("data-ply", "0")
    nothing = 'boards {"type":"show","matches":[]}'
    with opened.value.expect_event("framesent", lambda frame: frame == nothing):
        page.evaluate("for (const id of ['watch', 'tiles']) document.getElementById(id).hidden = true")


@pytest.mark.full
def test_watch_list_without_javascript(new_page, server):
    *_, match = seat_two(server)
    page = new_page(server, java_script_enabled=False)
    page.goto("/")
    row = page.locator("#matches .list-row", has=page.locator(f"[href='/m/{match}']")).first
    expect(row).to_be_visible()
    row.get_by_role("link", name="Watch").click()
    led_to(page, f"/m/{match}")


class TestTheTiles:
    @pytest.mark.parametrize("width", in_full(*SIZES))
    @pytest.mark.parametrize("guest", in_full(False, True))
    def test_tiles_do_not_shift_with_matches(self, new_page, own_server, width, guest):
        page = new_page(own_server, viewport=SIZES[width])
        page.add_init_script(NO_ANIMATION)
        page.clock.install()
        if guest:
            come_in(page)
        page.goto("/")
        tile = page.locator("#tiles [data-game=kalah]")
        expect(tile.locator(".miniboard-svg")).to_be_visible()
        expect(tile.get_by_text("Live")).to_be_hidden()
        before = [page.locator(part).bounding_box() for part in ("#tiles", "#tables")]
        first, second, match = seat_two(own_server)
        # A match is live while one of its players is on the site.
        with second.me():
            expect(tile.get_by_text("Live")).to_be_visible()
            assert tile.evaluate(COVERED) is False
            play(first, match, "1")
            expect(tile.locator("[data-part=art]")).to_have_attribute("data-ply", "1")
            assert [page.locator(part).bounding_box() for part in ("#tiles", "#tables")] == before
            resign(second, match)
            # The result stays for a moment; then the game shows itself again.
            expect(page.locator("#boards [data-over]")).to_be_visible()
            page.clock.fast_forward(7_000)
            expect(tile.get_by_text("Live")).to_be_hidden()
        expect(tile.locator(".miniboard-svg")).to_be_visible()
        assert [page.locator(part).bounding_box() for part in ("#tiles", "#tables")] == before


@pytest.mark.full
def test_front_page_with_matches_layout_and_accessibility(new_page, own_server, picture):
    with ExitStack() as open_sockets:
        for game in GAMES:
            preset = next(iter(GAMES[game].rules.PRESETS))
            for _ in range(2):
                first, _, match = seat_two(own_server, game, preset)
                # A match is live while one of its players is on the site.
                open_sockets.enter_context(first.me())
                with first.watch(match) as board:
                    board.move(0, board.snapshot["legal"][0])
        open_sockets.enter_context(Person(own_server).watch(match))
        page = new_page(own_server)
        come_in(page)
        page.goto("/#watch")
        expect(page.locator("#boards > li")).to_have_count(2 * len(GAMES))
        expect(page.locator("#boards [data-part=count]").first).to_have_text("1")
        # Boards are asked for as they come into sight.
        for each in page.locator("#boards > li").all():
            each.scroll_into_view_if_needed()
            expect(each.locator(".miniboard-svg")).to_be_visible()
        for size in SIZES.values():
            page.set_viewport_size(size)
            page.evaluate("scrollTo(0, 0)")
            page.mouse.move(0, 0)
            check_looks(page, picture, "watch")
        visitor = new_page(own_server)
        visitor.goto("/")
        expect(visitor.locator("#tiles [data-part=live]:visible")).to_have_count(len(GAMES))
        expect(visitor.locator("#tiles .miniboard-svg")).to_have_count(len(GAMES))
        for size in SIZES.values():
            visitor.set_viewport_size(size)
            check_looks(visitor, picture, "front")

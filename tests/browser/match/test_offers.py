"""Offers, halts and absences between players in Chromium; what a page makes of messages is tested in Node."""

import pytest
from playwright.sync_api import expect

from tests.browser.looks import DESKTOP, PHONE, check_looks_everywhere
from tests.browser.players import choice, choose, open_more, press, seat_timed, wait_for_ply

SENTENCE = "#actions [data-words]"
LINES = """() => [...document.querySelectorAll('#actions .button')].filter((each) => each.checkVisibility())
    .map((each) => {
        const words = document.createRange();
        words.selectNodeContents(each);
        const tops = [...words.getClientRects()].filter(({height}) => height).map(({top}) => top);
        return [each.textContent.trim(), Math.max(...tops) - Math.min(...tops)];
    })
    .filter(([, apart]) => apart > 12)"""
"""The buttons of actions whose words take more than a line."""
CUT = """(name) => [...document.querySelectorAll('.turns-names > span')].some((each) => {
    each.textContent = name;
    return each.scrollWidth > each.clientWidth;
})"""
"""Whether a name is cut off above the moves."""
HOLE = """() => {
    const items = [...document.querySelectorAll('.match-menu > *')];
    const ends = items.map((each) => each.getBoundingClientRect().right);
    return Math.max(...ends) - ends.findLast((end) => end > 0);
}"""
"""How much room the last item of the menu leaves beside it."""


def type_command(page, command):
    page.locator("#command-text").fill(command)
    page.locator("#command-text").press("Enter")


def expect_question(page):
    """A question has come up and may be answered: at first nobody can have read it."""
    expect(choice(page, "accept")).to_be_visible()
    expect(page.locator("#actions [data-place=row]")).not_to_have_attribute("inert", "")


def names(seats):
    return [page.locator("[data-me]").first.get_attribute("data-me") for page in seats.players]


def open_moves(seats):
    """Both seats play once, so that nobody can abort; it is the turn of seat 0."""
    press(seats.players[0], "0")
    wait_for_ply(seats.players[1], 1)
    press(seats.players[1], "7")
    for page in seats.players:
        wait_for_ply(page, 2)


def stored(server, match_id):
    rows = server.rows("SELECT action FROM games_ply WHERE match_id = ? ORDER BY number", match_id)
    return [action for (action,) in rows]


def check_actions(page):
    """Every action is read in one line, at a desk and on a phone."""
    for width in (DESKTOP, PHONE):
        page.set_viewport_size({"width": width, "height": 720})
        assert page.evaluate(LINES) == []


def go_away(page):
    page.goto("/")


@pytest.fixture(scope="module")
def hasty_server(launcher):
    """A server where somebody who is away may be claimed after a second."""
    return launcher.open(launcher.store("sqlite"), ABSENCE_SECONDS="1")


def test_draw_is_offered_and_accepted_by_keyboard(new_page, sqlite_server):
    seats = seat_timed(new_page, sqlite_server, "")
    watcher = seats.watcher
    first, second = seats.players
    open_moves(seats)
    wait_for_ply(watcher, 2)
    choice(first, "draw").focus()
    first.keyboard.press("Enter")
    expect(first.locator(SENTENCE)).to_have_text("You offered a draw.")
    expect(second.locator(SENTENCE)).to_have_text(f"{names(seats)[0]} offers a draw.")
    expect(second.locator("#say-soon")).to_contain_text("offers a draw")
    expect(watcher.locator(SENTENCE)).to_be_hidden()
    expect_question(second)
    choice(second, "accept").focus()
    second.keyboard.press("Enter")
    for page in seats.all:
        wait_for_ply(page, 3)
        expect(page.locator("#headline")).to_have_text("Draw")
        expect(page.locator("#reason")).to_contain_text("Draw agreed")
        expect(page.locator("#moves")).to_contain_text("Draw agreed")
    expect(first.locator("#rematch")).to_be_visible()


def test_offer_moves_nothing_else_on_a_phone(new_page, sqlite_server):
    """What stands around the actions stays where it is when a question takes their place."""
    seats = seat_timed(new_page, sqlite_server, "", viewport={"width": 390, "height": 844})
    first, second = seats.players
    open_moves(seats)
    boxes = """() => JSON.stringify(['.match-word', '.match-others', '.board', '.match-mine', '#more-open']
        .map(part => document.querySelector(part).getBoundingClientRect().toJSON()))"""
    before = second.evaluate(boxes)
    choose(first, "draw")
    expect_question(second)
    assert second.evaluate(boxes) == before
    second.keyboard.press("n")
    expect(choice(second, "accept")).to_be_hidden()
    assert second.evaluate(boxes) == before
    expect(first.locator("#notice")).to_have_text("Your offer was declined.")
    assert stored(sqlite_server, seats.match_id) == ["1", "1"]


@pytest.mark.full
def test_timed_match_is_paused_and_resumed(new_page, sqlite_server, picture):
    seats = seat_timed(new_page, sqlite_server, "5+3")
    first, second = seats.players
    open_moves(seats)
    choose(first, "pause")
    expect(second.locator(SENTENCE)).to_have_text(f"{names(seats)[0]} proposes a pause.")
    check_looks_everywhere(second, picture, "offers-request")
    choose(second, "accept")
    for page in seats.players:
        wait_for_ply(page, 3)
        expect(page.locator("#headline")).to_have_text("Paused")
        expect(page.locator(".player-clock[data-running]")).to_have_count(0)
    check_looks_everywhere(first, picture, "offers-halted")
    press(first, "1")
    expect(first.locator("#notice")).to_have_text("The match is paused.")
    choose(second, "resume")
    for page in seats.players:
        wait_for_ply(page, 4)
    expect(first.locator("#headline")).to_have_text("Your turn")
    expect(first.locator(".player[data-seat='0'] .player-clock")).to_have_attribute("data-running", "")
    press(first, "1")
    wait_for_ply(second, 5)
    assert stored(sqlite_server, seats.match_id)[2:] == ["paused:0", "resumed:1", "2"]


@pytest.mark.full
def test_saved_match_is_resumed_after_a_reload(new_page, sqlite_server, picture):
    seats = seat_timed(new_page, sqlite_server, "")
    first, second = seats.players
    press(first, "0")
    wait_for_ply(second, 1)
    expect(choice(first, "save")).to_be_hidden()
    open_more(second)
    expect(choice(second, "save")).to_be_visible()
    check_looks_everywhere(second, picture, "offers-menu")
    for width in (DESKTOP, PHONE):
        second.set_viewport_size({"width": width, "height": 720})
        for _ in range(2):
            assert second.evaluate(HOLE) <= 1
            # With one fewer, too.
            second.locator(".match-menu > :visible").first.evaluate("each => { each.hidden = !each.hidden; }")
    second.keyboard.press("Escape")
    choose(second, "save")
    for page in seats.players:
        wait_for_ply(page, 2)
        page.reload()
        expect(page.locator("#headline")).to_have_text("Saved for later")
    choose(second, "invite")
    expect(first.locator(SENTENCE)).to_have_text(f"{names(seats)[1]} invites you to resume the match.")
    choose(first, "accept")
    for page in seats.players:
        wait_for_ply(page, 3)
    press(second, "7")
    wait_for_ply(first, 4)


@pytest.mark.full
def test_win_is_claimed_from_an_absent_player_on_their_turn(new_page, hasty_server, picture):
    seats = seat_timed(new_page, hasty_server, "5+3")
    first, second = seats.players
    open_moves(seats)
    go_away(second)
    expect(first.locator(".player[data-seat='1'] .player-note")).to_contain_text("away")
    expect(choice(first, "claim-win")).to_be_hidden()
    press(first, "2")
    wait_for_ply(first, 3)
    expect(choice(first, "claim-win")).to_be_visible()
    expect(first.locator("#say-soon")).to_contain_text("claim the win")
    check_looks_everywhere(first, picture, "offers-claim")
    check_actions(first)
    assert not first.evaluate(CUT, "Famous-Panther")
    choose(first, "wait")
    expect(choice(first, "claim-win")).to_be_hidden()
    type_command(first, "claim")
    expect(first.locator("#headline")).to_have_text("You won")
    expect(first.locator("#reason")).to_have_text(f"{names(seats)[1]} left the match.")


@pytest.mark.full
def test_caretaker_bot_is_claimed_and_the_seat_reclaimed(new_page, hasty_server, picture):
    seats = seat_timed(new_page, hasty_server, "", seats=3, game="cantstop")
    first, second, third = seats.players
    go_away(first)
    expect(choice(third, "claim-caretaker")).to_be_visible()
    choose(second, "claim-caretaker")
    for page in (second, third):
        expect(page.locator("#moves")).to_contain_text("A bot is playing for")
        expect(page.locator(".player[data-seat='0'] .player-note")).to_contain_text("bot playing")
        expect(page.locator(".player[data-seat='0'] .player-bot")).to_be_visible()
    picture(second, "offers-bot")
    first.goto(f"/m/{seats.match_id}")
    expect(first.locator(SENTENCE)).to_have_text("A bot is playing for you.")
    check_looks_everywhere(first, picture, "offers-caretaken")
    check_actions(first)
    choose(first, "reclaim")
    for page in seats.players:
        back = "You are playing again" if page is first else "is playing again"
        expect(page.locator("#moves")).to_contain_text(back)
        expect(page.locator(".player[data-seat='0'] .player-bot")).to_be_hidden()
    open_more(first)
    expect(choice(first, "end")).to_be_visible()

"""What a match sounds like in real browsers: the tones that are made, for whoever switched them on."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.hearing import HEARING, heard, set_to
from tests.browser.players import NewPage, at_board, press, wait_for_ply
from tools.harness.servers import ParlourServer

SEED = [520]
YOUR_TURN = [440, 554]


def listen(page: Page, **settings: str) -> None:
    """Set what is heard and come to the board anew, with a hand on it."""
    page.add_init_script(HEARING + set_to(speed="fast", **settings))
    page.reload()
    wait_for_ply(page, 0)
    page.mouse.click(2, 2)


def test_sowing_is_heard_seed_by_seed_and_then_my_turn(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    seats = at_board(new_page, sqlite_server, "kalah", "circle", animation=True)
    mover, other = seats.players
    listen(mover, sound="off")
    listen(other, sound="on")
    press(mover, "2")
    wait_for_ply(mover, 1)
    wait_for_ply(other, 1)
    assert heard(other) == [*SEED, *SEED, *SEED, *YOUR_TURN]
    assert heard(mover) == []

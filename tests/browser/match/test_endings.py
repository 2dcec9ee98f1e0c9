"""Endings in Chromium that no other test reaches: aborted, voted for, left one by one, abandoned for weeks.

The others: by the rules in test_games.py, test_languages.py and by_ear; resigned in
test_end.py; agreed on, and claimed from an absent player, in test_offers.py; out of time in test_clocks.py.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta

from playwright.sync_api import Page, expect

from games.domain import clock, match_actions
from games.domain.match_actions import Act
from tests.browser.conftest import NewPage
from tests.browser.players import at_board, choose, seat_timed, wait_for_ply
from tests.helpers import accounts
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer
from tools.harness.timed import pass_time

SENTENCE = "#actions [data-words]"


def expect_end(page: Page, ply: int, headline: str, reason: str) -> None:
    wait_for_ply(page, ply)
    expect(page.locator("#headline")).to_contain_text(headline)
    expect(page.locator("#reason")).to_contain_text(reason)


def test_a_match_is_aborted_before_it_has_begun(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    seats = at_board(new_page, sqlite_server, "kalah", "circle")
    first, second = seats.players
    choose(first, "abort")
    expect_end(first, 1, "No result", "You aborted the match.")
    expect_end(second, 1, "No result", "aborted the match.")


def test_a_match_is_aborted_when_the_first_move_does_not_come(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    seats = seat_timed(new_page, sqlite_server, "5+3")
    late, waiting = seats.players
    pass_time(sqlite_server, seats.match_id, clock.FIRST_MOVE / clock.SECOND)
    expect_end(late, 1, "No result", "The match did not begin: you made no move in time.")
    expect_end(waiting, 1, "No result", "made no move in time.")
    expect(waiting.locator("#rematch")).to_be_visible()


def test_three_vote_to_end_the_match_and_the_leader_has_won(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    seats = at_board(new_page, sqlite_server, "cantstop", "published", seats=3)
    first, second, third = seats.players
    # No first roll can bust: the first player leads as soon as the turn is over.
    for key, ply in (("r", 2), ("1", 3), ("s", 4)):
        first.keyboard.press(key)
        wait_for_ply(first, ply)
    choose(first, "end")
    for voter in (second, third):
        expect(voter.locator(SENTENCE)).to_contain_text("proposes to end the match now")
        expect(voter.locator("#actions [data-place=row]")).not_to_have_attribute("inert", "")
        choose(voter, "accept")
    expect_end(first, 5, "You won", "The players agreed to end the match, as you proposed.")
    expect_end(third, 5, " won", "The players agreed to end the match, as ")


def test_three_go_on_without_who_left_and_the_last_has_won(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    seats = at_board(new_page, sqlite_server, "cantstop", "published", seats=3)
    first, second, third = seats.players
    for ply, leaver in enumerate((first, second), 1):
        for _ in range(2):
            choose(leaver, "resign")
        for page in seats.players:
            wait_for_ply(page, ply)
    expect(third.locator("#headline")).to_have_text("You won")
    expect(first.locator("#headline")).to_contain_text("won")


def abandoned(user_ids: list[int], days: int, saved: bool) -> str:
    """Call it inside: a match without a clock in which the first player has done nothing for so many days.

    With `saved` they saved it alone that long ago.
    """
    from django.utils import timezone

    from games.models import Match
    from tests.helpers import finished

    begun = timezone.now() - timedelta(days=days)
    match = accounts.begin_match(user_ids, "kalah", rated=False)
    Match.objects.filter(pk=match).update(created=begun)
    if saved:
        finished.play(Match.objects.get(pk=match), Act(match_actions.SAVED, 0), at=begun)
    return match


def sweep() -> None:
    """Call it inside: what every process does each ten minutes."""
    from games.net.hub import Hub
    from games.play.matches import Matches

    async def swept() -> None:
        service = Matches(Hub())
        await service.end_idle()
        await service.close()

    asyncio.run(swept())


def test_endings_of_idle_and_saved_matches(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    url = sqlite_server.database_url
    gone, waiting = accounts.registered(sqlite_server, "Long-Gone", "Patient")
    page = new_page(sqlite_server)
    accounts.sign_in(page, sqlite_server, waiting)

    def at_a_match_left_for(days: int, saved: bool = False) -> None:
        match = subprocess_call.call(url, abandoned, [gone.user_id, waiting.user_id], days, saved)
        if days > 30:
            subprocess_call.call(url, sweep)
        page.goto(f"/m/{match}")

    at_a_match_left_for(15)
    choose(page, "claim-win")
    expect_end(page, 1, "You won", "Long-Gone left the match.")
    at_a_match_left_for(15)
    choose(page, "claim-draw")
    expect_end(page, 1, "Draw", "Long-Gone left, and the match was claimed as a draw.")
    at_a_match_left_for(15, saved=True)
    expect(page.locator(SENTENCE)).to_have_text(
        "Saved a long time ago. You can claim the win or end it without a result."
    )
    choose(page, "claim-abort")
    expect_end(page, 2, "No result", "You aborted the match.")
    at_a_match_left_for(31)
    expect_end(page, 1, "No result", "no moves for too long")

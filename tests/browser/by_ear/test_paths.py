"""Whole paths of somebody who listens: by keyboard alone, without a look at the page.

They decide by what they hear and read. What really happened is then held against what they were told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import expect

from games.registry import GAMES
from tests.browser.by_ear.choosing import DECISION, OVER, PLAYERS, asked, typed
from tests.browser.by_ear.listener import Listener
from tests.browser.by_ear.transcript import Transcript
from tests.browser.conftest import NewPage
from tests.browser.players import NO_ANIMATION, submit
from tests.conftest import Launcher
from tests.helpers import accounts, thinking
from tests.helpers.finished import at_random
from tests.helpers.samples import in_full
from tools.harness import subprocess_call
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer

NewListener = Callable[[str], Listener]


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    """One whose computer players do not wait for the sake of people."""
    return launcher.open(launcher.store("sqlite"), SOCKET_RATE="0", BOT_PROCESSES="1", BOT_PACE="0.02")


@pytest.fixture
def come(new_page: NewPage, server: ParlourServer) -> NewListener:
    """`come(title)`: somebody at the front page, for a path of that title."""

    def come(title: str) -> Listener:
        page = new_page(server)
        page.add_init_script(NO_ANIMATION)
        listener = Listener(page, Transcript(title))
        page.goto("/")
        listener.title()
        return listener

    return come


def begin(listener: Listener, slug: str) -> str:
    """From the front page to the first decision of a match against a computer; what is heard of it."""
    listener.tab_to(GAMES[slug].title, "link")
    listener.press("Enter")
    listener.tab_to("^Computer", "button")
    listener.enter()
    return listener.hear(DECISION)


# The games


@pytest.mark.parametrize("slug", in_full(*PLAYERS))
def test_a_whole_match(come: NewListener, server: ParlourServer, slug: str) -> None:
    listener = come(f"{GAMES[slug].title} by ear")
    heard = begin(listener, slug)
    answers = commands(listener)
    while not re.search(OVER, heard):
        PLAYERS[slug](listener, heard)
        heard = listener.hear(DECISION)
    assert listener.tab_to("^Luck$" if GAMES[slug].pure_luck else "^Analyse$", "link")
    ((match,),) = server.rows("SELECT id FROM games_match WHERE game = ? ORDER BY created DESC LIMIT 1", slug)
    told = sum(said.count("Your turn.") for said in listener.all_heard)
    assert told - answers.count("Your turn.") == turns(server, match)
    climbs = [said for said in listener.all_heard if "climbed" in said]
    assert all(re.search(r"climbed to space \d+ of \d+ in column", said) for said in climbs)
    assert bool(climbs) == (slug == "cantstop")
    listener.transcript.keep(slug)


def commands(listener: Listener) -> str:
    """Ask for all that can be asked for; all answers. Whoever asks twice hears it twice."""
    answers = [
        asked(listener, "board", r"Your turn\.$"),
        asked(listener, "board", r"Your turn\.$"),
        asked(listener, "last", r"^\S.*\.$"),
        asked(listener, "clock", r"^This match has no clock\.$"),
        asked(listener, "legal", r"^\w[-\w, +]*$"),
        asked(listener, "help", r"board: the position\. last: the last move\."),
    ]
    listener.press("Escape")
    assert listener.focus().role != "textbox"
    return " ".join(answers)


def turns(server: ParlourServer, match: str) -> int:
    """How many turns the person in a match had: as often it went to them, or began with them."""
    ((me,),) = server.rows("SELECT seat FROM games_seating WHERE match_id = ? AND level IS NULL", match)
    ((start,),) = server.rows("SELECT start FROM games_match WHERE id = ?", match)
    rows = server.rows("SELECT state FROM games_ply WHERE match_id = ? ORDER BY number", match)
    states = [json.loads(state) for (state,) in [(start,), *rows]]
    turns = [None if state["ended"] else state["turn"] for state in states]
    return sum(now == me != before for before, now in zip([None, *turns], turns, strict=False))


# Pairing


def test_two_who_listen_find_each_other(come: NewListener) -> None:
    one, other = come("Pairing by ear"), come("Pairing by ear")
    for listener in (one, other):
        listener.tab_to("Kalah", "link")
        listener.press("Enter")
        listener.tab_to("^Play now", "button")
        listener.press("Enter")
        if listener is one:
            listener.hear(r"^Looking for an opponent\.")
    first, second = (one, other) if "Your turn." in one.hear(r"Your turn\.|to move\.") else (other, one)
    other.hear(r"Your turn\." if first is other else r"to move\.")
    for listener in (one, other):
        assert listener.title()
        assert "Search cancelled." not in listener.all_heard
    pit = asked(first, "legal", r"^\d+, ").split(", ")[1]
    typed(first, pit)
    second.hear(rf"sowed \d seeds from pit {pit}\. Your turn\. Sow any of your pits\.")
    one.transcript.keep("pairing")


# What was played


@pytest.fixture
def at_the_end(come: NewListener) -> Callable[[str, str], Listener]:
    """`at_the_end(title, slug)`: somebody who played a little and gave up."""

    def play(title: str, slug: str) -> Listener:
        listener = come(title)
        heard = begin(listener, slug)
        for _ in range(2):
            PLAYERS[slug](listener, heard)
            heard = listener.hear(DECISION)
        asked(listener, "resign", r"^Type resign again to resign\.$")
        typed(listener, "resign")
        listener.hear(r"\S+ won\.")
        listener.press("Escape")
        return listener

    return play


def test_a_finished_match_is_stepped_through_and_replayed(at_the_end: Callable[..., Listener]) -> None:
    listener = at_the_end("Replay by ear", "kalah")
    listener.press("ArrowLeft")
    last = listener.hear(r"^Move \d+ of \d+\. ")
    listener.press("ArrowLeft")
    listener.hear(r"^Move \d+ of \d+\. \S+ sowed \d+ seeds? from pit \d+\.")
    listener.tab_to("^First position$", "button")
    listener.press("Enter")
    listener.hear(r"^Move 0 of \d+\.")
    listener.tab_to("^Replay$", "button")
    listener.press("Enter")
    for ply in range(1, int(last.split()[1]) + 1):
        listener.hear(rf"^Move {ply} of \d+\. \S")
    listener.transcript.keep("replay")


def test_dice_are_checked(at_the_end: Callable[..., Listener]) -> None:
    listener = at_the_end("Check of the dice by ear", "cantstop")
    listener.press("m")
    listener.tab_to("^Check the dice$", "link")
    listener.enter()
    listener.hear(r"^The dice were fair: .* match(?:es)? the secret\.")
    assert listener.read("Every roll")
    listener.transcript.keep("dice")


def over() -> str:
    """To be called inside a process: a match of two that is over."""
    from lobby.people.models import User

    return at_random(
        [User.objects.create_user(name) for name in ("Calm-Heron", "Quiet-Otter")], "kalah", 40
    ).pk


def test_an_analysis_is_asked_for_and_read(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    """A friend has sent the address of a match."""
    page = new_page(sqlite_server)
    listener = Listener(page, Transcript("Analysis by ear"))
    page.goto(f"/m/{subprocess_call.call(sqlite_server.database_url, over)}")
    listener.title()
    listener.press("m")
    listener.tab_to("^Analysis$", "link")
    listener.enter()
    listener.tab_to("^Analyse this match$", "button")
    listener.enter()
    assert listener.read("Analysis")
    subprocess_call.call(sqlite_server.database_url, thinking.think)
    listener.hear(r"^The analysis is complete\.$")
    assert listener.read("Calm-Heron")
    moments = listener.read("Turning points")
    listener.tab_to(re.escape(moments[0].split(", link")[0]), "link")
    listener.press("Enter")
    listener.hear(r"^Move \d+: (Calm-Heron|Quiet-Otter) played ")
    listener.transcript.keep("analysis")


def test_a_position_is_analysed(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    """Moves, a variation and a comment by keys alone; of an evaluation one hears the end."""
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    listener = Listener(page, Transcript("Analysis board by ear"))
    page.goto("/analysis/kalah")
    listener.title()
    # Nothing is said when the board is there.
    expect(page.locator("#analysis:not([data-loading])")).to_be_attached()
    typed(listener, "3")
    listener.hear(r"sowed 4 seeds from pit 3\.")
    typed(listener, "1")
    listener.hear(r"sowed 4 seeds from pit 1\.")
    listener.press("Escape")
    listener.press("ArrowLeft")
    listener.hear(r"sowed 4 seeds from pit 3\.")
    typed(listener, "5")
    listener.hear(r"sowed 5 seeds from pit 5\.")
    listener.press("Escape")
    listener.press("#")
    listener.type("Keeps the big pit.")
    listener.tab_to("^First position$", "button")
    listener.press("Enter")
    listener.hear(r"to move\. Sow any of your pits\.")
    listener.press("e")
    evaluated = partial(subprocess_call.call, sqlite_server.database_url, thinking.look_at_positions)
    wait_until(evaluated, "the wish for an evaluation")
    listener.hear(r"^Player 1 \d+%\. Best: \d\.$")
    listener.tab_to("^Play from here$", "link")
    assert "a position" in listener.enter()
    listener.transcript.keep("analysis-board")


def test_two_who_listen_study_together(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    """Each hears what the other does; one goes to a move in the list, comments, and opens another chapter."""
    pages = [new_page(sqlite_server) for _ in range(2)]
    listeners = [Listener(page, Transcript("Study by ear")) for page in pages]
    for page, account in zip(pages, accounts.registered(sqlite_server, "Salme", "Pavel"), strict=True):
        accounts.sign_in(page, sqlite_server, account)
        page.add_init_script(NO_ANIMATION)
    address = submit(pages[0], "/studies/new", game="kalah")
    submit(pages[0], f"{address}/member", name="Pavel", role="write")
    submit(pages[0], f"{address}/add", title="The pie rule")
    salme, pavel = listeners
    for page, listener in zip(pages, listeners, strict=True):
        page.goto(address)
        listener.title()
        # Nothing is said when the board is there.
        expect(page.locator("#study:not([data-loading])")).to_have_attribute("data-connection", "open")
    salme.hear(r"^Pavel$")
    typed(salme, "3")
    salme.hear(r"sowed 4 seeds from pit 3\.")
    pavel.hear(r"^Salme adds a first move: 3\.$")
    pavel.tab_to(r"^1\. 3$", "button")
    pavel.press("Enter")
    pavel.hear(r"sowed 4 seeds from pit 3\.")
    typed(pavel, "6")
    pavel.hear(r"sowed 5 seeds from pit 6\.")
    salme.hear(r"^Pavel adds a move after 3: 6\.$")
    pavel.press("Escape")
    pavel.press("#")
    pavel.type("Moves again.")
    pavel.tab_to("^First position$", "button")
    salme.hear(r"^Pavel comments on 6: Moves again\.$")
    salme.press("Escape")
    salme.tab_to("^Lead$", "button")
    salme.press("Enter")
    pavel.hear(r"^Salme leads the study$")
    pavel.tab_to("^Chapter 1", "DisclosureTriangle")
    pavel.press("Enter")
    pavel.tab_to(r"^2\. The pie rule$", "link")
    pavel.enter()
    expect(pages[1].locator("#study:not([data-loading])")).to_have_attribute("data-connection", "open")
    typed(pavel, "1")
    pavel.hear(r"sowed 4 seeds from pit 1\.")
    pavel.transcript.keep("study")

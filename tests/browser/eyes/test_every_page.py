"""Every page: axe finds nothing of any weight, and nothing is lost on a phone.

The full run looks in three languages, zoomed in, with wide text, and with English words a third longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import NewPage, Watch
from tests.browser.eyes.pages import LANGUAGES, LONGEST, listed, look, speak
from tests.browser.looks import AXE, DESKTOP, PHONE
from tests.browser.players import open_more
from tests.conftest import Launcher
from tests.helpers import accounts
from tests.helpers.samples import FULL, in_full
from tools.harness import subprocess_call
from tools.harness.people import Person
from tools.harness.servers import ParlourServer

Accounts = list[accounts.Account]
ZOOMED_IN = (320, 256)
FOCUSED = """
    () => {
        const each = document.activeElement;
        if (!each || each === document.body) {
            return null;
        }
        const follows = !globalThis.before
            || Boolean(globalThis.before.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
        globalThis.before = each;
        const shown = each.matches('input') ? each.closest('label') ?? each : each;
        const {left, top, right, bottom} = shown.getBoundingClientRect();
        const over = (x, y) => document.elementFromPoint(x, y);
        const seen = [[left + 3, top + 3], [right - 3, top + 3], [(left + right) / 2, (top + bottom) / 2],
            [left + 3, bottom - 3], [right - 3, bottom - 3]]
            .map(([x, y]) => over(x, y))
            .some((there) => there && (shown.contains(there) || there.contains(shown)));
        const open = document.querySelectorAll('dialog[open], details[open]').length;
        return {what: each.outerHTML.slice(0, 120), follows, seen, where: `${location.href} ${open}`};
    }
"""
"""Where the focus is: whether after the last place, whether any of it is seen, and what page that is."""
MOST_STOPS = 200
DICE = next(slug for slug, game in GAMES.items() if game.dice)
FOR_EVERYBODY = {
    "play": [
        *("/", "/new", "/computer", "/new/kalah", "/computer/cantstop", "/together/aces"),
        *("/m/{live}", "/m/{private}", "/embed/{live}"),
    ],
    "afterwards": [
        *("/m/{over}", "/m/{over}/analysis", "/m/{over}/dice", "/embed/{over}", "/replay"),
        *("/leaderboards", "/leaderboards/kalah", "/@/Ulno", "/privacy"),
    ],
    "together": ["/clubs/rules", "/tournaments", "/tournaments/rules", "/studies", "/study/{study}"],
    # People see these, too, and more on them.
    "seen by people": in_full(
        *("/tournament/{cup}", "/club/{club}", "/clubs", "/evening", "/people/online", "/t/{table}")
    ),
    # A heading, a sentence and a way on.
    "wrong": in_full(
        *("/nothing", "/i/wrong", "/t/wrong", "/embed/wrong", "/evening/AAAA", "/reminders/stop/wrong")
    ),
    "games": [
        f"{page}/{slug}"
        for page in ("/new", "/computer", "/rules")
        for slug in in_full(*(slug for slug in GAMES if slug != "kalah"))
    ],
    "reading": [
        "/puzzle/2025-01-01",
        "/puzzle/2025-01-02",
        "/puzzles",
        "/puzzles/kalah",
        "/puzzles/days",
        "/position/kalah",
        "/position/morris?p=nonsense",
        *(f"/analysis/{slug}" for slug in in_full("kalah", DICE)),
        "/rules",
        "/rules/kalah",
        *(
            f"/rules/{slug}/try"
            for slug in in_full(*(slug for slug, game in GAMES.items() if game.introduction))
        ),
        "/rules/kalah/course",
        "/api",
        "/offline",
        "/settings",
    ],
    "accounts": ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"],
    "account news": in_full(
        *("/accounts/confirm-email/wrong/", "/accounts/confirm-email/", "/accounts/inactive/"),
        *("/accounts/password/reset/done/", "/accounts/password/reset/key/1-wrong/"),
        *("/accounts/password/reset/key/done/", "/accounts/3rdparty/login/cancelled/"),
        "/accounts/3rdparty/login/error/",
    ),
}
FOR_PEOPLE = {
    "lobby": [
        *(
            "/",
            "/people",
            "/people/online",
            "/inbox",
            "/inbox/Artjom",
            "/people/Artjom/report",
            "/@/Ulno",
            "/@/Artjom",
            "/m/{live}",
            "/t/{table}",
        ),
        *("/challenge/Artjom", "/challenge/Artjom/kalah", "/puzzles/mine"),
    ],
    "together": [
        *("/clubs", "/clubs/new", "/club/{club}", "/club/{club}/edit", "/evening", "/evening/{evening}"),
        *("/tournament/{cup}", "/tournament/{cup}/edit", "/studies", "/study/{study}"),
    ],
    "account": [
        *("/settings", "/settings/delete", "/settings/tokens", "/settings/webhooks", "/accounts/email/"),
        *("/accounts/password/set/", "/accounts/logout/", "/accounts/2fa/", "/accounts/2fa/totp/activate/"),
        *("/accounts/2fa/recovery-codes/generate/", "/accounts/2fa/webauthn/", "/accounts/2fa/webauthn/add/"),
        *("/accounts/sessions/", "/accounts/3rdparty/"),
    ],
}
FOR_GUESTS = ["/settings/name", "/settings/delete", "/mute"]


def a_site() -> dict[str, str]:
    """Call it inside: people, their club, cup and evening, and matches, one of which is private."""
    from games.models import Match
    from lobby.evenings import evenings
    from lobby.people.models import User
    from tests.helpers import clubs, finished, studies, tournaments

    users = [User.objects.get(username=name) for name in ("Ulno", "Artjom")]
    private, live = (finished.begun(users) for _ in range(2))
    Match.objects.filter(pk=private.pk).update(watchable=False)
    over = finished.at_random(users, DICE, 40)
    club = clubs.club_of(*users, about="We meet on Fridays.", games=["kalah"])
    cup = tournaments.entered(users[0], users, title="Club cup", club_id=club.pk)
    evening = evenings.open_evening(users[0], "kalah", 90, tournaments.command())
    evenings.join(users[0], evening.code)
    study = studies.study_of(users[0], "public", Artjom="comment")
    studies.played(users[0], study, "1", "2")
    studies.played(users[0], study, "3")
    return {
        **{"live": live.pk, "private": private.pk, "over": over.pk},
        **{"club": club.slug, "cup": cup.pk, "evening": evening.code, "study": study.pk},
    }


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"))


@pytest.fixture(scope="module")
def people(server: ParlourServer) -> Accounts:
    return accounts.registered(server, "Ulno", "Artjom")


@pytest.fixture(scope="module")
def site(server: ParlourServer, people: Accounts) -> dict[str, str]:
    host = accounts.person(server, people[0])
    host.post("/new/kalah", preset="circle", seats="2", first="host")
    return subprocess_call.call(server.database_url, a_site) | {"table": host.path.rpartition("/")[2]}


@pytest.fixture(scope="module")
def guest(server: ParlourServer) -> str:
    """The session of a guest."""
    somebody = Person(server)
    somebody.become_guest()
    return dict(each.split("=", 1) for each in somebody.headers()["Cookie"].split("; "))["sessionid"]


Walk = Callable[[Page, list[str], str], None]


@pytest.fixture
def walk(watch: Watch, site: dict[str, str], picture: Callable[[Page, str], None]) -> Walk:
    """`walk(page, paths, who)`: somebody goes to every one of them in every language and looks."""
    watch.allow("status of 4")

    def go(page: Page, paths: list[str], who: str) -> None:
        found: list[tuple[object, ...]] = []
        # To send it to each page costs twice as much.
        page.add_init_script(AXE)
        for language in LANGUAGES:
            speak(page, language)
            # Of the languages of the full run, two are seen on a phone.
            narrow = FULL and language != LONGEST
            page.set_viewport_size({"width": PHONE if narrow else DESKTOP, "height": 720})
            for path in paths:
                page.goto(path.format(**site), wait_until="load")
                expect(page.locator("html")).to_have_attribute("lang", language)
                found += look(page, language)
                if language == LANGUAGES[0]:
                    picture(page, f"page-{who}-{re.sub(r'[^a-zA-Z0-9]+', '-', path).strip('-') or 'front'}")
        assert not found, listed(found)

    return go


@pytest.mark.parametrize("part", FOR_EVERYBODY)
def test_pages_for_everybody(new_page: NewPage, server: ParlourServer, walk: Walk, part: str) -> None:
    walk(new_page(server), FOR_EVERYBODY[part], "visitor")


def test_pages_for_guests(new_page: NewPage, server: ParlourServer, guest: str, walk: Walk) -> None:
    server.write("UPDATE lobby_user SET muted_until = '2999-01-01', mute_reason = 'Rude words.'")
    page = new_page(server)
    page.context.add_cookies([{"name": "sessionid", "value": guest, "url": server.url}])
    walk(page, FOR_GUESTS, "guest")


@pytest.mark.parametrize("part", FOR_PEOPLE)
def test_pages_for_people(
    new_page: NewPage, server: ParlourServer, people: Accounts, walk: Walk, part: str
) -> None:
    page = new_page(server)
    accounts.sign_in(page, server, people[0])
    walk(page, FOR_PEOPLE[part], "player")


@pytest.mark.parametrize("language", LANGUAGES)
def test_dialogs_and_menus_on_every_page(
    new_page: NewPage, server: ParlourServer, site: dict[str, str], people: Accounts, language: str
) -> None:
    """The menus of the header, the settings, a game's three ways to play; a match's menu, and its end."""
    page = new_page(server)
    accounts.sign_in(page, server, people[0])
    speak(page, language)
    page.goto("/")
    expect(page.locator("#lobby[data-ready]")).to_be_visible()
    found: list[tuple[object, ...]] = []
    for width in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": 720})
        for menu in page.locator("details.menu:visible").all():
            menu.evaluate("menu => { menu.open = true; }")
            found += look(page, language, "details.menu[open]")
            menu.evaluate("menu => { menu.open = false; }")
    for opener in ("[data-dialog=settings]", ".game-tile"):
        page.locator(opener).first.click()
        expect(page.locator("dialog[open]")).to_be_visible()
        found += look(page, language, "dialog[open]")
        page.keyboard.press("Escape")
    page.goto(f"/m/{site['over']}")
    expect(page.locator("#end")).to_be_visible()
    found += look(page, language, "#end")
    open_more(page)
    found += look(page, language, "#more")
    assert not found, listed(found)


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/people", "/settings", "/new/aces"),
        *in_full("/club/{club}", "/tournament/{cup}", "/evening/{evening}", "/inbox/Artjom"),
    ],
)
def test_the_focus_goes_in_order_is_never_hidden_and_changes_nothing(
    new_page: NewPage, server: ParlourServer, site: dict[str, str], people: Accounts, path: str
) -> None:
    page = new_page(server)
    accounts.sign_in(page, server, people[0])
    for width, height in ((DESKTOP, 720), ZOOMED_IN):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path.format(**site), wait_until="load")
        stops = []
        while len(stops) < MOST_STOPS:
            page.keyboard.press("Tab")
            stop = page.evaluate(FOCUSED)
            if stop is None:
                break
            stops.append(stop)
        assert 5 < len(stops) < MOST_STOPS
        assert [stop["what"] for stop in stops if not (stop["follows"] and stop["seen"])] == []
        assert len({stop["where"] for stop in stops}) == 1

"""The moderators' desk, which is Django's admin in our words: axe finds nothing on the pages they use."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.administrator import sign_in_as_administrator
from tests.browser.conftest import NewPage, Watch
from tests.browser.eyes.pages import LANGUAGES, findings, listed, speak
from tests.conftest import Launcher
from tests.helpers import accounts
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer

PAGES = [
    *("/admin/", "/admin/lobby/report/", "/admin/lobby/report/{report}/change/", "/admin/lobby/chatline/"),
    *("/admin/lobby/user/", "/admin/lobby/user/{person}/change/", "/admin/lobby/table/"),
    *("/admin/lobby/appeal/", "/admin/lobby/appeal/{appeal}/change/", "/admin/admin/logentry/"),
]


DJANGOS = "help-tooltip search-label-icon"
"""A sign in Django's widget for groups and rights, drawn by its script: it has a name and no role."""


def reported() -> dict[str, int]:
    """Call it inside: somebody said a thing that another has reported, was banned and appeals."""
    from django.utils import timezone

    from lobby.appeals import appeals
    from lobby.chat.models import ChatLine, Report
    from lobby.moderation import moderation
    from lobby.people.models import User
    from lobby.ratings.models import Rating

    speaker, reader = (User.objects.get(username=name) for name in ("Ulno", "Artjom"))
    line = ChatLine.objects.create(user=speaker, room=ChatLine.Room.LOBBY, text="something rude")
    report = Report.objects.create(reporter=reader, about=speaker, line=line, reason="It is rude.")
    figures = {"rating": 1500, "deviation": 60, "volatility": 0.06, "matches": 9, "updated": timezone.now()}
    Rating.objects.create(user=speaker, game="kalah", family="circle", pool="two", **figures)
    moderation.ban(User.objects.get(is_superuser=True), speaker, "Rude words.")
    appeal = appeals.appeal(speaker, "I did not mean it.")
    return {"report": report.pk, "person": speaker.pk, "appeal": appeal.pk}


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"))


@pytest.fixture
def desk(new_page: NewPage, server: ParlourServer) -> Page:
    return sign_in_as_administrator(new_page, server)


def test_the_pages_that_moderators_use(
    desk: Page, server: ParlourServer, watch: Watch, picture: Callable[[Page, str], None]
) -> None:
    # A style set as an attribute, which our policy refuses, and a sheet without an address.
    watch.allow("Applying inline style|load preload assets")
    accounts.registered(server, "Ulno", "Artjom")
    known = subprocess_call.call(server.database_url, reported)
    found = []
    for language in LANGUAGES:
        speak(desk, language)
        for path in PAGES:
            desk.goto(path.format(**known))
            expect(desk.locator("html")).to_have_attribute("lang", language)
            found += [
                each for each in findings(desk, language) if not all(DJANGOS in html for html in each[-1])
            ]
    desk.goto(f"/admin/lobby/user/{known['person']}/change/")
    desk.locator("button[value=agreement]").click()
    expect(desk.locator("#content table")).to_be_visible()
    found += findings(desk)
    picture(desk, "admin-agreement")
    assert not found, listed(found)

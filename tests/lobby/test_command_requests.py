"""Every command of the API and of pages, over HTTP: sent again it changes nothing, and another one with its
key is refused. A command that is added without a case here fails a test.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.test import Client
from django.urls import reverse

from config.api import api
from games.api.scopes import SCOPES
from games.domain.terms import Terms
from games.play import begin
from games.puzzles import collection
from lobby.classes import classes
from lobby.clubs import views as clubs
from lobby.clubs.models import Announcement
from lobby.commands import CommandUsed
from lobby.evenings import views as evenings
from lobby.homework import homework
from lobby.homework.forms import FORMS
from lobby.ladders import views as ladders
from lobby.people.models import User
from lobby.studies import views as studies
from lobby.tables import tables
from lobby.tables.terms import TableTerms
from lobby.tokens import tokens
from lobby.tournaments import views as tournaments
from lobby.webhooks.events import EVENTS
from tests.helpers.ladders import TwoLadders
from tests.helpers.studies import file, study_of
from tests.helpers.tournaments import CIRCLE, command
from tests.lobby.test_commands import KEY, World, stored

TEMPLATES = Path(__file__).parents[2] / "templates"

PAGE_ONLY = {"POST /clubs/{club_id}/hand-over", "POST /clubs/{club_id}/dissolve"}
"""Operations that are refused to all programs."""
IN_CHAPTERS = {"POST /studies/{study_id}/chapters/{chapter_id}/operations"}
"""Their ids belong to a user of a chapter and are stored with its operations (docs/reference/protocol.md)."""
IN_MATCHES = {"POST /matches/{match_id}/commands"}
"""Their ids belong to a seat of a match and are stored with its plies (docs/reference/protocol.md)."""


@pytest.fixture
def world(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    settings.TOURNAMENTS_PER_PERSON = settings.EVENINGS_PER_HOST = 20
    settings.CLASSES = "open"
    return World(monkeypatch)


def api_commands() -> set[str]:
    """The operations with an `id` in their body."""
    document = api.get_openapi_schema()
    found = set()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            body = content.get("schema", {})
            while "$ref" in body:
                body = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]
            bodies = [body, *body.get("anyOf", ()), *body.get("oneOf", ())]
            if any("id" in each.get("properties", {}) or "$ref" in each for each in bodies):
                found.add(f"{method.upper()} {path.removeprefix('/api/v1')}")
    return found


class Request(NamedTuple):
    """A request of a user with a key, and another one: to another address, or with other values."""

    user: User
    path: str
    values: dict[str, Any]
    other_path: str
    other_values: dict[str, Any]


def api_cases(world: World) -> dict[str, Request]:
    ada, bo, dan, eve = world.ada, world.bo, world.dan, world.eve
    club, other_club = (each.pk for each in world.clubs)
    cup, other_cup = (each.pk for each in world.open)
    running, other_running = (each.pk for each in world.running)
    battle, other_battle = (each.pk for each in world.battles)
    match = begin.create("kalah", CIRCLE, [ada, bo], 0, Terms()).pk
    (study, other_study), kept = (each.pk for each in world.studies), json.loads(file())
    said, said_there = (Announcement.objects.get(club=each).pk for each in world.clubs)
    plan = {"name": "Cup", "game": "kalah", "format": "swiss", "rounds": 3}
    board = {"round": 1, "table": 1, "why": "Late"}

    def there(who: User, to: str, /, **values: Any) -> Request:
        """The other one is about the other club or tournament."""
        one, two = {
            "clubs": (club, other_club),
            "tournaments": (cup, other_cup),
            "running": (running, other_running),
            "battles": (battle, other_battle),
            "matches": tuple(each.pk for each in world.team_matches),
        }[to.partition("/")[0]]
        folder = "clubs" if to.startswith("clubs") else "tournaments"
        act = to.partition("/")[2]
        return Request(who, f"/{folder}/{one}{act}", values, f"/{folder}/{two}{act}", values)

    def other(who: User, path: str, values: dict[str, Any], /, **changes: Any) -> Request:
        return Request(who, path, values, path, {**values, **changes})

    return {
        "POST /clubs": other(eve, "/clubs", {"name": "One"}, name="Two"),
        "PUT /clubs/{club_id}": there(ada, "clubs/", name="One"),
        "POST /clubs/{club_id}/join": there(eve, "clubs//join"),
        "POST /clubs/{club_id}/leave": there(bo, "clubs//leave"),
        "POST /clubs/{club_id}/consent": there(bo, "clubs//consent", agreed=True),
        "POST /clubs/{club_id}/requests": there(ada, "clubs//requests", name="Dan", accepted=True),
        "POST /clubs/{club_id}/remove": there(ada, "clubs//remove", name="Bo"),
        "POST /clubs/{club_id}/let-in": there(ada, "clubs//let-in", name="Cleo"),
        "POST /clubs/{club_id}/role": there(ada, "clubs//role", name="Bo", role="organiser"),
        "POST /clubs/{club_id}/link": there(ada, "clubs//link"),
        "POST /clubs/{club_id}/announcements": other(
            ada, f"/clubs/{club}/announcements", {"text": "Tea"}, text="Cake"
        ),
        "POST /clubs/{club_id}/withdraw": Request(
            *(ada, f"/clubs/{club}/withdraw", {"number": said}),
            *(f"/clubs/{other_club}/withdraw", {"number": said_there}),
        ),
        "POST /tournaments": other(ada, "/tournaments", plan, rounds=2),
        "PATCH /tournaments/{tournament_id}": other(ada, f"/tournaments/{cup}", {"name": "Cup"}, name="Bowl"),
        "POST /tournaments/{tournament_id}/enter": there(eve, "tournaments//enter"),
        "POST /tournaments/{tournament_id}/withdraw": there(bo, "tournaments//withdraw"),
        "POST /tournaments/{tournament_id}/bye": other(bo, f"/tournaments/{cup}/bye", {"round": 1}, round=2),
        "POST /tournaments/{tournament_id}/start": there(ada, "tournaments//start"),
        "POST /tournaments/{tournament_id}/pause": there(ada, "running//pause", paused=True),
        "POST /tournaments/{tournament_id}/admit": other(
            ada, f"/tournaments/{world.simul.pk}/admit", {}, admitted=False
        ),
        "POST /tournaments/{tournament_id}/remove": there(ada, "running//remove", name="Bo", why="Rude"),
        "POST /tournaments/{tournament_id}/decide": other(
            ada, f"/tournaments/{running}/decide", {**board, "points": [1, 0]}, points=[0, 1]
        ),
        "POST /tournaments/{tournament_id}/cancel": there(ada, "tournaments//cancel", why="Rain"),
        "POST /tournaments/{tournament_id}/invite": there(ada, "battles//invite", club=other_club),
        "POST /tournaments/{tournament_id}/uninvite": there(ada, "battles//uninvite", club=world.invited.pk),
        "POST /tournaments/{tournament_id}/answer": there(
            eve, "battles//answer", club=world.invited.pk, accepted=True
        ),
        "POST /tournaments/{tournament_id}/lineup": there(ada, "matches//lineup", club=club, players=["Bo"]),
        "POST /matches/{match_id}/chat": other(
            ada, f"/matches/{match}/chat", {"room": "players", "text": "Hello"}, text="Bye"
        ),
        "POST /inbox/{name}": other(dan, "/inbox/Ada", {"text": "Hello"}, text="Bye"),
        "POST /studies": other(eve, "/studies", {"study": kept}, study={**kept, "title": "Other"}),
        "PATCH /studies/{study_id}": other(
            ada, f"/studies/{study}", {"title": "One", "visibility": "public"}, visibility="unlisted"
        ),
        "POST /studies/{study_id}/delete": Request(
            ada, f"/studies/{study}/delete", {}, f"/studies/{other_study}/delete", {}
        ),
        "POST /studies/{study_id}/chapters": Request(
            *(ada, f"/studies/{study}/chapters", {"study": kept}),
            *(f"/studies/{other_study}/chapters", {"study": kept}),
        ),
        "POST /vacation": other(eve, "/vacation", {"days": 7}, days=8),
        "POST /vacation/end": Request(bo, "/vacation/end", {}, "/vacation", {"days": 7}),
    }


def ladder_cases(two: TwoLadders, pages: bool) -> dict[str, Request]:
    """The commands on the ladder of a club by their last words; the other one is on another ladder."""
    one, other = (each.slug if pages else each.pk for each in two.clubs)
    prefix, set_up = ("/club", "/edit") if pages else ("/clubs", "")
    days = {"answer_days": "3", "play_days": "9", "idle_days": "0", "seats": "2"} if pages else {}
    plan = {"game": "kalah", "preset": "circle", "clock": "5+3", **days}
    answers = {"accept": {}, "decline": {}} if pages else {"answer": {"accepted": True}}
    said: dict[str, tuple[User, dict[str, Any]]] = {
        **{"join": (two.hal, {}), "leave": (two.fay, {}), "challenge": (two.gus, {"name": "Fay"})},
        **{"withdraw": (two.ivy, {}), "play": (two.jon, {}), "close": (two.lea, {})},
        **{act: (two.max, values) for act, values in answers.items()},
    }
    found = {
        act: Request(user, f"{prefix}/{one}/ladder/{act}", values, f"{prefix}/{other}/ladder/{act}", values)
        for act, (user, values) in said.items()
    }
    address = f"{prefix}/{one}/ladder{set_up}"
    return {**found, "": Request(two.lea, address, plan, address, {**plan, "clock": "3+2"})}


def ladder_operations() -> dict[str, str]:
    """The operations on ladders by their last words."""
    acts = ("join", "leave", "challenge", "withdraw", "answer", "play", "close")
    return {
        "PUT /clubs/{club_id}/ladder": "",
        **{f"POST /clubs/{{club_id}}/ladder/{act}": act for act in acts},
    }


def test_every_command_of_the_api_has_a_case(world: World) -> None:
    cases = {*api_cases(world), *ladder_operations()}
    assert api_commands() == cases | PAGE_ONLY | IN_MATCHES | IN_CHAPTERS


@pytest.mark.parametrize("operation", sorted(api_commands() - PAGE_ONLY - IN_MATCHES - IN_CHAPTERS))
def test_command_of_the_api_again_is_answered_alike_and_another_is_refused(
    world: World, operation: str
) -> None:
    User.objects.update(preferences={"messages": "everyone"})
    if operation in ladder_operations():
        case = ladder_cases(TwoLadders(), pages=False)[ladder_operations()[operation]]
    else:
        case = api_cases(world)[operation]
    client = Client(headers={"Authorization": f"Bearer {tokens.make(case.user, 'program', SCOPES)}"})

    def send(path: str, values: dict[str, Any]) -> Any:
        ask = getattr(client, operation.partition(" ")[0].lower())
        return ask(f"/api/v1{path}", {"id": KEY, **values}, content_type="application/json")

    first = send(case.path, case.values)
    assert first.status_code < 300, first.content
    after = stored_but_tokens()
    again = send(case.path, case.values)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert stored_but_tokens() == after
    refused = send(case.other_path, case.other_values)
    assert (refused.status_code, refused.json()["code"]) == (409, "command-used")
    assert stored_but_tokens() == after


def stored_but_tokens() -> dict[str, Any]:
    """Every row of the lobby; a token notes when it was used."""
    return {name: rows for name, rows in stored().items() if name != "Token"}


def page_commands() -> set[str]:
    """The names of the addresses to which pages send forms with a key."""
    found = set()
    for template in TEMPLATES.rglob("*.html"):
        for form in re.findall(r"<form\b.*?</form>", template.read_text(), re.DOTALL):
            if "{% form_key %}" in form:
                named = re.search(r'action="{% url "([\w-]+)"', form)
                name = template.relative_to(TEMPLATES).as_posix()
                found |= {named[1]} if named else WITHOUT_NAME[name]
    return found


WITHOUT_NAME = {
    "parts/_act.html": {
        *(f"class-{act}" for act in ("accept", "leave", "new-card", "open", "close")),
        *(f"class-{act}" for act in ("stop", "ladder", "no-ladder")),
        *(f"class-{act}" for act in ("take-back", "read", "keep")),
        *(f"club-{act}" for act in clubs.ACTIONS),
        *(f"club-ladder-{act}" for act in ladders.ACTIONS),
        *(f"evening-{act}" for act in evenings.ACTIONS),
        *(f"study-{act}" for act in studies.ACTIONS),
        *(f"tournament-{act}" for act in tournaments.ACTIONS),
    },
    "homework/homework.html": {f"class-give-{kind}" for kind in FORMS},
    "clubs/edit.html": {"new-club", "edit-club"},
    "ladders/edit.html": {"club-ladder-edit"},
    "tournaments/new.html": {"new-tournament-at", "tournament-edit"},
    "forms/new_table.html": {"new-table", "challenge-at"},
    "forms/one_board.html": {"play-together"},
    "programs/hooks.html": {"hooks"},
}
"""The addresses of forms that do not name one, by template."""


def page_cases(world: World) -> dict[str, Request]:
    ada, bo, eve = world.ada, world.bo, world.eve
    club, other_club = (each.slug for each in world.clubs)
    said, said_there = (str(Announcement.objects.get(club=each).pk) for each in world.clubs)
    cup, other_cup = (each.pk for each in world.open)
    running, other_running = (each.pk for each in world.running)
    battles = [each.pk for each in world.battles]
    team_matches = [each.pk for each in world.team_matches]
    invited = world.invited.pk
    code, other_code = (each.code for each in world.evenings)
    here, elsewhere = (each.code for each in world.classes)
    pupil = str(world.pupils[0])
    opened, other_opened = (classes.make(ada, title, command()).code for title in ("5e", "5f"))
    for each in (opened, other_opened):
        classes.let_in(ada, each, command())
    course, to_read = (str(piece.pk) for piece in homework.of(world.classes[0]))
    due = {"due": "2099-01-31"}
    one_set, other_set = (
        f"/puzzles/kalah?set={puzzle.key}" for puzzle in list(collection.by_game()["kalah"].values())[:2]
    )
    study, other_study = (each.pk for each in world.studies)
    shown = study_of(ada, "public").pk
    chapter, next_chapter = (str(each.pk) for each in world.studies[0].chapters.all())
    assert world.guest is not None
    guest = str(world.guest.user_id)
    other_guest = str(world.evenings[0].people.exclude(user=guest)[0].user_id)  # type: ignore[misc]
    matches = [begin.create("kalah", CIRCLE, [ada, bo], 0, Terms()).pk for _ in range(2)]
    unlisted = TableTerms(listed=False)
    waiting = [tables.set_table(bo, "kalah", CIRCLE, 2, "host", unlisted).pk for _ in range(2)]
    table = {"preset": "circle", "seats": "2", "first": "host"}
    plan = {
        **{"title": "Evening", "format": "swiss", "rounds": "3", "preset": "circle", "clock": "5+3"},
        **{"computer": "0", "zone": "Europe/Tallinn"},
    }
    board = {"round": "1", "table": "1", "seats": "2", "why": "Late", "result": "0"}
    hook = {"url": "https://example.org/one", "events": [*EVENTS]}

    def there(who: User, to: str, one: str, two: str, /, **values: str) -> Request:
        return Request(who, reverse(to, args=[one]), values, reverse(to, args=[two]), values)

    def other(who: User, to: str, at: list[str], values: dict[str, Any], /, **changes: Any) -> Request:
        path = reverse(to, args=at)
        return Request(who, path, values, path, {**values, **changes})

    return {
        "new-club": other(eve, "new-club", [], {"name": "One", "joining": "open"}, name="Two"),
        "edit-club": other(
            ada, "edit-club", [club], {"name": "Harbour club", "joining": "open"}, about="Tea"
        ),
        "club-join": there(eve, "club-join", club, other_club),
        "club-leave": there(bo, "club-leave", club, other_club),
        "club-accept": there(ada, "club-accept", club, other_club, name="Dan"),
        "club-decline": there(ada, "club-decline", club, other_club, name="Dan"),
        "club-remove": there(ada, "club-remove", club, other_club, name="Bo"),
        "club-let-in": there(ada, "club-let-in", club, other_club, name="Cleo"),
        "club-role": there(ada, "club-role", club, other_club, name="Bo", role="organiser"),
        "club-hand-over": there(ada, "club-hand-over", club, other_club, name="Bo"),
        "club-take-over": there(bo, "club-take-over", club, other_club),
        "club-end-offer": there(bo, "club-end-offer", club, other_club),
        "club-link": there(ada, "club-link", club, other_club),
        "club-consent": there(bo, "club-consent", club, other_club, agreed="yes"),
        "club-archive-delete": there(ada, "club-archive-delete", club, other_club),
        "club-announce": other(ada, "club-announce", [club], {"text": "Tea"}, text="Cake"),
        "club-withdraw": other(ada, "club-withdraw", [club], {"number": said}, number=said_there),
        "club-dissolve": there(ada, "club-dissolve", club, other_club),
        "new-tournament-at": other(ada, "new-tournament-at", ["kalah"], plan, rounds="2"),
        "tournament-edit": other(ada, "tournament-edit", [cup], plan, rounds="2"),
        "tournament-enter": there(eve, "tournament-enter", cup, other_cup),
        "tournament-withdraw": there(bo, "tournament-withdraw", cup, other_cup),
        "tournament-bye": other(bo, "tournament-bye", [cup], {"round": "1"}, round="2"),
        "tournament-start": there(ada, "tournament-start", cup, other_cup),
        "tournament-pause": there(ada, "tournament-pause", running, other_running),
        "tournament-resume": there(ada, "tournament-resume", running, other_running),
        "tournament-admit": other(ada, "tournament-admit", [world.simul.pk], {"name": ""}, admitted="no"),
        "tournament-remove": there(ada, "tournament-remove", running, other_running, name="Bo", why="Rude"),
        "tournament-decide": other(ada, "tournament-decide", [running], board, result="1"),
        "tournament-cancel": there(ada, "tournament-cancel", cup, other_cup, why="Rain"),
        "tournament-invite": there(ada, "tournament-invite", *battles, name=world.clubs[1].name),
        "tournament-uninvite": there(ada, "tournament-uninvite", *battles, club=invited),
        "tournament-accept": there(eve, "tournament-accept", *battles, club=invited),
        "tournament-decline": there(eve, "tournament-decline", *battles, club=invited),
        "tournament-lineup": there(
            ada, "tournament-lineup", *team_matches, club=world.clubs[0].pk, board="Bo"
        ),
        "open-evening": other(eve, "open-evening", [], {"game": "kalah", "minutes": "90"}, minutes="60"),
        "evening-join": there(bo, "evening-join", code, other_code),
        "evening-add": other(ada, "evening-add", [code], {"name": "Uncle"}, name="Aunt"),
        "evening-remove": other(ada, "evening-remove", [code], {"person": guest}, person=other_guest),
        "evening-rename": other(ada, "evening-rename", [code], {"person": guest, "name": "Nan"}, name="Nana"),
        "evening-plan": other(ada, "evening-plan", [code], {"game": "kalah", "minutes": "60"}, minutes="45"),
        "evening-draw": there(ada, "evening-draw", code, other_code),
        "evening-start": there(ada, "evening-start", code, other_code),
        "new-table": other(ada, "new-table", ["kalah"], table, first="other"),
        "challenge-at": other(ada, "challenge-at", ["Bo", "kalah"], table, first="other"),
        "play-computer-at": other(ada, "play-computer-at", ["kalah"], {**table, "level": "1"}, level="2"),
        "play-computer-now": there(ada, "play-computer-now", "kalah", "cantstop"),
        "play-together": other(ada, "play-together", ["kalah"], {**table, "name_0": "Ann"}, name_0="Bea"),
        "play-together-now": there(ada, "play-together-now", "kalah", "cantstop"),
        "same-as": there(ada, "same-as", *matches),
        "invite": there(bo, "invite", *waiting),
        "tokens": other(ada, "tokens", [], {"name": "bot", "scopes": ["read"]}, name="other bot"),
        "hooks": other(ada, "hooks", [], hook, url="https://example.org/two"),
        "make-class": other(ada, "make-class", [], {"title": "5c"}, title="5d"),
        "class-add": other(ada, "class-add", [here], {"names": "Tiit"}, names="Tõnu"),
        "class-rename": other(ada, "class-rename", [here], {"pupil": pupil, "name": "Mai"}, name="Maie"),
        "class-move": other(ada, "class-move", [here], {"pupil": pupil, "to": elsewhere}, to=here),
        "class-new-card": there(ada, "class-new-card", here, elsewhere, pupil=pupil),
        "class-open": there(ada, "class-open", here, elsewhere),
        "class-close": there(ada, "class-close", opened, other_opened),
        "class-change": other(ada, "class-change", [here], {"title": "6a"}, title="6b"),
        "class-invite": other(ada, "class-invite", [here], {"name": "Cleo"}, name="Dan"),
        "class-round": other(ada, "class-round", [here], {"game": "kalah", "level": "0"}, game="morris"),
        **{
            f"class-{act}": there(ada, f"class-{act}", here, elsewhere)
            for act in ("stop", "ladder", "no-ladder", "keep")
        },
        "class-end": other(ada, "class-end", [here], {"kind": "archive", "confirmed": "on"}, kind="erase"),
        "class-give-puzzles": other(
            ada, "class-give-puzzles", [here], {**due, "link": one_set}, link=other_set
        ),
        "class-give-course": other(ada, "class-give-course", [here], {**due, "game": "kalah"}, game="aces"),
        "class-give-study": other(
            ada, "class-give-study", [here], {**due, "study": shown}, study=study_of(ada, "public").pk
        ),
        "class-give-matches": other(
            *(ada, "class-give-matches", [here], {**due, "game": "kalah", "level": "1", "count": "3"}),
            count="4",
        ),
        "class-take-back": other(ada, "class-take-back", [here], {"piece": course}, piece=to_read),
        "class-read": other(world.pupil, "class-read", [here], {"piece": to_read}, piece=course),
        "class-accept": there(bo, "class-accept", here, elsewhere),
        "class-leave": there(bo, "class-leave", here, elsewhere),
        "new-study": other(eve, "new-study", [], {"game": "kalah"}, game="morris"),
        "study-change": other(
            ada, "study-change", [study], {"title": "One", "visibility": "public"}, title="Two"
        ),
        "study-delete": there(ada, "study-delete", study, other_study),
        "study-copy": Request(
            eve, reverse("study-copy", args=[shown]), {}, reverse("new-study"), {"game": "kalah"}
        ),
        "study-member": other(ada, "study-member", [study], {"name": "Bo", "role": "write"}, role="read"),
        "study-remove": there(ada, "study-remove", study, other_study, name="Bo"),
        "study-add": there(ada, "study-add", study, other_study, title="End"),
        "study-rename": other(ada, "study-rename", [study], {"chapter": chapter, "title": "A"}, title="B"),
        "study-drop": other(ada, "study-drop", [study], {"chapter": chapter}, chapter=next_chapter),
        "vacation": other(eve, "vacation", [], {"days": "7"}, days="8"),
        "end-vacation": Request(bo, reverse("end-vacation"), {}, reverse("vacation"), {"days": "7"}),
    }


OF_VISITORS = {"class-join"}
"""Forms that only visitors have (tests/lobby/classes/test_entrance.py)."""


def ladder_pages() -> dict[str, str]:
    """The names of the addresses of ladders, with their last words."""
    return {"club-ladder-edit": "", **{f"club-ladder-{act}": act for act in (*ladders.ACTIONS, "close")}}


def test_every_form_with_a_key_has_a_case(world: World) -> None:
    assert page_commands() == {*page_cases(world), *ladder_pages(), *OF_VISITORS}


@pytest.mark.parametrize("name", sorted(page_commands() - OF_VISITORS))
def test_form_sent_again_is_answered_alike_and_another_is_refused(world: World, name: str) -> None:
    if name in ladder_pages():
        case = ladder_cases(TwoLadders(), pages=True)[ladder_pages()[name]]
    else:
        case = page_cases(world)[name]
    client = logged_in(case.user)
    before = stored()
    first = client.post(case.path, {"key": KEY, **case.values})
    after = stored()
    assert after != before
    again = client.post(case.path, {"key": KEY, **case.values})
    assert stored() == after
    if name != "tokens":
        # A token is shown only once.
        assert (again.status_code, again.headers.get("Location")) == (
            *(first.status_code, first.headers.get("Location")),
        )
    refused = client.post(case.other_path, {"key": KEY, **case.other_values})
    assert stored() == after
    if refused.status_code == 302:
        refused = client.get(refused["Location"])
    assert CommandUsed().words in refused.content.decode()


def logged_in(user: User) -> Client:
    """A browser in which a user has just typed the password."""
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    session = client.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": time.time()}]
    session.save()
    return client


@pytest.mark.parametrize("name", ["open-evening", "evening-join", "tournament-enter", "new-table"])
def test_form_of_a_visitor_sent_again_makes_one_guest(world: World, name: str) -> None:
    world.open[0].guests = True
    world.open[0].save()
    case = page_cases(world)[name]
    client, guests = Client(), User.objects.filter(is_guest=True).count()
    client.get("/")
    values = {"key": KEY, **case.values, **({"name": "Tom"} if name == "evening-join" else {})}
    answers = []
    for _ in range(2):
        cookies = client.cookies.copy()
        answers.append(client.post(case.path, values))
        # The second press comes before the answer to the first.
        client.cookies = cookies  # type: ignore[assignment]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert User.objects.filter(is_guest=True).count() == guests + 1

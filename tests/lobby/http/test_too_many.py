"""Who does something too often is answered with 429, the reason and when to come back."""

import pytest
from django.test import Client

from games.net.limits import Buckets
from games.pages import files
from games.registry import GAMES
from lobby.accounts import guests
from lobby.moderation import reports
from lobby.people import views as people
from lobby.people.models import User
from lobby.profiles import matches_file
from lobby.tables import challenges, computers, solo
from lobby.tables.table_template import Plan
from lobby.tables.terms import TableTerms
from lobby.tables.views import one_board
from lobby.webhooks import hooks
from lobby.webhooks.models import Hook

pytestmark = pytest.mark.django_db

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
FORM = {"preset": "circle", "seats": "2", "first": "host"}


@pytest.fixture
def client(ulno):
    browser = Client()
    browser.force_login(ulno)
    return browser


@pytest.fixture
def nothing_left(monkeypatch):
    """Takes all that a limit allows."""

    def take(room, name):
        monkeypatch.setattr(room, name, Buckets(rate=1e-6, burst=0))

    return take


def refused(answer, seconds, sentence):
    assert (answer.status_code, answer["Retry-After"]) == (429, seconds), answer.text[:300]
    assert sentence in answer.text


def test_matches_against_the_computer(client, nothing_left):
    nothing_left(computers, "seatings")
    sentence = "Too many new matches against the computer."
    refused(client.post("/computer/kalah/now"), "6", sentence)


def test_the_same_match_against_the_computer_again(client, ulno, nothing_left):
    match = solo.play(ulno, Plan("kalah", CIRCLE, 2, "host", TableTerms(), (1,)))
    nothing_left(computers, "seatings")
    refused(client.post(f"/m/{match.pk}/again"), "6", "Too many new matches against the computer.")


def test_matches_at_one_board(client, nothing_left):
    nothing_left(one_board, "begun")
    refused(client.post("/together/kalah/now"), "6", "Too many new matches from your network.")


def test_challenges(client, artjom, nothing_left):
    nothing_left(challenges, "of_pair")
    answer = client.post("/challenge/Artjom/kalah", FORM)
    refused(answer, "300", "Too many challenges.")
    assert 'name="preset"' in answer.text


def test_searches_for_people(client, nothing_left):
    nothing_left(people, "searches")
    refused(client.get("/people?find=a"), "2", "Too fast.")


def test_new_names(nothing_left):
    guest = User.objects.create_user("Calm-Heron", is_guest=True)
    browser = Client()
    browser.force_login(guest)
    nothing_left(guests, "_names_chosen")
    refused(browser.post("/settings/name", {"username": "Bold-Otter"}), "600", "Too many name changes")


def test_new_guests(nothing_left):
    nothing_left(guests, "guests")
    refused(Client().post("/guest"), "60", "Too many new guests from your network")


def test_reports(client, artjom, monkeypatch):
    monkeypatch.setattr(reports, "MOST_A_DAY", 0)
    refused(client.post("/people/Artjom/report", {"reason": "rude"}), "3600", "many reports today")


def test_messages_to_webhooks(client, ulno, nothing_left):
    hook = Hook.objects.create(user=ulno, url="https://elsewhere.example/", events=[], site="")
    nothing_left(hooks, "asked")
    refused(client.post(f"/settings/webhooks/{hook.pk}/ping"), "10", "Too fast.")


def test_files_of_all_matches(client, nothing_left):
    nothing_left(matches_file, "downloads")
    refused(client.get("/@/Ulno/matches.json"), "30", "Too many downloads.")


def test_files_to_be_checked(client, nothing_left):
    nothing_left(files, "readings")
    refused(client.post("/replay", {"text": "{}"}), "5", "")


@pytest.mark.parametrize(
    ("action", "address", "sentence"),
    [
        ("signup", "/accounts/signup/", "Too many sign-ups"),
        ("login", "/accounts/login/", "Too many logins"),
        ("reset_password", "/accounts/password/reset/", "Too many password resets"),
        ("change_password", "/accounts/password/change/", "Too many attempts"),
        ("manage_email", "/accounts/email/", "Too many attempts"),
    ],
)
def test_allauth_limit_answered_with_429(client, settings, action, address, sentence):
    per = "user" if action in ("change_password", "manage_email") else "ip"
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, action: f"0/m/{per}"}
    answer = client.post(address, {"email": "ulno@example.com"})
    refused(answer, "60", sentence)

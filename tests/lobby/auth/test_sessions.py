"""Where somebody is signed in: listed for them alone, and ended from any of their browsers."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from games.net.sessions import sessions
from lobby.accounts import deletion
from lobby.accounts.export import everything_about
from lobby.people.models import User
from lobby.templatetags import people

PASSWORD = "a quiet evening"
PAGE = "/accounts/sessions/"
ON_A_PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
ON_A_DESK = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36"
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def account():
    return User.objects.create_user("Ulno", password=PASSWORD)


@pytest.fixture
def told(monkeypatch):
    """Whose sockets are closed, and by which session."""
    heard = []
    monkeypatch.setattr(sessions, "sign_out", lambda user, session, **_: heard.append((user, session)))
    return heard


def signed_in(user, user_agent):
    browser = Client(headers={"user-agent": user_agent})
    browser.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert is_in(browser)
    return browser


def is_in(browser):
    return browser.get("/settings/tokens").status_code == 200


@pytest.fixture
def desk(account):
    return signed_in(account, ON_A_DESK)


@pytest.fixture
def phone(account):
    return signed_in(account, ON_A_PHONE)


def number_of(browser):
    return UserSession.objects.get(session_key=browser.session.session_key).pk


def test_every_browser_is_listed_in_words(desk, phone):
    text = desk.get(PAGE).text
    assert "Chrome on Linux" in text
    assert "Firefox on Android" in text
    assert text.count("this browser") == 1


def test_the_settings_lead_there(desk):
    assert f'href="{PAGE}"' in desk.get("/settings").text


def test_session_ended_closes_its_sockets(account, desk, phone, told):
    other, key = signed_in(account, ON_A_PHONE), phone.session.session_key
    desk.post(f"/settings/sessions/{number_of(phone)}/end")
    assert not is_in(phone)
    assert is_in(desk)
    assert is_in(other)
    assert told == [(account.pk, key)]


def test_all_others_are_ended_at_once(account, desk, phone, told):
    key = phone.session.session_key
    desk.post(PAGE)
    assert (is_in(desk), is_in(phone)) == (True, False)
    assert told == [(account.pk, key)]


def test_sessions_of_others_neither_listed_nor_ended(desk, told):
    artjom = User.objects.create_user("Artjom", password=PASSWORD)
    theirs = signed_in(artjom, ON_A_PHONE)
    assert "Firefox" not in desk.get(PAGE).text
    desk.post(f"/settings/sessions/{number_of(theirs)}/end")
    assert is_in(theirs)
    assert told == []


def test_session_end_by_get_not_allowed(desk, phone):
    assert desk.get(f"/settings/sessions/{number_of(phone)}/end").status_code == 405
    assert is_in(phone)


def test_sessions_exported_and_deleted_with_account(account, desk):
    (known,) = everything_about(account)["account"]["sessions"]
    assert (known["ip"], known["user_agent"]) == ("127.0.0.1", ON_A_DESK)
    deletion.forget(account.pk)
    assert not UserSession.objects.exists()


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (ON_A_PHONE, "Firefox on Android"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Version/18.4 Safari/604.1",
            "Safari on iPhone",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/141.0 Safari/537.36 Edg/141.0", "Edge on Windows"),
        ("curl/8.5.0", "An unknown browser"),
        ("", "An unknown browser"),
        ("<script>Firefox/1", "Firefox"),
    ],
)
def test_a_browser_in_words(user_agent, words):
    assert people.browser_in_words(user_agent) == words

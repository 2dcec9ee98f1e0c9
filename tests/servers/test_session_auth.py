"""Who opens a socket, as its scope says once it is known."""

import asyncio

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.test import Client

from config.middleware.session_auth import SessionAuthMiddleware
from config.sessions import MOVED

pytestmark = pytest.mark.django_db(transaction=True)


def identified(*cookies):
    """The scope that the application behind is reached with."""
    reached = []

    async def application(scope, receive, send):
        reached.append(scope)

    said = "; ".join(f"{name}={value}" for name, value in cookies)
    headers = [(b"host", b"parlour.example")] + ([(b"cookie", said.encode())] if cookies else [])
    asyncio.run(SessionAuthMiddleware(application)({"type": "websocket", "headers": headers}, None, None))
    return reached[0]


@pytest.fixture
def cookie(ulno):
    """That of a session of Ulno's."""
    client = Client()
    client.force_login(ulno, backend=settings.AUTHENTICATION_BACKENDS[0])
    return settings.SESSION_COOKIE_NAME, client.cookies[settings.SESSION_COOKIE_NAME].value


def test_a_visitor_is_nobody_and_the_store_is_not_asked(monkeypatch):
    monkeypatch.setattr("config.middleware.session_auth.in_thread", None)
    scope = identified()
    assert (scope["user"].pk, scope["session"], scope["cookies"]) == (None, None, {})


def test_scope_of_signed_in_user(ulno, cookie):
    scope = identified(("language", "et"), cookie)
    assert scope["user"] == ulno
    assert scope["session"].session_key == cookie[1]
    assert scope["cookies"]["language"] == "et"


@pytest.mark.parametrize("key", ["", "nobody-ever-had-this-one", "Ünknown"])
def test_a_key_of_no_session_is_nobody(key):
    scope = identified((settings.SESSION_COOKIE_NAME, key))
    assert scope["user"].pk is None


def test_a_session_from_before_a_new_password_is_nobody(ulno, cookie):
    ulno.set_password("another quiet evening")
    ulno.save()
    assert identified(cookie)["user"].pk is None


@pytest.mark.parametrize("package", ["lobby.backends", "lobby.entrance.backends", "lobby.auth.backends"])
@pytest.mark.parametrize("backend", ["PasswordBackend", "AccountBackend"])
def test_session_of_a_moved_backend_is_still_signed_in(ulno, client, package, backend):
    client.force_login(ulno)
    session = client.session
    session[BACKEND_SESSION_KEY] = f"{package}.{backend}"
    session.save()
    assert client.get("/").wsgi_request.user == ulno
    assert identified((settings.SESSION_COOKIE_NAME, session.session_key))["user"] == ulno


def test_session_of_an_unknown_backend_is_nobody(ulno, client):
    client.force_login(ulno)
    session = client.session
    session[BACKEND_SESSION_KEY] = "elsewhere.PasswordBackend"
    session.save()
    assert identified((settings.SESSION_COOKIE_NAME, session.session_key))["user"].pk is None


def test_moved_backends_lead_to_present_ones():
    assert set(MOVED.values()) == set(settings.AUTHENTICATION_BACKENDS)

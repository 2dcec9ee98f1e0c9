"""What requests cost is charged to their user and address; beyond the limit they are refused."""

import time
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client

from config.middleware.request_costs import RequestCosts
from games.net import costs
from games.net.limits import Rate, limiter
from lobby.people.models import Relationship
from lobby.tokens import tokens

pytestmark = pytest.mark.django_db


@pytest.fixture
def limits(settings, monkeypatch):
    """The costs of a user and of an address, by default without limit."""
    settings.SOCKET_RATE = 10

    def limits(person="0", address="0"):
        monkeypatch.setattr(costs, "_of_person", limiter(Rate.parse(person)))
        monkeypatch.setattr(costs, "_of_address", limiter(Rate.parse(address)))

    return limits


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def test_page_of_user_in_debt_is_refused(limits, ulno, artjom):
    limits(person="1/10s")
    mine, theirs = client_of(ulno), client_of(artjom)
    assert [mine.get("/settings").status_code for _ in range(2)] == [200, 429]
    assert theirs.get("/settings").status_code == 200
    # On another device, too, once it is known whose session it is.
    other = client_of(ulno)
    other.get("/settings")
    refused = other.get("/settings")
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (429, True)
    assert "Too many requests" in refused.text


def test_form_of_user_in_debt_changes_nothing(limits, ulno, artjom):
    limits(person="1/10s")
    client = client_of(ulno)
    client.get("/settings")
    assert client.post(f"/people/{artjom.username}/follow").status_code == 429
    assert not Relationship.objects.exists()


def test_request_of_token_in_debt_is_refused(limits, ulno, artjom):
    limits(person="1/10s")
    mine, theirs = (f"Bearer {tokens.make(user, 'x', ['read'])}" for user in (ulno, artjom))
    asked = [Client().get("/api/v1/games", HTTP_AUTHORIZATION=token) for token in (mine, mine, theirs)]
    assert [answer.status_code for answer in asked] == [200, 429, 200]
    assert (asked[1].json()["code"], int(asked[1]["Retry-After"]) > 0) == ("too-many-requests", True)


def test_address_in_debt_is_refused(limits):
    limits(address="1/10s")
    pages = [
        Client(REMOTE_ADDR=address).get("/rules/kalah") for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2")
    ]
    assert [page.status_code for page in pages] == [200, 429, 200]


def test_processor_time_of_request_is_charged(rf, limits):
    # 200 ms of processor time. Two requests exceed it by more than flows back however long they take.
    limits(address="1000/1000s")

    def work(_request):
        ends = time.thread_time() + 0.15
        while time.thread_time() < ends:
            pass
        return HttpResponse()

    gate = RequestCosts(work)
    answers = [gate(rf.get("/")).status_code for _ in range(3)]
    assert answers == [200, 200, 429]


async def test_stream_is_charged_to_its_address(rf, limits):
    limits(address="1/10s")

    async def content():
        yield b"x" * 10 * 1024

    gate = RequestCosts(lambda _request: StreamingHttpResponse(content()))
    answer: Any = gate(rf.get("/"))
    assert gate(rf.get("/")).status_code == 200
    assert b"".join([part async for part in answer]) == b"x" * 10 * 1024
    assert gate(rf.get("/")).status_code == 429


def test_page_that_proxies_may_keep_does_not_look_at_the_session(rf, limits):
    limits(person="1/10s")
    sessions = []

    def page(request):
        sessions.append(SessionStore("unknown"))
        request.session = sessions[0]
        return HttpResponse()

    RequestCosts(page)(rf.get("/", HTTP_COOKIE="sessionid=unknown"))
    assert not sessions[0].accessed

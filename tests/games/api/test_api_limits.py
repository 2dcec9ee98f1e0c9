"""How many requests the interface answers, and how honest it is about it."""

from __future__ import annotations

import json
import time

import pytest
from django.http import HttpResponse
from django.test import Client

from config.api_middleware import LARGEST_BODY, ApiMiddleware
from lobby.tokens import tokens

pytestmark = pytest.mark.django_db


@pytest.fixture
def moment(monkeypatch):
    """The time, in seconds; it stands still."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def ask(rf, settings, moment):
    """Ask the gate for something, from an address and maybe with a token."""
    settings.API_RATE = 2.0
    door = ApiMiddleware(lambda request: HttpResponse("{}", content_type="application/json"))

    def send(token="", address="10.0.0.1", path="/api/v1/games"):
        headers = {"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}
        return door(rf.get(path, REMOTE_ADDR=address, **headers))

    return send


def left(answer):
    return {name: int(answer.headers[f"RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")}


def test_responses_state_remaining_requests(ask, moment):
    assert left(ask()) == {"Limit": 20, "Remaining": 19, "Reset": 1}
    for _ in range(9):
        answer = ask()
    assert left(answer) == {"Limit": 20, "Remaining": 10, "Reset": 5}
    moment[0] += 5
    assert left(ask()) == {"Limit": 20, "Remaining": 19, "Reset": 1}


def test_requests_above_limit_refused_until_retry_after(ask, moment):
    assert [ask().status_code for _ in range(21)] == [200] * 20 + [429]
    refused = ask()
    assert (refused.headers["Content-Type"], left(refused)["Remaining"]) == ("application/problem+json", 0)
    assert b'"too-many-requests"' in refused.content
    moment[0] += int(refused.headers["Retry-After"])
    assert ask().status_code == 200


def test_addresses_and_tokens_are_counted_apart(ask, ulno, artjom):
    mine, theirs = (tokens.make(user, "x", ["read"]) for user in (ulno, artjom))
    for _ in range(21):
        ask()
    assert ask().status_code == 429
    assert ask(address="10.0.0.2").status_code == 200
    assert left(ask(mine))["Remaining"] == 19
    assert left(ask(theirs, address="10.0.0.2"))["Remaining"] == 19


def test_invalid_tokens_counted_by_address(ask):
    answers = [ask(f"prl_{number}").status_code for number in range(21)]
    assert answers == [401] * 20 + [429]
    assert ask().status_code == 429


def test_large_body_is_refused_before_it_is_parsed(rf):
    parsed = []
    door = ApiMiddleware(lambda request: parsed.append(request) or HttpResponse())
    sizes = (LARGEST_BODY, LARGEST_BODY + 1, 10_000_000)
    answers = [door(rf.post("/api/v1/matches/x/commands", b"x" * size, "application/json")) for size in sizes]
    assert [answer.status_code for answer in answers] == [200, 413, 413]
    assert (len(parsed), json.loads(answers[1].content)["code"]) == (1, "too-large")


def test_pages_are_not_counted(ask):
    assert [ask(path="/").status_code for _ in range(30)] == [200] * 30


def test_responses_without_limit_have_no_headers(settings, rf):
    settings.API_RATE = 0
    door = ApiMiddleware(lambda request: HttpResponse())
    answers = [door(rf.get("/api/v1/games")) for _ in range(300)]
    assert {answer.status_code for answer in answers} == {200}
    assert "RateLimit-Limit" not in answers[0].headers


def test_cookies_are_taken_off(rf):
    seen = []
    door = ApiMiddleware(lambda request: seen.append(request.COOKIES) or HttpResponse())
    door(rf.get("/api/v1/games", HTTP_COOKIE="sessionid=x"))
    door(rf.get("/", HTTP_COOKIE="sessionid=x"))
    assert seen == [{}, {"sessionid": "x"}]


def test_exception_answered_as_problem(monkeypatch):
    def broken(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("games.api.routes._game", broken)
    answer = Client(raise_request_exception=False).get("/api/v1/games/kalah")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert answer.json()["code"] == "internal"

"""What holds at every address: no form of another site, no script but ours, nothing framed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.architecture.test_permissions import gave_second_factor, make_cast, make_things, no_limits
from tests.helpers.onlookers import Onlooker
from tests.helpers.routes import path, routes

__all__ = ["no_limits"]  # a fixture, for every test here as well

pytestmark = pytest.mark.django_db(transaction=True)

FRAMED = ("embed/<match_id>", "tournament/<tournament_id>/embed")
WITHOUT_FORMS = ("healthz", "readyz", "static/")
"""Answered before anybody asks what is sent."""
BY_PROGRAMS = ("api/", "mancala/")
"""For programs, which have no cookies here."""
BY_A_LINK = "reminders/stop/<token>"
"""The token of the link is all that it asks for."""


@pytest.fixture
def values() -> dict[str, Any]:
    return make_things(make_cast())[""]


@pytest.fixture
def administrator(values: Mapping[str, Any]) -> Client:
    """The browser of somebody who may do everything, which sends no token of a form."""
    from lobby.people.models import User

    onlooker = async_to_sync(Onlooker.of)(User.objects.get(username="admin"))
    async_to_sync(gave_second_factor)(onlooker)
    client = Client(enforce_csrf_checks=True)
    client.cookies = onlooker.client.cookies
    return client


def test_a_form_of_another_site_is_refused_wherever_it_is_sent(
    administrator: Client, values: Mapping[str, Any]
) -> None:
    answered = {
        route: administrator.post(path(route, values)).status_code
        for route in routes()
        if not route.startswith((*WITHOUT_FORMS, *BY_PROGRAMS)) and route != BY_A_LINK
    }
    assert len(answered) > 100
    assert {route: status for route, status in answered.items() if status != 403} == {}
    assert administrator.get("/admin/").status_code == 200


def test_a_cookie_is_of_no_use_where_programs_ask(administrator: Client, values: Mapping[str, Any]) -> None:
    for route in routes():
        if route.startswith("api/v1/"):
            for method in ("post", "put", "patch", "delete"):
                answer = getattr(administrator, method)(path(route, values), "{}", "application/json")
                assert answer.status_code in (401, 403, 404, 405, 422), (method, route)


def test_no_safe_request_writes(values: Mapping[str, Any]) -> None:
    """A visitor, a crawler or a preview of a link leaves nothing behind, whatever it opens."""
    from lobby.tables.models import Invite, Table

    table = Table.objects.get(pk=values["table_id"])
    token = Invite.objects.create(
        table=table, inviter=table.host, expires=timezone.now() + timedelta(days=1)
    ).pk
    wrote = {}
    for route in routes():
        for method in ("get", "head"):
            with CaptureQueriesContext(connection) as asked:
                getattr(Client(), method)(path(route, {**values, "token": token}))
            if any(query["sql"].startswith(("INSERT", "UPDATE", "DELETE")) for query in asked):
                wrote[method, route] = [query["sql"][:120] for query in asked]
    assert wrote == {}


def test_no_page_lets_scripts_or_frames_of_others_in(
    administrator: Client, values: Mapping[str, Any]
) -> None:
    pages = 0
    for route in routes():
        if route.startswith((*WITHOUT_FORMS, *BY_PROGRAMS)):
            continue
        answer = administrator.get(path(route, values))
        assert answer.headers.get("X-Content-Type-Options") == "nosniff", route
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            pages += 1
            policy = answer.headers["Content-Security-Policy"]
            rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
            scripts = rules.get("script-src", rules["default-src"]).split()
            styles = rules.get("style-src", rules["default-src"]).split()
            assert scripts == styles == ["'self'"], route
            assert (rules["object-src"], rules["base-uri"]) == ("'none'", "'none'"), route
            assert (rules["frame-ancestors"] == "'none'") == (route not in FRAMED), route
    assert pages > 50

"""A kept part is what it would be if it was drawn for each, and nobody is shown somebody else's."""

import re
from datetime import UTC, datetime
from typing import NamedTuple

import pytest
from django.template import Context, Engine, RequestContext
from django.test import Client
from django.utils import translation
from django.utils.safestring import mark_safe

from lobby.templatetags import cached_include

PARTS = {
    "row.html": "{% load i18n %}<li>{{ row.name }} {% translate 'Watch' %} {{ user }}{{ mine }}</li>",
    "form.html": "<form>{% csrf_token %}{{ name }}</form>",
    "page.html": "{% load cached_include %}{% cached_include 'row.html' row=row %}",
    "page_form.html": "{% load cached_include %}{% cached_include 'form.html' name=name %}",
}


class Row(NamedTuple):
    name: str


LOADERS = [("django.template.loaders.cached.Loader", [("django.template.loaders.locmem.Loader", PARTS)])]
TAGS = {"i18n": "django.templatetags.i18n", "cached_include": "lobby.templatetags.cached_include"}
ENGINE = Engine(loaders=LOADERS, libraries=TAGS)


def drawn(row, **page):
    return ENGINE.get_template("page.html").render(Context({"row": row, **page}))


def times_drawn():
    return cached_include._drawn.cache_info().misses


def test_fragment_rendered_once_per_value():
    before = times_drawn()
    assert [drawn({"name": name}) for name in ("Ann", "Ann", "Bob", "Ann")] == [
        f"<li>{name} Watch </li>" for name in ("Ann", "Ann", "Bob", "Ann")
    ]
    assert times_drawn() == before + 2


def test_fragment_rendered_per_language():
    with translation.override("ru"):
        russian = drawn({"name": "Ann"})
    assert russian != drawn({"name": "Ann"}) == "<li>Ann Watch </li>"
    with translation.override("ru"):
        assert drawn({"name": "Ann"}) == russian


def test_fragment_ignores_page_context():
    assert drawn({"name": "Ann"}, user="secret", mine="secret") == "<li>Ann Watch </li>"


def test_named_tuples_are_asked_by_name():
    assert drawn(Row("Ann")) == drawn({"name": "Ann"})


def test_fragment_escapes_values_marked_safe():
    escaped = "<li>&lt;b&gt; Watch </li>"
    assert [drawn({"name": mark_safe("<b>")}), drawn({"name": "<b>"})] == [escaped, escaped]


@pytest.mark.parametrize("value", [datetime(2026, 11, 24, tzinfo=UTC), object()])
def test_fragment_with_object_value_refused(value):
    with pytest.raises(TypeError):
        drawn({"name": value})


def test_forms_in_it_have_the_token_of_whoever_is_shown_it(rf):
    shown = []
    for _ in range(2):
        context = RequestContext(rf.get("/"), {"name": "Ann"})
        shown.append(ENGINE.get_template("page_form.html").render(context))
    tokens = [re.findall(r'value="(\w{64})"', each) for each in shown]
    assert [len(each) for each in tokens] == [1, 1]
    assert tokens[0] != tokens[1]
    assert not any(cached_include.CSRF_TOKEN in each for each in shown)


@pytest.mark.django_db
def test_a_form_in_it_is_taken_from_whom_it_was_shown_and_from_nobody_else():
    def token(client):
        return re.search(r'<dialog.+?csrfmiddlewaretoken" value="(\w+)"', client.get("/").text, re.DOTALL)[1]

    def status(client, token):
        return client.post("/computer/kalah/now", {"csrfmiddlewaretoken": token}).status_code

    ann, bob = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    tokens = token(ann), token(bob)
    assert (status(ann, tokens[1]), status(bob, tokens[0])) == (403, 403)
    assert (status(ann, tokens[0]), status(bob, tokens[1])) == (302, 302)


def test_a_page_with_no_form_sets_no_cookie(rf):
    request = rf.get("/")
    ENGINE.get_template("page.html").render(RequestContext(request, {"row": {"name": "Ann"}}))
    assert "CSRF_COOKIE" not in request.META

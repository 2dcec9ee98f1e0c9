"""Which pages proxies may answer, and that those of one person are not among them."""

import pytest

from lobby.people.models import User

pytestmark = pytest.mark.django_db

SHARED = "public, max-age=0, s-maxage=1"
PERSONAL = "private, no-cache"


@pytest.mark.parametrize(
    "path", ["/rules", "/rules/kalah", "/leaderboards", "/leaderboards/kalah", "/@/Ulno", "/privacy"]
)
def test_visitors_without_cookies_share_a_page(client, ulno, path):
    answer = client.get(path)
    assert answer.headers["Cache-Control"] == SHARED
    assert {"Cookie", "Accept-Language"} <= set(answer.headers["Vary"].split(", "))
    assert not answer.cookies
    assert client.get(path).content == answer.content


@pytest.mark.parametrize("name", ["sessionid", "messages", "django_language", "csrftoken", "other"])
def test_whoever_has_a_cookie_shares_no_page(client, name):
    client.cookies[name] = "x"
    answer = client.get("/rules")
    assert answer.headers["Cache-Control"] == PERSONAL
    assert not answer.has_header("ETag")


def test_a_page_that_sets_a_cookie_is_not_shared(client):
    answer = client.get("/rules?lang=et")
    assert answer.cookies
    assert answer.headers["Cache-Control"] == PERSONAL


def test_a_redirection_is_not_shared(client, ulno):
    assert client.get("/@/ulno").headers["Cache-Control"] == PERSONAL


def test_a_page_with_a_form_is_not_shared(client):
    assert not client.get("/").has_header("Cache-Control")


@pytest.mark.parametrize("encoding", ["gzip", "gzip, br"])
def test_a_browser_that_has_the_page_gets_no_other(client, encoding):
    tag = client.get("/rules", headers={"accept-encoding": encoding}).headers["ETag"]
    assert tag.startswith("W/")
    answer = client.get("/rules", headers={"if-none-match": tag})
    assert (answer.status_code, answer.content) == (304, b"")
    assert client.get("/rules/kalah", headers={"if-none-match": tag}).status_code == 200


def test_a_visitor_chooses_a_language_without_a_token(client):
    answer = client.get("/settings/language?language=et&next=/rules")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules")
    assert 'lang="et"' in client.get("/rules").text


def test_a_link_changes_nothing_for_a_user(client):
    client.post("/guest")
    assert 'method="post" action="/settings/language"' in client.get("/rules").text
    assert not client.get("/settings/language?language=et&next=/rules").cookies
    assert User.objects.get().language == "en"

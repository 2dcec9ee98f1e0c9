"""nginx answers visitors by itself for a second, never with what is somebody's own. Caddy keeps nothing."""

import ssl
import urllib.error
import urllib.request

import pytest

from tests.helpers.accounts import registered
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person
from tools.harness.proxy import Caddy, Proxy
from tools.programs import caddy, nginx

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def proxy(launcher):
    program = nginx() or pytest.skip("nginx is not installed")
    proxy = Proxy(program, [launcher.open(launcher.store("sqlite"), BEHIND_PROXY="1").port])
    try:
        yield proxy.start()
    finally:
        proxy.discard()


def ask(proxy, path, **headers):
    """The page, and whether nginx had it."""
    request = urllib.request.Request(proxy.url + path, headers=headers)
    with urllib.request.urlopen(request, timeout=patience(10)) as answer:
        return answer.read().decode(), answer.headers["X-Server"] is None


def kept(proxy, path, **headers):
    """The page as nginx keeps it."""
    found = []

    def has():
        found[:] = ask(proxy, path, **headers)
        return found[1]

    wait_until(has, f"nginx to keep {path}")
    return found[0]


@pytest.mark.parametrize("path", ["/rules", "/leaderboards/kalah", "/@/Ulno", "/privacy"])
def test_a_visitor_gets_the_page_that_is_kept(proxy, path):
    if path == "/@/Ulno":
        Person(proxy).sign_up("Ulno")
    assert "<h1" in kept(proxy, path)


def test_a_kept_page_is_in_the_language_of_the_browser(proxy):
    assert 'lang="et"' in kept(proxy, "/rules", **{"Accept-Language": "et"})
    assert 'lang="ru"' in kept(proxy, "/rules", **{"Accept-Language": "ru"})
    assert 'lang="en"' in kept(proxy, "/rules")


def test_what_is_somebodys_own_is_neither_kept_nor_answered_from_what_is(proxy):
    anna = Person(proxy)
    anna.sign_up("Anna")
    kept(proxy, "/rules")
    for _ in range(2):
        page, from_nginx = ask(proxy, "/rules", Cookie=anna.headers()["Cookie"])
        assert ("Anna" in page, from_nginx) == (True, False)
    assert "Anna" not in kept(proxy, "/rules")


@pytest.mark.parametrize("cookie", ["messages=x", "django_language=et", "theme=dark"])
def test_nobody_with_a_cookie_gets_a_kept_page(proxy, cookie):
    kept(proxy, "/rules")
    assert not ask(proxy, "/rules", Cookie=cookie)[1]


@pytest.mark.parametrize("path", ["/", "/rules?lang=et", "/accounts/login/"])
def test_a_page_that_sets_a_cookie_is_not_kept(proxy, path):
    assert [ask(proxy, path)[1] for _ in range(3)] == [False] * 3


def test_a_message_is_shown_to_its_reader_only(proxy):
    reader = Person(proxy)
    sentence = "This setting cannot have this value."
    assert sentence in reader.get("/settings/language?language=xx&next=/rules")
    assert sentence not in kept(proxy, "/rules")


# Caddy


@pytest.fixture(scope="module")
def secure_server(launcher):
    return launcher.open(launcher.store("sqlite"), BEHIND_PROXY="1", HTTPS="1")


@pytest.fixture(scope="module")
def behind_caddy(secure_server):
    proxy = Caddy(caddy() or pytest.skip("Caddy is not installed"), secure_server.port)
    try:
        yield proxy.start()
    finally:
        proxy.discard()


def ask_caddy(proxy, path, **headers):
    """Status, headers and text of the answer."""
    request = urllib.request.Request(proxy.url + path, headers=headers)
    believing = ssl._create_unverified_context()
    try:
        with urllib.request.urlopen(request, timeout=patience(10), context=believing) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


@pytest.mark.parametrize("path", ["/rules", "/leaderboards/kalah", "/privacy"])
def test_caddy_passes_on_that_a_browser_has_the_page(behind_caddy, path):
    status, headers, page = ask_caddy(behind_caddy, path)
    assert (status, headers["Cache-Control"]) == (200, "public, max-age=0, s-maxage=1")
    assert "<h1" in page
    status, again, page = ask_caddy(behind_caddy, path, **{"If-None-Match": headers["ETag"]})
    assert (status, again["ETag"], page) == (304, headers["ETag"], "")
    assert ask_caddy(behind_caddy, path, **{"If-None-Match": 'W/"another"'})[0] == 200


def test_caddy_keeps_nothing_of_anybody(behind_caddy, secure_server):
    (anna,) = registered(secure_server, "Anna")
    tag = ask_caddy(behind_caddy, "/rules")[1]["ETag"]
    for _ in range(2):
        own = {"Cookie": f"sessionid={anna.session}", "If-None-Match": tag}
        status, headers, page = ask_caddy(behind_caddy, "/rules", **own)
        assert (status, headers["Cache-Control"], headers["ETag"]) == (200, "private, no-cache", None)
        assert "Anna" in page
        assert "Anna" not in ask_caddy(behind_caddy, "/rules")[2]

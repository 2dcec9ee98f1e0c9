"""In which language somebody is spoken to, and how it is chosen, remembered and found."""

import re

import pytest
from django.utils import translation

from games.net.sockets import _language as language_of_socket
from lobby.accounts import guests
from lobby.people import preferences
from lobby.people.models import User

COOKIE = "django_language"


def spoken(client, address="/rules", **headers):
    return re.search(r'<html lang="([a-z-]+)"', client.get(address, headers=headers).text)[1]


@pytest.mark.django_db
class TestChosen:
    @pytest.mark.parametrize(
        ("accepted", "language"),
        [
            ("", "en"),
            ("ru", "ru"),
            ("et-EE,et;q=0.9", "et"),
            ("de,ru;q=0.3,et;q=0.7", "et"),
            ("fr", "en"),
            ("ru;q=0, et", "et"),
            (";;q=x,,", "en"),
        ],
    )
    def test_the_browser_asks_for_one(self, client, accepted, language):
        assert spoken(client, accept_language=accepted) == language

    def test_language_chosen_beats_browser(self, client):
        answer = client.post("/settings/language", {"language": "et", "next": "/rules/kalah"})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/kalah")
        assert spoken(client, accept_language="ru") == "et"

    @pytest.mark.parametrize(
        "back", ["https://elsewhere.example/", "//elsewhere.example", "", "javascript:x"]
    )
    def test_language_redirect_stays_on_site(self, client, back):
        answer = client.post("/settings/language", {"language": "et", "next": back})
        assert answer.headers["Location"] == "/"

    def test_an_address_without_a_slash_is_not_taken_for_the_name_of_a_view(self, client):
        answer = client.post("/settings/language", {"language": "et", "next": "settings"})
        assert (answer.status_code, answer.headers["Location"]) == (302, "settings")

    @pytest.mark.parametrize("language", ["", "xx", "de", "ru" * 100])
    def test_language_unknown_refused(self, client, language):
        answer = client.post("/settings/language", {"language": language, "next": "/rules"}, follow=True)
        assert "This setting cannot have this value." in answer.text
        assert COOKIE not in client.cookies

    def test_an_address_speaks_it_whatever_else_was_chosen(self, client):
        client.cookies[COOKIE] = "et"
        assert spoken(client, "/rules?lang=ru") == "ru"
        assert client.cookies[COOKIE].value == "et"
        assert spoken(client) == "et"

    def test_language_of_address_remembered(self, client):
        assert spoken(client, "/rules?lang=ru") == "ru"
        assert spoken(client, "/rules/kalah") == "ru"

    def test_an_address_in_no_language_is_in_that_of_the_reader(self, client):
        assert spoken(client, "/rules?lang=xx", accept_language="ru") == "ru"
        assert COOKIE not in client.cookies


@pytest.mark.django_db
class TestRemembered:
    def test_language_stored_with_account(self, client):
        client.post("/guest")
        client.post("/settings/language", {"language": "et"})
        guest = User.objects.get(is_guest=True)
        assert guest.language == preferences.of(guest)["language"] == "et"

    def test_language_of_new_guest_from_page(self, client):
        client.post("/guest", headers={"accept-language": "ru"})
        assert User.objects.get(is_guest=True).language == "ru"

    def test_language_of_account_used_in_other_browser(self, client):
        User.objects.create_user("Ulno", password="a long word", preferences={"language": "ru"})
        client.post("/accounts/login/", {"login": "Ulno", "password": "a long word"})
        assert spoken(client, accept_language="et") == "ru"

    def test_an_account_knows_what_its_owner_read(self, db):
        user = User(username="Ulno")
        with translation.override("et"):
            guests.make_account(user)
        assert User.objects.get().language == "et"


@pytest.mark.django_db
class TestFound:
    @pytest.mark.parametrize("path", ["/", "/rules/kalah", "/leaderboards?pool=blitz"])
    def test_every_page_names_its_address_in_each_language(self, client, path):
        text = client.get(path).text
        found = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">', text))
        named = "&amp;" if "?" in path else "?"
        addresses = {code: f"http://testserver{path}{named}lang={code}" for code in ("en", "ru", "et")}
        assert found == {**addresses, "x-default": f"http://testserver{path}"}
        assert f'<link rel="canonical" href="http://testserver{path}">' in text

    def test_a_page_in_a_language_is_the_one_that_is_meant(self, client):
        text = client.get("/rules?lang=et").text
        assert '<link rel="canonical" href="http://testserver/rules?lang=et">' in text
        assert text.count('rel="canonical"') == 1

    def test_languages_are_called_by_their_own_names(self, client):
        for language in ("en", "et", "ru"):
            buttons = re.findall(
                r'name="language" value="(..)" lang="(..)".*?>(\w+)<', client.get(f"/?lang={language}").text
            )
            assert buttons == [("en", "en", "English"), ("ru", "ru", "Русский"), ("et", "et", "Eesti")]


class TestSocket:
    @staticmethod
    def of(query=b"", cookie="", account="", accepted=""):
        user = User(preferences={"language": account} if account else {})
        headers = [(b"accept-language", accepted.encode())]
        cookies = {COOKIE: cookie}
        return language_of_socket(
            {"query_string": query, "headers": headers, "cookies": cookies, "user": user}
        )

    def test_the_page_says_its_language(self):
        assert self.of(b"after=3&lang=et", cookie="ru", account="ru", accepted="ru") == "et"

    def test_language_of_socket_order_of_sources(self):
        assert self.of(b"lang=xx", cookie="ru", account="et", accepted="en") == "ru"
        assert self.of(account="et", accepted="ru") == "et"
        assert self.of(accepted="ru,et") == "ru"
        assert self.of() == "en"

"""Privacy, contact and imprint: built in, or in the words of the host."""

import re

import pytest
from django.utils import translation

from lobby.about.views import Block, blocks

pytestmark = pytest.mark.django_db


def footer(client):
    """The addresses in the footer of the front page."""
    page = client.get("/").text
    return re.findall(r'href="([^"]+)"', page[page.index("<footer") :])


def test_a_site_has_a_privacy_page_and_no_others_unless_they_are_set(client):
    assert "/privacy" in footer(client)
    assert not {"/contact", "/imprint"} & set(footer(client))
    assert "Lobby messages are deleted after seven days." in client.get("/privacy").text
    assert [client.get(address).status_code for address in ("/contact", "/imprint")] == [404, 404]


def test_a_host_is_reached_by_e_mail_and_by_a_page(client, settings):
    settings.CONTACT_EMAIL, settings.CONTACT_URL = "board@club.example", "https://club.example/contact"
    page = client.get("/contact").text
    assert 'href="mailto:board@club.example"' in page
    assert 'href="https://club.example/contact"' in page
    assert "/contact" in footer(client)
    assert 'href="/contact"' in client.get("/privacy").text


def test_a_text_of_ones_own_stands_in_place_of_the_built_in_one(client, settings, tmp_path):
    settings.PRIVACY_FILE = tmp_path / "privacy.txt"
    settings.PRIVACY_FILE.write_text("# Who\n\nThe club, https://club.example/ <b>\n", encoding="utf-8")
    (tmp_path / "privacy.ru.txt").write_text("Клуб", encoding="utf-8")
    page = client.get("/privacy").text
    assert "<h2>Who</h2>" in page
    assert '<a href="https://club.example/"' in page
    assert "&lt;b&gt;" in page
    assert "seven days" not in page
    with translation.override("ru"):
        assert "<p>Клуб</p>" in client.get("/privacy?lang=ru").text


def test_an_imprint_is_linked_from_every_page(client, settings, tmp_path):
    settings.IMPRINT_FILE = tmp_path / "imprint.md"
    settings.IMPRINT_FILE.write_text("Club Kalah\nTartu", encoding="utf-8")
    assert "<p>Club Kalah<br>Tartu</p>" in client.get("/imprint").text
    assert "/imprint" in footer(client)


def test_terms_are_linked_from_every_page_and_where_people_sign_up(client, settings, tmp_path):
    assert client.get("/terms").status_code == 404
    assert 'href="/terms"' not in client.get("/accounts/signup/").text
    settings.TERMS_FILE = tmp_path / "terms.txt"
    settings.TERMS_FILE.write_text("# Be kind\n\nNo insults.", encoding="utf-8")
    assert "<p>No insults.</p>" in client.get("/terms").text
    assert "/terms" in footer(client)
    assert 'you accept the <a href="/terms">' in client.get("/accounts/signup/").text


def test_a_text_has_headings_and_paragraphs():
    text = "One\r\ntwo\r\n\r\n# Next\nThree\n\n\n"
    assert blocks(text) == [Block(False, "One\ntwo"), Block(True, "Next"), Block(False, "Three")]

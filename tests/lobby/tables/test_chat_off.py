"""Tables without chat: the host's choice on the form and by the interface, kept with the match."""

import pytest

from games.domain.terms import Terms
from games.registry import GAMES
from lobby.api.messages import TableBody
from lobby.tables.api_fields import terms_of
from lobby.tables.forms.table import TableForm
from lobby.tables.models import Table
from lobby.tables.terms import TableTerms, chat_in_words

ASKED = {"preset": "circle", "seats": "2", "first": "host", "chat": "no"}


def test_the_form_leaves_it_on_unless_told_otherwise():
    for chat, wanted in (({}, True), ({"chat": "yes"}, True), ({"chat": "no"}, False)):
        form = TableForm(GAMES["kalah"], {**ASKED, "chat": "", **chat})
        assert form.is_valid()
        assert form.terms().chat is wanted


def test_the_form_knows_no_third_way():
    assert "chat" in TableForm(GAMES["kalah"], {**ASKED, "chat": "maybe"}).errors


def test_a_site_without_chat_asks_for_nothing(settings):
    settings.CHAT = False
    form = TableForm(GAMES["kalah"], ASKED)
    assert "chat" not in form.fields
    assert form.is_valid()


def test_chat_off_said_in_words():
    assert chat_in_words(TableTerms()) == []
    assert chat_in_words(TableTerms(chat=False)) == ["No chat in this match"]


def test_programs_ask_for_it_too():
    assert terms_of(TableBody(game="kalah")).chat
    assert not terms_of(TableBody(game="kalah", chat=False)).chat


@pytest.mark.django_db
def test_the_match_of_a_table_has_none(ulno, artjom, client):
    client.force_login(ulno)
    page = client.post("/new/kalah", ASKED, follow=True)
    assert "No chat in this match" in page.text
    (table,) = Table.objects.all()
    client.force_login(artjom)
    client.post(f"/t/{table.pk}/sit")
    table.refresh_from_db()
    assert table.match.terms == Terms(chat=False)

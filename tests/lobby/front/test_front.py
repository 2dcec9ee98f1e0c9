"""The pages of the lobby, as a browser without scripts uses them."""

import re
import time
from dataclasses import replace

import pytest
from django.conf import settings
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from config import health
from games.domain.terms import Terms
from games.models import Match
from games.net.hub import hub
from games.net.limits import Buckets
from games.play import begin
from games.registry import GAMES
from games.rules.base import Leave, choices_of
from lobby.accounts import guests
from lobby.feed import counts, lobby_feed, watched_matches
from lobby.pairing import queue
from lobby.pairing.models import Seek
from lobby.pairing.pairing_options import Tile, games
from lobby.people.models import User
from lobby.people.presence import presence
from lobby.ratings.results import settle
from lobby.tables.challenges import challenge
from lobby.tables.forms.table import TableForm
from lobby.tables.models import Invite, Table
from lobby.tables.tables import TableTerms, set_table, sit_down
from tests.helpers import finished

pytestmark = pytest.mark.django_db

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
KALAHA = GAMES["kalah"].rules.PRESETS["kalaha"]
FORM = {"preset": "circle", "seats": "2", "first": "host"}


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(guests, "guests", Buckets(rate=0, burst=0))


@pytest.fixture
def waiting(ulno):
    """Ulno's table of Kalah, one chair free."""
    return set_table(ulno, "kalah", CIRCLE, 2, "host")


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def waiting_at(client, game):
    """How many people are told to wait on the tile of a game."""
    (found,) = (tile for tile in client.get("/").context["tiles"] if tile["slug"] == game)
    return found["waiting"]


def first_way(client, game):
    """The title of the green button in the sheet of a game."""
    (sheet,) = re.findall(rf'<dialog[^>]* id="play-{game}".*?</dialog>', client.get("/").text, re.DOTALL)
    (title,) = re.findall(r'way-first".*?way-title">([^<]*)<', sheet, re.DOTALL)
    assert sheet.index(f">{title}<") < sheet.index(">A friend<")
    return title


def played(one, other, **terms):
    """A match of two that is over after three plies, and what it was for them."""
    match = begin.create("kalah", CIRCLE, [one, other], 0, Terms(**terms))
    settle(finished.play(match, "1", "1", Leave(1, "resigned")).pk)
    return match


def stored_options():
    table = Table.objects.get()
    return GAMES[table.game].rules.Options(**table.options)


class TestTheLobby:
    def test_a_newcomer_can_play_as_guest(self, client):
        assert "Play as guest" in client.get("/").text

    def test_front_page_hides_guest_button_when_signed_in(self, ulno):
        assert "Play as guest" not in signed_in(ulno).get("/").text

    def test_open_tables_are_there_before_any_script_runs(self, client, waiting):
        assert f'action="/t/{waiting.pk}/sit"' in client.get("/").text

    def test_front_page_lists_own_table_apart(self, ulno, waiting):
        context = signed_in(ulno).get("/").context
        assert [table["id"] for table in context["my_tables"]] == [waiting.pk]
        assert context["tables"] == []

    def test_a_match_can_be_watched(self, client, waiting, artjom):
        match = sit_down(artjom, waiting.pk).match
        assert f'href="/m/{match.pk}"' in client.get("/").text

    def test_front_page_lists_own_match(self, waiting, artjom):
        match = sit_down(artjom, waiting.pk).match
        context = signed_in(artjom).get("/").context
        assert [each["id"] for each in context["my_matches"]] == [match.pk]

    @pytest.mark.all_games
    def test_every_game_can_be_chosen(self, client):
        text = client.get("/").text
        assert all(f'href="/new/{slug}"' in text for slug in GAMES)

    def test_front_page_filters_tables_by_game_without_script(self, ulno, client, waiting):
        other = set_table(ulno, "cantstop", GAMES["cantstop"].rules.Options(), 2, "lot")
        shown = client.get("/?game=cantstop").context["tables"]
        assert [table["id"] for table in shown] == [other.pk]
        assert len(client.get("/?game=chess").context["tables"]) == 2

    def test_a_table_one_may_not_sit_at_comes_last_and_says_why(self, ulno, client, waiting):
        rated = set_table(ulno, "kalah", CIRCLE, 2, "lot", TableTerms(rated=True))
        answer = client.get("/")
        assert [table["id"] for table in answer.context["tables"]] == [waiting.pk, rated.pk]
        assert "Guests play casual matches." in answer.text

    def test_matches_that_wait_for_me_come_first_and_are_counted(self, ulno, artjom, waiting):
        mine = sit_down(artjom, waiting.pk).match
        sit_down(artjom, set_table(ulno, "kalah", CIRCLE, 2, "other").pk)
        context = signed_in(ulno).get("/").context
        assert context["waiting"] == 1
        assert [each["waiting"] for each in context["my_matches"]] == [True, False]
        assert context["my_matches"][0]["id"] == mine.pk

    def test_the_page_begins_with_a_match_in_which_it_is_my_turn(self, ulno, artjom, waiting):
        match = sit_down(artjom, waiting.pk).match
        mine, others = signed_in(ulno).get("/").text, signed_in(artjom).get("/").text
        first = mine.index('id="turn-matches"')
        assert mine.index(f'href="/m/{match.pk}"') > first
        assert first < mine.index('id="tiles"')
        assert 'id="turn-matches"' not in others

    def test_front_page_offers_computer_first_when_alone(self, client, artjom, monkeypatch):
        assert first_way(client, "kalah") == "Computer"
        set_table(artjom, "kalah", CIRCLE, 2, "lot")
        assert (first_way(client, "kalah"), first_way(client, "morris")) == ("Play now", "Computer")
        monkeypatch.setattr(presence, "count", lambda: 1)
        assert first_way(client, "morris") == "Play now"
        # Whoever is alone has a page open, too.
        monkeypatch.setattr(presence, "is_online", lambda user_id: user_id == artjom.pk)
        assert first_way(signed_in(artjom), "morris") == "Computer"

    def test_front_page_offers_seek_of_user_first(self, ulno):
        queue.enter(ulno, Tile.parse("kalah/kalaha/5+3", rated=False))
        assert first_way(signed_in(ulno), "kalah") == "Play now"

    def test_tiles_say_who_moves_first(self, client):
        (sheet,) = re.findall(r'<dialog[^>]* id="play-kalah".*?</dialog>', client.get("/").text, re.DOTALL)
        assert re.findall(r"you move first|random first move", sheet) == [
            "you move first",
            "random first move",
        ]

    def test_quick_pairing_names_no_usual_rules(self, client):
        text = client.get("/").text
        assert "Anyone online: 5 min + 3 s" in text
        assert "Anyone online: Nine" not in text

    def test_a_tile_says_how_many_people_wait_there(self, client, ulno, artjom, waiting):
        set_table(artjom, "kalah", CIRCLE, 2, "lot", TableTerms(listed=False))
        queue.enter(artjom, Tile.parse("kalah/kalaha/5+3", rated=False))
        assert (waiting_at(client, "kalah"), waiting_at(client, "morris")) == (2, 0)
        assert 'data-part="waiting">2 waiting<' in client.get("/").text
        assert waiting_at(signed_in(ulno), "kalah") == 1

    def test_no_zero_is_told(self, client, ulno):
        for person in (client, signed_in(ulno)):
            (main,) = re.findall(r"<main.*</main>", person.get("/").text, re.DOTALL)
            assert not re.search(r"\b0\b", re.sub(r"<[^>]*>", " ", main))

    def test_kalah_is_found_by_its_other_name(self, client):
        assert "Kalah (Mancala)" in client.get("/").text

    def test_finished_matches_are_found_again_also_by_a_guest(self, client):
        client.post("/guest")
        guest = User.objects.get(is_guest=True)
        assert "my-finished" not in client.get("/").text
        match = played(guest, User.objects.create_user("Artjom"))
        kept = played(guest, User.objects.get(username="Artjom"), watchable=False)
        page = client.get("/")
        assert [each["match"] for each in page.context["finished"]] == [kept.pk, match.pk]
        assert f'href="/m/{match.pk}"' in page.text
        unsettled = begin.create("kalah", CIRCLE, [guest, User.objects.get(username="Artjom")], 0, Terms())
        finished.play(unsettled, "1", "1", Leave(1, "resigned"))
        latest = client.get("/").context["finished"][0]
        assert (latest["match"], latest["score"], latest["ply"]) == (unsettled.pk, "won", 3)
        # The picture of the last position is kept for ever; there is none of what is for players alone.
        assert f'src="/m/{match.pk}/3.svg"' in page.text
        assert f'src="/m/{kept.pk}' not in page.text

    def test_the_page_of_a_player_takes_twelve_queries(
        self, ulno, artjom, monkeypatch, django_assert_max_num_queries
    ):
        monkeypatch.setattr(lobby_feed, "RECENT_SECONDS", 3600)
        monkeypatch.setattr(counts, "EVERY_SECONDS", 3600.0)
        monkeypatch.setattr(watched_matches, "FRESH_SECONDS", 3600.0)
        played(ulno, artjom)
        set_table(ulno, "kalah", CIRCLE, 2, "host")
        # It is not among those that everybody sees, so it is looked for.
        begin.create("kalah", CIRCLE, [ulno, artjom], 0, Terms(watchable=False))
        client = signed_in(ulno)
        client.get("/")
        with django_assert_max_num_queries(12):
            client.get("/")

    def test_front_page_post_not_allowed(self, client):
        assert client.post("/").status_code == 405


class TestTheForm:
    @pytest.mark.parametrize("slug", GAMES)
    def test_every_game_has_one(self, client, slug):
        assert client.get(f"/new/{slug}").status_code == 200

    @pytest.mark.parametrize("slug", GAMES)
    def test_form_has_every_option_with_title_and_sentence(self, slug):
        fields = TableForm(GAMES[slug]).rules()
        for field, choice in zip(fields, choices_of(GAMES[slug].rules.Options), strict=True):
            assert (field.label, field.help_text) == (choice.title, choice.sentence)

    @pytest.mark.parametrize(
        ("slug", "preset"), [(game.slug, preset) for game in GAMES.values() for preset in game.rules.PRESETS]
    )
    def test_every_preset_can_be_set(self, ulno, slug, preset):
        seats = GAMES[slug].rules.SEATS[0]
        signed_in(ulno).post(f"/new/{slug}", {**FORM, "preset": preset, "seats": seats})
        assert stored_options() == GAMES[slug].rules.PRESETS[preset]

    def test_the_first_preset_is_chosen_already(self, client):
        assert client.get("/new/kalah").context["form"]["preset"].initial == "classic"

    def test_form_without_game_shows_first(self, client):
        assert client.get("/new").context["game"] == next(iter(GAMES.values()))

    def test_kalah_is_called_mancala_too_where_people_look_for_it(self, client):
        assert '<h2 id="game-title">Kalah (Mancala)</h2>' in client.get("/new/kalah").text
        assert "<h1>Kalah (Mancala) against the computer</h1>" in client.get("/computer/kalah").text

    def test_an_unknown_game_is_a_page_that_is_not_there(self, client):
        assert client.get("/new/chess").status_code == 404

    def test_seats_are_asked_only_where_there_are_several(self):
        assert TableForm(GAMES["kalah"])["seats"].is_hidden
        assert not TableForm(GAMES["cantstop"])["seats"].is_hidden

    def test_form_offers_seats_of_game(self):
        offered = [value for value, _ in TableForm(GAMES["cantstop"]).fields["seats"].choices]  # type: ignore[attr-defined]
        assert offered == ["2", "3", "4"]

    def test_the_browser_is_told_the_presets_as_the_form_carries_them(self):
        form = TableForm(GAMES["kalah"])
        assert (
            '"kalaha": {"rule_pits": "6", "rule_seeds": "6", "rule_sow_both_stores": "false"'
            in form.presets()
        )


class TestSettingATable:
    def test_a_table_is_set_and_shown(self, ulno):
        answer = signed_in(ulno).post("/new/kalah", FORM)
        assert answer["Location"] == f"/t/{Table.objects.get(host=ulno).pk}"

    def test_a_preset_brings_its_options(self, ulno):
        signed_in(ulno).post("/new/kalah", {**FORM, "preset": "kalaha"})
        assert stored_options() == KALAHA

    def test_an_option_picked_wins_over_the_preset(self, ulno):
        signed_in(ulno).post("/new/kalah", {**FORM, "preset": "kalaha", "rule_seeds": "4"})
        assert stored_options() == replace(KALAHA, seeds=4)

    def test_options_left_open_are_as_the_preset_has_them(self, ulno):
        signed_in(ulno).post("/new/kalah", {**FORM, "preset": "kalaha", "rule_seeds": "", "rule_pits": ""})
        assert stored_options() == KALAHA

    def test_own_rules_begin_with_the_games_defaults(self, ulno):
        signed_in(ulno).post("/new/kalah", {**FORM, "preset": "own", "rule_pie": "true"})
        assert stored_options() == replace(GAMES["kalah"].rules.Options(), pie=True)

    @pytest.mark.parametrize("value", ["7", "0", "-1", "six", "true", "6.0"])
    def test_a_choice_that_is_not_offered_is_refused_beside_its_field(self, ulno, value):
        answer = signed_in(ulno).post("/new/kalah", {**FORM, "rule_seeds": value})
        assert answer.status_code == 400
        assert answer.context["form"]["rule_seeds"].errors
        assert 'id="id_rule_seeds_error"' in answer.text
        assert not Table.objects.exists()

    @pytest.mark.parametrize(
        ("clock", "notation"),
        [
            ({"clock": "1+0"}, "1+0"),
            ({"clock": "custom", "clock_minutes": "7", "clock_seconds": "4"}, "7+4"),
            ({"clock": "custom", "clock_minutes": "90", "clock_seconds": ""}, "90+0"),
            (
                {"clock": "custom", "clock_minutes": "5", "clock_seconds": "3", "clock_bonus": "delay"},
                "5+d3",
            ),
            ({"clock": "3d", "clock_minutes": "999"}, "3d"),
        ],
    )
    def test_a_clock_of_the_game_or_a_custom_one_is_chosen(self, ulno, clock, notation):
        signed_in(ulno).post("/new/kalah", {**FORM, **clock})
        assert Table.objects.get().clock == notation

    @pytest.mark.parametrize(
        ("field", "value"),
        [("minutes", "0"), ("minutes", "181"), ("minutes", ""), ("seconds", "61"), ("seconds", "-1")],
    )
    def test_a_custom_clock_out_of_range_is_refused_beside_its_field(self, ulno, field, value):
        clock = {"clock": "custom", "clock_minutes": "5", "clock_seconds": "3", f"clock_{field}": value}
        answer = signed_in(ulno).post("/new/kalah", {**FORM, **clock})
        assert answer.context["form"][f"clock_{field}"].errors
        assert not Table.objects.exists()

    @pytest.mark.parametrize("field", ["preset", "seats", "first"])
    def test_form_missing_field_refused(self, ulno, field):
        answer = signed_in(ulno).post("/new/kalah", {**FORM, field: ""})
        assert answer.context["form"][field].errors
        assert not Table.objects.exists()

    def test_seats_the_game_does_not_have_are_refused(self, ulno):
        answer = signed_in(ulno).post("/new/cantstop", {**FORM, "preset": "strict", "seats": "5"})
        assert answer.context["form"]["seats"].errors

    def test_form_above_table_limit_refused(self, ulno, settings):
        settings.TABLES_PER_HOST = 1
        client = signed_in(ulno)
        client.post("/new/kalah", FORM)
        answer = client.post("/new/kalah", FORM)
        assert answer.status_code == 400
        assert "You already have 1 open table" in answer.text

    def test_a_form_sent_again_leads_to_the_same_table(self, ulno):
        client, form = signed_in(ulno), {**FORM, "key": "k7w2m9xqd4"}
        answers = [client.post("/new/kalah", form) for _ in range(3)]
        assert {answer["Location"] for answer in answers} == {f"/t/{Table.objects.get().pk}"}

    def test_a_visitor_whose_answer_was_lost_comes_back_as_the_same_guest(self, client):
        form, lost = {**FORM, "key": "k7w2m9xqd4"}, Client()
        for each in (client, lost):
            each.cookies[settings.CSRF_COOKIE_NAME] = "c" * 32
        lost.post("/new/kalah", form)
        client.post("/new/kalah", form)
        assert client.session["_auth_user_id"] == str(User.objects.get().pk)
        assert Table.objects.count() == 1

    def test_the_key_of_another_visitor_leads_to_a_guest_of_ones_own(self, client):
        for each, cookie in ((Client(), "c"), (client, "d")):
            each.cookies[settings.CSRF_COOKIE_NAME] = cookie * 32
            each.post("/new/kalah", {**FORM, "key": "k7w2m9xqd4"})
        assert client.session["_auth_user_id"] == str(User.objects.latest("pk").pk)
        assert Table.objects.count() == 2

    def test_a_key_of_another_person_leads_nowhere(self, ulno, artjom):
        for person in (ulno, artjom):
            signed_in(person).post("/new/kalah", {**FORM, "key": "k7w2m9xqd4"})
        signed_in(ulno).logout()
        assert {table.host for table in Table.objects.all()} == {ulno, artjom}

    def test_a_form_whose_table_is_gone_sets_another(self, ulno):
        client, form = signed_in(ulno), {**FORM, "key": "k7w2m9xqd4"}
        client.post("/new/kalah", form)
        Table.objects.all().delete()
        client.post("/new/kalah", form)
        assert Table.objects.count() == 1

    def test_a_form_that_was_refused_can_be_sent_again(self, ulno, settings):
        settings.TABLES_PER_HOST = 0
        client, form = signed_in(ulno), {**FORM, "key": "k7w2m9xqd4"}
        assert client.post("/new/kalah", form).status_code == 400
        settings.TABLES_PER_HOST = 1
        assert client.post("/new/kalah", form).status_code == 302

    @pytest.mark.parametrize("address", ["/computer/kalah/now", "/together/kalah/now"])
    def test_a_match_in_play_is_not_begun_twice(self, client, address):
        answers = [client.post(address, {"key": "k7w2m9xqd4"}) for _ in range(2)]
        assert {answer["Location"] for answer in answers} == {f"/m/{Match.objects.get().pk}"}

    def test_the_same_again_is_set_once(self, ulno, artjom):
        match = begin.create("kalah", CIRCLE, [ulno, artjom], 0, Terms())
        client, form = signed_in(ulno), {"key": "k7w2m9xqd4"}
        answers = [client.post(f"/m/{match.pk}/again", form) for _ in range(2)]
        assert {answer["Location"] for answer in answers} == {f"/t/{Table.objects.get().pk}"}

    def test_one_press_makes_one_invitation(self, ulno):
        table = set_table(ulno, "cantstop", GAMES["cantstop"].rules.Options(), 4, "host")
        client = signed_in(ulno)
        for _ in range(2):
            client.post(f"/t/{table.pk}/invite", {"key": "k7w2m9xqd4"})
        assert Invite.objects.count() == 1

    def test_every_form_that_begins_something_has_a_key_of_its_own(self, ulno):
        client = signed_in(ulno)
        for address in ("/", "/new/kalah", "/computer/kalah", "/together/kalah"):
            # Two readers of one page, parts of which are kept for both.
            keys = [
                key
                for reader in (client, Client())
                for key in re.findall(r'name="key" value="([^"]+)"', reader.get(address).text)
            ]
            assert keys, address
            assert len({*keys}) == len(keys)

    def test_a_newcomer_becomes_a_guest_on_the_way(self, client):
        client.post("/new/kalah", FORM)
        assert Table.objects.get().host.is_guest
        assert client.session["_auth_user_id"] == str(Table.objects.get().host_id)

    def test_a_refused_newcomer_leaves_nobody_behind(self, client):
        client.post("/new/kalah", {**FORM, "rule_seeds": "7"})
        assert not User.objects.exists()

    def test_a_newcomer_too_many_is_told_so(self, client, monkeypatch):
        monkeypatch.setattr(guests, "guests", Buckets(rate=1 / 60, burst=0))
        assert client.post("/new/kalah", FORM).status_code == 429
        assert not Table.objects.exists()


class TestPlayingAFriend:
    def test_the_form_asks_for_an_invitation_whichever_game_is_chosen(self, client):
        answer = client.get("/new?who=friend")
        assert answer.context["form"]["listed"].value() == "no"
        assert 'href="/new/cantstop?who=friend"' in answer.text
        assert client.get("/new").context["form"]["listed"].value() == "yes"


class TestTheTable:
    def test_table_page_has_rules_in_words(self, client, waiting):
        text = client.get(f"/t/{waiting.pk}").text
        assert "Seeds: 3" in text
        assert "Moves first: the host" in text

    def test_table_page_shows_chairs(self, client, waiting):
        assert client.get(f"/t/{waiting.pk}").context["chairs"] == [("Ulno", None), (None, None)]

    def test_table_page_shows_address_to_share(self, ulno, waiting):
        text = signed_in(ulno).get(f"/t/{waiting.pk}").text
        assert f'value="http://testserver/t/{waiting.pk}"' in text

    def test_table_page_offers_seat_to_others(self, client, waiting):
        assert f'action="/t/{waiting.pk}/sit"' in client.get(f"/t/{waiting.pk}").text

    def test_the_host_may_cancel(self, ulno, waiting):
        text = signed_in(ulno).get(f"/t/{waiting.pk}").text
        assert "Cancel the table" in text
        assert f'action="/t/{waiting.pk}/sit"' not in text

    def test_one_whose_match_began_leads_there(self, client, waiting, artjom):
        match = sit_down(artjom, waiting.pk).match
        assert client.get(f"/t/{waiting.pk}")["Location"] == f"/m/{match.pk}"

    def test_table_page_of_closed_table_says_so(self, client):
        answer = client.get("/t/nowhere")
        assert answer.status_code == 404
        assert "This table is closed" in answer.text


class TestSittingDown:
    def test_the_last_chair_leads_to_the_match(self, waiting, artjom):
        client = signed_in(artjom)
        answer = client.post(f"/t/{waiting.pk}/sit", follow=True)
        assert answer.redirect_chain[-1][0] == f"/m/{Match.objects.get().pk}"

    def test_a_newcomer_becomes_a_guest_on_the_way(self, client, waiting):
        client.post(f"/t/{waiting.pk}/sit")
        guest = User.objects.get(is_guest=True)
        assert client.session["_auth_user_id"] == str(guest.pk)
        assert Match.objects.get().seatings.filter(user=guest).exists()

    def test_a_newcomer_who_comes_too_late_leaves_nobody_behind(self, client, waiting, artjom):
        sit_down(artjom, waiting.pk)
        client.post(f"/t/{waiting.pk}/sit")
        assert not User.objects.filter(is_guest=True).exists()
        assert "_auth_user_id" not in client.session

    def test_join_full_table_leads_to_match(self, client, waiting, artjom):
        match = sit_down(artjom, waiting.pk).match
        answer = client.post(f"/t/{waiting.pk}/sit", follow=True)
        assert answer.redirect_chain[-1][0] == f"/m/{match.pk}"
        assert "The table has just filled up" in answer.text

    def test_pressing_twice_is_no_mistake(self, ulno, waiting):
        client = signed_in(ulno)
        answer = client.post(f"/t/{waiting.pk}/sit", follow=True)
        assert answer.redirect_chain == [(f"/t/{waiting.pk}", 302)]
        assert not list(answer.context["messages"])

    def test_a_table_that_is_gone_is_a_friendly_page(self, client):
        assert client.post("/t/nowhere/sit").status_code == 404
        assert not User.objects.exists()

    def test_a_newcomer_too_many_is_told_so(self, client, waiting, monkeypatch):
        monkeypatch.setattr(guests, "guests", Buckets(rate=1 / 60, burst=0))
        assert client.post(f"/t/{waiting.pk}/sit").status_code == 429
        assert waiting.chairs.count() == 1

    def test_a_link_seats_nobody(self, client, waiting):
        assert client.get(f"/t/{waiting.pk}/sit").status_code == 405

    def test_a_form_of_another_site_seats_nobody(self, waiting, artjom):
        client = Client(enforce_csrf_checks=True)
        client.force_login(artjom)
        answer = client.post(f"/t/{waiting.pk}/sit")
        assert answer.status_code == 403
        assert "Please try again" in answer.text
        assert waiting.chairs.count() == 1


class TestTheSameAgain:
    @pytest.fixture
    def match(self, ulno, artjom):
        terms = TableTerms(clock="3d", rated=True, lowest_rating=1400)
        return sit_down(artjom, set_table(ulno, "kalah", KALAHA, 2, "lot", terms).pk).match

    def test_one_press_sets_the_table(self, artjom, match):
        answer = signed_in(artjom).post(f"/m/{match.pk}/again")
        table = Table.objects.get(host=artjom)
        assert answer["Location"] == f"/t/{table.pk}"
        assert (table.clock, table.rated, table.lowest_rating, table.first) == ("3d", True, 1400, "lot")
        assert GAMES["kalah"].rules.Options(**table.options) == KALAHA

    def test_a_visitor_gets_the_form_filled_in(self, client, match):
        answer = client.post(f"/m/{match.pk}/again", follow=True)
        form = answer.context["form"]
        assert (form["preset"].value(), form["clock"].value(), form["rated"].value()) == (
            "kalaha",
            "3d",
            "no",
        )
        assert not User.objects.filter(is_guest=True).exists()

    def test_rematch_table_refused_names_reason(self, match):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        answer = signed_in(guest).post(f"/m/{match.pk}/again", follow=True)
        assert answer.context["form"]["preset"].value() == "kalaha"
        assert [str(message) for message in answer.context["messages"]] == [
            "Guests play casual matches. Sign up to play rated."
        ]

    def test_rematch_table_after_challenge_by_invitation(self, ulno, artjom):
        table = challenge(ulno, artjom, "kalah", CIRCLE, "lot", TableTerms())
        match = sit_down(artjom, table.pk).match
        answer = signed_in(artjom).post(f"/m/{match.pk}/again", follow=True)
        assert "/i/" in answer.text
        assert Table.objects.get(host=artjom).invited is None

    def test_rematch_table_of_unknown_match_not_found(self, client):
        assert client.post("/m/nowhere/again").status_code == 404

    def test_a_link_sets_no_table(self, artjom, match):
        assert signed_in(artjom).get(f"/m/{match.pk}/again").status_code == 405


class TestStandingUp:
    def test_the_host_cancels_the_table(self, ulno, waiting):
        assert signed_in(ulno).post(f"/t/{waiting.pk}/stand")["Location"] == "/"
        assert not Table.objects.exists()

    def test_a_stranger_is_told_that_they_do_not_sit_there(self, waiting, artjom):
        answer = signed_in(artjom).post(f"/t/{waiting.pk}/stand", follow=True)
        assert "You are not at this table." in answer.text

    def test_a_newcomer_changes_nothing(self, client, waiting):
        assert client.post(f"/t/{waiting.pk}/stand")["Location"] == f"/t/{waiting.pk}"
        assert not User.objects.filter(is_guest=True).exists()

    def test_a_table_that_is_gone_is_a_friendly_page(self, ulno):
        assert signed_in(ulno).post("/t/nowhere/stand").status_code == 404


class TestHealth:
    def test_the_process_is_alive(self, client):
        assert client.get("/healthz").status_code == 200

    def test_readiness_ok_when_database_answers(self, client):
        assert client.get("/readyz").status_code == 200

    def test_readiness_fails_without_database(self, client, monkeypatch):
        def cursor(self):
            raise DatabaseError

        monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", cursor)
        assert client.get("/readyz").status_code == 503

    def test_readiness_fails_during_shutdown(self, client, monkeypatch):
        monkeypatch.setattr(hub, "draining", True)
        assert client.get("/readyz").status_code == 503

    def test_alive_it_is_to_the_end(self, client, monkeypatch):
        monkeypatch.setattr(hub, "draining", True)
        assert client.get("/healthz").status_code == 200

    @pytest.mark.parametrize(
        ("ago", "taken", "status"),
        [
            ((90, 45, 0), (True, True, True), 503),
            ((90, 45, 0), (True, False, True), 200),
            ((30, 0), (True, True), 200),
            # What was between two looks, or is after the last one, is not known.
            ((3600, 0), (True, True), 200),
            ((3690, 3645, 3600), (True, True, True), 200),
        ],
    )
    def test_healthz_fails_once_no_connection_was_free_for_a_minute(
        self, client, monkeypatch, ago, taken, status
    ):
        # The database of the tests answers at once, after which the watch would begin anew.
        monkeypatch.setattr(health, "_ask_once", lambda: None)
        now = time.monotonic()
        for seconds, all_taken in zip(ago, taken, strict=True):
            health.pool_watch.saw(all_taken=all_taken, now=now - seconds)
        assert client.get("/healthz").status_code == status

    def test_readiness_not_cached(self, client):
        assert "no-store" in client.get("/readyz")["Cache-Control"]


def test_an_unknown_address_is_a_friendly_page(client):
    answer = client.get("/nothing/here")
    assert answer.status_code == 404
    assert "Page not found" in answer.text


@pytest.mark.parametrize(
    "elsewhere", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"]
)
def test_a_guest_is_never_sent_to_another_site(client, db, elsewhere):
    assert client.post("/guest", {"next": elsewhere})["Location"] == "/"


@pytest.mark.parametrize("place", ["/t/unknown", "foo", "lobby"])
def test_a_guest_is_taken_back_to_a_place_here_whatever_it_is_called(client, db, place):
    assert client.post("/guest", {"next": place})["Location"] == place


class TestQuickPairing:
    TILE = "kalah/classic/5+3"

    def press(self, client, **fields):
        return client.post("/pairing", {"tile": self.TILE, "rated": "no", **fields})

    def test_pairing_tiles_shown_without_script(self, client):
        text = client.get("/").text
        assert all(
            f'value="{game.slug}/{preset}/' in text for game in games() for preset in game.rules.PRESETS
        )

    def test_a_visitor_becomes_a_guest_by_pressing_one(self, client):
        assert self.press(client).headers["location"] == "/#pairing"
        assert Seek.objects.get().user.is_guest

    def test_the_tile_that_is_waited_for_can_be_cancelled(self, ulno):
        client = signed_in(ulno)
        self.press(client)
        page = client.get("/")
        assert 'http-equiv="refresh"' in page.text
        # On the large button, and on the tile among the choices behind it.
        assert page.text.count('formaction="/pairing/cancel"') == 2
        assert re.search(r'id="seeking"[^>]*>', page.text)[0].endswith('"Quick pairing">')
        client.post("/pairing/cancel", {"tile": self.TILE})
        assert not Seek.objects.exists()

    def test_pairing_seek_joined_with_one_press(self, client, ulno):
        self.press(signed_in(ulno), tile="morris/nine/", rated="yes")
        self.press(Client(), tile="morris/nine/")
        page = client.get("/")
        assert [(each["tile"], each["rated"], each["people"]) for each in page.context["seeks"]] == [
            ("morris/nine/", False, 1),
            ("morris/nine/", True, 1),
        ]
        assert [bool(each["why"]) for each in page.context["seeks"]] == [False, True]
        self.press(client, tile=page.context["seeks"][0]["tile"])
        assert queue.tick((), timezone.now()) == 1

    def test_pairing_own_seek_not_listed(self, ulno):
        client = signed_in(ulno)
        self.press(client)
        assert client.get("/").context["seeks"] == []
        assert waiting_at(client, "kalah") == 0

    def test_pairing_found_links_board(self, ulno, artjom):
        for user in (ulno, artjom):
            queue.enter(user, Tile.parse(self.TILE, rated=True))
        queue.tick((), timezone.now())
        page = signed_in(ulno).get("/").text
        assert "Opponent found: Artjom." in page
        assert f'href="/m/{Match.objects.get().pk}"' in page

    def test_guests_are_told_why_they_play_casual(self, client, ulno):
        assert "Guests play casual matches." in client.get("/").text
        assert "Guests play casual matches." not in signed_in(ulno).get("/").text

    def test_a_script_is_answered_in_json(self, ulno):
        client = signed_in(ulno)
        asking = {"headers": {"accept": "application/json"}}
        answer = client.post("/pairing", {"tile": self.TILE, "rated": "yes"}, **asking).json()
        assert (answer["seek"]["rated"], answer["paired"]) == (True, None)
        assert client.post("/pairing/cancel", **asking).json() == {"seek": None, "paired": None}
        refused = client.post("/pairing", {"tile": "x"}, **asking)
        assert (refused.status_code, refused.json()["code"]) == (409, "no-such-tile")

    def test_a_refusal_makes_no_guest(self, client):
        self.press(client, rated="yes")
        assert not User.objects.exists()

    def test_pairing_above_guest_limit_refused(self, client, monkeypatch):
        monkeypatch.setattr(guests, "guests", Buckets(rate=0.001, burst=1))
        guests.guests.take("127.0.0.1", 0)
        assert [self.press(Client()).status_code for _ in range(2)][-1] == 429

    def test_pairing_cancel_by_visitor_redirects(self, client):
        assert client.post("/pairing/cancel").status_code == 302

    @pytest.mark.parametrize("path", ["/pairing", "/pairing/cancel"])
    def test_pairing_get_not_allowed(self, client, path):
        assert client.get(path).status_code == 405


def test_the_front_page_leads_to_the_puzzle_of_today(client):
    text = client.get("/").text
    today = timezone.now().date()
    watch, puzzle = text.index('id="watch"'), text.index('id="puzzle"')
    assert puzzle < watch, "nobody plays"
    assert f'src="/puzzle/{today}.svg"' in text[puzzle:]
    assert 'href="/puzzle"' in text[puzzle:]
    assert client.get(f"/puzzle/{today}.svg").status_code == 200


@pytest.mark.parametrize(
    ("path", "section"),
    [("/puzzles", "Learn"), ("/analysis/kalah", "Learn"), ("/studies", "Learn"), ("/leaderboards", "People")],
)
def test_the_menu_marks_the_section_of_a_page(client: Client, path: str, section: str) -> None:
    page = client.get(path).content.decode()
    assert re.findall(r'aria-current="true">([^<]+)</a>', page) == [section]
    assert 'aria-current="page">Learn' in client.get("/rules").content.decode()

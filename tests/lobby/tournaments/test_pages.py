"""The pages of tournaments: what each reader is shown and offered, and what the forms do."""

import csv
import html
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from lobby.people.models import User
from lobby.tournaments import entries, organising
from lobby.tournaments.models import Tournament
from lobby.tournaments.plans import Plan
from tests.helpers.tournaments import begun, entered, look, matches_of, people, play_round

pytestmark = pytest.mark.django_db
KEY = "key-of-a-form"


@pytest.fixture
def players():
    return people("Anna Ben Cleo Dora Ed")


@pytest.fixture
def organiser():
    return User.objects.create_user("Olga")


def reading(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(tournament, user=None, name="tournament", query=""):
    answer = reading(user).get(reverse(name, args=[tournament.pk]) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def sent(tournament, user, act, **values):
    return reading(user).post(reverse(f"tournament-{act}", args=[tournament.pk]), {"key": KEY, **values})


class Outside(HTMLParser):
    """The words of a page's main part that are outside its live parts."""

    VOID = ("area", "br", "hr", "img", "input", "link", "meta", "path", "source", "use", "wbr")

    def __init__(self):
        super().__init__()
        self.words, self._open = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self._open.append((tag, "data-live" in dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            while self._open and self._open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        if data.strip() and "main" in dict(self._open) and not any(live for _tag, live in self._open):
            self.words.append(data.strip())


def outside(text):
    parser = Outside()
    parser.feed(text)
    return parser.words


@pytest.mark.parametrize("name", ["tournament", "tournament-wall"])
@pytest.mark.parametrize("reader", ["organiser", "player", "visitor"])
def test_page_changes_are_in_live_parts(organiser, players, name, reader):
    reading_it = {"organiser": organiser, "player": players[0], "visitor": None}[reader]
    tournament = entered(organiser, players[:4])
    shown = [page(tournament, reading_it, name)]
    changed = replace(Plan.of(tournament), about="At eight", rounds=2)
    organising.change(organiser, tournament.pk, changed, "change")
    shown.append(page(tournament, reading_it, name))
    organising.start(organiser, tournament.pk, "start")
    for _round in range(3):
        shown.append(page(tournament, reading_it, name))
        look(tournament)
        shown.append(page(tournament, reading_it, name))
        play_round(tournament)
    if reader == "organiser" and name == "tournament":
        assert "Decide table 1" in shown[3]
    assert Tournament.objects.get().state == "finished"
    assert len({tuple(outside(each)) for each in shown}) == 1


@pytest.mark.parametrize("form", ["arena", "swiss", "round_robin", "knockout", "simul"])
def test_a_tournament_is_shown_from_the_first_entry_to_the_end(form, organiser, players):
    tournament = entered(organiser, players, form)
    assert "Dora" in page(tournament)
    organising.start(organiser, tournament.pk, KEY)
    tournament = look(tournament, players)
    for _ in range(2):
        assert reverse("match", args=["x"])[:3] in page(tournament)
        play_round(tournament)
        tournament = look(tournament, players)
    for name in ("tournament", "tournament-wall"):
        assert "Anna" in page(tournament, name=name)


def test_the_list_has_open_running_and_finished_tournaments(organiser, players):
    begun(organiser, players[:4], title="Running cup")
    entered(organiser, players[:2], title="Open cup")
    listed = reading().get(reverse("tournaments")).content.decode()
    assert listed.index("Open cup") < listed.index("Running cup")
    assert "2 players" in listed


def test_list_excludes_finished_tournaments(organiser, players):
    over = begun(organiser, players[:4], title="Past cup", rounds=1)
    play_round(over)
    assert look(over).state == "finished"
    cancelled = entered(organiser, [], title="Cancelled cup")
    organising.cancel(organiser, cancelled.pk, "Rain", KEY)
    listed = reading().get(reverse("tournaments")).content.decode()
    assert listed.index("finished-title") < listed.index("Past cup")
    assert "running-title" not in listed
    assert "Cancelled cup" not in listed


def test_a_late_player_was_not_absent_before(organiser, players):
    tournament = begun(organiser, players[:4])
    play_round(tournament)
    tournament = look(tournament)
    entries.enter(players[4], tournament.pk, "", KEY)
    play_round(tournament)
    look(tournament)
    told = reading().get(reverse("tournament-csv", args=[tournament.pk])).content.decode("utf-8-sig")
    line = next(each for each in csv.DictReader(told.splitlines()) if each["name"] == "Ed")
    # Round 2 was paired when they entered.
    assert [line["round 1"], line["round 2"]] == ["–", "½"]


def test_the_results_of_many_players_have_their_rounds(organiser):
    tournament = begun(organiser, people(" ".join(f"P{number:02}" for number in range(41))), rounds=2)
    play_round(tournament)
    look(tournament)
    client = reading()
    told = client.get(reverse("tournament-csv", args=[tournament.pk])).content.decode("utf-8-sig")
    lines = list(csv.DictReader(told.splitlines()))
    assert len(lines) == 41
    assert all(line["round 1"] and line["round 2"] for line in lines)
    # A page has no room for that many.
    assert client.get(reverse("tournament", args=[tournament.pk])).context["cross_table"] == []


def test_a_shared_place_is_the_same_wherever_it_is_told(organiser, players):
    tournament = begun(organiser, players[:4], rounds=1)
    play_round(tournament)
    tournament = look(tournament)
    client = reading()
    export = client.get(reverse("tournament-csv", args=[tournament.pk])).content.decode("utf-8-sig")
    told = json.loads(client.get(reverse("tournament-json", args=[tournament.pk])).content)["standings"]
    ranks = {line["name"]: int(line["rank"]) for line in csv.DictReader(export.splitlines())}
    assert sorted(ranks.values()) == [1, 1, 3, 3]
    assert {each["name"]: each["rank"] for each in told} == ranks
    for name in ("tournament", "tournament-wall", "tournament-embed"):
        shown = re.sub(r"<[^>]*>", " ", page(tournament, name=name))
        for player, rank in ranks.items():
            assert re.search(rf"\b{rank}\s+{player}\b", shown), (name, player)


def ended(organiser, players, **plan):
    """A tournament of one round that is over."""
    tournament = begun(organiser, players, rounds=1, **plan)
    play_round(tournament)
    return look(tournament)


def test_finished_tournament_shows_winner_podium_and_certificates(organiser, players):
    tournament = begun(organiser, players[:3], "round_robin")
    while tournament.state == "running":
        assert "victory-title" not in page(tournament)
        play_round(tournament)
        tournament = look(tournament, players)
    winner = reading().get(reverse("tournament-json", args=[tournament.pk])).json()["standings"][0]["name"]
    told = page(tournament, players[0])
    headline = re.search(r'id="victory-title">([^<]*)<', told)
    assert headline
    assert winner in headline[1]
    assert "podium-step" in told
    assert re.search(r"Your place: \d", told)
    assert "Your place" not in page(tournament)
    assert reverse("tournament-certificates", args=[tournament.pk]) in page(tournament)
    assert winner in re.search(r'id="victory-title">([^<]*)<', page(tournament, name="tournament-wall"))[1]


def test_finished_tournament_shows_shared_first_place(organiser, players):
    assert "share first place" in page(ended(organiser, players[:4]))


def test_organiser_card_is_hidden_after_the_end(organiser, players):
    tournament = begun(organiser, players[:4], rounds=1)
    assert not re.search(r'id="organiser"[^>]* hidden', page(tournament, organiser))
    play_round(tournament)
    assert re.search(r'id="organiser"[^>]* hidden', page(look(tournament), organiser))


def test_certificate_shows_board_place_and_player(organiser, players):
    told = page(ended(organiser, players[:4]), name="tournament-certificates")
    assert told.count('href="#certificate-board"') == told.count("certificate-name") == 4
    assert "First place" in told


def test_tournament_match_links_back_and_offers_no_rematch(organiser, players):
    tournament = begun(organiser, players[:4])
    match = matches_of(tournament)[0]
    back = f'href="{reverse("tournament", args=[tournament.pk])}"'
    seated = reading(match.seatings.first().user).get(reverse("match", args=[match.pk])).content.decode()
    assert back in seated
    assert 'data-choice="rematch"' not in seated
    assert back not in reading().get(reverse("match", args=[match.pk])).content.decode()


def test_a_player_is_led_to_the_match(organiser, players):
    tournament = begun(organiser, players[:4])
    assert "Your match" in page(tournament, players[0])
    assert "Your match" not in page(tournament)


def test_pairings_say_why_they_were_made_and_earlier_rounds_stay(organiser, players):
    tournament = begun(organiser, players)
    play_round(tournament)
    tournament = look(tournament)
    assert "Both had the same points." in page(tournament)
    first = page(tournament, query="?round=1")
    assert "The bye goes to a player with few points who has had none." in first
    assert re.search(r'href="\?round=1" aria-current="page"', first)


@pytest.mark.parametrize("query", ["?round=99", "?round=-1", "?round=x", "?round=²"])
def test_a_round_that_is_not_there_is_the_last_one(query, organiser, players):
    assert ">Round 1<" in page(begun(organiser, players), query=query)


def test_only_the_organiser_is_offered_to_decide(organiser, players):
    tournament = begun(organiser, players[:4])
    assert "Decide table 1" in page(tournament, organiser)
    assert "Decide table" not in page(tournament, players[0])


def test_the_organiser_is_told_who_starts_a_tournament_but_not_on_the_wall_board(organiser, players):
    tournament = entered(organiser, players)
    assert "You start it." in page(tournament, organiser)
    assert "The organiser starts it." in page(tournament, players[0])
    assert "The organiser starts it." in page(tournament, organiser, "tournament-wall")


def test_entering_twice_with_one_form_enters_once(organiser, players):
    tournament = entered(organiser, [])
    for _ in range(2):
        assert sent(tournament, players[0], "enter").status_code == 302
    assert tournament.entrants.count() == 1
    assert "You are in." in page(tournament, players[0])


def test_an_entry_code_is_asked_for_and_checked(organiser, players):
    tournament = entered(organiser, [], code="oak")
    assert 'name="code"' in page(tournament, players[0])
    sent(tournament, players[0], "enter", code="elm")
    assert not tournament.entrants.exists()
    sent(tournament, players[0], "enter", code="oak")
    assert tournament.entrants.count() == 1


def test_a_visitor_enters_as_a_guest_where_guests_are_let_in(organiser):
    closed, open_to_all = entered(organiser, []), entered(organiser, [], guests=True)
    assert "login" in sent(closed, None, "enter")["Location"]
    sent(open_to_all, None, "enter")
    assert open_to_all.entrants.get().user.is_guest


def test_the_organiser_starts_decides_removes_and_cancels(organiser, players):
    tournament = entered(organiser, players[:4])
    sent(tournament, organiser, "start", key="start-key")
    tournament = look(tournament)
    about = {"round": 1, "table": 1, "seats": 2, "result": "1", "why": "One was ill"}
    sent(tournament, organiser, "decide", key="decide-key", **about)
    assert "Forfeit" in page(tournament)
    sent(tournament, organiser, "remove", key="remove-key", name="Anna", why="Left")
    assert "withdrawn" in page(tournament)
    sent(tournament, organiser, "cancel", key="cancel-key", why="Rain")
    assert "Cancelled by the organiser." in page(tournament)


def test_page_shows_refusal(organiser, players):
    tournament = entered(organiser, players[:1])
    client = reading(organiser)
    answer = client.post(reverse("tournament-start", args=[tournament.pk]), {"key": KEY}, follow=True)
    assert "needs at least 3 players" in answer.content.decode()


def test_page_actions_by_others_change_nothing(organiser, players):
    tournament = entered(organiser, players[:4])
    sent(tournament, players[0], "start")
    assert Tournament.objects.get(pk=tournament.pk).state == "open"


def test_the_form_creates_a_simul(organiser):
    chosen = {"format": "simul", "rated": "yes", "host": "8", "host_seat": "second"}
    posted = form_data(**chosen, extra_minutes="15", host_admits="on")
    reading(organiser).post(reverse("new-tournament-at", args=["kalah"]), posted)
    made = Tournament.objects.get()
    assert (made.format, made.rated, made.computer, made.host_seat) == ("simul", False, 8, "second")
    assert (made.extra_minutes, made.host_admits) == (15, True)
    edited = reading(organiser).get(reverse("tournament-edit", args=[made.pk])).context["form"]
    assert (edited["host"].value(), edited["extra_minutes"].value()) == ("8", 15)


def test_a_guest_is_told_to_sign_up_before_the_form():
    guest = User.objects.create_user("Passing", is_guest=True)
    answer = reading(guest).get(reverse("new-tournament"), follow=True)
    assert "Sign up to organise a tournament." in answer.content.decode()


def form_data(**values):
    usual = {
        "key": KEY,
        "title": "Evening",
        "format": "swiss",
        "rounds": "3",
        "preset": "circle",
        "clock": "5+3",
    }
    return {**usual, "computer": "0", "zone": "Europe/Tallinn", "guests": "on", **values}


def test_a_form_creates_one_tournament_however_often_it_is_sent(organiser):
    client = reading(organiser)
    for _ in range(2):
        answer = client.post(reverse("new-tournament-at", args=["kalah"]), form_data())
    created = Tournament.objects.get()
    assert answer["Location"] == reverse("tournament", args=[created.pk])
    assert (created.format, created.rounds, created.clock, created.guests, created.late) == (
        *("swiss", 3, "5+3", True, False),
    )


def test_the_organiser_edits_a_tournament_that_has_not_begun(organiser, players):
    tournament = entered(organiser, players[:3], rounds=5, clock="3d", code="oak", half_byes=2)
    address = reverse("tournament-edit", args=[tournament.pk])
    client = reading(organiser)
    shown = client.get(address).content.decode()
    assert 'value="Friday cup"' in shown
    assert re.search(r'value="3d"\s+selected', shown)
    answer = client.post(address, form_data(title="Sunday cup", clock="7d"))
    assert answer["Location"] == reverse("tournament", args=[tournament.pk])
    tournament.refresh_from_db()
    now = (tournament.title, tournament.clock, tournament.rounds, tournament.code, tournament.half_byes)
    assert now == ("Sunday cup", "7d", 3, "", 2)
    assert client.post(address, form_data(title="")).status_code == 400


def test_a_description_is_text_without_links(organiser):
    client, address = reading(organiser), reverse("new-tournament-at", args=["kalah"])
    for about in ("See https://example.org", "See WWW.example.org", "x" * 501):
        assert client.post(address, form_data(about=about)).status_code == 400
    client.post(address, form_data(about="Bring <b>boards</b>,\ntea"))
    shown = page(Tournament.objects.get())
    assert "Bring &lt;b&gt;boards&lt;/b&gt;, tea" in shown


def test_page_edit_by_others_or_after_start_refused(organiser, players):
    tournament = begun(organiser, players[:4])
    address = reverse("tournament-edit", args=[tournament.pk])
    for user, sentence in ((players[0], "Only the organiser"), (organiser, "has already begun")):
        answer = reading(user).post(address, form_data(title="Mine"), follow=True)
        assert sentence in answer.content.decode()
    assert Tournament.objects.get(pk=tournament.pk).title == "Friday cup"


def test_a_player_who_does_not_fit_any_more_reads_it(organiser):
    tournament = entered(organiser, [], guests=True)
    client = reading()
    client.post(reverse("tournament-enter", args=[tournament.pk]), {"key": KEY})
    reading(organiser).post(reverse("tournament-edit", args=[tournament.pk]), form_data(guests=""))
    shown = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert "Guests cannot enter this tournament." in shown
    assert "You are still in" in shown


def test_the_start_is_read_in_the_time_zone_of_the_browser(organiser):
    # Estonia changes its clocks in the night before.
    starts = {"starts": "2027-03-28T12:00", "zone": "Europe/Tallinn"}
    reading(organiser).post(reverse("new-tournament-at", args=["kalah"]), form_data(**starts))
    assert Tournament.objects.get().starts.isoformat() == "2027-03-28T09:00:00+00:00"


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": ""},
        {"format": "ladder"},
        {"format": "arena", "minutes": "1"},
        {"starts": "2020-01-01T12:00"},
        {"clock": "nonsense"},
        {"format": "tables"},
    ],
)
def test_a_form_with_something_wrong_is_shown_again(wrong, organiser):
    answer = reading(organiser).post(reverse("new-tournament-at", args=["kalah"]), form_data(**wrong))
    assert answer.status_code == 400
    assert "field-error" in answer.content.decode()
    assert not Tournament.objects.exists()


def test_rounds_of_tables_are_offered_for_games_of_more_than_two(organiser):
    client = reading(organiser)
    pages = [
        client.get(reverse("new-tournament-at", args=[game])).content.decode()
        for game in ("kalah", "cantstop")
    ]
    assert ["Rounds of tables" in text for text in pages] == [False, True]


def test_results_are_exported_as_they_are_shown(organiser, players):
    tournament = begun(organiser, players[:4])
    play_round(tournament)
    client = reading()
    answer = client.get(reverse("tournament-csv", args=[tournament.pk]))
    lines = list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))
    told = json.loads(client.get(reverse("tournament-json", args=[tournament.pk])).content)
    assert [line["name"] for line in lines] == [each["name"] for each in told["standings"]]
    assert [line["rank"] for line in lines] == ["1", "1", "3", "3"]
    assert lines[0].keys() >= {"points", "buchholz", "sonneborn_berger", "direct", "played", "round 1"}


def test_the_rules_name_every_format_and_tie_break():
    text = reading().get(reverse("tournament-rules")).content.decode()
    for words in ("Arena", "Swiss", "Round robin", "Knock-out", "Rounds of tables", "Buchholz"):
        assert words in text


def test_a_tournament_that_is_not_there_is_not_found():
    for name in ("tournament", "tournament-wall", "tournament-csv", "tournament-json"):
        assert reading().get(reverse(name, args=["nothing"])).status_code == 404


def card_in(page):
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">', page))


def test_a_link_tells_what_is_played_and_when_and_then_who_leads(organiser, players):
    starts = datetime.now(UTC) + timedelta(days=30)
    tournament = entered(organiser, players[:4], title="Cup <1>", starts=starts)
    card = card_in(page(tournament))
    assert html.unescape(card["og:title"]) == "Cup <1>"
    assert card["og:description"].startswith("Kalah, Circle · Swiss · 5 minutes + 3 seconds")
    assert date_format(starts, "DATETIME_FORMAT") + " UTC" in card["og:description"]
    assert card["og:image"].endswith(".png")
    organising.start(organiser, tournament.pk, KEY)
    tournament = look(tournament)
    play_round(tournament)
    assert " · 1. Anna (1), 1. Dora (1), 3. Ben (0)" in card_in(page(tournament))["og:description"]


def test_the_standings_are_a_frame_for_other_sites(organiser, players):
    tournament = begun(organiser, players[:4])
    answer = reading(players[0]).get(reverse("tournament-embed", args=[tournament.pk]) + "?theme=dark")
    text = answer.content.decode()
    assert 'data-theme="dark"' in text
    assert "Anna" in text
    assert "X-Frame-Options" not in answer
    # It is the same for everybody, and so are its themes.
    assert answer.cookies == {}
    for query in ("", "?theme=%22%3E"):
        assert "data-theme" not in page(tournament, name="tournament-embed", query=query)
    assert reading().get(reverse("tournament-embed", args=["nothing"])).status_code == 404


def test_other_sites_ask_for_the_frame_of_a_tournament(organiser, players):
    tournament = entered(organiser, players[:2], title='Cup "1"')
    for name in ("tournament", "tournament-embed"):
        url = "http://testserver" + reverse(name, args=[tournament.pk])
        told = reading().get(reverse("oembed"), {"url": url, "maxwidth": "400"}).json()
        assert (told["title"], told["width"], told["height"]) == ('Cup "1"', 400, 480)
        assert f'src="http://testserver/tournament/{tournament.pk}/embed"' in told["html"]
    shown = html.unescape(re.search(r'id="embed-code-text" readonly value="([^"]*)"', page(tournament))[1])
    assert shown.startswith(f'<iframe src="http://testserver/tournament/{tournament.pk}/embed"')
    for path in (reverse("tournament", args=["nothing"]), reverse("tournaments")):
        assert reading().get(reverse("oembed"), {"url": "http://testserver" + path}).status_code == 404


@pytest.mark.parametrize(
    ("format", "plan", "words"),
    [
        ("swiss", {"rounds": 3}, "Tournament: round 2"),
        ("swiss", {"rounds": 1}, "Back to the tournament"),
        ("arena", {}, "Tournament: next match"),
    ],
)
def test_the_end_of_a_match_names_what_comes_next(organiser, players, format, plan, words):
    tournament = begun(organiser, players[:4], format, **plan)
    match = matches_of(tournament)[0]
    shown = reading(match.seatings.get(seat=0).user).get(f"/m/{match.pk}").content.decode()
    assert f'href="/tournament/{tournament.pk}">{words}</a>' in shown

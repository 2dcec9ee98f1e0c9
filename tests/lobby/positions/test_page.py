"""The page of a position, and matches that begin there."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils.html import escape

from games.domain import codec, position
from games.domain.position import at_start
from games.models import Match
from games.registry import GAMES
from games.store import history
from lobby.people.models import User
from lobby.positions.addresses import address
from lobby.tables import tables
from lobby.tables.models import Table
from lobby.tables.refusals import TooFew
from lobby.tables.views.tables import opening
from tests.helpers import finished

pytestmark = pytest.mark.django_db
every_game = pytest.mark.parametrize("slug", GAMES)

KALAH = "kalah.1 classic turn=1 board=4,4,0,5*3,1,4*6,0"
MORRIS = "morris.1 nine turn=1 board=W....................... hand=8,9 quiet=1 ; White begins"
SANMILL = "********/********/******** w r p 0 9 0 9 0 0 0 0 0 0 0 0 1"


def shown(client, path):
    return client.get(path, follow=True)


@every_game
@pytest.mark.all_games
def test_the_page_of_every_game_shows_the_start_of_its_presets(client, slug):
    for preset in ("", *GAMES[slug].rules.PRESETS):
        page = client.get(f"/position/{slug}?preset={preset}")
        assert page.status_code == 200
        told = page.context["position"]
        assert told["position"] == str(at_start(GAMES[slug], preset))
        assert len(told["names"]) == told["seats"]


def test_a_start_position_has_as_many_seats_as_are_asked_for(client):
    page = client.get("/position/aces?preset=last-loses&seats=4")
    assert str(page.context["position"]["position"]).startswith("aces.1 last-loses seats=4 ")
    assert "?preset=last-loses&amp;seats=3" in page.text
    assert "“seats” is missing" in client.get("/position/kalah?seats=3").context["wrong"]


@every_game
@pytest.mark.all_games
def test_the_editor_has_the_fields_of_every_game(client, slug):
    page = client.get(f"/position/{slug}")
    assert page.context["position"]["start"]["turn"] == 0
    for name, words in GAMES[slug].rules.FIELDS.items():
        label = f'<label for="field-{name}">{escape(words)} <code class="soft">{name}</code></label>'
        assert label in page.text
        assert f'id="field-{name}"' in page.text


def test_the_fields_are_named_in_the_language_of_the_page(client):
    page = client.get("/position/kalah", headers={"accept-language": "ru"})
    assert '<label for="field-board">Зёрна <code class="soft">board</code></label>' in page.text


def test_the_address_of_a_position_can_be_read_and_leads_to_it(client):
    path = address(position.parse(MORRIS))
    assert path.startswith("/position/morris?p=morris.1+nine+turn=1+board=W....")
    page = client.get(path)
    assert page.status_code == 200
    assert page.context["position"]["position"] == MORRIS
    assert "White begins" in page.text
    image = urlsplit(page.context["card"].image)
    assert (image.path, parse_qs(image.query)) == ("/position/morris.png", {"p": [MORRIS]})


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (f"/position/morris?p={SANMILL}", str(at_start(GAMES["morris"]))),
        (f"/position/morris?notation=sanmill&p={SANMILL}", str(at_start(GAMES["morris"]))),
        ("/position/kalah?p=<3,0,0,1,2,3,3,2,1>", "kalah.1 pits:3 turn=0 board=1,2,3,0,3,2,1,0"),
        (f"/position/aces?p={KALAH}", KALAH),
        (f"/position/kalah?p=  {KALAH.replace(' ', '  ')}", KALAH),
    ],
    ids=["sanmill", "sanmill named", "kgp", "another game", "spaces"],
)
def test_other_texts_lead_to_the_address_of_the_position(client, path, text):
    assert client.get(path).status_code == 302
    assert shown(client, path).context["position"]["position"] == text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/position/kalah?p=kalah.1 classic turn=0 board=4*6,0,4*5,99,0", "There are 143 seeds."),
        ("/position/kalah?p=kalah.1 classic turn=0 board=4*6", "“board” is missing"),
        ("/position/kalah?p=nothing", "is missing or not valid"),
        ("/position/aces?p=nothing", "does not have the game “nothing”"),
        ("/position/kalah?preset=nothing", "“preset” is missing"),
        ("/position/kalah?notation=nothing&p=x", "“notation” is missing"),
    ],
)
def test_a_bad_text_is_told_what_is_wrong_and_kept(client, path, words):
    page = client.get(path)
    assert page.status_code == 400
    assert words in page.context["wrong"]
    assert 'aria-invalid="true"' in page.text


def test_unknown_game_and_picture_of_nothing_not_found(client):
    assert client.get("/position/nothing").status_code == 404
    assert client.get("/position/kalah.png?p=nothing").status_code == 404


def begun(client, path, text, **values):
    """The match that a form of the page begins."""
    seats = position.parse(text).seats
    answer = client.post(path, {"position": text, "preset": "own", "seats": seats, **values})
    assert answer.status_code == 302, answer.context["form"].errors
    return Match.objects.get(pk=answer["Location"].removeprefix("/m/"))


def start_of(match):
    return codec.decode_state(GAMES[match.game].rules, match.start)


@pytest.mark.parametrize(("first", "mine"), [("host", 1), ("other", 0)])
def test_a_match_against_the_computer_begins_at_the_position(client, first, mine):
    match = begun(client, "/computer/kalah", KALAH, first=first, level=1)
    assert start_of(match) == position.parse(KALAH).state
    assert not match.rated
    assert match.seatings.get(level=None).seat == mine


@pytest.mark.parametrize(("first", "mine"), [("host", 0), ("other", 1)])
def test_where_sides_have_names_the_side_is_chosen(client, first, mine):
    match = begun(client, "/computer/morris", MORRIS, first=first, level=1)
    assert start_of(match).turn == 1
    assert match.seatings.get(level=None).seat == mine


@every_game
@pytest.mark.all_games
def test_a_match_on_one_device_begins_at_the_position(client, slug):
    start = at_start(GAMES[slug])
    match = begun(client, f"/together/{slug}", str(start))
    assert start_of(match) == start.state
    assert match.seatings.count() == start.seats


@pytest.mark.parametrize("page", ["computer", "new", "together"])
def test_a_form_shows_the_position_in_place_of_rules(client, page):
    form = client.get(f"/{page}/kalah", {"position": KALAH})
    assert f'name="position" value="{KALAH}"' in form.text
    assert 'id="single-rules"' not in form.text
    assert 'name="rated"' not in form.text
    assert client.get(f"/{page}/kalah", {"position": "nothing"}).status_code == 404


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MORRIS, "“game” is missing"),
        ("nothing", "does not have the game “nothing”"),
        ("kalah.1 classic turn=0 board=0*6,24,0*6,24 ended=0", "is missing or not valid"),
    ],
)
def test_a_form_refuses_a_position_at_which_no_match_can_begin(client, text, words):
    answer = client.post(
        "/computer/kalah", {"position": text, "preset": "own", "seats": 2, "first": "lot", "level": 1}
    )
    assert answer.status_code == 400
    assert words in answer.text


def test_the_next_match_has_the_usual_rules_again(client):
    begun(client, "/computer/kalah", KALAH, first="host", level=1)
    page = client.get("/computer/kalah")
    assert page.context["form"].start is None
    assert page.context["form"]["preset"].value() != "own"


def test_every_ply_of_a_finished_match_leads_to_its_position(client):
    players = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    match = finished.won(players)
    last = match.plies.count()
    for ply in range(last + 1):
        there = client.get(f"/m/{match.pk}/position/{ply}")
        found = position.parse(parse_qs(urlsplit(there["Location"]).query)["p"][0])
        assert found.state == history.state_after(match.pk, ply)
    assert client.get(f"/m/{match.pk}/position/{last + 1}").status_code == 404


def test_a_match_in_play_or_of_others_does_not_tell_its_positions(client):
    players = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    assert client.get(f"/m/{finished.begun(players).pk}/position/0").status_code == 409
    private = finished.won(players)
    Match.objects.filter(pk=private.pk).update(watchable=False)
    assert client.get(f"/m/{private.pk}/position/0").status_code == 403
    client.force_login(players[0])
    assert client.get(f"/m/{private.pk}/position/0").status_code == 302
    assert client.get("/m/nothing/position/0").status_code == 404


def waiting(client, path, text, **values):
    """The table that a form of the page sets up."""
    seats = position.parse(text).seats
    answer = client.post(path, {"position": text, "preset": "own", "seats": seats, **values})
    assert answer.status_code == 302, answer.context["form"].errors
    return Table.objects.get(pk=answer["Location"].removeprefix("/t/"))


@pytest.mark.parametrize(("first", "turn_of"), [("host", 0), ("other", 1)])
def test_a_friend_by_link_plays_on_from_the_position(client, first, turn_of):
    table = waiting(client, "/new/kalah?who=friend", KALAH, first=first, listed="no")
    assert not table.listed
    page = client.get(f"/t/{table.pk}")
    assert "From a position" in page.text
    assert address(position.parse(KALAH)).replace("&", "&amp;") in page.text
    friend = Client()
    friend.post(f"/t/{table.pk}/sit", {"token": table.invites.get().pk})
    table.refresh_from_db()
    assert start_of(table.match) == position.parse(KALAH).state
    players = [table.host_id, table.chairs.get(number=1).user_id]
    assert table.match.seatings.get(user=players[turn_of]).seat == 1


def test_a_table_does_not_show_the_note_of_its_position(client):
    table = waiting(client, "/new/morris", MORRIS, first="lot")
    assert table.position == MORRIS.partition(" ;")[0]


def test_an_open_table_at_a_position_is_casual_whatever_is_sent(client):
    table = waiting(client, "/new/kalah", KALAH, first="lot", rated="yes")
    assert table.listed
    assert not table.rated


def test_the_picture_of_a_table_is_that_of_its_position(client):
    table = waiting(client, "/new/kalah", KALAH, first="lot")
    assert opening(table) == position.parse(KALAH).state


def test_a_match_at_a_position_needs_all_its_players():
    text = "aces.1 standard seats=3 turn=0 dice=[0*5],[0*5],[0*5] present=true*3"
    host, other = (User.objects.create_user(name) for name in ("Ulno", "Artjom"))
    start = position.parse(text)
    table = tables.set_table(host, "aces", start.state.options, 3, "lot", position=start)
    tables.sit_down(other, table.pk)
    with pytest.raises(TooFew):
        tables.start(host, table.pk)


def test_the_same_again_begins_at_the_same_position(client):
    match = begun(client, "/computer/kalah", KALAH, first="host", level=1)
    again = client.post(f"/m/{match.pk}/again")["Location"].removeprefix("/m/")
    assert start_of(Match.objects.get(pk=again)) == position.parse(KALAH).state
    form = client.get(f"/computer/kalah?like={match.pk}").context["form"]
    assert str(form.start) == KALAH

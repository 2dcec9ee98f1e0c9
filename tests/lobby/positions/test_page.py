"""The page of a position, and matches that begin there."""

from urllib.parse import parse_qs, urlsplit

import pytest

from games.domain import codec, position
from games.domain.position import at_start
from games.models import Match
from games.registry import GAMES
from lobby.positions.addresses import address

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
        ("/position/kalah?p=kalah.1 classic turn=0 board=4*6,0,4*5,99,0", "“board” is missing"),
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

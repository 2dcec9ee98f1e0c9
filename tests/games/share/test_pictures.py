"""Pictures of positions: what they are made of, which a registered game inherits, and who may have them."""

import json
import re
import subprocess
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games.computers.pool import Busy
from games.domain import codec, match_actions
from games.domain.match_actions import Act
from games.domain.terms import Terms
from games.models import Match
from games.net.limits import Buckets
from games.pictures import any_game, shapes
from games.play import begin
from games.registry import GAMES
from games.rules.base import Leave
from games.share import drawing
from games.share import painter as painting
from games.share.painter import MOST_WAITING, Painter, paint, painter
from lobby.accounts import guests
from lobby.people.models import User
from tests.helpers import finished
from tests.helpers.playout import random_playout
from tools.harness import subprocess_call
from tools.harness.patience import within
from tools.programs import node

ROOT = Path(__file__).parents[3]
SVG = "{http://www.w3.org/2000/svg}"
PNG = b"\x89PNG\r\n\x1a\n"
MOST_POSITIONS = 60
"""Of one play-out that are drawn."""

PRESETS = [
    pytest.param(game, options, seats, id=f"{game.slug}-{name}-{seats}")
    for game in GAMES.values()
    for name, options in game.rules.PRESETS.items()
    for seats in sorted({game.rules.SEATS[0], game.rules.SEATS[-1]})
]


def pictures(game, options, seats, leaving=0.0):
    """Pictures of the positions of a random match, the same stretch of it every time."""
    states, _ = random_playout(game, options, seats, Random(f"{game.slug} {seats}"), leaving=leaving)
    start = max(0, len(states) - MOST_POSITIONS)
    return [drawn(game, state) for state in [*states[: MOST_POSITIONS // 2], *states[start:]]]


def drawn(game, state):
    return drawing.picture(game.slug, state, game.rules.outcome(state), "A position")


def check(picture):
    """Well-formed, alone in the world, without a script or a letter, and small."""
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text == "A position"
    assert not {"script", "text", "image", "style", "foreignObject", "use", "a"} & {
        each.tag.removeprefix(SVG) for each in root.iter()
    }
    values = [value for each in root.iter() for value in each.attrib.values()]
    assert not [value for value in values if "://" in value or "var(" in value or "nan" in value]
    defined = {each.get("id") for each in root.iter() if each.get("id")}
    assert {name for value in values for name in re.findall(r"url\(#([^)]*)\)", value)} <= defined
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on")]
    assert len(picture) < 60_000


@pytest.mark.parametrize(("game", "options", "seats"), PRESETS)
def test_every_position_is_a_picture_that_stands_alone(game, options, seats):
    for picture in pictures(game, options, seats):
        check(picture)


@pytest.mark.parametrize(("game", "options", "seats"), PRESETS)
def test_another_position_is_another_picture(game, options, seats):
    states, _ = random_playout(game, options, seats, Random(f"{game.slug} {seats} changes"))
    shown = [drawn(game, state) for state in states[:300]]
    assert not [n for n, (before, after) in enumerate(pairwise(shown)) if before == after]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_people_who_leave_can_be_drawn(game):
    options = next(iter(game.rules.PRESETS.values()))
    for picture in pictures(game, options, game.rules.SEATS[-1], leaving=0.1):
        check(picture)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_end_that_is_no_games_own_shows(game):
    """Players agreed on a draw: nobody is to move, and all have won."""
    state = game.rules.setup(next(iter(game.rules.PRESETS.values())), game.rules.SEATS[0])
    over = match_actions.outcome(
        game.rules, state, str(Act(match_actions.AGREED, 0)), range(game.rules.SEATS[0])
    )
    ended = drawing.picture(game.slug, state, over, "A position")
    check(ended)
    assert ended != drawn(game, state)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_without_a_picture_of_its_own_has_one_all_the_same(game, monkeypatch):
    monkeypatch.setattr(drawing, "picture_module", lambda _: any_game)
    test_another_position_is_another_picture(
        game, next(iter(game.rules.PRESETS.values())), game.rules.SEATS[0]
    )
    for picture in pictures(game, next(iter(game.rules.PRESETS.values())), game.rules.SEATS[0]):
        check(picture)


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_is_drawn_by_its_own_file_if_it_has_one(slug):
    own = (ROOT / "games" / "pictures" / f"{slug}.py").exists()
    assert (drawing.picture_module(slug) is any_game) != own


NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")


def leaves(element, around=()):
    """The shapes of a picture in the order of drawing: a name, and the attributes from the outermost in."""
    about = {name: value for name, value in element.attrib.items() if name != "role"}
    inside = (*around, about) if about else around
    tag = element.tag.removeprefix(SVG)
    if tag not in ("g", "svg"):
        return [] if tag in ("title", "defs") else [[tag, inside]]
    return [leaf for child in element for leaf in leaves(child, inside if tag == "g" else ())]


def lettered(leaf):
    """What of a shape is no number, with its attributes in one order."""
    tag, around = leaf
    return tag, [
        [(name, NUMBER.sub("0", str(value))) for name, value in sorted(each.items())] for each in around
    ]


def numbers(leaf):
    _, around = leaf
    return [
        float(number)
        for each in around
        for _, value in sorted(each.items())
        for number in NUMBER.findall(str(value))
    ]


PLANNED = [slug for slug in GAMES if (ROOT / "static" / "boards" / slug / "plan.js").exists()]
"""Games whose picture and board are drawn from one plan."""


@pytest.mark.parametrize("slug", PLANNED)
def test_a_picture_has_the_shapes_of_the_board(slug):
    engine = node() or pytest.skip("Node is not installed")
    game = GAMES[slug]
    drawings = []
    for seats in sorted({game.rules.SEATS[0], game.rules.SEATS[-1]}):
        states, _ = random_playout(game, game.rules.Options(), seats, Random(f"{slug} {seats} alike"))
        drawings += [(state, game.rules.outcome(state), seats) for state in (*states[::9], states[-1])]
    done = subprocess.run(
        [engine, "tests/js/board_shapes.js", f"static/{game.board}"],
        cwd=ROOT,
        input=codec.encode(
            [dict(zip(("state", "outcome", "seats"), each, strict=True)) for each in drawings]
        ),
        capture_output=True,
        check=True,
    )
    for (state, outcome, _), board in zip(drawings, json.loads(done.stdout), strict=True):
        module = drawing.picture_module(slug)
        shown = leaves(ET.fromstring(f"<svg>{module.draw(state, outcome)}</svg>"))
        assert module.size(state) == tuple(board["size"])
        assert [lettered(leaf) for leaf in shown] == [lettered(leaf) for leaf in board["shapes"]]
        for one, other in zip(shown, board["shapes"], strict=True):
            assert numbers(one) == pytest.approx(numbers(other), abs=0.03)


def test_colours_are_the_tokens_of_the_site():
    tokens = (ROOT / "static" / "css" / "tokens.css").read_text()
    state = GAMES["kalah"].rules.setup(GAMES["kalah"].rules.Options(), 2)
    used = set(re.findall(r"#[0-9a-f]{6}", drawn(GAMES["kalah"], state)))
    assert used
    assert used <= set(re.findall(r"#[0-9a-f]{6}", tokens))


@pytest.mark.parametrize("value", [0, 7, 48, 72, 100, 1234567890])
def test_a_number_has_a_stroke_for_each_digit(value):
    number = ET.fromstring(shapes.number(value, 0, 0, 10, "var(--ink)"))
    assert len(list(number)) == len(str(value))


def test_a_card_is_painted_in_the_size_that_sites_ask_for():
    state = GAMES["kalah"].rules.setup(GAMES["kalah"].rules.Options(), 2)
    painted = paint(drawing.card("kalah", state, None))
    assert painted.startswith(PNG)
    assert (int.from_bytes(painted[16:20]), int.from_bytes(painted[20:24])) == drawing.CARD


class TestPainter:
    async def test_painter_paints_equal_pictures_once(self):
        painter, asked = Painter(), []

        async def ask(_work, svg):
            asked.append(svg)
            return svg.encode()

        painter._ask = ask
        assert [await painter.png(svg) for svg in ("a", "b", "a")] == [b"a", b"b", b"a"]
        assert asked == ["a", "b"]

    async def test_painter_refuses_when_busy(self):
        painter = Painter()
        painter._waiting = MOST_WAITING
        with pytest.raises(Busy):
            await painter.png("a")


# Addresses


@pytest.fixture
def users(db):
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture
def match(users):
    return finished.play(finished.begun(users), "1", "2")


@pytest.fixture
def over(users):
    return finished.won(users)


def terms_of(match, **fields):
    Match.objects.filter(pk=match.pk).update(**fields)


class TestAddresses:
    def test_the_last_position_is_asked_for_each_time(self, client, match):
        answer = client.get(f"/m/{match.pk}.svg")
        assert answer["Content-Type"] == "image/svg+xml"
        assert answer["Cache-Control"] == "public, no-cache"
        assert "after move 2" in answer.content.decode()

    def test_picture_etag_matches_until_next_move(self, client, match):
        tag = client.get(f"/m/{match.pk}.svg")["ETag"]
        assert client.get(f"/m/{match.pk}.svg", headers={"If-None-Match": tag}).status_code == 304
        finished.play(match, "3")
        assert client.get(f"/m/{match.pk}.svg", headers={"If-None-Match": tag}).status_code == 200

    def test_a_position_that_was_played_stays_for_ever(self, client, match):
        answer = client.get(f"/m/{match.pk}/1.svg")
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        finished.play(match, "3")
        assert client.get(f"/m/{match.pk}/1.svg")["ETag"] == answer["ETag"]
        assert client.get(f"/m/{match.pk}/0.svg").status_code == 200

    def test_the_last_position_of_a_match_that_is_over_stays_too(self, client, over):
        assert "immutable" in client.get(f"/m/{over.pk}.svg")["Cache-Control"]

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("path", ["/m/{}/3.svg", "/m/{}/3.png", "/m/{}/-1.svg", "/m/{}/x.svg"])
    def test_a_ply_that_was_not_played_is_unknown(self, client, match, path):
        assert client.get(path.format(match.pk)).status_code == 404

    @pytest.mark.parametrize("path", ["/m/nothing.svg", "/m/nothing.png", "/m/nothing/0.svg"])
    def test_a_match_that_is_unknown(self, client, db, path):
        assert client.get(path).status_code == 404

    @pytest.mark.parametrize("method", ["post", "put", "delete"])
    def test_pictures_are_only_read(self, client, match, method):
        assert getattr(client, method)(f"/m/{match.pk}.svg").status_code == 405

    def test_no_session_is_looked_at(self, users, match):
        player = Client()
        player.force_login(users[0], backend="lobby.auth.backends.PasswordBackend")
        answer = player.get(f"/m/{match.pk}.svg")
        assert "Cookie" not in answer.get("Vary", "")
        assert "Set-Cookie" not in answer

    def test_no_name_is_in_a_picture(self, client, match):
        assert "Ulno" not in client.get(f"/m/{match.pk}.svg").content.decode()


class TestPrivacy:
    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("path", ["/m/{}.svg", "/m/{}/0.svg", "/m/{}.png", "/m/{}/0.png"])
    def test_a_match_that_nobody_may_watch_has_no_picture_not_even_for_its_players(self, users, match, path):
        terms_of(match, watchable=False)
        player = Client()
        player.force_login(users[0], backend="lobby.auth.backends.PasswordBackend")
        for client in (Client(), player):
            answer = client.get(path.format(match.pk))
            assert (answer.status_code, answer.content) == (403, b"")

    def test_delayed_match_picture_shows_watchers_position(self, client, users):
        match = begin.create("kalah", GAMES["kalah"].rules.Options(), users, terms=Terms(delay=60))
        finished.play(match, "1", at=timezone.now() - timedelta(seconds=61))
        finished.play(match, "2", at=timezone.now())
        assert "after move 1" in client.get(f"/m/{match.pk}.svg").content.decode()
        assert client.get(f"/m/{match.pk}/2.svg").status_code == 404

    def test_delayed_match_picture_hides_end_until_delay_over(self, client, users):
        match = begin.create("kalah", GAMES["kalah"].rules.Options(), users, terms=Terms(delay=60))
        finished.play(match, Leave(0), at=datetime.now(UTC))
        assert client.get(f"/m/{match.pk}.svg")["Cache-Control"] == "public, no-cache"


@pytest.mark.django_db(transaction=True)
class TestCards:
    def test_card_is_png_and_cached_like_picture(self, client, match):
        answer = client.get(f"/m/{match.pk}/1.png")
        assert answer["Content-Type"] == "image/png"
        assert answer.content.startswith(PNG)
        assert "immutable" in answer["Cache-Control"]
        again = client.get(f"/m/{match.pk}/1.png", headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")

    def test_an_address_may_have_only_so_many_painted(self, client, match, monkeypatch):
        monkeypatch.setattr(painting, "_paintings", Buckets(rate=1 / 60, burst=0.5))
        answer = client.get(f"/m/{match.pk}.png")
        assert (answer.status_code, answer["Retry-After"]) == (429, "1")

    def test_card_refused_with_retry_after_when_busy(self, client, match, monkeypatch):
        async def busy(_svg):
            raise Busy

        monkeypatch.setattr(painter, "png", busy)
        answer = client.get(f"/m/{match.pk}.png")
        assert (answer.status_code, answer["Retry-After"]) == (503, "10")


def test_a_running_server_paints_and_stops_as_it_should(launcher):
    """Painting is done beside the server, which answers others meanwhile and leaves nothing behind."""
    server = launcher.open(launcher.store("sqlite"))
    match_id = subprocess_call.call(server.database_url, begun_by_guests)
    painted = server.get(f"/m/{match_id}.png")
    assert (painted.status, painted.headers["content-type"]) == (200, "image/png")
    assert painted.body.startswith(PNG)
    with ThreadPoolExecutor(4) as pool:
        cards = [pool.submit(server.get, f"/m/{match_id}/0.png") for _ in range(4)]
        with within(5):
            assert server.get("/healthz").status == 200
        assert {card.result().body for card in cards} == {painted.body}
    assert server.terminate() == 0


def begun_by_guests():
    return finished.begun([guests.new_guest(), guests.new_guest()]).pk

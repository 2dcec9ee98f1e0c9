"""Boards in frames of other sites, and what links to a match tell them."""

import html
import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.domain.terms import Terms
from games.models import Match
from games.play import begin
from games.registry import GAMES
from games.rules.base import Leave
from lobby.people.models import User
from tests.helpers import finished

pytestmark = pytest.mark.django_db


@pytest.fixture
def users():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture
def match(users):
    return finished.play(finished.begun(users), "1", "2")


@pytest.fixture
def over(users):
    """Ulno won, since Artjom resigned."""
    return finished.won(users)


def signed_in(user):
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    return client


def policy(answer):
    return dict(part.split(" ", 1) for part in answer["Content-Security-Policy"].split("; "))


def private(match):
    Match.objects.filter(pk=match.pk).update(watchable=False)


def delayed(users):
    """A match of which watchers know the first ply and not the last, which ended it."""
    match = begin.create("kalah", GAMES["kalah"].rules.Options(), users, terms=Terms(delay=60))
    finished.play(match, "1", at=timezone.now() - timedelta(seconds=61))
    return finished.play(match, Leave(0), at=timezone.now())


def score_in(page):
    found = re.search(r'<script id="score" type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1]) if found else None


class TestFrame:
    def test_frame_shows_board_players_and_link(self, client, match):
        page = client.get(f"/embed/{match.pk}").content.decode()
        assert "<title>Kalah: Ulno – Artjom · Parlour</title>" in page
        assert f'data-match="{match.pk}"' in page
        assert f'href="/m/{match.pk}" target="_blank" rel="noopener"' in page
        assert "site-header" not in page

    def test_a_match_in_play_comes_over_the_socket(self, client, match):
        assert score_in(client.get(f"/embed/{match.pk}").content.decode()) is None

    def test_a_match_that_is_over_comes_with_the_page(self, client, over):
        score = score_in(client.get(f"/embed/{over.pk}").content.decode())
        assert [ply["ply"] for ply in score["plies"]] == list(range(1, over.plies.count() + 1))
        assert score["players"] == ["Ulno", "Artjom"]
        assert score["outcome"] == {
            "winners": [0],
            "reason": "resigned",
            "scores": score["outcome"]["scores"],
        }
        assert score["start"]["board"] == [4, 4, 4, 4, 4, 4, 0] * 2

    def test_frame_cached_only_after_end(self, client, match, over):
        kept = [client.get(f"/embed/{each.pk}")["Cache-Control"] for each in (match, over)]
        assert kept == ["no-cache", "public, max-age=300"]

    def test_frame_cache_varies_by_language(self, client, over):
        varies = client.get(f"/embed/{over.pk}")["Vary"]
        assert {"Cookie", "Accept-Language"} <= set(varies.split(", "))

    @pytest.mark.parametrize("game", GAMES)
    def test_every_game_can_be_embedded(self, client, users, game):
        match = finished.begun(users, game)
        page = client.get(f"/embed/{match.pk}").content.decode()
        assert f'data-board="/static/boards/{game}.js"' in page

    def test_frame_ignores_session(self, users, match):
        answer = signed_in(users[0]).get(f"/embed/{match.pk}")
        assert "data-me" not in answer.content.decode()
        assert "Cookie" not in answer.get("Vary", "")
        assert not answer.cookies


class TestFraming:
    def test_any_site_may_frame_it(self, client, match):
        answer = client.get(f"/embed/{match.pk}")
        assert policy(answer)["frame-ancestors"] == "*"
        assert "X-Frame-Options" not in answer

    def test_the_host_may_say_which(self, client, match, settings):
        settings.EMBED_ANCESTORS = ["https://blog.example", "https://club.example"]
        answer = client.get(f"/embed/{match.pk}")
        assert policy(answer)["frame-ancestors"] == "https://blog.example https://club.example"

    def test_the_rest_of_the_policy_stands(self, client, match):
        inside, outside = (policy(client.get(f"/{place}/{match.pk}")) for place in ("embed", "m"))
        assert {**inside, "frame-ancestors": "'none'"} == outside

    @pytest.mark.parametrize("path", ["/", "/m/{}", "/replay", "/rules/kalah", "/m/{}.svg", "/leaderboards"])
    def test_other_pages_not_framed(self, client, match, path):
        answer = client.get(path.format(match.pk))
        assert answer.status_code == 200
        assert policy(answer)["frame-ancestors"] == "'none'"
        assert answer["X-Frame-Options"] == "DENY"


class TestPrivacy:
    def test_a_match_for_its_players_shows_nothing_not_even_to_them(self, users, match):
        private(match)
        for client in (Client(), signed_in(users[0])):
            answer = client.get(f"/embed/{match.pk}")
            page = answer.content.decode()
            assert answer.status_code == 403
            assert "This match is private." in page
            assert not [word for word in ("Ulno", "Kalah", match.pk) if word in page]

    def test_a_match_that_is_unknown_says_so_in_the_frame(self, client):
        answer = client.get("/embed/nothing")
        assert answer.status_code == 404
        assert policy(answer)["frame-ancestors"] == "*"
        assert "This match does not exist." in answer.content.decode()

    def test_delayed_match_result_hidden_until_delay_over(self, client, users):
        match = delayed(users)
        assert score_in(client.get(f"/embed/{match.pk}").content.decode()) is None
        Match.objects.filter(pk=match.pk).update(delay=0)
        assert score_in(client.get(f"/embed/{match.pk}").content.decode()) is not None


def card_in(answer):
    found = re.findall(
        r'<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">', answer.content.decode()
    )
    return dict(found)


class TestCards:
    def test_a_link_to_a_match_has_a_title_a_description_and_the_board(self, client, match):
        card = card_in(client.get(f"/m/{match.pk}"))
        assert card["og:title"] == "Kalah: Ulno – Artjom"
        assert card["og:description"] == "Watch this game of Kalah live."
        assert card["og:url"] == f"http://testserver/m/{match.pk}"
        assert card["og:image"] == f"http://testserver/m/{match.pk}/2.png"
        assert (card["og:image:width"], card["og:image:height"]) == ("1200", "630")
        assert card["og:image:alt"] == "Kalah, the position after move 2"
        assert card["twitter:card"] == "summary_large_image"

    def test_a_link_to_a_replay_says_how_it_ended(self, client, over):
        card = card_in(client.get(f"/m/{over.pk}"))
        assert card["og:description"].startswith("Won by Ulno (by resignation)")
        assert card["og:description"].endswith("Replay it move by move.")

    def test_a_name_is_no_markup(self, client, users, match):
        User.objects.filter(pk=users[0].pk).update(username='<b>"')
        page = client.get(f"/m/{match.pk}").content.decode()
        assert "&lt;b&gt;&quot;" in page
        assert '<b>"' not in page

    def test_the_match_page_has_the_code_for_other_sites_as_a_text(self, client, users, match):
        User.objects.filter(pk=users[0].pk).update(username='"><b>')
        page = client.get(f"/m/{match.pk}").content.decode()
        code = re.search(r'id="embed-code-text" readonly value="([^"]*)">', page)[1]
        assert html.unescape(code) == (
            f'<iframe src="http://testserver/embed/{match.pk}" width="640" height="480" '
            'title="Kalah: &quot;&gt;&lt;b&gt; – Artjom" loading="lazy" style="border:0"></iframe>'
        )

    def test_the_page_of_a_private_match_has_none_for_anybody(self, users, match):
        private(match)
        assert card_in(signed_in(users[0]).get(f"/m/{match.pk}")) == {}
        assert card_in(Client().get(f"/m/{match.pk}")) == {}

    def test_delayed_match_link_card_shows_watchers_position(self, users):
        match = delayed(users)
        card = card_in(signed_in(users[0]).get(f"/m/{match.pk}"))
        assert card["og:image"].endswith("/1.png")
        assert card["og:description"] == "Watch this game of Kalah live."

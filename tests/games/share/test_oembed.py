"""oEmbed (https://oembed.com): what a site is told that was given a link to a match."""

import html
import re
from urllib.parse import urlencode

import pytest

from games.models import Match
from lobby.people.models import User
from tests.helpers import finished

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return finished.begun([User.objects.create_user(name) for name in ("Ulno", "Artjom")])


def ask(client, url, **parameters):
    return client.get(f"/oembed?{urlencode({'url': url, **parameters})}")


def link(match):
    return f"http://testserver/m/{match.pk}"


def test_the_page_of_a_match_tells_where_to_ask(client, match):
    page = client.get(f"/m/{match.pk}").content.decode()
    found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]*)"', page)
    answer = client.get(html.unescape(found[1]).removeprefix("http://testserver"))
    assert answer.json()["title"] == "Kalah: Ulno – Artjom"


def test_oembed_is_frame_with_board(client, match):
    answer = ask(client, link(match))
    assert answer["Content-Type"] == "application/json"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer.json() == {
        "version": "1.0",
        "type": "rich",
        "title": "Kalah: Ulno – Artjom",
        "provider_name": "Parlour",
        "provider_url": "http://testserver/",
        "cache_age": 3600,
        "html": f'<iframe src="http://testserver/embed/{match.pk}" width="640" height="480" '
        'title="Kalah: Ulno – Artjom" loading="lazy" style="border:0"></iframe>',
        "width": 640,
        "height": 480,
        "thumbnail_url": f"http://testserver/m/{match.pk}/0.png",
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }


@pytest.mark.parametrize(
    "address", ["http://testserver/m/{}#12", "https://testserver/m/{}?a=b", "http://testserver/embed/{}"]
)
def test_any_link_to_the_match_will_do(client, match, address):
    assert ask(client, address.format(match.pk)).status_code == 200


@pytest.mark.parametrize(
    ("asked", "room"),
    [
        ({"maxwidth": 360}, (360, 480)),
        ({"maxheight": 300}, (640, 300)),
        ({"maxwidth": 360, "maxheight": 360}, (360, 360)),
        ({"maxwidth": 5000, "maxheight": 5000}, (640, 480)),
    ],
)
def test_oembed_respects_maximum_size(client, match, asked, room):
    answer = ask(client, link(match), **asked).json()
    assert (answer["width"], answer["height"]) == room
    assert f'width="{room[0]}" height="{room[1]}"' in answer["html"]
    assert "thumbnail_url" not in answer


@pytest.mark.parametrize("size", ["0", "-1", "wide", "1.5", "", "٣", "9" * 400])
def test_a_size_that_is_none_is_refused(client, match, size):
    assert ask(client, link(match), maxwidth=size).status_code == 400


@pytest.mark.parametrize("form", ["xml", "html", ""])
def test_another_format_is_not_implemented(client, match, form):
    assert ask(client, link(match), format=form).status_code == 501


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nothing",
        "http://[",
        "http://testserver/",
        "http://testserver/m/",
        "http://testserver/m/nothing",
        "http://elsewhere.example/m/{}",
        "ftp://testserver/m/{}",
        "http://testserver/m/{}/dice",
        "http://testserver/m/{}.svg",
        "javascript:/m/{}",
    ],
)
def test_oembed_unknown_address_not_found(client, match, address):
    assert ask(client, address.format(match.pk)).status_code == 404


def test_a_private_match_is_not_told_of(client, match):
    Match.objects.filter(pk=match.pk).update(watchable=False)
    answer = ask(client, link(match))
    assert (answer.status_code, answer.content) == (401, b"")


def test_a_name_is_no_markup(client, match):
    User.objects.filter(username="Ulno").update(username='"><b>')
    assert 'title="Kalah: &quot;&gt;&lt;b&gt; – Artjom"' in ask(client, link(match)).json()["html"]


def test_oembed_post_not_allowed(client, match):
    assert client.post("/oembed").status_code == 405

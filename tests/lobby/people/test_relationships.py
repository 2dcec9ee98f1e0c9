"""Following, muting, blocking: what holds between two people, and the pages that change it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from games.net.limits import Buckets
from games.play import begin
from games.registry import GAMES
from lobby.chat.models import ChatLine, Report
from lobby.people import following, relationships, views
from lobby.people.models import Relationship, User
from lobby.people.relationships import RelationshipError
from lobby.tables.tables import set_table, sit_down
from tests.helpers import tournaments
from tests.helpers.samples import in_full
from tools.harness.patience import within
from tools.harness.people import Person

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
JSON = {"HTTP_ACCEPT": "application/json"}


def kinds(user, other):
    return set(relationships.kinds_to(user.pk, other.pk))


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.django_db
class TestTies:
    @pytest.mark.parametrize(("action", "kind"), [("follow", "follow"), ("mute", "mute"), ("block", "block")])
    def test_a_relationship_is_one_sided(self, ulno, artjom, action, kind):
        getattr(relationships, action)(ulno, artjom)
        assert kinds(ulno, artjom) == {kind}
        assert kinds(artjom, ulno) == set()

    @pytest.mark.parametrize("action", ["follow", "mute", "block"])
    def test_a_relationship_made_twice_is_made_once(self, ulno, artjom, action):
        getattr(relationships, action)(ulno, artjom)
        getattr(relationships, action)(ulno, artjom)
        assert Relationship.objects.count() == 1

    @pytest.mark.parametrize("action", ["follow", "mute", "block"])
    def test_a_relationship_can_be_undone(self, ulno, artjom, action):
        getattr(relationships, action)(ulno, artjom)
        getattr(relationships, f"un{action}")(ulno, artjom)
        assert not Relationship.objects.exists()

    @pytest.mark.parametrize("action", ["follow", "mute", "block"])
    def test_relationship_to_oneself_refused(self, ulno, action):
        with pytest.raises(RelationshipError) as refusal:
            getattr(relationships, action)(ulno, ulno)
        assert refusal.value.code == "oneself"

    @pytest.mark.parametrize("action", ["follow", "mute", "block"])
    def test_relationship_to_deleted_user_refused(self, ulno, artjom, action):
        User.objects.filter(pk=artjom.pk).update(is_deleted=True)
        with pytest.raises(RelationshipError) as refusal:
            getattr(relationships, action)(ulno, artjom)
        assert refusal.value.code == "unknown"
        assert not Relationship.objects.exists()

    def test_blocking_ends_following_both_ways(self, ulno, artjom):
        relationships.follow(ulno, artjom)
        relationships.follow(artjom, ulno)
        relationships.block(ulno, artjom)
        assert kinds(ulno, artjom) == {"block"}
        assert kinds(artjom, ulno) == set()

    def test_follow_across_block_refused(self, ulno, artjom):
        relationships.block(ulno, artjom)
        for one, other in ((ulno, artjom), (artjom, ulno)):
            with pytest.raises(RelationshipError) as refusal:
                relationships.follow(one, other)
            assert refusal.value.code == "blocked"

    def test_a_list_has_an_end(self, ulno, artjom, monkeypatch):
        monkeypatch.setattr(relationships, "MAX_PEOPLE", 1)
        relationships.follow(ulno, artjom)
        with pytest.raises(RelationshipError) as refusal:
            relationships.follow(ulno, User.objects.create_user("Third"))
        assert refusal.value.code == "too-many"
        relationships.follow(ulno, artjom)
        relationships.mute(ulno, User.objects.get(username="Third"))

    def test_blocked_ids_in_both_directions(self, ulno, artjom):
        third = User.objects.create_user("Third")
        relationships.block(ulno, artjom)
        relationships.block(third, ulno)
        assert relationships.apart(artjom.pk, ulno.pk)
        assert not relationships.apart(artjom.pk, third.pk)
        assert relationships.blocked_ids(ulno.pk) == {artjom.pk, third.pk}
        assert relationships.blocked_ids(artjom.pk) == {ulno.pk}

    def test_muted_and_silenced_users(self, ulno, artjom):
        third = User.objects.create_user("Third")
        relationships.mute(ulno, artjom)
        relationships.block(ulno, third)
        assert relationships.muted_ids(ulno.pk) == {artjom.pk}
        assert relationships.silenced_names(ulno.pk) == ["Artjom", "Third"]

    def test_a_name_is_found_whatever_its_capitals(self, artjom):
        assert relationships.named("aRTJOM", None) == artjom
        with pytest.raises(RelationshipError) as refusal:
            relationships.named("Nobody", None)
        assert refusal.value.code == "unknown"


@pytest.mark.django_db
class TestSearch:
    def test_names_are_found_by_how_they_begin(self, ulno):
        for name in ("Otter-1", "otter-22", "Brave-Otter"):
            User.objects.create_user(name)
        assert [each.username for each in views.search(ulno, "OTTER")] == ["Otter-1", "otter-22"]

    def test_the_exact_name_comes_first(self, ulno):
        for name in ("aaa-b", "aaa", "aaa-a"):
            User.objects.create_user(name)
        assert views.search(ulno, "AAA")[0].username == "aaa"

    def test_ten_are_found_at_most(self, ulno):
        for number in range(12):
            User.objects.create_user(f"Otter-{number}")
        assert len(views.search(ulno, "otter")) == 10

    def test_oneself_the_deleted_and_the_banned_are_not_found(self, ulno, artjom):
        User.objects.create_user("Art-deleted", is_deleted=True)
        User.objects.create_user("Art-banned", is_active=False)
        assert views.search(ulno, "Ulno") == []
        assert views.search(ulno, "Art") == [artjom]

    @pytest.mark.parametrize("wanted", ["%", "_", "", "x" * 21])
    def test_signs_with_a_meaning_for_databases_find_nobody(self, ulno, artjom, wanted):
        assert views.search(ulno, wanted) == []


@pytest.mark.django_db
class TestThePage:
    def test_a_visitor_signs_in_first(self, client):
        answer = client.get("/people")
        assert answer.status_code == 302
        assert answer["Location"].endswith("?next=/people")

    def test_a_guest_may_follow(self, artjom):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        client = signed_in(guest)
        client.post("/people/artjom/follow")
        page = client.get("/people").text
        assert "Artjom" in page
        assert "last seen" in page or "a moment ago" in page

    def test_people_page_finds_and_follows(self, ulno, artjom):
        client = signed_in(ulno)
        assert "Artjom" in client.get("/people", {"find": "art"}).text
        answer = client.post("/people/Artjom/follow", {"next": "/people?find=art"})
        assert answer["Location"] == "/people?find=art"
        assert kinds(ulno, artjom) == {"follow"}

    def test_people_page_lists_blocked_and_muted(self, ulno, artjom):
        client = signed_in(ulno)
        client.post("/people/Artjom/block")
        client.post("/people/Artjom/mute")
        page = client.get("/people").text
        assert "/people/Artjom/unblock" in page
        assert "/people/Artjom/unmute" in page
        client.post("/people/Artjom/unblock")
        client.post("/people/Artjom/unmute")
        assert kinds(ulno, artjom) == set()

    def test_people_page_redirect_stays_on_site(self, ulno, artjom):
        answer = signed_in(ulno).post("/people/Artjom/follow", {"next": "https://elsewhere.example/"})
        assert answer["Location"] == "/people"

    @pytest.mark.parametrize("act", ["adore", "report-all"])
    def test_people_page_unknown_action_not_found(self, ulno, artjom, act):
        assert signed_in(ulno).post(f"/people/Artjom/{act}").status_code == 404

    def test_people_page_unknown_user_not_found(self, ulno):
        client = signed_in(ulno)
        assert client.post("/people/Nobody/follow").status_code == 404
        answer = client.post("/people/Nobody/follow", **JSON)
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown")

    def test_a_refusal_says_why(self, ulno):
        answer = signed_in(ulno).post("/people/Ulno/follow", follow=True)
        assert "You cannot do that to yourself." in answer.text

    def test_a_visitor_decides_nothing(self, client, artjom):
        assert client.post("/people/Artjom/follow", **JSON).status_code == 401
        assert client.post("/people/Artjom/follow").status_code == 302
        assert not Relationship.objects.exists()

    def test_looking_at_an_address_decides_nothing(self, ulno, artjom):
        assert signed_in(ulno).get("/people/Artjom/follow").status_code == 405

    def test_a_form_of_another_site_decides_nothing(self, ulno, artjom):
        client = Client(enforce_csrf_checks=True)
        client.force_login(ulno)
        assert client.post("/people/Artjom/follow").status_code == 403
        assert not Relationship.objects.exists()

    def test_searching_has_a_limit(self, ulno, monkeypatch):
        monkeypatch.setattr(views, "searches", Buckets(rate=1 / 1000, burst=1))
        client = signed_in(ulno)
        assert client.get("/people", {"find": "art"}).status_code == 200
        answer = client.get("/people", {"find": "art"})
        assert answer.status_code == 429
        assert "Wait a few seconds" in answer.text
        assert client.get("/people").status_code == 200


@pytest.mark.django_db
class TestReports:
    def test_a_report_is_sent_by_a_form(self, ulno, artjom):
        client = signed_in(ulno)
        assert "Report Artjom" in client.get("/people/Artjom/report").text
        answer = client.post("/people/Artjom/report", {"reason": " Rude\nname "}, follow=True)
        assert "Thank you" in answer.text
        report = Report.objects.get()
        assert (report.reporter, report.about, report.reason) == (ulno, artjom, "Rude name")
        assert report.verdict == Report.Verdict.OPEN

    @pytest.mark.parametrize("reason", ["", "  ", "\u202e", "x" * 501])
    def test_a_report_without_a_proper_reason_is_not_taken(self, ulno, artjom, reason):
        answer = signed_in(ulno).post("/people/Artjom/report", {"reason": reason})
        assert answer.status_code == 400
        assert not Report.objects.exists()

    def test_report_oneself_refused(self, ulno):
        answer = signed_in(ulno).post("/people/Ulno/report", {"reason": "me"}, **JSON)
        assert (answer.status_code, answer.json()["code"]) == (400, "oneself")

    @pytest.mark.parametrize("line", ["1", "x", "-1", "9" * 30, "²"])
    def test_a_line_that_is_not_there_cannot_be_reported(self, ulno, artjom, line):
        answer = signed_in(ulno).post("/people/Artjom/report", {"reason": "rude", "line": line}, **JSON)
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown-line")

    @pytest.mark.parametrize(("room", "status"), [("players", 400), ("watchers", 400), ("lobby", 200)])
    def test_only_a_line_that_the_reporter_could_read_can_be_reported(self, ulno, artjom, room, status):
        game = next(iter(GAMES.values()))
        match = begin.create(
            game.slug, next(iter(game.rules.PRESETS.values())), [artjom, User.objects.create_user("Third")]
        )
        match.watchable = False
        match.save()
        line = ChatLine.objects.create(
            user=artjom, text="x", room=room, match=None if room == "lobby" else match
        )
        answer = signed_in(ulno).post("/people/Artjom/report", {"reason": "rude", "line": line.pk}, **JSON)
        assert answer.status_code == status

    def test_the_same_complaint_twice_is_one(self, ulno, artjom):
        client = signed_in(ulno)
        for _ in range(2):
            client.post("/people/Artjom/report", {"reason": "rude"})
        assert Report.objects.count() == 1

    def test_reports_have_a_limit_a_day(self, ulno):
        client = signed_in(ulno)
        for number in range(11):
            User.objects.create_user(f"Person-{number}")
            answer = client.post(f"/people/Person-{number}/report", {"reason": "rude"}, **JSON)
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many")
        Report.objects.update(created=timezone.now() - timedelta(days=2))
        answer = client.post("/people/Person-10/report", {"reason": "rude"}, **JSON)
        assert answer.status_code == 200

    def test_a_tournament_is_reported_at_its_organiser(self, ulno, artjom):
        cup = tournaments.entered(artjom, [], title="Rude cup")
        client = signed_in(ulno)
        address = f"/people/Artjom/report?tournament={cup.pk}"
        assert f"{address}&amp;next=" in client.get(f"/tournament/{cup.pk}").text
        assert "Rude cup" in client.get(address).text
        for reason in ("its title", "again"):
            client.post("/people/Artjom/report", {"reason": reason, "tournament": cup.pk})
        client.post("/people/Artjom/report", {"reason": "the person, too"})
        reports = Report.objects.order_by("pk").values_list("tournament", "reason")
        assert list(reports) == [(cup.pk, "its title"), (None, "the person, too")]

    @pytest.mark.parametrize("key", ["nothing", "²"])
    def test_a_tournament_that_is_not_there_cannot_be_reported(self, ulno, artjom, key):
        answer = signed_in(ulno).post("/people/Artjom/report", {"reason": "rude", "tournament": key}, **JSON)
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown-subject")

    def test_a_tournament_of_somebody_else_cannot_be_reported_here(self, ulno, artjom):
        cup = tournaments.entered(ulno, [])
        answer = signed_in(ulno).post("/people/Artjom/report", {"reason": "rude", "tournament": cup.pk})
        assert answer.status_code == 400
        assert not Report.objects.exists()

    def test_a_visitor_signs_in_first(self, client, artjom):
        assert client.get("/people/Artjom/report").status_code == 302


@pytest.mark.django_db(transaction=True)
class TestStandings:
    def of(self, person):
        return following.standings([person])[0]

    def test_standing_of_absent_user(self, artjom):
        artjom.seen = timezone.now() - timedelta(hours=3, minutes=5)
        standing = self.of(artjom)
        assert (standing.online, standing.match) == (False, None)
        assert standing.words == "last seen 3\xa0hours ago"

    @pytest.mark.parametrize(
        ("since", "words"),
        [
            (timedelta(minutes=21), "последний визит: 21\xa0минуту назад"),
            (timedelta(weeks=1), "последний визит: 1\xa0неделю назад"),
            (timedelta(hours=5), "последний визит: 5\xa0часов назад"),
        ],
    )
    def test_the_time_since_then_is_declined(self, artjom, since, words):
        artjom.seen = timezone.now() - since
        with translation.override("ru"):
            assert self.of(artjom).words == words

    @pytest.mark.parametrize("watchable", [True, False])
    def test_standing_of_playing_user(self, ulno, artjom, watchable):
        table = set_table(ulno, "kalah", CIRCLE, 2, "host")
        sit_down(artjom, table.pk)
        table.refresh_from_db()
        type(table.match).objects.update(watchable=watchable)
        standing = self.of(artjom)
        assert standing.match == (table.match.pk if watchable else None)
        assert standing.words == "in a match, but away"


@pytest.fixture(scope="module", params=in_full("postgres+redis", "sqlite"))
def pages(request, launcher):
    """Two addresses of one site, at two processes where there can be two."""
    store = launcher.store(request.param)
    first = launcher.open(store)
    return (first, first) if request.param == "sqlite" else (first, launcher.open(store))


class TestLive:
    def test_follower_told_of_presence_and_match(self, pages):
        me, other = Person(pages[0]), Person(pages[0])
        me.become_guest()
        other.become_guest()
        with other.lobby() as lobby:
            other.post("/new/kalah", preset="circle", seats="2", first="host")
            host = lobby.next("table")["table"]["host"]
        me.post(f"/people/{host}/follow")
        with me.me() as page:
            page.send({"type": "people"})
            first = page.next("people")["people"][0]
            assert (first["name"], first["online"], first["match"]) == (host, False, None)
            with other.me():
                with within(2):
                    assert page.next("people")["people"][0]["online"]
                me.post(f"{other.path}/sit")
                playing = page.next("people")["people"][0]
                assert f"/m/{playing['match']}" == me.path
            gone = page.next("people")["people"][0]
            assert not gone["online"]

    def test_page_without_request_told_nothing(self, pages):
        me = Person(pages[0])
        me.become_guest()
        with me.me() as page:
            page.send({"type": "ping", "t": 1.0})
            page.next("pong")
            assert [message["type"] for message in page.heard] == ["hello", "pong"]

    def test_open_pages_hear_whose_lines_are_not_wanted(self, pages):
        me, other = Person(pages[0]), Person(pages[0])
        me.become_guest()
        other.become_guest()
        name = other.get("/").split('data-me="')[1].split('"')[0]
        with me.me(pages[1]) as page:
            me.post(f"/people/{name}/mute")
            assert page.next("silenced")["names"] == [name]
            me.post(f"/people/{name}/unmute")
            assert page.next("silenced")["names"] == []

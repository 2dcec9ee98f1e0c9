"""A club in one file: whose names go along, what comes of it at another site, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from lobby.club_files import archives, files
from lobby.club_files.models import ClubArchive
from lobby.club_files.refusals import BadClubFile, ClubFileTooLarge, ClubIsHere
from lobby.clubs import clubs, members
from lobby.clubs.models import Club
from lobby.clubs.refusals import BadName, ClubError
from lobby.people.models import User
from tests.helpers.club_files import brought_in, file_of, full_club, sample, text_of
from tests.helpers.clubs import club_of
from tests.helpers.tournaments import command, people
from tests.lobby.tournaments.test_team_match import Match


@pytest.fixture
def olga(db: None) -> User:
    return people("Olga")[0]


@pytest.mark.django_db
class TestExport:
    def test_it_has_all_of_the_club_and_the_names_of_members_who_agreed(self) -> None:
        club = full_club()
        file = file_of(club)
        text = json.dumps(file)
        assert [name in text for name in ("Ada", '"Bo"', '"Cleo"', "Dan")] == [False, True, True, False]
        assert [each["role"] for each in file["members"]] == ["owner", "member", "member", "member"]
        assert [each["text"] for each in file["announcements"]] == ["Games on <b>Friday</b>"]
        (tournament,) = file["tournaments"]
        assert {each["name"] for each in tournament["players"]} == {"Bo", "Cleo", None}
        assert sum(each["points"] for each in tournament["players"]) == len(tournament["pairings"]) == 3
        assert file["ladder"]["places"] == ["Cleo", "Bo", None]
        assert [each["won"] for each in file["ladder"]["challenges"]] == [True]
        assert [each["author"] for each in file["studies"]] == ["Bo"]
        members.consent(User.objects.get(username="Bo"), club.pk, False, command())
        assert "Bo" not in json.dumps(file_of(club))

    def test_it_has_what_the_club_has_played_against_others(self) -> None:
        match = Match()
        assert "meetings" not in file_of(match.harbour)
        match.hand_in("Ada Bo", "Flo Gil")
        match.start()
        for _ in range(2):
            match.play_round("Ada", "Gil")
        members.consent(User.objects.get(username="Gil"), match.garden.pk, True, command())
        (meeting,) = file_of(match.garden)["meetings"]
        own = meeting["clubs"][meeting["own"]]
        assert (own["name"], sum(each["points"] for each in meeting["clubs"])) == (match.garden.name, 4.0)
        assert {each["name"] for each in meeting["players"]} == {None, "Gil"}
        assert sum(each["points"] for each in meeting["players"]) == own["points"]

    def test_only_members_agree(self) -> None:
        ada, zoe = people("Ada Zoe")
        with pytest.raises(ClubError):
            members.consent(zoe, club_of(ada).pk, True, command())


@pytest.mark.django_db
class TestImport:
    def test_the_file_of_an_imported_club_has_all_of_the_first(self, olga: User) -> None:
        file = sample()
        there = brought_in(olga, file)
        assert (there.name, there.about, there.games) == ("Garden club", "Games\nand tea", ["kalah"])
        again = file_of(there)
        assert again.pop("members")[1:] == file.pop("members")
        for each in (file, again):
            del each["exported"]
            each["studies"] = [part["study"]["title"] for part in each["studies"]]
        assert again == file

    def test_a_file_of_before_there_were_meetings(self, olga: User) -> None:
        file = sample()
        del file["meetings"]
        assert "meetings" not in file_of(brought_in(olga, file))

    def test_nobody_becomes_a_member(self, olga: User) -> None:
        there = brought_in(olga, sample())
        assert [each.user for each in there.memberships.all()] == [olga]

    def test_again_it_doubles_nothing(self, olga: User) -> None:
        file = sample()
        there = brought_in(olga, file)
        clubs.change(olga, there.pk, clubs.Charter("Park club"), command())
        assert brought_in(olga, {**file, "announcements": []}).pk == there.pk
        there.refresh_from_db()
        assert there.name == "Park club"
        assert (Club.objects.count(), ClubArchive.objects.count()) == (1, 1)
        assert archives.beginning(there, 10).announcements == []

    def test_not_where_the_club_is(self, olga: User) -> None:
        here = club_of(olga)
        with pytest.raises(ClubIsHere):
            brought_in(olga, {**sample(), "id": here.pk})

    def test_all_or_nothing(self, olga: User, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(*_arguments: Any, **_columns: Any) -> None:
            raise RuntimeError

        monkeypatch.setattr(ClubArchive.objects, "create", fails)
        with pytest.raises(RuntimeError):
            brought_in(olga, sample())
        assert not Club.objects.exists()

    def test_a_taken_name_is_refused_and_another_can_be_given(self, olga: User) -> None:
        file = {**sample(), "name": club_of(olga).name}
        with pytest.raises(BadName):
            brought_in(olga, file)
        assert brought_in(olga, file, name="Other club").name == "Other club"

    def test_games_that_are_not_here_are_left_out(self, olga: User) -> None:
        file = sample()
        file["games"] = ["chess", "kalah"]
        file["tournaments"][0] |= {"game": "chess", "format": "ladder2"}
        there = brought_in(olga, file)
        assert there.games == ["kalah"]
        shown = Client().get(reverse("club-archive", args=[there.slug])).content.decode()
        assert "chess, ladder2" in shown


Change = Callable[[dict[str, Any]], Any]
BAD: dict[str, tuple[Change, str]] = {
    "format": (lambda file: file.update(format="parlour-study"), "format"),
    "version": (lambda file: file.update(version=2), "version"),
    "unknown field": (lambda file: file.update(script="x"), "script"),
    "no name": (lambda file: file.pop("name"), "name"),
    "role": (lambda file: file["members"][0].update(role="king"), "members.0.role"),
    "huge number": (lambda file: file["tournaments"][0]["players"][0].update(points=1e300), "points"),
    "huge whole number": (lambda file: file["tournaments"][0]["players"][0].update(rank=2**63), "rank"),
    "number as text": (lambda file: file["tournaments"][0]["players"][0].update(played="3"), "played"),
    "no such player": (
        lambda file: file["tournaments"][0]["pairings"][0].update(players=[0, 9]),
        "tournaments.0.pairings.0.players",
    ),
    "the same player twice": (
        lambda file: file["tournaments"][0]["pairings"][0].update(players=[1, 1]),
        "tournaments.0.pairings.0.players",
    ),
    "points of others": (
        lambda file: file["tournaments"][0]["pairings"][0].update(points=[1]),
        "tournaments.0.pairings.0.points",
    ),
    "no such club": (lambda file: file["meetings"][0].update(own=2), "meetings.0.own"),
    "illegal move": (
        lambda file: file["studies"][0]["study"]["chapters"][0]["nodes"].append(
            {"id": 1, "parent": 0, "action": "99"}
        ),
        "studies.0.study.chapters.0.nodes.1.action",
    ),
    "direction override": (
        lambda file: file["members"].append({**file["members"][1], "name": "a\u202eb"}),
        "members.2.name",
    ),
    "two lines": (
        lambda file: file["announcements"][0].update(text="a\nb"),
        "announcements.0.text",
    ),
    "a long name": (lambda file: file["members"][1].update(name="x" * 1000), "members.1.name"),
    "a time without a zone": (lambda file: file.update(exported="2026-11-28T10:00:00"), "exported"),
}


class TestHostileFiles:
    @pytest.mark.parametrize("what", BAD)
    def test_what_is_wrong_is_named(self, what: str) -> None:
        change, place = BAD[what]
        file = sample()
        change(file)
        with pytest.raises(BadClubFile) as caught:
            files.read(text_of(file))
        assert caught.value.place.endswith(place)

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"null",
            b"\xff\xfe",
            b"[" * 100_000,
            b'{"format":' * 5_000,
            b'{"format": "parlour-club", "version": 1' + b"0" * 10_000 + b"}",
            b'{"members": [' + b"[" * 300 + b"]" * 300 + b"]}",
            b'{"format": NaN}',
            b'{"about": 1e999}',
        ],
        ids=range(9),
    )
    def test_no_json_or_endless_json_is_refused(self, text: bytes) -> None:
        with pytest.raises(BadClubFile):
            files.read(text)

    def test_a_name_twice_in_an_object(self) -> None:
        text = text_of(sample()).replace(b'"version":1', b'"version":1,"version":1')
        with pytest.raises(BadClubFile):
            files.read(text)

    def test_a_large_file_is_not_read(self) -> None:
        with pytest.raises(ClubFileTooLarge):
            files.read(b" " * (files.MOST_BYTES + 1))

    def test_html_in_names_is_shown_as_text(self, olga: User) -> None:
        file = sample()
        evil = "<script>alert(1)</script>"
        file["members"][1]["name"] = file["announcements"][0]["author"] = evil
        file["tournaments"][0]["title"] = file["tournaments"][0]["players"][0]["name"] = evil
        file["studies"][0]["study"]["title"] = evil
        there = brought_in(olga, file)
        shown = Client().get(reverse("club-archive", args=[there.slug])).content.decode()
        assert "<script>alert" not in shown
        assert shown.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 5


@pytest.mark.django_db
class TestPages:
    def test_the_archive_is_shown_and_its_studies_open(self, olga: User) -> None:
        there = brought_in(olga, sample())
        page = Client().get(there.get_absolute_url()).content.decode()
        address = reverse("club-archive", args=[there.slug])
        assert address in page
        shown = Client().get(address).content.decode()
        for words in (
            *("Friday cup", "Cleo", "First moves", "without a name", "Games on Friday"),
            *("Garden against Park", "Park club", "1½ : 2½"),
        ):
            assert words in shown
        study = Client().get(f"{address}/study/0.json")
        assert orjson.loads(study.content)["format"] == "parlour-study"
        assert Client().get(f"{address}/study/1.json").status_code == 404

    def test_only_the_owner_deletes_it(self, olga: User) -> None:
        there = brought_in(olga, sample())
        (zoe,) = people("Zoe")
        members.join(zoe, there.pk, command())
        for user, left in ((zoe, 1), (olga, 0)):
            client = Client()
            client.force_login(user)
            client.post(reverse("club-archive-delete", args=[there.slug]))
            assert ClubArchive.objects.count() == left
        assert Client().get(reverse("club-archive", args=[there.slug])).status_code == 404

    def test_a_member_lets_the_name_go_along(self) -> None:
        ada, dan = people("Ada Dan")
        club = club_of(ada, dan)
        client = Client()
        client.force_login(dan)
        assert "your name stays here" in client.get(club.get_absolute_url()).content.decode()
        client.post(reverse("club-consent", args=[club.slug]), {"agreed": "yes"})
        assert "your name goes along" in client.get(club.get_absolute_url()).content.decode()
        assert "Dan" in json.dumps(file_of(club))


class TestCommand:
    def test_it_writes_and_reads_files(self, olga: User, tmp_path: Path) -> None:
        club = club_of(olga)
        path = tmp_path / "harbour.club"
        call_command("club", "export", club.slug, str(path))
        with pytest.raises(CommandError, match="club-is-here"):
            call_command("club", "import", str(path), owner="Olga")
        path.write_bytes(
            text_of({**orjson.loads(path.read_bytes()), "id": "elsewhere1", "name": "Garden club"})
        )
        call_command("club", "import", str(path), owner="Olga")
        assert Club.objects.get(name="Garden club").memberships.get().user == olga

    def test_it_says_what_is_wrong(self, olga: User, tmp_path: Path) -> None:
        path = tmp_path / "bad.club"
        path.write_text('{"format": "parlour-club"}')
        with pytest.raises(CommandError, match="version"):
            call_command("club", "import", str(path), owner="Olga")
        with pytest.raises(CommandError, match="no account"):
            call_command("club", "import", str(path), owner="Nobody")
        with pytest.raises(CommandError):
            call_command("club", "import", str(tmp_path / "none"), owner="Olga")
        with pytest.raises(CommandError, match="unknown-club"):
            call_command("club", "export", "nothing", str(path))

"""The pages of clubs: what each reader is shown and offered, and what the forms do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lobby.accounts import deletion, export
from lobby.chat.models import Report
from lobby.clubs import announcements, clubs, members
from lobby.clubs.clubs import Charter
from lobby.clubs.models import Club, JoinRequest
from lobby.moderation import moderation
from lobby.people.models import User
from lobby.tables import tables
from tests.helpers.clubs import club_of, roles
from tests.helpers.tournaments import CIRCLE, command, people

pytestmark = pytest.mark.django_db


@pytest.fixture
def three() -> list[User]:
    return people("Ada Bo Cleo")


def reading(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(club: Club, user: User | None = None, query: str = "") -> str:
    answer = reading(user).get(club.get_absolute_url() + query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_new_club_begins_with_the_link_that_lets_people_in(three: list[User]) -> None:
    ada = three[0]
    club = clubs.found(ada, Charter(name="Mängijad"), command())
    shown = page(club, ada)
    assert shown.index("Invite members") < shown.index("Announcements")
    assert f"/club/mängijad?link={club.token}" in shown
    assert 'class="qr"' in shown
    for person in people("Dora Ed Flo Gil"):
        club.memberships.create(user=person)
    shown = page(club, ada)
    assert "Invite members" not in shown
    assert club.token in shown
    assert "Invite members" not in page(club, three[1])


def sent(club: Club, user: User, act: str, **values: str) -> Any:
    return reading(user).post(reverse(f"club-{act}", args=[club.slug]), values, follow=True)


def told(answer: Any) -> str:
    return answer.content.decode()


def test_a_form_founds_a_club_once(three: list[User]) -> None:
    form = {"name": " Harbour  club ", "joining": "open", "key": "key-of-a-form"}
    answers = [reading(three[0]).post(reverse("new-club"), form) for _ in range(2)]
    assert {answer["Location"] for answer in answers} == {"/club/harbour-club"}
    assert Club.objects.get().name == "Harbour club"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "x"}, "at least 3"),
        ({"name": "Moderator"}, "This name is reserved"),
        ({"name": "harbour club"}, "already taken"),
        ({"name": "Hаrbour club"}, "already taken"),
        ({"joining": "nobody"}, "not one of the available choices"),
        ({"games": "chess"}, "not one of the available choices"),
    ],
    ids=["short", "reserved", "taken", "looks-taken", "joining", "games"],
)
def test_a_form_that_is_refused_says_why(three: list[User], changes: dict[str, str], sentence: str) -> None:
    club_of(three[0])
    answer = reading(three[1]).post(reverse("new-club"), {"name": "Mill", "joining": "open", **changes})
    assert answer.status_code == 400
    assert sentence in told(answer)


def test_renaming_form_sent_again_leads_to_the_renamed_club(three: list[User]) -> None:
    club = clubs.found(three[0], Charter("Harbour"), command())
    path, client = f"/club/{club.slug}/edit", reading(three[0])
    hidden = re.findall(r'name="(key)" value="([^"]+)"', client.get(path).content.decode())
    form = {**dict(hidden), "name": "Lighthouse", "joining": "open"}
    first, again = client.post(path, form), client.post(path, form)
    assert (first.status_code, first["Location"]) == (302, "/club/lighthouse")
    assert (again.status_code, again["Location"]) == (302, "/club/lighthouse")
    # Also when another club has taken the old name.
    clubs.found(three[0], Charter("Harbour"), command())
    assert client.post(path, form)["Location"] == "/club/lighthouse"


def test_former_address_leads_links_and_forms_to_club(three: list[User]) -> None:
    club = clubs.found(three[0], Charter("Harbour"), command())
    for name in ("Mill", "Lighthouse"):
        clubs.change(three[0], club.pk, Charter(name), command())
    owner, other = reading(three[0]), reading(three[1])
    for before in ("/club/harbour", "/club/mill"):
        assert other.get(f"{before}?link=x")["Location"] == "/club/lighthouse?link=x"
        owner.post(f"{before}/announce", {"text": "Hello"})
        assert owner.get(f"{before}/edit").status_code == 200
    assert club.announcements.count() == 2
    # Nobody else comes to stand there, and the club may go back.
    assert clubs.found(three[1], Charter("Harbour"), command()).slug == "harbour-2"
    assert clubs.change(three[0], club.pk, Charter("Mill"), command()).slug == "mill"
    clubs.dissolve(three[0], club.pk, command())
    assert clubs.found(three[1], Charter("Lighthouse"), command()).slug == "lighthouse"


def test_names_without_letters_for_addresses_and_equal_addresses(three: list[User]) -> None:
    assert [club_of(three[0], name=name).slug for name in ("!!!", "Mill & more", "Mill more")] == [
        "club",
        "mill-more",
        "mill-more-2",
    ]


def test_clubs_are_found_by_a_part_of_their_name(three: list[User]) -> None:
    club_of(three[0])
    club_of(three[1], name="Mill")
    listed = told(reading().get(reverse("clubs"), {"find": "ARBO"}))
    assert "Harbour club" in listed
    assert "Mill<" not in listed


def test_visitors_members_and_organisers_are_offered_what_they_can_do(three: list[User]) -> None:
    ada, bo, cleo = three
    club = club_of(ada, bo)
    assert "You need an account to join." in page(club)
    assert "Join the club" in page(club, cleo)
    assert "Leave the club" in page(club, bo)
    assert "Remove a member" not in page(club, bo)
    assert "Dissolve the club" in page(club, ada)


def test_the_link_lets_people_in(three: list[User]) -> None:
    ada, bo, _cleo = three
    club = club_of(ada, joining="link")
    assert "Only people with the club’s link can join." in page(club, bo)
    assert f'value="{club.token}"' in page(club, bo, f"?link={club.token}")
    sent(club, bo, "join", link="wrong")
    assert "Bo" not in roles(club)
    sent(club, bo, "join", link=club.token)
    assert "Bo" in roles(club)
    sent(club, ada, "link")
    old, club.token = club.token, Club.objects.get().token
    assert old != club.token


def test_tables_are_listed_for_members(three: list[User]) -> None:
    ada, bo, cleo = three
    club = club_of(ada, bo)
    table = tables.set_table(ada, "kalah", CIRCLE, 2, "lot", club_id=club.pk)
    assert table.get_absolute_url() in page(club, bo)
    assert table.get_absolute_url() not in page(club, cleo)
    assert "Join" in told(reading(bo).get(table.get_absolute_url()))
    assert table.get_absolute_url() not in told(reading(cleo).get("/"))


def test_a_form_creates_a_table_of_the_club(three: list[User]) -> None:
    ada, bo, cleo = three
    club = club_of(ada, bo)
    form = {"preset": "circle", "seats": "2", "first": "lot", "watchers": "0"}
    address = f"{reverse('new-table', args=['kalah'])}?club={club.pk}"
    assert "Only members of Harbour club will see the table." in told(reading(bo).get(address))
    assert reading(bo).post(address, form).status_code == 302
    assert club.tables.get().host == bo
    refused = reading(cleo).post(address, form)
    assert refused.status_code == 400
    assert "Only members of the club can do that." in told(refused)
    assert reading(bo).get(f"{reverse('new-table', args=['kalah'])}?club=nothing").status_code == 404


def test_the_rules_have_the_limits_of_the_site(settings: Any) -> None:
    settings.CLUBS_PER_OWNER = 7
    assert "You can own 7 clubs." in told(reading().get(reverse("club-rules")))


def test_moderators_rename_and_close_clubs(three: list[User]) -> None:
    ada, moderator, _cleo = three
    club = club_of(ada)
    moderation.rename_club(moderator, club, "Lighthouse", "Rude")
    club.refresh_from_db()
    assert (club.name, club.slug) == ("Lighthouse", "lighthouse")
    moderation.close_club(moderator, club, "Spam")
    assert not Club.objects.exists()


def test_a_club_is_reported_and_its_report_is_settled(three: list[User]) -> None:
    ada, bo, moderator = three
    club = club_of(ada)
    address = f"{reverse('report', args=['Ada'])}?club={club.pk}"
    assert "Report this club" in page(club, bo)
    assert "Harbour club" in told(reading(bo).get(address))
    reading(bo).post(address, {"reason": "Rude name"})
    assert Report.objects.get().club == club
    moderation.close_club(moderator, club)
    assert Report.objects.get().verdict == Report.Verdict.ACTED


def test_export_and_deletion_cover_clubs(three: list[User]) -> None:
    ada, bo, cleo = three
    club = club_of(ada, bo, joining="request")
    members.join(cleo, club.pk, command(), text="Please")
    announcements.announce(ada, club.pk, "Friday", command())
    data = [export.everything_about(user) for user in three]
    assert [each["role"] for each in data[0]["clubs"]] == ["owner"]
    assert [each["text"] for each in data[0]["announcements"]] == ["Friday"]
    assert [each["club__name"] for each in data[1]["clubs"]] == ["Harbour club"]
    assert [each["text"] for each in data[2]["club_requests"]] == ["Please"]
    for user in (ada, cleo):
        deletion.forget(user.pk)
    assert roles(club) == {"Bo": "owner"}
    assert not JoinRequest.objects.exists()

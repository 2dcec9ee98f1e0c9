"""How pupils come in, what they may do then, and what somebody learns who guesses."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.domain.refusals import Refused
from games.models import Match
from games.net.limits import CROWD
from lobby.classes import cards, classes, entrance, pupils
from lobby.classes.models import SchoolClass
from lobby.people.models import User
from tests.helpers.tournaments import command, people

pytestmark = pytest.mark.django_db
ROOM = "203.0.113.7"


@pytest.fixture
def fifth(ada: User, fifth: SchoolClass) -> SchoolClass:
    pupils.add(ada, fifth.code, "Mari, Anna Liisa", command())
    return fifth


@pytest.fixture
def mari(fifth: SchoolClass) -> User:
    return fifth.pupils.get(first_name="Mari")


def refusal(service: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        service(*arguments)
    return caught.value.code


def user_of(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


class TestCard:
    def test_its_address_asks_and_then_logs_in(self, fifth: SchoolClass, mari: User) -> None:
        client, path = Client(), cards.link(fifth, mari.card)
        assert "Are you Mari?" in client.get(path).content.decode()
        assert user_of(client) is None
        assert client.post(path)["Location"] == f"/class/{fifth.code}"
        assert user_of(client) == str(mari.pk)

    def test_its_letters_are_typed_instead_of_the_pin(self, fifth: SchoolClass, mari: User) -> None:
        client, letters = Client(), cards.letters(mari.card)
        spaced = f"{letters[:5]} {letters[5:]}".lower()
        client.post("/classes/log-in", {"code": fifth.code.lower(), "name": "mari", "pin": spaced})
        assert user_of(client) == str(mari.pk)

    def test_an_old_card_opens_nothing(self, ada: User, fifth: SchoolClass, mari: User) -> None:
        path = cards.link(fifth, mari.card)
        pupils.renew_card(ada, fifth.code, mari.pk, command())
        client = Client()
        assert client.post(path).status_code == 403
        assert user_of(client) is None

    def test_logs_out_whoever_used_the_browser(self, ada: User, fifth: SchoolClass, mari: User) -> None:
        client = Client()
        client.force_login(ada, "lobby.auth.backends.PasswordBackend")
        client.post(cards.link(fifth, mari.card))
        assert user_of(client) == str(mari.pk)


class TestPin:
    def test_code_name_and_pin_log_in(self, fifth: SchoolClass, mari: User) -> None:
        client = Client()
        client.post("/classes/log-in", {"code": fifth.code, "name": " MARI", "pin": cards.pin(mari.card)})
        assert user_of(client) == str(mari.pk)

    def test_it_is_shown_until_it_is_used(self, ada: User, fifth: SchoolClass, mari: User) -> None:
        teacher, pin = Client(), cards.pin(mari.card)
        teacher.force_login(ada, "lobby.auth.backends.PasswordBackend")
        paths = (f"/class/{fifth.code}/cards", f"/class/{fifth.code}/pupil/{mari.pk}")
        assert all(f">{pin}<" in teacher.get(path).content.decode() for path in paths)
        entrance.by_pin(fifth.code, "Mari", pin, ROOM)
        assert not any(f">{pin}<" in teacher.get(path).content.decode() for path in paths)

    def test_whatever_is_wrong_has_the_same_answer(self, fifth: SchoolClass, mari: User) -> None:
        pin, other = cards.pin(mari.card), cards.pin(fifth.pupils.get(first_name="Anna Liisa").card)
        wrong = f"{(int(pin) + 1) % 10000:04}"
        for code, name, typed in (
            (fifth.code, "Mari", wrong),
            (fifth.code, "Mari", "BCDFGHJKMN"),
            (fifth.code, "Juku", pin),
            ("BBBBBB", "Mari", pin),
            *([(fifth.code, "Mari", other)] if other != pin else []),
        ):
            answer = Client().post("/classes/log-in", {"code": code, "name": name, "pin": typed})
            assert answer.status_code == 403
            assert "These details do not match." in answer.content.decode()

    def test_a_name_has_so_many_tries_whoever_makes_them_and_whether_or_not_it_exists(
        self, fifth: SchoolClass, mari: User
    ) -> None:
        pin = cards.pin(mari.card)
        for name in ("Mari", "Nobody"):
            for number in range(20):
                assert refusal(entrance.by_pin, fifth.code, name, "x", f"{CROWD}{number}") == "wrong-entry"
            assert refusal(entrance.by_pin, fifth.code, name, pin, "another") == "too-many-tries"
        assert entrance.by_card(fifth.code, cards.letters(mari.card), "another") == mari

    def test_an_address_has_so_many_tries_and_right_ones_cost_nothing(
        self, fifth: SchoolClass, mari: User
    ) -> None:
        for _ in range(200):
            entrance.by_card(fifth.code, cards.letters(mari.card), ROOM)
        for number in range(100):
            assert refusal(entrance.by_pin, fifth.code, f"Child {number}", "0", ROOM) == "wrong-entry"
        answer = Client(REMOTE_ADDR=ROOM).post("/classes/log-in", {"code": "B", "name": "C", "pin": "0000"})
        assert answer.status_code == 429
        assert int(answer["Retry-After"]) > 1


class TestJoining:
    def test_a_visitor_joins_while_the_teacher_lets_pupils_in(self, ada: User, fifth: SchoolClass) -> None:
        client, sent = Client(), {"code": fifth.code, "name": "Juku", "key": "key-of-the-form"}
        client.get("/classes")
        closed = client.post("/classes/join", sent)
        unknown = client.post("/classes/join", {**sent, "code": "BBBBBB"})
        assert (closed.status_code, unknown.status_code) == (403, 403)
        classes.let_in(ada, fifth.code, command())
        cookies = client.cookies.copy()
        answers = []
        for _ in range(2):
            # The second press comes before the answer to the first.
            client.cookies = cookies.copy()  # type: ignore[assignment]
            answers.append(client.post("/classes/join", sent)["Location"])
        assert answers == [f"/class/{fifth.code}"] * 2
        juku = fifth.pupils.get(first_name="Juku")
        page = client.get(f"/class/{fifth.code}").content.decode()
        assert cards.pin(juku.card) in page
        assert "Your PIN is" in page
        classes.let_nobody_in(ada, fifth.code, command())
        assert refusal(entrance.join, fifth.code, "Tiit", ROOM) == "not-open"

    def test_a_name_is_free_or_refused(self, ada: User, fifth: SchoolClass) -> None:
        classes.let_in(ada, fifth.code, command())
        assert refusal(entrance.join, fifth.code, "mari", ROOM) == "name-taken"
        assert refusal(entrance.join, fifth.code, "x" * 21, ROOM) == "bad-name"


class TestPupil:
    @pytest.fixture
    def client(self, mari: User) -> Client:
        client = Client()
        client.force_login(mari, "lobby.auth.backends.PasswordBackend")
        return client

    def test_lands_in_the_class(self, client: Client, fifth: SchoolClass) -> None:
        for path in ("/", "/classes", "/accounts/signup/", "/accounts/email/", "/settings/tokens"):
            assert client.get(path)["Location"] == f"/class/{fifth.code}", path
        page = client.get(f"/class/{fifth.code}").content.decode()
        assert "Anna Liisa" in page
        other = fifth.pupils.get(first_name="Anna Liisa")
        assert f"/challenge/{other.username}" in page
        assert client.get(f"/challenge/{other.username}").status_code == 200

    @pytest.mark.parametrize("path", ["/settings/name", "/settings/delete"])
    def test_changes_nothing_about_itself(self, client: Client, mari: User, path: str) -> None:
        sent = {"username": "Another", "password": "", "confirm": "on"}
        assert client.post(path, sent)["Location"] == "/settings"
        after = User.objects.get(pk=mari.pk)
        assert (after.username, after.is_deleted) == (mari.username, False)

    def test_is_no_account_after_signing_up(self, client: Client, mari: User) -> None:
        sent = {"username": "Newcomer", "password1": "a-good-password-1", "password2": "a-good-password-1"}
        client.post("/accounts/signup/", sent)
        after = User.objects.get(pk=mari.pk)
        assert (after.username, after.is_guest, after.pupil_of) == (mari.username, True, mari.pupil_of)

    def test_gets_its_data_as_its_teacher_does(self, ada: User, client: Client, mari: User) -> None:
        teacher, stranger = Client(), Client()
        teacher.force_login(ada, "lobby.auth.backends.PasswordBackend")
        stranger.force_login(people("Eve")[0], "lobby.auth.backends.PasswordBackend")
        assert mari.pupil_of is not None
        path = f"/class/{mari.pupil_of.code}/pupil/{mari.pk}/export"
        for answer in (client.get("/settings/export"), teacher.get(path)):
            told = answer.json()
            assert (told["account"]["first_name"], told["class"]) == ("Mari", "5b")
        assert stranger.get(path).status_code == 404
        assert client.get(path).status_code == 404

    def test_plays_the_computer_in_private(self, client: Client, mari: User) -> None:
        client.post("/computer/kalah/now", {"key": "key-of-the-form"})
        match = Match.objects.get(seatings__user=mari)
        assert not match.watchable
        assert not match.chat
        page = client.get(f"/class/{mari.pupil_of.code}").content.decode()
        assert f"/m/{match.pk}" in page

"""Guests: real users who never registered, each with a name of their own."""

import re
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection

from games.net.hub import hub
from games.net.limits import Buckets
from lobby.accounts import guests
from lobby.chat import lines
from lobby.people import names
from lobby.people.models import User

NAME = re.compile(r"[A-Z][a-z]{1,6}-[A-Z][a-z]{1,7}(-[1-9][0-9]{1,2})?")


@pytest.fixture(autouse=True)
def fresh_limit(monkeypatch):
    monkeypatch.setattr(guests, "guests", Buckets(rate=1 / 60, burst=5))
    monkeypatch.setattr(guests, "_names_chosen", Buckets(rate=1 / 600, burst=3))


def test_the_user_model_is_the_lobbys():
    assert get_user_model() is User


def test_every_name_that_can_be_proposed_is_a_valid_name():
    longest = [max(words.split(), key=len) for words in (names.ADJECTIVES, names.ANIMALS)]
    User(username=f"{'-'.join(longest)}-999", password="!").clean_fields()


def test_every_word_of_a_name_is_capitalised_ascii():
    words = [*names.ADJECTIVES.split(), *names.ANIMALS.split()]
    assert all(re.fullmatch(r"[A-Z][a-z]+", word) for word in words)


def test_no_word_is_in_its_list_twice():
    for words in (names.ADJECTIVES.split(), names.ANIMALS.split()):
        assert len(set(words)) == len(words)


@pytest.mark.parametrize("digits", [0, 2, 3])
def test_a_proposed_name_is_an_adjective_an_animal_and_so_many_digits(digits):
    for seed in range(200):
        name = names.propose(digits, Random(seed))
        assert NAME.fullmatch(name)
        assert len(re.sub(r"\D", "", name)) == digits


@pytest.mark.parametrize("name", ["ab", "a" * 21, "brave otter", "a\n", "abc\n", "<b>"])
def test_a_name_with_other_signs_or_lengths_is_refused(name):
    with pytest.raises(ValidationError):
        User(username=name, password="!").clean_fields()


@pytest.mark.django_db
class TestGuests:
    def test_a_guest_is_a_real_user(self):
        guest = guests.new_guest()
        assert User.objects.get(pk=guest.pk).is_guest

    def test_a_guest_has_no_password(self):
        assert not guests.new_guest().has_usable_password()

    def test_two_users_cannot_have_one_name_in_different_capitals(self):
        User.objects.create_user("Brave-Otter")
        with pytest.raises(IntegrityError):
            User.objects.create_user("brave-OTTER")

    def test_a_guest_whose_name_is_taken_gets_another(self, monkeypatch):
        User.objects.create_user("brave-otter")
        proposals = iter(["Brave-Otter", "Calm-Fox"])
        monkeypatch.setattr(names, "propose", lambda digits, chance: next(proposals))
        assert guests.new_guest().username == "Calm-Fox"

    def test_guest_name_gets_number_when_plain_names_taken(self, monkeypatch):
        tried = []

        def propose(digits, chance):
            tried.append(digits)
            return "Brave-Otter-42" if digits else "Brave-Otter"

        monkeypatch.setattr(names, "propose", propose)
        assert [guests.new_guest().username for _ in range(2)] == ["Brave-Otter", "Brave-Otter-42"]
        assert tried == [0, 0, 0, 2]

    def test_guest_name_all_taken_raises(self, monkeypatch):
        User.objects.create_user("Brave-Otter")
        monkeypatch.setattr(names, "propose", lambda digits, chance: "Brave-Otter")
        with pytest.raises(guests.OutOfNames):
            guests.new_guest()


@pytest.mark.django_db(transaction=True)
def test_guests_made_at_once_have_different_names(monkeypatch):
    # Eight threads, four names: most of them meet.
    monkeypatch.setattr(
        names,
        "propose",
        lambda digits, chance: f"Brave-Otter-{digits or chance.randrange(4)}",
    )
    monkeypatch.setattr(guests, "DIGITS", [0, 0, 0, *range(2, 40)])

    def make(_):
        try:
            return guests.new_guest().username
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(make, range(8)))
    assert len({name.lower() for name in made}) == 8
    assert User.objects.count() == 8


@pytest.mark.django_db
class TestPlayAsGuest:
    def test_one_press_makes_a_guest_and_signs_them_in(self, client):
        client.post("/guest")
        assert client.session["_auth_user_id"] == str(User.objects.get(is_guest=True).pk)

    def test_the_guest_comes_back_to_where_they_were(self, client):
        assert client.post("/guest", {"next": "/m/abc"})["Location"] == "/m/abc"

    @pytest.mark.parametrize(
        "elsewhere", ["https://elsewhere.example/", "//elsewhere.example", "javascript:x"]
    )
    def test_guest_redirect_stays_on_site(self, client, elsewhere):
        assert client.post("/guest", {"next": elsewhere})["Location"] == "/"

    def test_guest_request_of_signed_in_user_creates_none(self, client):
        user = User.objects.create_user("Ulno")
        client.force_login(user)
        client.post("/guest")
        assert list(User.objects.all()) == [user]

    def test_a_link_makes_no_guest(self, client):
        assert client.get("/guest").status_code == 405
        assert not User.objects.exists()

    def test_a_form_of_another_site_makes_no_guest(self, client):
        client.handler.enforce_csrf_checks = True
        assert client.post("/guest").status_code == 403
        assert not User.objects.exists()

    def test_an_address_gets_so_many_guests_and_then_a_page_that_says_why(self, client):
        for _ in range(5):
            client.post("/guest")
            client.logout()
        answer = client.post("/guest")
        assert answer.status_code == 429
        assert "Too many new guests" in answer.text
        assert User.objects.count() == 5

    def test_another_address_is_not_concerned(self, client):
        for _ in range(6):
            client.post("/guest")
            client.logout()
        assert client.post("/guest", REMOTE_ADDR="192.0.2.7").status_code == 302


class TestChoosingAName:
    PAGE = "/settings/name"

    @pytest.fixture
    def guest(self, db, client):
        client.post("/guest")
        return User.objects.get(is_guest=True)

    def test_a_guest_chooses_one(self, client, guest):
        assert client.post(self.PAGE, {"username": "Жанна"}).url == "/settings"
        guest.refresh_from_db()
        assert (guest.username, guest.is_guest) == ("Жанна", True)
        assert "Жанна" in client.get("/settings").text

    def test_rename_announced_to_readers_of_old_name(
        self, client, guest, monkeypatch, django_capture_on_commit_callbacks
    ):
        told = []
        monkeypatch.setattr(hub, "announce", lambda topic, message: told.append((topic, message)))
        with django_capture_on_commit_callbacks(execute=True):
            client.post(self.PAGE, {"username": "Jeanne"})
        assert (lines.NAMES, {"type": "renamed", "old": guest.username, "new": "Jeanne"}) in told

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("ab", "3 to 20 letters"),
            ("Ulno", "is already taken"),
            ("admin", "reserved"),
            ("", "required"),
        ],
    )
    def test_rename_to_invalid_name_refused(self, client, guest, ulno, name, words):
        answer = client.post(self.PAGE, {"username": name})
        assert (answer.status_code, words in answer.text) == (400, True)
        assert User.objects.get(pk=guest.pk).username == guest.username

    def test_rename_limited_to_three(self, client, guest):
        codes = [client.post(self.PAGE, {"username": f"Jeanne-{number}"}).status_code for number in range(4)]
        assert codes == [302, 302, 302, 429]
        assert User.objects.get(pk=guest.pk).username == "Jeanne-2"

    def test_an_account_keeps_its_name(self, client, ulno):
        client.force_login(ulno)
        assert client.get(self.PAGE).url == "/settings"
        assert client.post(self.PAGE, {"username": "Jeanne"}).url == "/settings"
        assert User.objects.get().username == "Ulno"

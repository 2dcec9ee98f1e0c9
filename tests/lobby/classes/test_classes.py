"""Classes: who makes and teaches them, their pupils and cards, through services and pages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client, RequestFactory
from django.utils import timezone

from games.domain.refusals import Refused
from lobby.accounts import deletion
from lobby.classes import cards, classes, pupils, teachers
from lobby.classes.admin import ClassAdmin
from lobby.classes.models import ClassTeacher, PupilCard, SchoolClass
from lobby.moderation import moderation, moderators
from lobby.people import relationships
from lobby.people.models import Relationship, User
from tests.helpers.tournaments import command, people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everybody_makes_classes")]


def named(school_class: SchoolClass, name: str) -> User:
    return next(each for each in classes.pupils(school_class) if each.first_name == name)


def names(school_class: SchoolClass) -> list[str]:
    return [each.first_name for each in classes.pupils(school_class)]


def refusal(service: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        service(*arguments, command=command())
    return caught.value.code


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    return client


class TestWhoMakesOne:
    def test_the_setting_says_who(self, ada: User, settings: Any) -> None:
        (granted,) = people("Bo")
        granted.groups.add(Group.objects.get(name=moderators.TEACHERS))
        guest, bot = people("Guest-1 Robby")
        guest.is_guest, bot.is_bot = True, True
        asked = [User.objects.get(pk=ada.pk), User.objects.get(pk=granted.pk), guest, bot]
        for setting, may in (("open", [True, True]), ("granted", [False, True]), ("off", [False, False])):
            settings.CLASSES = setting
            assert [classes.may_make(each) for each in asked] == [*may, False, False]
        assert refusal(classes.make, ada, "5b") == "may-not-make"

    def test_a_teacher_has_so_many(self, ada: User, settings: Any) -> None:
        settings.CLASSES_PER_TEACHER = 1
        classes.make(ada, "5b", command())
        assert refusal(classes.make, ada, "5c") == "too-many-classes"

    def test_a_muted_teacher_names_no_class_and_invites_nobody(self, ada: User, fifth: SchoolClass) -> None:
        people("Bo")
        soon = timezone.now() + timedelta(hours=1)
        moderation.mute(User.objects.create_user("Moderator"), ada, "Insults", soon)
        ada.refresh_from_db()
        assert refusal(classes.make, ada, "6a") == "muted"
        assert refusal(classes.change, ada, fifth.code, "6a", True) == "muted"
        assert refusal(teachers.invite, ada, fifth.code, "Bo") == "muted"
        classes.change(ada, fifth.code, "5b", True, command())

    @pytest.mark.parametrize("title", ["", " ", "x" * 41, "Administrator"])
    def test_a_title_is_needed(self, ada: User, title: str) -> None:
        assert refusal(classes.make, ada, title) == "no-title"


class TestPupils:
    def test_a_list_of_names_makes_pupils(self, ada: User, fifth: SchoolClass) -> None:
        pupils.add(ada, fifth.code, " Mari \n\nJuku, Anna Liisa;О'Коннор\n", command())
        assert names(fifth) == ["Anna Liisa", "Juku", "Mari", "О'Коннор"]
        mari = named(fifth, "Mari")
        assert (mari.is_guest, mari.has_usable_password(), mari.email) == (True, False, "")
        assert "Mari" not in mari.username

    def test_names_are_unique_in_the_class_only(self, ada: User, fifth: SchoolClass) -> None:
        other = classes.make(ada, "5c", command())
        for each in (fifth, other):
            pupils.add(ada, each.code, "Mari", command())
        for twin in ("mari", "Mаri"):
            assert refusal(pupils.add, ada, fifth.code, twin) == "name-taken"
        assert refusal(pupils.add, ada, fifth.code, "Juku\nJuku") == "name-taken"
        (ann,) = pupils.add(ada, fifth.code, "Ann", command())
        assert refusal(pupils.rename, ada, fifth.code, ann, "Mari") == "name-taken"
        assert names(fifth) == ["Ann", "Mari"]

    @pytest.mark.parametrize(
        ("typed", "code"),
        [("", "no-names"), (" ,\n", "no-names"), ("x" * 21, "bad-name"), ("Admin", "bad-name")],
    )
    def test_all_are_added_or_none(self, ada: User, fifth: SchoolClass, typed: str, code: str) -> None:
        assert refusal(pupils.add, ada, fifth.code, typed if code == "no-names" else f"Mari\n{typed}") == code
        assert names(fifth) == []

    def test_a_class_has_so_many(self, ada: User, fifth: SchoolClass, settings: Any) -> None:
        settings.CLASS_PUPILS = 2
        other = classes.make(ada, "5c", command())
        pupils.add(ada, fifth.code, "Mari, Juku", command())
        (moved,) = pupils.add(ada, other.code, "Tiit", command())
        assert refusal(pupils.add, ada, fifth.code, "Anna") == "class-full"
        assert refusal(pupils.move, ada, other.code, moved, fifth.code) == "class-full"

    def test_a_pupil_is_moved_and_gets_a_new_card(self, ada: User, fifth: SchoolClass) -> None:
        other = classes.make(ada, "5c", command())
        (mari,) = pupils.add(ada, fifth.code, "Mari", command())
        (twin,) = pupils.add(ada, other.code, "Mari", command())
        assert refusal(pupils.move, ada, fifth.code, mari, other.code) == "name-taken"
        pupils.rename(ada, other.code, twin, "Mari K", command())
        before = cards.letters(PupilCard.objects.get(user=mari))
        pupils.move(ada, fifth.code, mari, other.code, command())
        assert (names(fifth), names(other)) == ([], ["Mari", "Mari K"])
        assert cards.letters(PupilCard.objects.get(user=mari)) != before

    def test_a_new_card_ends_the_old_one_and_all_sessions(self, ada: User, fifth: SchoolClass) -> None:
        (mari,) = pupils.add(ada, fifth.code, "Mari", command())
        pupil = User.objects.get(pk=mari)
        client, old = logged_in(pupil), pupil.card
        pupils.note_pin_used(pupil)
        pupils.renew_card(ada, fifth.code, mari, command())
        new = PupilCard.objects.get(user=mari)
        assert not cards.has_letters(new, cards.letters(old))
        assert not new.pin_used
        assert "_auth_user_id" not in client.get("/settings").wsgi_request.session

    @pytest.mark.django_db(transaction=True)
    def test_a_removed_pupil_leaves_nothing(self, ada: User, fifth: SchoolClass) -> None:
        mari, juku = pupils.add(ada, fifth.code, "Mari, Juku", command())
        async_to_sync(pupils.remove)(ada, fifth.code, mari)
        assert not User.objects.filter(pk=mari).exists()
        async_to_sync(deletion.delete_account)(juku)
        kept = User.objects.get(pk=juku)
        assert (kept.first_name, kept.pupil_of, kept.is_deleted) == ("", None, True)

    def test_pupils_are_not_purged_as_guests(self, ada: User, fifth: SchoolClass) -> None:
        (mari,) = pupils.add(ada, fifth.code, "Mari", command())
        pupil = User.objects.get(pk=mari)
        deletion.purge_guests(pupil.seen.replace(year=pupil.seen.year + 1))
        assert named(fifth, "Mari") == pupil


class TestCards:
    def test_letters_and_pin_follow_from_the_number_and_the_key_of_the_site(
        self, ada: User, fifth: SchoolClass, settings: Any
    ) -> None:
        pupils.add(ada, fifth.code, "Mari, Juku", command())
        mari, juku = (named(fifth, name).card for name in ("Mari", "Juku"))
        letters, pin = cards.letters(mari), cards.pin(mari)
        assert (len(letters), len(pin), pin.isdigit()) == (10, 4, True)
        assert cards.has_letters(mari, letters)
        assert cards.has_pin(mari, pin)
        assert not cards.has_letters(juku, letters)
        settings.SECRET_KEY = "another key of another site, as long as it has to be"
        assert not cards.has_letters(mari, letters)


class TestTeachers:
    def test_an_invited_account_teaches_once_it_accepts(self, ada: User, fifth: SchoolClass) -> None:
        (bo,) = people("Bo")
        teachers.invite(ada, fifth.code, "bo", command())
        assert refusal(pupils.add, bo, fifth.code, "Mari") == "unknown-class"
        teachers.accept(bo, fifth.code, command())
        pupils.add(bo, fifth.code, "Mari", command())
        teachers.leave(ada, fifth.code, command())
        assert refusal(pupils.add, ada, fifth.code, "Juku") == "unknown-class"
        assert refusal(teachers.leave, bo, fifth.code) == "last-teacher"

    def test_who_leaves_a_class_follows_nobody_there_any_more(self, ada: User, fifth: SchoolClass) -> None:
        (bo,) = people("Bo")
        teachers.invite(ada, fifth.code, "Bo", command())
        teachers.accept(bo, fifth.code, command())
        pupils.add(ada, fifth.code, "Mari, Juku, Tiit", command())
        mari, juku, tiit = (named(fifth, name) for name in ("Mari", "Juku", "Tiit"))
        for one, other in ((ada, mari), (mari, ada), (ada, bo), (bo, tiit), (juku, mari), (mari, tiit)):
            relationships.follow(one, other)
        teachers.leave(ada, fifth.code, command())
        sixth = classes.make(bo, "6a", command())
        pupils.move(bo, fifth.code, juku.pk, sixth.code, command())
        left = Relationship.objects.values_list("user__username", "other__first_name")
        assert set(left) == {("Ada", ""), ("Bo", "Tiit"), (mari.username, "Tiit")}

    def test_nobody_else_is_invited(self, ada: User, fifth: SchoolClass) -> None:
        pupils.add(ada, fifth.code, "Mari", command())
        for name in ("Nobody", named(fifth, "Mari").username, "Computer"):
            assert refusal(teachers.invite, ada, fifth.code, name) == "unknown-teacher"

    def test_a_deleted_account_teaches_nothing(self, ada: User, fifth: SchoolClass) -> None:
        deletion.forget(ada.pk)
        assert not ClassTeacher.objects.exists()


def test_a_stranger_and_a_pupil_learn_nothing_by_a_code(ada: User, fifth: SchoolClass) -> None:
    (mari,) = pupils.add(ada, fifth.code, "Mari", command())
    (eve,) = people("Eve")
    for user in (eve, User.objects.get(pk=mari)):
        assert refusal(pupils.add, user, fifth.code, "Tiit") == "unknown-class"
        assert refusal(pupils.renew_card, user, fifth.code, mari) == "unknown-class"
        assert refusal(teachers.accept, user, fifth.code) == "unknown-class"
        for path in ("pupil/1", "cards", f"pupil/{mari}/export"):
            assert logged_in(user).get(f"/class/{fifth.code}/{path}").status_code == 404
    pages = [logged_in(eve).get(f"/class/{code}") for code in (fifth.code, "BBBBBB")]
    assert [each.status_code for each in pages] == [404, 404]
    pages = [Client().get(f"/class/{code}") for code in (fifth.code, "BBBBBB")]
    assert [each.status_code for each in pages] == [200, 200]
    assert "5b" not in pages[0].content.decode()


def test_administrators_see_sizes_and_teachers_and_no_names(ada: User, fifth: SchoolClass) -> None:
    pupils.add(ada, fifth.code, "Mari, Juku", command())
    page = ClassAdmin(SchoolClass, admin.site)
    (shown,) = page.get_queryset(RequestFactory().get("/"))
    assert (page.size(shown), page.taught_by(shown)) == (2, "<div>Ada</div>")


def test_a_teacher_makes_a_class_and_fills_it(ada: User) -> None:
    client = logged_in(ada)
    made = client.post("/classes/make", {"title": "5b", "key": "key-of-the-form"})
    fifth = SchoolClass.objects.get()
    assert made["Location"] == f"/class/{fifth.code}"
    refused = client.post(f"/class/{fifth.code}/add", {"names": "Mari\nMari", "key": "key-of-another"})
    assert refused.status_code == 409
    assert "Mari\nMari" in refused.content.decode()
    client.post(f"/class/{fifth.code}/add", {"names": "Mari\nJuku", "key": "key-of-a-third"})
    page = client.get(f"/class/{fifth.code}").content.decode()
    assert "2 pupils" in page
    mari = named(fifth, "Mari")
    assert "Mari" in client.get(f"/class/{fifth.code}/pupil/{mari.pk}").content.decode()
    client.post(f"/class/{fifth.code}/rename", {"pupil": mari.pk, "name": "Mai", "key": "key-of-fourth"})
    assert names(fifth) == ["Juku", "Mai"]

"""The end of a class: archived or erased by a press, erased after a notice when nobody uses it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import async_to_sync
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.domain.refusals import Refused
from games.models import Match
from lobby.accounts import deletion
from lobby.classes import classes, pupils
from lobby.classes.models import PupilCard, SchoolClass
from lobby.homework import homework
from lobby.lessons import rounds
from lobby.lessons.rounds import Chosen
from lobby.people.models import User
from lobby.people.presence import presence
from lobby.schoolyear import ends, keeper
from lobby.schoolyear.models import ClassEnd
from lobby.tournaments.models import Tournament
from tests.helpers import tournaments as playing
from tests.helpers.tournaments import command, look, people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("everybody_makes_classes")]

NOW = timezone.now()


@pytest.fixture
def fifth(ada: User, monkeypatch: pytest.MonkeyPatch) -> SchoolClass:
    """A class with three pupils who are here, a round that was played, and one in play."""
    made = classes.make(ada, "5b", command())
    there = frozenset(pupils.add(ada, made.code, "Mari\nJuku\nKadri", command()))
    monkeypatch.setattr(presence, "online", lambda: there)
    homework.give(ada, made.code, homework.course("kalah"), NOW.date(), command())
    for _ in range(2):
        each = rounds.pair(ada, made.code, Chosen("kalah", "5+3"), command())
        assert each is not None
        look(each.tournament)
        if each.number == 1:
            playing.play_round(each.tournament)
            look(each.tournament)
    return made


def attend(now: datetime = NOW) -> None:
    """The keeper attends to what is due at a time."""
    for found in ends.take(now):
        async_to_sync(keeper.attend)(found, now)


def last_used(school_class: SchoolClass, at: datetime) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(created=at)
    school_class.pupils.update(seen=at)
    school_class.homework.update(given=at)
    Tournament.objects.update(began=at)


def refusal(service: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        service(*arguments)
    assert caught.value.words
    return caught.value.code


def log_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    return client


class TestByAPress:
    def test_an_archived_class_keeps_results_without_names(self, ada: User, fifth: SchoolClass) -> None:
        ends.end(ada, fifth.code, "archive", True, command())
        attend(timezone.now())
        assert classes.pupils(fifth) == []
        assert fifth.class_rounds.count() == 2
        assert not Match.objects.exclude(status=Match.Status.FINISHED).exists()
        client = log_in(ada)
        shown = client.get(f"/class/{fifth.code}/end").text
        assert "The class is archived." in shown
        for each in fifth.class_rounds.all():
            told = client.get(f"/tournament/{each.tournament_id}").text
            assert not any(name in told for name in ("Mari", "Juku", "Kadri"))
        assert list(homework.of(fifth)) == []
        # Nothing more is to be done with it.
        assert ends.take(timezone.now() + timedelta(days=9999)) == []

    def test_an_archived_class_with_new_pupils_is_in_use(self, ada: User, fifth: SchoolClass) -> None:
        ends.end(ada, fifth.code, "archive", True, command())
        attend(timezone.now())
        pupils.add(ada, fifth.code, "Tiit", command())
        attend(timezone.now())
        ending = ClassEnd.objects.get()
        assert ending.kind == ""
        assert ending.due is not None
        assert [pupil.first_name for pupil in classes.pupils(fifth)] == ["Tiit"]

    def test_nothing_of_an_erased_class_is_left(self, ada: User, fifth: SchoolClass) -> None:
        ends.end(ada, fifth.code, "erase", True, command())
        attend(timezone.now())
        assert not SchoolClass.objects.exists()
        assert not Tournament.objects.exists()
        assert not Match.objects.exists()
        assert not User.objects.exclude(first_name="").exists()
        assert not PupilCard.objects.exists()
        assert not User.objects.filter(is_guest=True).exists()

    def test_ending_goes_on_after_a_restart(self, ada: User, fifth: SchoolClass) -> None:
        ends.end(ada, fifth.code, "erase", True, command())
        # A process dies after the first step.
        (found,) = ends.take(timezone.now())
        pupil_ids, _matches = ends.stop(found.school_class)
        async_to_sync(pupils.erase)(pupil_ids[:1])
        assert ends.take(timezone.now()) == []
        attend(timezone.now() + ends.LEASE)
        assert not SchoolClass.objects.exists()

    def test_what_was_chosen_last_counts(self, ada: User, fifth: SchoolClass) -> None:
        ends.end(ada, fifth.code, "archive", True, command())
        (found,) = ends.take(timezone.now())
        ends.end(ada, fifth.code, "erase", True, command())
        async_to_sync(keeper.attend)(found, timezone.now())
        assert not SchoolClass.objects.exists()

    def test_ending_needs_a_teacher_and_a_confirmation(self, ada: User, fifth: SchoolClass) -> None:
        (other,) = people("Other")
        for user in (other, classes.pupils(fifth)[0]):
            assert refusal(ends.end, user, fifth.code, "erase", True, command()) == "unknown-class"
            assert refusal(ends.keep, user, fifth.code, command()) == "unknown-class"
            assert log_in(user).get(f"/class/{fifth.code}/end").status_code == 404
        assert refusal(ends.end, ada, fifth.code, "erase", False, command()) == "not-confirmed"
        assert refusal(ends.end, ada, fifth.code, "", True, command()) == "not-confirmed"
        client, page = log_in(ada), f"/class/{fifth.code}/end"
        assert "Tick the box first" in client.post(f"{page}/now", {"kind": "erase"}, follow=True).text
        client.post(f"{page}/now", {"kind": "erase", "confirmed": "on"})
        assert ClassEnd.objects.get().kind == "erase"


class TestUnused:
    def test_teachers_are_told_and_a_month_later_it_is_erased(self, ada: User, fifth: SchoolClass) -> None:
        EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
        last_used(fifth, NOW)
        attend(NOW + timedelta(days=364))
        assert mail.outbox == []
        told = NOW + timedelta(days=366)
        attend(told)
        assert [(each.to, each.subject) for each in mail.outbox] == [
            (["ada@example.org"], "Your class 5b will be deleted")
        ]
        assert "Nobody uses this class" in log_in(ada).get(f"/class/{fifth.code}/end").text
        attend(told + timedelta(days=29))
        assert SchoolClass.objects.exists()
        attend(told + timedelta(days=31))
        assert not SchoolClass.objects.exists()
        assert len(mail.outbox) == 1

    def test_a_class_that_is_used_again_stays(self, ada: User, fifth: SchoolClass) -> None:
        last_used(fifth, NOW)
        told = NOW + timedelta(days=366)
        attend(told)
        fifth.pupils.update(seen=told + timedelta(days=3))
        attend(told + timedelta(days=31))
        assert ClassEnd.objects.get().noticed is None
        assert SchoolClass.objects.exists()

    def test_a_teacher_keeps_it(self, ada: User, fifth: SchoolClass) -> None:
        last_used(fifth, timezone.now() - timedelta(days=366))
        attend(timezone.now())
        log_in(ada).post(f"/class/{fifth.code}/keep")
        attend(timezone.now() + timedelta(days=300))
        assert ClassEnd.objects.get().noticed is None

    def test_a_class_without_a_teacher_is_erased_at_once(self, ada: User, fifth: SchoolClass) -> None:
        async_to_sync(deletion.delete_account)(ada.pk)
        attend(timezone.now())
        assert not SchoolClass.objects.exists()

    @pytest.mark.parametrize("before", ["archived", "kept"])
    def test_so_is_one_that_was_kept_or_archived(self, ada: User, fifth: SchoolClass, before: str) -> None:
        if before == "archived":
            ends.end(ada, fifth.code, "archive", True, command())
        else:
            last_used(fifth, timezone.now() - timedelta(days=366))
            attend(timezone.now())
            ends.keep(ada, fifth.code, command())
        attend(timezone.now())
        async_to_sync(deletion.delete_account)(ada.pk)
        attend(timezone.now())
        assert not SchoolClass.objects.exists()

    def test_a_class_in_use_costs_no_row(self, fifth: SchoolClass) -> None:
        attend(NOW + timedelta(days=300))
        assert not ClassEnd.objects.exists()

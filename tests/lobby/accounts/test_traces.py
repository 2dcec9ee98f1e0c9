"""Accounts that share addresses or sessions: what is stored of them, who sees it, and for how long."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.net.limits import CROWD, Buckets
from lobby.accounts import deletion, traces
from lobby.accounts.export import everything_about
from lobby.accounts.models import Trace
from lobby.people.models import User
from tests.helpers.second_factor import give_second_factor

pytestmark = pytest.mark.django_db

ADDRESS = "203.0.113.9"


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(traces, "_notes", Buckets(rate=0, burst=0))


def names(user):
    return [(each.other.username, each.trace.kind) for each in traces.shared(user)]


def test_accounts_that_share_an_address_or_a_session_are_found(ulno, artjom):
    third = User.objects.create_user("Third")
    traces.note(ulno.pk, ADDRESS, ["session-1"])
    traces.note(artjom.pk, ADDRESS, ["session-2", "session-1"])
    traces.note(third.pk, "203.0.113.10", ["session-3"])
    assert names(ulno) == [("Artjom", "session"), ("Artjom", "address")]
    assert names(third) == []


def test_an_address_and_a_session_of_the_same_text_are_two_things(ulno, artjom):
    traces.note(ulno.pk, "same", [])
    traces.note(artjom.pk, "", ["same"])
    assert names(ulno) == []


def test_only_hashes_are_stored_and_another_key_makes_others(ulno, settings):
    traces.note(ulno.pk, ADDRESS, ["session-1"])
    stored = set(Trace.objects.values_list("digest", flat=True))
    assert len(stored) == 2
    assert not any(ADDRESS in each or "session" in each for each in stored)
    settings.SECRET_KEY = "another"
    traces.note(ulno.pk, ADDRESS, ["session-1"])
    assert Trace.objects.count() == 4


def test_networks_of_many_people_leave_no_trace(ulno):
    traces.note(ulno.pk, CROWD + ADDRESS, [])
    assert not Trace.objects.exists()


def test_each_is_noted_once_in_half_a_day_by_a_process(ulno, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(traces, "_notes", Buckets(rate=1 / 43200, burst=1))
    traces.note(ulno.pk, ADDRESS, ["session-1"])
    with django_assert_num_queries(0):
        traces.note(ulno.pk, ADDRESS, ["session-1"])


def test_traces_deleted_after_thirty_days(ulno, artjom):
    traces.note(ulno.pk, ADDRESS, [])
    traces.note(artjom.pk, ADDRESS, [])
    Trace.objects.filter(user=artjom).update(seen=timezone.now() - timedelta(days=30))
    assert names(ulno) == []
    call_command("purge_guests", verbosity=0)
    assert list(Trace.objects.values_list("user", flat=True)) == [ulno.pk]


def test_traces_exported_without_hashes_and_deleted_with_account(ulno):
    traces.note(ulno.pk, ADDRESS, [])
    (told,) = everything_about(ulno)["traces"]
    assert told.keys() == {"kind", "first", "seen"}
    deletion.forget(ulno.pk)
    assert not Trace.objects.exists()


def test_logging_in_joins_the_session_before_to_the_account(ulno, client):
    guest = User.objects.create_user("Brave-Otter", is_guest=True)
    client.force_login(guest, backend="lobby.auth.backends.PasswordBackend")
    traces.note(guest.pk, "", [client.session.session_key])
    ulno.set_password("a quiet evening")
    ulno.save()
    client.post("/accounts/login/", {"login": "Ulno", "password": "a quiet evening"})
    assert ("Brave-Otter", "session") in names(ulno)


def test_a_moderator_sees_them_on_the_page_of_a_person(ulno, artjom, django_assert_max_num_queries):
    for user in (ulno, artjom):
        traces.note(user.pk, ADDRESS, [])
    moderator = User.objects.create_superuser("Chief")
    browser = Client()
    browser.force_login(moderator, backend="lobby.auth.backends.PasswordBackend")
    give_second_factor(browser, moderator)
    page = browser.get(f"/admin/lobby/user/{ulno.pk}/change/").text
    assert f'/admin/lobby/user/{artjom.pk}/change/">Artjom</a>' in page


@pytest.mark.django_db(transaction=True)
def test_note_user_deleted_meanwhile_leaves_no_trace(ulno):
    User.objects.filter(pk=ulno.pk).delete()
    traces.note(ulno.pk, ADDRESS, ["session-1"])
    assert not Trace.objects.exists()

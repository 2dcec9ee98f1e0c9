"""The first message of the personal socket."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Match, Seating
from lobby.feed import match_invites
from lobby.inbox import conversations
from lobby.pairing.models import Seek
from lobby.people import relationships
from lobby.people.models import User
from lobby.sockets.greeting import greeting
from tests.helpers import finished

pytestmark = pytest.mark.django_db

NOTHING = {
    "type": "hello",
    "challenges": [],
    "calls": [],
    "next": [],
    "muted": None,
    "unread": 0,
    "seek": None,
    "paired": None,
    "waiting": [],
    "left": {},
}


def test_greeting_with_nothing_waiting_costs_two_queries(ulno, django_assert_num_queries):
    assert greeting(ulno.pk) == NOTHING
    with django_assert_num_queries(2):
        greeting(ulno.pk)


def test_greeting_of_user_deleted_meanwhile_is_refused(ulno):
    User.objects.filter(pk=ulno.pk).delete()
    with pytest.raises(User.DoesNotExist):
        greeting(ulno.pk)


def test_each_thing_that_waits_is_told(ulno, artjom):
    ulno.muted_until, ulno.mute_reason = timezone.now() + timedelta(hours=1), "spam"
    ulno.save()
    relationships.follow(ulno, artjom)
    conversations.send(artjom.pk, ulno, "command-1", "hello")
    Seek.objects.create(user=ulno, game="kalah", preset="kalaha", rating=1500)
    told = greeting(ulno.pk)
    assert told["muted"] is not None
    assert told["unread"] == 1
    assert told["seek"] is not None


def test_matches_with_a_call_are_found(ulno, artjom):
    match = finished.begun([ulno, artjom])
    found = [seat.match_id for seat in match_invites.asked_back(ulno.pk)]
    assert found == []
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, ended=timezone.now())
    Seating.objects.filter(match=match, user=artjom).update(wants_rematch=True)
    assert [seat.match_id for seat in match_invites.asked_back(ulno.pk)] == [match.pk]
    assert greeting(ulno.pk)["calls"] == match_invites.calls_to(ulno.pk) != []
    # Databases know the time by the millisecond.
    ended = timezone.now() - match_invites.REMATCH_FOR - timedelta(milliseconds=1)
    Match.objects.filter(pk=match.pk).update(ended=ended)
    assert greeting(ulno.pk)["calls"] == []

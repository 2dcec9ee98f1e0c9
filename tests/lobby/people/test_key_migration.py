"""The stored keys of names with invisible characters, after the upgrade that removes these."""

from importlib import import_module

import pytest
from django.apps import apps

from lobby.clubs.models import Club
from lobby.people.spelling import folded, skeleton

pytestmark = pytest.mark.django_db

rebuild = import_module("lobby.migrations.0041_keys_without_invisible").rebuild


def old_club(name: str) -> Club:
    """A club as it was stored with its name as key."""
    return Club.objects.create(name=name, folded_name=name.lower(), skeleton=name.lower(), slug=ascii(name))


def test_key_of_invisible_twin_is_that_of_the_visible_name():
    club = old_club("Chess\u2060 corner")
    rebuild(apps, None)
    club.refresh_from_db()
    assert (club.name, club.folded_name) == ("Chess\u2060 corner", folded("Chess corner"))
    assert club.skeleton == skeleton("Chess corner")


def test_twins_keep_their_names_and_keys_that_differ():
    twins = [old_club("Chess corner"), old_club("Chess\u2060 corner"), old_club("Chess\ufe0f corner")]
    rebuild(apps, None)
    assert set(Club.objects.values_list("name", flat=True)) == {twin.name for twin in twins}
    assert len(set(Club.objects.values_list("folded_name", flat=True))) == len(twins)

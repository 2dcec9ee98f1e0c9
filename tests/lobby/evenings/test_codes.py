"""Codes: read aloud, typed on phones, and not to be guessed."""

from __future__ import annotations

import pytest

from games.net.limits import CROWD
from lobby.evenings.codes import normal, tries
from lobby.evenings.models import EVENING_CODE_LENGTH
from lobby.evenings.refusals import TooManyTries
from lobby.people.codes import ALPHABET, RUDE, new_code


def test_a_code_has_four_letters_without_look_alikes_and_rude_words():
    made = {new_code(EVENING_CODE_LENGTH) for _ in range(2000)}
    assert {len(code) for code in made} == {4}
    assert not set("".join(made)) & set("AEIOUYL0123456789")
    assert not [code for code in made if any(word in code for word in RUDE)]
    # Hardly any two are the same: there are a hundred thousand.
    assert len(made) > 1900
    assert len(ALPHABET) == 19


@pytest.mark.parametrize("typed", ["kmpt", " K m-P t ", "KMPTX"])
def test_a_code_may_be_typed_in_any_way(typed):
    assert normal(typed) == "KMPT"


def test_thirty_people_behind_one_address_come_in_after_two_mistakes_each():
    of_room = tries("one address", with_site=True)
    for _ in range(30):
        for _ in range(2):
            of_room.take()
        of_room.take()
        of_room.give_back()


def test_an_address_that_guesses_is_stopped():
    of_room = tries("a guesser", with_site=True)
    for _ in range(100):
        of_room.take()
    with pytest.raises(TooManyTries) as caught:
        of_room.take()
    assert int(caught.value.headers["Retry-After"]) > 1
    tries("another address", with_site=True).take()


def test_many_addresses_and_crowded_ones_are_stopped_together():
    for number in range(300):
        tries(f"{CROWD}{number % 3}", with_site=True).take()
    with pytest.raises(TooManyTries):
        tries("yet another address", with_site=True).take()
    tries("yet another address", with_site=False).take()

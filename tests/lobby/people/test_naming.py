"""Which names people may choose: normalised, then checked, then compared with those of others."""

import contextlib
import sys
from collections import defaultdict
from unicodedata import combining, normalize

import pytest
from confusable_homoglyphs.confusables import confusables_data
from django.contrib import admin
from django.core.exceptions import ValidationError

from lobby.accounts import guests
from lobby.moderation import moderation
from lobby.people import names, naming, spelling
from lobby.people.models import User
from lobby.people.spelling import MIN_CHARACTERS, MOST_BYTES, STORED, folded, skeleton, well_spelled

pytestmark = pytest.mark.django_db

RESERVED = [
    *("ᴹᵒᵈᵉʳᵃᵗᵒʳ", "ˢᵘᵖᵖᵒʳᵗ", "ˢᵗᵃᶠᶠ", "Ｏｗｎｅｒ", "ⓅⒶⓇⓁⓄⓊⓇ", "𝐚𝐝𝐦𝐢𝐧"),
    *("Модератор", "МОДЕРАТОР", "Бот", "Гость", "Компьютер", "АДМИН", "Поддержка", "СИСТЕМА"),
    *("Ạdmin", "Súpport", "Stàff", "Moderatör", "Ađmin", "Stȧff", "ᴀᴅᴍɪɴ", "Mødêrator", "Бо\u0301т"),
]
TOO_LONG = ["ﷺ", "ﷺ" * 20, "\u0e01\u0e33" * 41, "x" * 81]


def code_of(name):
    with pytest.raises(ValidationError) as refused:
        naming.choose(name)
    return refused.value.code


@pytest.mark.parametrize("title", ["ⓟⓐⓡⓛⓞⓤⓡ cup", "The adⅿin desk", "ＳＵＰＰＯＲＴ"])
def test_title_with_reserved_word_in_compatibility_characters_is_refused(title):
    with pytest.raises(ValidationError, match="reserved"):
        naming.choose_title(title)


@pytest.mark.parametrize("name", RESERVED)
def test_a_reserved_name_is_refused_however_it_is_written(name):
    assert code_of(name) == "reserved"


@pytest.mark.parametrize("name", RESERVED)
def test_a_guest_is_refused_a_reserved_name(client, name):
    client.post("/guest")
    before = User.objects.get().username
    answer = client.post("/settings/name", {"username": name})
    assert (answer.status_code, "reserved" in answer.text) == (400, True)
    assert User.objects.get().username == before


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_name_that_is_too_long_when_normalised_is_refused(client, name):
    assert code_of(name) in ("misspelled", "too-long")
    client.post("/guest")
    assert client.post("/settings/name", {"username": name}).status_code == 400
    assert len(User.objects.get().username) <= STORED


@pytest.mark.parametrize(("most", "refused"), [(STORED, "नि" * 20 + "ि" * 41), (MOST_BYTES, "𠀀" * 61)])
def test_a_name_of_too_many_code_points_or_bytes_is_refused(monkeypatch, most, refused):
    monkeypatch.setattr(spelling, "MAX_CHARACTERS", STORED)
    assert code_of(refused) == "too-long"


def test_a_moderator_cannot_give_a_reserved_name():
    moderator = User.objects.create_superuser("Chief", "", "a quiet evening")
    person = User.objects.create_user("Ulno")
    with pytest.raises(moderation.BadName):
        moderation.rename(moderator, person, "because", "ᴹᵒᵈᵉʳᵃᵗᵒʳ")
    assert User.objects.get(pk=person.pk).username == "Ulno"


@pytest.mark.parametrize("name", ["ᴹᵒᵈᵉʳᵃᵗᵒʳ", "ulno", "Ạdmin"])
def test_an_administrator_cannot_make_an_account_with_a_refused_name(rf, name):
    User.objects.create_user("Ulno")
    fields = {"username": name, "password1": "a quiet evening", "password2": "a quiet evening"}
    request = rf.get("/")
    request.user = User.objects.create_superuser("Chief")
    form = admin.site.get_model_admin(User).get_form(request)({**fields, "usable_password": "true"})
    assert set(form.errors) == {"username"}


def test_a_name_is_stored_in_its_normal_form():
    guest = guests.new_guest()
    assert naming.choose("Ｕｌｎｏ", guest) == "Ulno"


def test_name_derivations_fit_columns():
    fields = {field: User._meta.get_field(field).max_length for field in ("folded_name", "skeleton")}  # type: ignore[union-attr]
    for character in map(chr, range(0x10000)):
        name = normalize("NFKC", character) * STORED
        if len(name) == STORED and name.isalpha():
            assert len(folded(name)) <= fields["folded_name"]
            assert len(skeleton(name)) <= fields["skeleton"]


def imitations():
    """For each letter, all characters of which Unicode says that they look like it or are made of it."""
    alike = defaultdict(set)
    for character, others in confusables_data.items():
        for other in others:
            alike[other["c"]].add(character)
            alike[character].add(other["c"])
    # It looks like an f and is stored as an s.
    del alike["ſ"]
    for letter in alike:
        alike[letter] -= {"ſ", "ẝ"}
    for character in map(chr, range(0x80, sys.maxunicode + 1)):
        letter, *marks = normalize("NFKD", character)  # type: ignore[str-unpack]
        if letter != character and all(map(combining, marks)):
            alike[letter].add(character)
    return alike


def test_no_imitation_of_a_reserved_name_is_to_be_had():
    alike, free, tried = imitations(), [], 0
    for word in filter(lambda word: len(word) >= MIN_CHARACTERS, names.RESERVED.split()):
        for written in (word.lower(), word.upper(), word.title()):
            for place, letter in enumerate(written):
                for imitation in alike[letter]:
                    name = normalize("NFKC", written[:place] + imitation + written[place + 1 :])
                    if is_spelled_well(name):
                        tried += 1
                        free += [name] if is_free(name) else []
    assert tried > 1_000
    assert free == []


def is_spelled_well(name):
    with contextlib.suppress(ValidationError):
        well_spelled(name)
        return True
    return False


def is_free(name):
    with contextlib.suppress(ValidationError):
        names.not_reserved(name)
        return True
    return False


@pytest.mark.parametrize("name", ["Ñandu", "Сова", "Ботаник", "Müller", "Łódź", "さくら", "Hélène"])
def test_other_names_are_free(name):
    assert naming.choose(name) == name


@pytest.mark.parametrize(
    ("typed", "shown", "stored"),
    [
        ("Mari", "Mari", "Mari"),
        ("Mari Liis", "Mari Liis", "Mari-Liis"),
        ("Mari-Liis K.", "Mari-Liis K.", "Mari-Liis-K"),
        ("Jo", "Jo", "Jo-1"),
        ("Ы", "Ы", "Ы-1"),
        ("  Ülo ", "Ülo", "Ülo"),
        ("M" * 20, "M" * 20, "M" * 20),
    ],
)
@pytest.mark.django_db
def test_a_first_name_is_shown_as_typed(typed, shown, stored):
    assert naming.choose_first_name(typed) == (shown, stored)


@pytest.mark.django_db
def test_several_people_of_one_first_name_have_their_own_names_on_the_site():
    for expected in ("Mari", "Mari-2", "Mari-3"):
        assert naming.choose_first_name("Mari") == ("Mari", expected)
        person = User.objects.create_user(expected)
    assert naming.choose_first_name("Mari", person) == ("Mari", "Mari-3")


@pytest.mark.parametrize(
    ("name", "found"), [("Anna", True), ("anna", True), ("Аnnа", True), ("Ann", False), ("Anna K", False)]
)
def test_a_name_that_looks_like_one_of_others_is_among_them(name, found):
    assert naming.is_among(name, ["Ben", "Anna"]) is found


@pytest.mark.parametrize("typed", ["", " ", "Маri", "M" * 21, "Admin"])
@pytest.mark.django_db
def test_no_first_name_is_refused_otherwise_than_a_name(typed):
    with pytest.raises(ValidationError):
        naming.choose_first_name(typed)

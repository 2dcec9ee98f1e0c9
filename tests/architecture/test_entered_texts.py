"""All text that people enter, by column: what others see is checked in one place.

Names go through `lobby.people.naming`, texts through `lobby.chat.lines.check_author`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.db.models import CharField, JSONField, TextField
from django.utils import timezone

from games.domain.refusals import Refused
from games.domain.texts import cleaned, without_ignorables
from games.models import Seating
from games.registry import GAMES
from lobby.chat import lines
from lobby.chat.models import ChatLine
from lobby.classes import classes, pupils
from lobby.classes.models import SchoolClass
from lobby.clubs import announcements, clubs, members
from lobby.clubs.clubs import Charter
from lobby.clubs.models import Announcement, Club, Exclusion, JoinRequest
from lobby.evenings import evenings
from lobby.inbox import conversations
from lobby.inbox.models import Message
from lobby.people import naming, relationships
from lobby.people.models import User
from lobby.studies import chapters, studies
from lobby.studies.models import Chapter, Study
from lobby.studies.tree import SetComment
from lobby.tables import one_board
from lobby.tokens import tokens
from lobby.tokens.models import Token
from lobby.tournaments import organising
from lobby.tournaments.models import Pairing, Tournament
from tests.helpers.clubs import Role, club_of
from tests.helpers.studies import file as study_file
from tests.helpers.studies import study_of
from tests.helpers.tournaments import begun, command, people, plan

pytestmark = pytest.mark.django_db

KALAH = GAMES["kalah"].rules.PRESETS["circle"]
TWIN = "The Ad\N{ZERO WIDTH NON-JOINER}min Desk"
INVISIBLE = "\u200c\u200d\ufe0e\ufe0f\U0001bca0\u2060\u3164\u115f\u034f"


def username(author: User, name: str) -> None:
    author.username = naming.choose(name, author)
    author.save()


def club_name(author: User, name: str) -> None:
    clubs.found(author, Charter(name=name), command())


def changed_club_name(author: User, name: str) -> None:
    clubs.change(author, club_of(author).pk, Charter(name=name), command())


def title(author: User, name: str) -> None:
    organising.create(author, plan(title=name), command())


def changed_title(author: User, name: str) -> None:
    tournament = organising.create(author, plan(), command())
    organising.change(author, tournament.pk, plan(title=name), command())


def name_at_board(author: User, name: str) -> None:
    one_board.play(author, "kalah", KALAH, [name, "Ben"])


def evening_title(author: User, name: str) -> None:
    evenings.open_evening(author, "kalah", 90, command(), name)


def first_name(author: User, name: str) -> None:
    evening = evenings.open_evening(author, "kalah", 90, command())
    evenings.add(author, evening.code, name, "203.0.113.7", command())


def class_of(author: User) -> SchoolClass:
    author.user_permissions.add(Permission.objects.get(codename="add_schoolclass"))
    return classes.make(author, "5b", command())


def class_title(author: User, name: str) -> None:
    classes.change(author, class_of(author).code, name, False, command())


def pupil_name(author: User, name: str) -> None:
    pupils.add(author, class_of(author).code, name, command())


def study_title(author: User, name: str) -> None:
    studies.create(author, study_file(title=name), command())


def changed_study_title(author: User, name: str) -> None:
    studies.change(author, study_of(author).pk, name, "public", command())


NAMES: dict[str, tuple[Callable[[User, str], None], ...]] = {
    "lobby.User.username": (username,),
    "lobby.Club.name": (club_name, changed_club_name),
    "lobby.Tournament.title": (title, changed_title),
    "lobby.Evening.title": (evening_title,),
    "lobby.SchoolClass.title": (class_title,),
    "lobby.Study.title": (study_title, changed_study_title),
    "games.Seating.name": (name_at_board,),
    "lobby.User.first_name": (first_name, pupil_name),
    "lobby.Entrant.name": (first_name,),
}
"""Names that others see."""

PRIVATE = {
    "lobby.Token.name",
    "lobby.Device.name",
    "lobby.User.email",
    "lobby.Report.reason",
    "lobby.Appeal.text",
    "lobby.User.preferences",
    "lobby.Hook.url",
    "lobby.Tournament.code",
}
"""What only its author and the moderators see, and the codes with which an organiser lets players in."""

BY_MODERATORS = {
    "lobby.User.ban_reason",
    "lobby.User.mute_reason",
    "lobby.Appeal.reason",
    "lobby.Appeal.answer",
    "lobby.Remark.text",
}


def about_club(author: User) -> None:
    clubs.change(author, Club.objects.get().pk, Charter("Harbour club", "Buy here"), command())


def new_club(author: User) -> None:
    clubs.found(author, Charter("Buy here"), command())


def tournament(author: User) -> None:
    organising.create(author, plan(about="Buy here"), command())


def changed_tournament(author: User) -> None:
    open_one = Tournament.objects.get(state="open")
    organising.change(author, open_one.pk, plan(about="Buy here"), command())


def decision(author: User) -> None:
    running = Tournament.objects.get(state="running")
    organising.decide(author, running.pk, 1, 1, None, "Buy here", command())


def removal(author: User) -> None:
    running = Tournament.objects.get(state="running")
    organising.remove(author, running.pk, "Cleo", "Buy here", command())


def cancellation(author: User) -> None:
    organising.cancel(author, Tournament.objects.get(state="open").pk, "Buy here", command())


def exclusion(author: User) -> None:
    members.remove(author, Club.objects.get().pk, "Bo", "Buy here", command())


def announcement(author: User) -> None:
    announcements.announce(author, Club.objects.get().pk, "Buy here", command())


def join_request(author: User) -> None:
    club = Club.objects.get()
    Club.objects.update(joining=Club.Joining.REQUEST)
    club.memberships.filter(user=author).delete()
    members.join(author, club.pk, command(), text="Buy here")


def chat_line(author: User) -> None:
    lines.say(author.pk, command(), "Buy here")


def message(author: User) -> None:
    bo = User.objects.get(username="Bo")
    relationships.follow(bo, author)
    conversations.send(author.pk, bo, command(), "Buy here")


TALK: dict[str, tuple[Callable[[User], None], ...]] = {
    "lobby.JoinRequest.text": (join_request,),
    "lobby.Announcement.text": (announcement,),
    "lobby.ChatLine.text": (chat_line,),
    "lobby.Message.text": (message,),
}
"""Messages to others, which there are none of without chat."""


def study_shown(author: User) -> None:
    studies.change(author, Study.objects.get().pk, "Buy here", "public", command())


def chapter_added(author: User) -> None:
    chapters.add(author, Study.objects.get().pk, study_file(), command())


def chapter_renamed(author: User) -> None:
    chapter = Chapter.objects.get()
    chapters.rename(author, chapter.study_id, chapter.pk, "Buy here", command())


def study_comment(author: User) -> None:
    chapter = Chapter.objects.get()
    comment = SetComment(kind="comment", node=0, text="Buy here")
    chapters.operate(author, chapter.study_id, chapter.pk, comment, command())


TEXTS: dict[str, tuple[Callable[[User], None], ...]] = {
    "lobby.Club.about": (about_club, new_club),
    "lobby.Exclusion.why": (exclusion,),
    "lobby.Tournament.about": (tournament, changed_tournament),
    "lobby.Pairing.why": (decision,),
    "lobby.Chapter.title": (study_shown, chapter_added, chapter_renamed),
    "lobby.Chapter.nodes": (study_comment,),
    "lobby.AuditEntry.details": (exclusion, removal, cancellation),
}
"""Other texts that others see."""

BY_PROGRAMS = """
games.AnalysisTask.look games.ConditionalMoves.lines games.Match.clock games.Match.game games.Match.offers
games.Match.options games.Match.outcome games.Match.secret games.Match.start games.Match.words
games.Ply.action games.Ply.clocks games.Ply.command games.Ply.dice games.Ply.events games.Ply.state
games.PositionLook.game games.PositionLook.look games.PositionLook.state
games.Seating.words lobby.AuditEntry.action lobby.AuditEntry.target lobby.ChatLine.command
lobby.ChatLine.preset lobby.Chapter.start lobby.Club.folded_name lobby.Club.games
lobby.Club.skeleton lobby.Club.slug lobby.Club.token lobby.ClubArchive.content lobby.ClubArchive.origin
lobby.ClubLadder.clock lobby.ClubLadder.game lobby.ClubLadder.options lobby.Command.action
lobby.Command.digest lobby.Command.key lobby.Command.result lobby.Command.target lobby.Delivery.body
lobby.Delivery.event lobby.Delivery.event_id lobby.Delivery.problem lobby.Device.auth lobby.Device.p256dh
lobby.Entrant.byes lobby.Evening.clock lobby.Evening.code lobby.Evening.format lobby.Evening.game
lobby.Evening.lot lobby.Event.data lobby.FinalSheet.content lobby.Hook.events lobby.Hook.secret
lobby.Hook.site lobby.Message.command lobby.Operation.key
lobby.Homework.game lobby.Homework.puzzles
lobby.CourseProgress.game lobby.PuzzleAttempt.puzzle lobby.PuzzleBest.game lobby.PuzzleBest.kind
lobby.PuzzleRun.game lobby.PuzzleRun.kind lobby.PuzzleRun.puzzles lobby.PuzzleRun.results
lobby.PuzzleSolver.game
lobby.Study.game lobby.NoteGame.command lobby.NoteGame.player1 lobby.NoteGame.player2
lobby.Pairing.kind lobby.Pairing.reason lobby.PushKey.private lobby.Rating.family lobby.Rating.game
lobby.Reminder.site lobby.Result.family lobby.Result.game lobby.Result.reason lobby.Seek.clock
lobby.Seek.game lobby.Seek.preset lobby.Table.clock lobby.Table.game lobby.Table.options
lobby.Table.position lobby.Team.name lobby.PupilCard.number
lobby.SchoolClass.code lobby.Token.digest lobby.Token.scopes
lobby.Tournament.clock lobby.Tournament.format lobby.Tournament.game
lobby.Tournament.host_seat
lobby.Tournament.options lobby.Trace.digest lobby.User.computer
lobby.User.folded_name lobby.User.last_name lobby.User.password lobby.User.skeleton
"""
"""Identifiers, keys, and what our code writes. Client seeds of the dice are used byte by byte."""


def columns() -> set[str]:
    """All columns of our tables that can hold any text."""
    models = [*apps.get_app_config("games").get_models(), *apps.get_app_config("lobby").get_models()]
    return {
        f"{model._meta.label}.{field.name}"
        for model in models
        for field in model._meta.local_fields
        if isinstance(field, CharField | TextField | JSONField)
        and not field.primary_key
        and not field.choices
    }


def stored() -> dict[str, list[str]]:
    """The names and texts in the database."""
    rows = {
        "club": Club.objects.values_list("name", "about"),
        "tournament": Tournament.objects.values_list("title", "about", "state"),
        "seat": Seating.objects.values_list("name"),
        "user": User.objects.values_list("username", "first_name"),
        "class": SchoolClass.objects.values_list("title"),
        "line": ChatLine.objects.values_list("text"),
        "message": Message.objects.values_list("text"),
        "request": JoinRequest.objects.values_list("text"),
        "exclusion": Exclusion.objects.values_list("why"),
        "announcement": Announcement.objects.values_list("text"),
        "study": Study.objects.values_list("title", "visibility"),
        "chapter": Chapter.objects.values_list("title", "nodes"),
        "pairing": Pairing.objects.values_list("why"),
    }
    return {kind: sorted(map(str, values)) for kind, values in rows.items()}


@pytest.fixture
def author() -> User:
    """The owner of a club and the organiser of two tournaments, of which one is in play."""
    author, *others = people("Ada Bo Cleo Dan")
    club_of(author, *others)
    begun(author, others)
    organising.create(author, plan(), command())
    study_of(author, "public")
    return author


acts = [act for group in (*TALK.values(), *TEXTS.values()) for act in group]


def test_every_column_is_listed():
    listed = {*NAMES, *PRIVATE, *BY_MODERATORS, *TALK, *TEXTS, *BY_PROGRAMS.split()}
    assert columns() == listed


@pytest.mark.parametrize("name", [act for group in NAMES.values() for act in group])
def test_reserved_word_with_invisible_character_is_refused(name):
    (author,) = people("Ada")
    with pytest.raises((Refused, ValidationError)):
        name(author, TWIN)
    assert TWIN not in str(stored())


@pytest.mark.parametrize("name", [club_name, changed_club_name, title, changed_title, name_at_board])
def test_invisible_characters_are_not_stored(name):
    (author,) = people("Ada")
    name(author, f"Chess{INVISIBLE} corner")
    assert "Chess corner" in str(stored())


def test_name_of_account_with_invisible_characters_is_refused():
    for character in INVISIBLE:
        with pytest.raises(ValidationError):
            naming.choose(f"Ad{character}a")


@pytest.mark.parametrize("character", INVISIBLE)
def test_invisible_twin_of_club_is_refused(character):
    ada, bo = people("Ada Bo")
    clubs.found(ada, Charter("Chess corner"), command())
    with pytest.raises(Refused) as caught:
        clubs.found(bo, Charter(f"Chess{character} corner"), command())
    assert caught.value.code == "bad-name"


def test_unchanged_reserved_names_stay_valid():
    (ada,) = people("Ada")
    club = club_of(ada)
    open_one = organising.create(ada, plan(), command())
    Club.objects.update(name=TWIN)
    Tournament.objects.update(title=TWIN)
    clubs.change(ada, club.pk, Charter(TWIN, "About us"), command())
    organising.change(ada, open_one.pk, plan(title=TWIN, about="For all"), command())
    assert (Club.objects.get().about, Tournament.objects.get().about) == ("About us", "For all")


@pytest.mark.parametrize(
    "text",
    [
        "می\N{ZERO WIDTH NON-JOINER}خواهم",
        "ක්\N{ZERO WIDTH JOINER}ෂ",
        "👩\N{ZERO WIDTH JOINER}👧",
        "❤\ufe0f 1\ufe0f\u20e3",
        "🏳\ufe0f\N{ZERO WIDTH JOINER}🌈",
    ],
)
def test_joiners_that_are_seen_are_kept(text):
    assert cleaned(text) == text
    assert without_ignorables(text) != text


def test_names_only_their_owner_sees_are_cleaned():
    (ada,) = people("Ada")
    tokens.make(ada, f"My{INVISIBLE} bot", ["read"])
    assert Token.objects.get().name == "My bot"


@pytest.mark.parametrize("act", acts)
def test_muted_person_publishes_nothing(author, act):
    User.objects.filter(pk=author.pk).update(
        muted_until=timezone.now() + timedelta(hours=1), mute_reason="insults"
    )
    before = stored()
    with pytest.raises(Refused) as caught:
        act(author)
    assert (caught.value.code, caught.value.status) == ("muted", 403)
    assert "insults" in caught.value.words
    assert stored() == before


@pytest.mark.parametrize("act", [act for group in TALK.values() for act in group])
def test_texts_to_others_refused_without_chat(author, act, settings):
    settings.CHAT = False
    with pytest.raises(Refused) as caught:
        act(author)
    assert caught.value.code == "chat-off"


@pytest.mark.parametrize("act", acts)
def test_texts_for_all_accepted_without_chat(author, act):
    act(author)


def test_muted_owner_still_changes_what_is_no_text(author):
    User.objects.filter(pk=author.pk).update(muted_until=timezone.now() + timedelta(hours=1))
    club = Club.objects.get()
    clubs.change(author, club.pk, Charter(club.name, club.about, games=["kalah"]), command())
    members.set_role(author, club.pk, "Bo", Role.ORGANISER, command())
    open_one = Tournament.objects.get(state="open")
    organising.change(author, open_one.pk, plan(late=False), command())
    assert (Club.objects.get().games, Tournament.objects.get(pk=open_one.pk).late) == (["kalah"], False)

"""Command ids: a repeated command has its first result, and another one with the same key is refused."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from games.domain.refusals import Refused
from games.net.limits import Buckets
from lobby import commands
from lobby.accounts import deletion
from lobby.classes import classes, pupils, teachers
from lobby.club_files import archives
from lobby.club_files.models import ClubArchive
from lobby.clubs import announcements, clubs, members
from lobby.clubs.clubs import Charter
from lobby.clubs.models import Announcement, Club
from lobby.commands.models import Command
from lobby.evenings import evenings
from lobby.evenings.plan import Chosen
from lobby.homework import homework
from lobby.ladders import ladders
from lobby.lessons import ladder, rounds
from lobby.people.models import User
from lobby.people.presence import presence
from lobby.schoolyear import ends
from lobby.studies import chapters, studies
from lobby.tournaments import entries, invitations, lineups, organising
from lobby.tournaments.models import Tournament
from lobby.vacations import vacations
from tests.helpers.ladders import TwoLadders
from tests.helpers.ladders import plan as of_ladder
from tests.helpers.studies import file, study_of
from tests.helpers.tournaments import begun, changes, command, entered, people, plan

KEY = "the-same-key"


DUE = date(2099, 1, 31)


class World:
    """Two of everything that commands are about. Ada runs them all."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ada, self.bo, self.cleo, self.dan, self.eve = people("Ada Bo Cleo Dan Eve")
        self.clubs = [self._club(name) for name in ("Harbour club", "Garden club")]
        self.open = [entered(self.ada, [self.bo, self.cleo, self.dan], rounds=3) for _ in range(2)]
        self.simul = entered(self.ada, [self.bo, self.cleo], "simul", host_admits=True)
        self.running = [begun(self.ada, [self.bo, self.cleo, self.dan], rounds=3) for _ in range(2)]
        self.evenings = [evenings.open_evening(self.ada, "kalah", 90, command()) for _ in range(2)]
        self.guest = evenings.add(self.ada, self.evenings[0].code, "Oma", "", command())
        for name in ("Opa", "Tante"):
            evenings.add(self.ada, self.evenings[0].code, name, "", command())
        self.battles = [
            organising.create(self.ada, plan("team_battle", club_id=self.clubs[0].pk, team_size=2), command())
            for _ in range(2)
        ]
        self.invited = clubs.found(self.eve, Charter("Invited club"), command())
        for battle in self.battles:
            invitations.invite(self.ada, battle.pk, self.invited.pk, command())
        self.team_matches = [
            organising.create(self.ada, plan("team_match", club_id=self.clubs[0].pk, team_size=2), command())
            for _ in range(2)
        ]
        for match in self.team_matches:
            entries.enter(self.bo, match.pk, "", command())
        vacations.take(self.bo, 7, None, command())
        self.classes = [classes.make(self.ada, title, command()) for title in ("5a", "5b")]
        self.pupils = pupils.add(self.ada, self.classes[0].code, "Mari, Juku", command())
        monkeypatch.setattr(presence, "online", lambda: frozenset(self.pupils))
        for each in self.classes:
            teachers.invite(self.ada, each.code, "Bo", command())
        self.studies = [study_of(self.ada, Bo="read") for _ in range(2)]
        for study in self.studies:
            chapters.add(self.ada, study.pk, file(), command())

        self.pupil = User.objects.get(pk=self.pupils[0])
        shown = homework.study(self.ada, study_of(self.ada, "public").pk)
        for task in (homework.course("morris"), shown):
            homework.give(self.ada, self.classes[0].code, task, DUE, command())

    def _club(self, name: str) -> Club:
        club = clubs.found(self.ada, Charter(name, joining="open"), command())
        members.join(self.bo, club.pk, command())
        members.join(self.cleo, club.pk, command())
        members.remove(self.ada, club.pk, "Cleo", "", command())
        announcements.announce(self.ada, club.pk, "Games on Friday", command())
        clubs.change(self.ada, club.pk, Charter(name, joining="request"), command())
        members.join(self.dan, club.pk, command())
        members.offer(self.ada, club.pk, "Bo", command())
        ClubArchive.objects.create(club=club, origin=club.pk, content="{}", imported=timezone.now())
        return club


Case = tuple[Callable[..., Any], list[Any], list[Any] | None]
"""A service with its arguments, and with those of another command; None if it has only one command."""


def cases(world: World) -> dict[str, Case]:
    ada, bo, eve = world.ada, world.bo, world.eve
    one, two = (club.pk for club in world.clubs)
    said, said_there = (Announcement.objects.get(club=club).pk for club in world.clubs)
    cup, other_cup = (each.pk for each in world.open)
    simul = world.simul.pk
    running, other_running = (each.pk for each in world.running)
    battle, other_battle = (each.pk for each in world.battles)
    invited = world.invited.pk
    match, other_match = (each.pk for each in world.team_matches)
    code, other_code = (each.code for each in world.evenings)
    study, other_study = (each.pk for each in world.studies)
    chapter, next_chapter = (each.pk for each in world.studies[0].chapters.all())
    here, elsewhere = (each.code for each in world.classes)
    pupil, other_pupil = world.pupils
    course, study_read = homework.of(world.classes[0])
    assert world.guest is not None
    guest = world.guest.user_id
    other_guest = world.evenings[0].people.exclude(user=guest)[0].user_id
    return {
        "club-found": (clubs.found, [ada, Charter("One")], [ada, Charter("Two")]),
        "club-change": (clubs.change, [ada, one, Charter("One")], [ada, two, Charter("One")]),
        "club-link": (clubs.renew_link, [ada, one], [ada, two]),
        "club-dissolve": (clubs.dissolve, [ada, one], [ada, two]),
        "club-join": (members.join, [eve, one], [eve, two]),
        "club-leave": (members.leave, [bo, one], [bo, two]),
        "club-answer": (members.answer, [ada, one, "Dan", True], [ada, two, "Dan", True]),
        "club-remove": (members.remove, [ada, one, "Bo", "Rude"], [ada, two, "Bo", "Rude"]),
        "club-let-in": (members.let_in, [ada, one, "Cleo"], [ada, two, "Cleo"]),
        "club-role": (members.set_role, [ada, one, "Bo", "organiser"], [ada, two, "Bo", "organiser"]),
        "club-hand-over": (members.offer, [ada, one, "Bo"], [ada, two, "Bo"]),
        "club-take-over": (members.take_over, [bo, one], [bo, two]),
        "club-end-offer": (members.end_offer, [ada, one], [ada, two]),
        "club-consent": (members.consent, [bo, one, True], [bo, one, False]),
        "club-archive-delete": (archives.delete, [ada, one], [ada, two]),
        "club-announce": (announcements.announce, [ada, one, "Tea"], [ada, one, "Cake"]),
        "club-withdraw": (announcements.withdraw, [ada, one, said], [ada, two, said_there]),
        "tournament-create": (organising.create, [ada, plan()], [ada, plan(rounds=2)]),
        "tournament-change": (
            *(organising.change, [ada, cup, changes(name="Cup")], [ada, cup, changes(name="Bowl")]),
        ),
        "tournament-start": (organising.start, [ada, cup], [ada, other_cup]),
        "tournament-pause": (organising.pause, [ada, running, True], [ada, running, False]),
        "tournament-admit": (organising.admit, [ada, simul, "", True], [ada, simul, "", False]),
        "tournament-remove": (
            *(organising.remove, [ada, running, "Bo", "Rude"], [ada, other_running, "Bo", "Rude"]),
        ),
        "tournament-decide": (
            *(organising.decide, [ada, running, 1, 1, [1, 0], "Late"], [ada, running, 1, 1, [0, 1], "Late"]),
        ),
        "tournament-cancel": (organising.cancel, [ada, cup, "Rain"], [ada, other_cup, "Rain"]),
        "tournament-enter": (entries.enter, [eve, cup, ""], [eve, other_cup, ""]),
        "tournament-withdraw": (entries.withdraw, [bo, cup], [bo, other_cup]),
        "tournament-bye": (entries.ask_bye, [bo, cup, 1], [bo, cup, 2]),
        "tournament-invite": (invitations.invite, [ada, battle, two], [ada, other_battle, two]),
        "tournament-uninvite": (
            *(invitations.uninvite, [ada, battle, invited], [ada, other_battle, invited]),
        ),
        "tournament-answer": (
            *(invitations.answer, [eve, battle, invited, True], [eve, battle, invited, False]),
        ),
        "tournament-lineup": (
            *(lineups.hand_in, [ada, match, one, ["Bo"]], [ada, other_match, one, ["Bo"]]),
        ),
        "evening-open": (evenings.open_evening, [ada, "kalah", 90], [ada, "cantstop", 90]),
        "evening-join": (evenings.join, [bo, code], [bo, other_code]),
        "evening-add": (evenings.add, [ada, code, "Uncle", ""], [ada, code, "Aunt", ""]),
        "evening-remove": (evenings.remove, [ada, code, guest], [ada, code, other_guest]),
        "evening-rename": (evenings.rename, [ada, code, guest, "Nan"], [ada, code, guest, "Nana"]),
        "evening-change": (
            evenings.change,
            [ada, code, "cantstop", 60, Chosen(), False],
            [ada, code, "cantstop", 45, Chosen(), False],
        ),
        "evening-draw": (evenings.draw, [ada, code], [ada, other_code]),
        "evening-start": (evenings.start, [ada, code], [ada, other_code]),
        "class-make": (classes.make, [ada, "5c"], [ada, "5d"]),
        "class-change": (classes.change, [ada, here, "6a", True], [ada, elsewhere, "6a", True]),
        "class-open": (classes.let_in, [ada, here], [ada, elsewhere]),
        "class-close": (classes.let_nobody_in, [ada, here], [ada, elsewhere]),
        "class-add": (pupils.add, [ada, here, "Tiit"], [ada, here, "Tõnu"]),
        "class-rename": (pupils.rename, [ada, here, pupil, "Mai"], [ada, here, pupil, "Maie"]),
        "class-move": (pupils.move, [ada, here, pupil, elsewhere], [ada, here, other_pupil, elsewhere]),
        "class-new-card": (pupils.renew_card, [ada, here, pupil], [ada, here, other_pupil]),
        "class-invite": (teachers.invite, [ada, here, "Cleo"], [ada, here, "Dan"]),
        "class-round": (
            rounds.pair,
            [ada, here, rounds.Chosen("kalah", "")],
            [ada, here, rounds.Chosen("aces", "")],
        ),
        "class-stop": (rounds.stop, [ada, here], [ada, elsewhere]),
        "class-ladder": (ladder.begin, [ada, here], [ada, elsewhere]),
        "class-no-ladder": (ladder.end, [ada, here], [ada, elsewhere]),
        "class-give": (
            homework.give,
            [ada, here, homework.course("kalah"), DUE],
            [ada, here, homework.course("aces"), DUE],
        ),
        "class-take-back": (homework.take_back, [ada, here, course.pk], [ada, here, study_read.pk]),
        "class-read": (homework.read, [world.pupil, here, study_read.pk], [world.pupil, here, course.pk]),
        "class-end": (ends.end, [ada, here, "archive", True], [ada, here, "erase", True]),
        "class-keep": (ends.keep, [ada, here], [ada, elsewhere]),
        "class-accept": (teachers.accept, [bo, here], [bo, elsewhere]),
        "class-leave": (teachers.leave, [bo, here], [bo, elsewhere]),
        "study-create": (studies.create, [eve, file()], [eve, file(title="Endings")]),
        "study-change": (*(studies.change, [ada, study, "One", "public"], [ada, study, "Two", "public"]),),
        "study-delete": (studies.delete, [ada, study], [ada, other_study]),
        "study-member": (studies.set_member, [ada, study, "Bo", "write"], [ada, study, "Dan", "write"]),
        "study-remove": (studies.remove_member, [ada, study, "Bo"], [ada, other_study, "Bo"]),
        "study-add": (chapters.add, [ada, study, file()], [ada, other_study, file()]),
        "study-chapter": (*(chapters.rename, [ada, study, chapter, "One"], [ada, study, chapter, "Two"]),),
        "study-drop": (chapters.delete, [ada, study, chapter], [ada, study, next_chapter]),
        "vacation-take": (vacations.take, [eve, 7, None], [eve, 8, None]),
        "vacation-end": (vacations.end, [bo], None),
    }


def ladder_cases() -> dict[str, Case]:
    two = TwoLadders()
    one, other = (each.pk for each in two.clubs)
    return {
        "ladder-set-up": (
            *(
                ladders.set_up,
                [two.lea, one, of_ladder()],
                [two.lea, one, of_ladder(play_days=9)],
            ),
        ),
        "ladder-close": (ladders.close, [two.lea, one], [two.lea, other]),
        "ladder-join": (ladders.join, [two.hal, one], [two.hal, other]),
        "ladder-leave": (ladders.leave, [two.fay, one], [two.fay, other]),
        "ladder-challenge": (ladders.challenge, [two.gus, one, "Fay"], [two.gus, other, "Fay"]),
        "ladder-withdraw": (ladders.withdraw, [two.ivy, one], [two.ivy, other]),
        "ladder-answer": (ladders.answer, [two.max, one, True], [two.max, one, False]),
        "ladder-play": (ladders.play, [two.jon, one], [two.jon, other]),
    }


@pytest.fixture
def world(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    settings.TOURNAMENTS_PER_PERSON = settings.EVENINGS_PER_HOST = 20
    settings.CLASSES = classes.OPEN
    return World(monkeypatch)


def stored() -> dict[str, Any]:
    """Every row of the lobby."""
    rows = apps.get_app_config("lobby").get_models()
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in rows}


def refused(service: Callable[..., Any], *arguments: Any) -> str:
    before = stored()
    with pytest.raises(Refused) as caught:
        service(*arguments, command=KEY)
    assert stored() == before
    return caught.value.code


@pytest.mark.parametrize("action", sorted(commands.COMMANDS))
def test_command_again_has_its_first_result_and_another_is_refused(world: World, action: str) -> None:
    of_action = ladder_cases() if action.startswith("ladder-") else cases(world)
    service, arguments, others = of_action[action]
    first = service(*arguments, command=KEY)
    after = stored()
    again = service(*arguments, command=KEY)
    assert stored() == after
    assert again == first or action in ("evening-join", "evening-add")
    if others is not None:
        assert refused(service, *others) == "command-used"
    other_action = (organising.create, arguments[0], plan(rounds=1))
    assert refused(*other_action) == "command-used"


def test_cancel_tournament_with_key_of_another_is_refused(world: World) -> None:
    first, second = world.open
    organising.cancel(world.ada, first.pk, "Rain", KEY)
    assert refused(organising.cancel, world.ada, second.pk, "Rain") == "command-used"
    assert Tournament.objects.get(pk=second.pk).state == Tournament.State.OPEN


def test_withdraw_with_key_of_another_tournament_is_refused(world: World) -> None:
    first, second = world.open
    entries.withdraw(world.bo, first.pk, KEY)
    assert refused(entries.withdraw, world.bo, second.pk) == "command-used"
    assert second.entrants.get(user=world.bo).withdrawn is None


def test_refused_command_stores_nothing_and_may_be_tried_again(world: World) -> None:
    assert refused(organising.cancel, world.ada, world.open[0].pk, " ") == "no-reason"
    organising.cancel(world.ada, world.open[0].pk, "Rain", KEY)
    assert Command.objects.filter(key=KEY).count() == 1


def test_command_key_of_other_user_is_independent(world: World) -> None:
    entries.withdraw(world.bo, world.open[0].pk, KEY)
    entries.withdraw(world.cleo, world.open[0].pk, KEY)
    assert world.open[0].entrants.get(withdrawn=None).user == world.dan


def test_user_cannot_send_commands_without_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_limits", Buckets(rate=1, burst=1))
    for _ in range(3):
        organising.pause(world.ada, world.running[0].pk, True, KEY)
    before = stored()
    with pytest.raises(commands.CommandsTooFast):
        organising.pause(world.ada, world.running[0].pk, False, command())
    assert stored() == before


def test_old_commands_are_purged_in_batches(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "BATCH", 2)
    organising.cancel(world.ada, world.open[0].pk, "Rain", KEY)
    Command.objects.exclude(key=KEY).update(at=timezone.now() - commands.LIFETIME - timedelta(minutes=1))
    left = Command.objects.count()
    while gone := commands.purge(timezone.now()):
        assert gone <= 2
        left -= gone
    assert left == 1
    assert Command.objects.get().key == KEY


def test_deleted_account_leaves_no_command(world: World) -> None:
    deletion.forget(world.ada.pk)
    assert not Command.objects.filter(user=world.ada).exists()


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_fifty_copies_make_one_and_have_the_same_result(self) -> None:
        (ada,) = people("Ada")

        def create(_: int) -> Any:
            try:
                return organising.create(ada, plan(), KEY).pk
            finally:
                connection.close()

        with ThreadPoolExecutor(50) as pool:
            made = set(pool.map(create, range(50)))
        assert made == set(Tournament.objects.values_list("pk", flat=True))
        assert (len(made), Command.objects.count()) == (1, 1)

    def test_key_used_in_two_tournaments_at_once_acts_in_one(self) -> None:
        ada, bo = people("Ada Bo")
        cups = [entered(ada, [bo]) for _ in range(2)]

        def cancel(number: int) -> str:
            try:
                organising.cancel(ada, cups[number % 2].pk, "Rain", KEY)
            except commands.CommandUsed as error:
                return error.code
            finally:
                connection.close()
            return cups[number % 2].pk

        with ThreadPoolExecutor(10) as pool:
            heard = list(pool.map(cancel, range(10)))
        (gone,) = Tournament.objects.filter(state=Tournament.State.CANCELLED)
        assert sorted(heard) == sorted([gone.pk] * 5 + ["command-used"] * 5)

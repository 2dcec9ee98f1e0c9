"""What hosts and guests of an evening do. Writes `Evening` and `EveningGuest`.

Every action is one transaction under the row of the evening, and carried out once by its command id
(`lobby.commands`). `lobby.tournaments` plays. Lock order: evenings, tournaments, users.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import short_id
from games.registry import GAMES, Game
from lobby import commands
from lobby.accounts import guests
from lobby.commands import once
from lobby.evenings import codes, refusals
from lobby.evenings import plan as plans
from lobby.evenings.models import EVENING_CODE_LENGTH, Evening, EveningGuest
from lobby.evenings.plan import Chosen, EveningPlan
from lobby.people import circles, naming
from lobby.people.codes import new_code
from lobby.people.models import User
from lobby.people.presence import presence
from lobby.tournaments import entries, organising, sheet
from lobby.tournaments.formats import FORMATS, MOST_CLUBS, base
from lobby.tournaments.plans import Plan

LEAST_MINUTES, MOST_MINUTES = 15, 8 * 60
USUAL_MINUTES = 90
MOST_ROUNDS = 20
REMOVED = "Removed by the host"
"""The reason in the audit log, which moderators of every language read."""


class Person(NamedTuple):
    """A person at an evening.

    Attributes:
        present: whether the person has a page of the site open; always true for players at the host's device.
        created_here: whether the person is a guest who was created by joining, whom the host may rename.
    """

    user: User
    present: bool
    at_host: bool
    created_here: bool


def _evening(number: int) -> Evening:
    evening = Evening.objects.select_related("host", "tournament").filter(pk=number).first()
    if evening is None:
        raise refusals.UnknownEvening
    return evening


def _carried_out(_number: int) -> None:
    """A repeated command returns nothing."""


# Opening and finding


@once("evening-open", again=_evening)
def open_evening(host: User, game: str, minutes: int, command: str, title: str = "") -> Evening:
    """Open an evening and let people in. Without a title its pages show the code.

    Raises:
        EveningError: "bad-plan", "bad-minutes" or "too-many-evenings".
        ValidationError: the title is reserved.
    """
    circles.check_stranger(host)
    title = naming.choose_title(title)
    # Lock the host's row, so that two concurrent requests cannot both pass the limit.
    User.objects.select_for_update().get(pk=host.pk)
    if game not in GAMES:
        raise refusals.BadPlan
    _check_minutes(minutes)
    if Evening.objects.filter(host=host).count() >= settings.EVENINGS_PER_HOST:
        raise refusals.TooManyEvenings
    return _with_new_code(host, game, minutes, title)


def _with_new_code(host: User, game: str, minutes: int, title: str) -> Evening:
    now = timezone.now()
    while True:
        try:
            # The unique constraint decides whether the code is free.
            with transaction.atomic():
                return Evening.objects.create(
                    code=new_code(EVENING_CODE_LENGTH),
                    host=host,
                    title=title,
                    game=game,
                    minutes=minutes,
                    created=now,
                    expires=now + timedelta(hours=settings.EVENING_HOURS),
                )
        except IntegrityError:
            continue


def find(code: str, user: User | AnonymousUser, network: str, token: str = "") -> Evening:
    """An evening by its code, for its people at any time, and for others until the code expires.

    Args:
        network: the key to limit the address by (`games.net.limits.network_of`), which pays for a wrong code.
        token: the token of the link in the QR code, with which the limits of wrong codes do not apply.

    Raises:
        EveningError: "unknown-evening", "removed" or "too-many-tries".
    """
    try:
        mine = find_mine(code, user)
    except refusals.UnknownEvening:
        if _coded(code).filter(people__user=user.pk, people__removed=True).exists():
            raise refusals.RemovedByHost from None
        return _find_open(code, network, token)
    codes.rooms.note(mine, network)
    return mine


def _find_open(code: str, network: str, token: str) -> Evening:
    found = _coded(code).filter(expires__gt=timezone.now()).first()
    if found is not None and codes.is_token(found, token):
        return found
    tries = codes.tries(network, with_site=not codes.rooms.has(found, network))
    tries.take()
    if found is None:
        raise refusals.UnknownEvening
    tries.give_back()
    return found


def find_mine(code: str, user: User | AnonymousUser) -> Evening:
    """An evening that a user hosts or has joined, by its code. Others cannot guess codes with it.

    Raises:
        EveningError: "unknown-evening".
    """
    known = _coded(code)
    if user.is_authenticated:
        mine = (
            known.filter(host=user).first() or known.filter(people__user=user, people__removed=False).first()
        )
        if mine is not None:
            return mine
    raise refusals.UnknownEvening


def _coded(code: str) -> QuerySet[Evening]:
    return Evening.objects.select_related("host", "tournament").filter(code=codes.normal(code))


# People


@once("evening-join", "code", again=_carried_out)
def join(user: User, code: str, command: str = "") -> EveningGuest | None:
    """Join an evening with one's own device; None if the command was carried out before.

    After the start it is a late entry, or the return of a player who missed a match.

    Raises:
        EveningError: "unknown-evening", "removed", "full" or "name-taken".
        TournamentError: the tournament has begun and lets nobody in (`entries.enter`).
        ClassOnly: the user is a pupil.
    """
    circles.check_stranger(user)
    evening = _locked(code)
    known = evening.people.filter(user=user).first()
    if known is not None:
        if known.removed:
            raise refusals.RemovedByHost
        if evening.tournament is not None:
            entries.come_back(user, evening.tournament.pk)
        return known
    if evening.expires <= timezone.now():
        raise refusals.UnknownEvening
    return _come(evening, user, at_host=False)


@once("evening-add", "code", ignored=("network",), again=_carried_out)
def add(host: User, code: str, name: str, network: str, command: str) -> EveningGuest | None:
    """Add a person without a device, who plays at the host's; None if the command was carried out before.

    Args:
        network: the key by which new guests are limited (`games.net.limits.network_of`).

    Raises:
        TooManyGuests: the network has reached its limit.
        EveningError: "unknown-evening", "not-host", "full" or "name-taken".
        ValidationError: the name is invalid.
        TournamentError: the tournament has begun and lets nobody in (`entries.enter`).
    """
    evening = _hosted(host, code)
    first = naming.choose_first_name(name)
    return _come(evening, guests.named(first.username, network, first.shown), at_host=True)


def _come(evening: Evening, user: User, *, at_host: bool) -> EveningGuest:
    if evening.people.filter(removed=False).count() >= settings.EVENING_PEOPLE:
        raise refusals.EveningFull
    # The name of an account is the account's, whoever came before.
    if user.is_guest:
        _check_free(evening, user, user.get_short_name())
    if evening.tournament is not None:
        keeper = evening.host if at_host else None
        tournament = evening.tournament
        entries.enter(user, tournament.pk, tournament.code, "", keeper=keeper, name=user.first_name)
    _changed(evening)
    # A guest who was never logged in is one who was created for this.
    created_here = user.is_guest and user.last_login is None
    return EveningGuest.objects.create(evening=evening, user=user, at_host=at_host, created_here=created_here)


def _check_free(evening: Evening, user: User, name: str) -> None:
    """Refuse a name that somebody else at the evening has, or one that looks alike."""
    others = evening.people.filter(removed=False).exclude(user=user).select_related("user")
    if naming.is_among(name, (other.user.get_short_name() for other in others)):
        raise refusals.NameTaken


def _is_created_here(person: EveningGuest) -> bool:
    """Whether a person is a guest who was created by joining, and has not signed up since."""
    return person.created_here and person.user.is_guest


@once("evening-remove", "code")
def remove(host: User, code: str, user_id: int, command: str) -> None:
    """Remove a person permanently; after the start their open match is lost by forfeit.

    Raises:
        EveningError: "unknown-evening", "not-host" or "unknown-person".
        TournamentError: "tournament-over".
    """
    evening = _hosted(host, code)
    person = _person(evening, user_id)
    if evening.tournament is not None:
        organising.remove(host, evening.tournament.pk, person.user.username, REMOVED, "")
    EveningGuest.objects.filter(pk=person.pk).update(removed=True)
    _changed(evening)


@once("evening-rename", "code")
def rename(host: User, code: str, user_id: int, name: str, command: str = "") -> None:
    """Rename a guest who was created by joining. Idempotent.

    Raises:
        EveningError: "unknown-evening", "not-host", "unknown-person", "account" or "name-taken".
        ValidationError: the name is invalid.
        NameTaken, TooManyNames: as in `lobby.accounts.guests.rename`.
    """
    evening = _hosted(host, code)
    person = _person(evening, user_id)
    if not _is_created_here(person):
        raise refusals.OwnAccount
    first = naming.choose_first_name(name, person.user)
    _check_free(evening, person.user, first.shown)
    guests.rename(user_id, first.username, first.shown)
    _changed(evening)


# The plan and the start


@once("evening-change", "code", again=_evening)
def change(  # noqa: PLR0913 - the fields of the form
    host: User, code: str, game: str, minutes: int, chosen: Chosen, chat: bool, command: str = ""
) -> Evening:
    """Change the plan before the start. Idempotent.

    Raises:
        EveningError: "unknown-evening", "not-host", "started", "bad-plan" or "bad-minutes".
    """
    evening = _hosted(host, code)
    if evening.tournament_id is not None:
        raise refusals.Started
    _check_minutes(minutes)
    _check_chosen(game, chosen)
    evening.game, evening.minutes, evening.chat = game, minutes, chat
    evening.format, evening.rounds, evening.clock = chosen.format, chosen.rounds, chosen.clock
    _changed(evening, "game", "minutes", "chat", "format", "rounds", "clock")
    return evening


def _check_minutes(minutes: int) -> None:
    if not LEAST_MINUTES <= minutes <= MOST_MINUTES:
        raise refusals.BadMinutes(least=LEAST_MINUTES, most=MOST_MINUTES)


def _check_chosen(game: str, chosen: Chosen) -> None:
    if game not in GAMES or not 0 <= chosen.rounds <= MOST_ROUNDS:
        raise refusals.BadPlan
    if chosen.format not in ("", *formats_of(GAMES[game])):
        raise refusals.BadPlan
    if chosen.clock not in ("", *plans.live_clocks(GAMES[game].clocks)):
        raise refusals.BadPlan


def formats_of(game: Game) -> list[str]:
    """The formats that an evening of a game can have."""
    most = game.rules.SEATS[-1]
    own = {slug: form for slug, form in FORMATS.items() if slug not in MOST_CLUBS and not form.HOST}
    return [slug for slug, form in own.items() if most > 2 or not form.TABLES]


@once("evening-draw", "code")
def draw(host: User, code: str, command: str) -> None:
    """Draw the seats again, before the start.

    Raises:
        EveningError: "unknown-evening", "not-host" or "started".
    """
    evening = _hosted(host, code)
    if evening.tournament_id is not None:
        raise refusals.Started
    evening.lot = short_id()
    _changed(evening, "lot")


@once("evening-start", "code", again=_evening)
def start(host: User, code: str, command: str) -> Evening:
    """Start the tournament with everyone who has joined. Idempotent.

    Raises:
        EveningError: "unknown-evening" or "not-host".
        TooFewPlayers, BadRounds: the format cannot begin (`lobby.tournaments.formats.base`).
    """
    evening = _hosted(host, code)
    if evening.tournament_id is not None:
        return evening
    there = _seeded(evening)
    players = [
        entries.Player(person.user, evening.host if person.at_host else None, person.user.first_name)
        for person in there
    ]
    plan = _tournament_plan(evening, plan_of(evening, len(there)))
    evening.tournament = organising.create_begun(host, plan, evening.lot, players)
    _changed(evening, "tournament")
    return evening


def plan_of(evening: Evening, people: int) -> EveningPlan:
    """The plan of an evening for so many people; after the start it is that of the tournament."""
    tournament = evening.tournament
    if tournament is not None:
        count = tournament.entrants.filter(seed__isnull=False).count()
        rounds = sheet.form_of(tournament).rounds(count, sheet.options_of(tournament))
        minutes = evening.minutes
        return EveningPlan(tournament.format, rounds, tournament.clock, tournament.seats, minutes)
    game = GAMES[evening.game]
    chosen = Chosen(evening.format, evening.rounds, evening.clock)
    return plans.propose(people, evening.minutes, game.rules.SEATS[-1], game.clocks, chosen)


def _tournament_plan(evening: Evening, plan: EveningPlan) -> Plan:
    game = GAMES[evening.game]
    return Plan(
        # The title must not contain the code, as everyone with the link to the tournament sees it. Without
        # one, readers see one in their language.
        title=evening.title,
        game=game.slug,
        options=game.rules.PRESETS[game.usual_preset(rated=False)],
        format=plan.format,
        clock=plan.clock,
        rounds=plan.rounds if plan.format in ("swiss", "tables") else 0,
        seats=plan.seats,
        minutes=plan.minutes if FORMATS[plan.format].ARENA else 0,
        # Nobody is told it: people come in by the evening.
        code=short_id(),
        guests=True,
        chat=evening.chat,
    )


def first_round(evening: Evening) -> list[list[str]]:
    """The names at each table of the first round, as it would be drawn now; one name has a bye.

    None in an arena: there it depends on who is online.
    """
    there = _seeded(evening)
    plan = plan_of(evening, len(there))
    if obstacle(evening, plan, len(there)):
        return []
    players = [base.Player(id=number, seed=number) for number in range(1, len(there) + 1)]
    paired = FORMATS[plan.format].pair(players, (), _options(evening, plan))
    names = {number: person.user.get_short_name() for number, person in enumerate(there, 1)}
    return [[names[player] for player in pairing.seats] for pairing in paired]


def obstacle(evening: Evening, plan: EveningPlan, people: int) -> str:
    """Why the evening cannot begin with so many people; "" if it can."""
    try:
        FORMATS[plan.format].check(people, _options(evening, plan))
    except (base.TooFewPlayers, base.BadRounds) as refused:
        return refused.words
    return ""


def _options(evening: Evening, plan: EveningPlan) -> base.Options:
    """The options of the tournament that the plan would make."""
    least = min(plan.seats, max(2, GAMES[evening.game].rules.SEATS[0]))
    return base.Options(plan.format, plan.rounds, least, plan.seats, lot=evening.lot)


def _seeded(evening: Evening) -> list[EveningGuest]:
    """Everyone who has joined, in the order of the draw."""
    there = evening.people.filter(removed=False, user__is_active=True).select_related("user")
    return sorted(
        there, key=lambda person: hashlib.sha256(f"{evening.lot}:{person.user_id}".encode()).digest()
    )


# Reading


def people(evening: Evening) -> list[Person]:
    """Everyone who has joined, in the order of joining."""
    online = presence.online()
    rows = evening.people.filter(removed=False).select_related("user").order_by("pk")
    return [
        Person(row.user, row.at_host or row.user_id in online, row.at_host, _is_created_here(row))
        for row in rows
    ]


def version(evening: Evening) -> str:
    """A version string that changes with everything a page of the evening shows; times in minutes."""
    tournament = evening.tournament
    online = presence.online()
    there = evening.people.filter(removed=False).order_by("pk").values_list("user", flat=True)
    parts = (
        evening.version,
        tournament.version if tournament else 0,
        [user_id in online for user_id in there],
        minutes_left(evening),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def minutes_left(evening: Evening) -> int | None:
    """Minutes until the planned end, negative after it; None before the start and when all is over."""
    tournament = evening.tournament
    if tournament is None or tournament.began is None or tournament.ended is not None:
        return None
    ends = tournament.began + timedelta(minutes=evening.minutes)
    return round((ends - timezone.now()).total_seconds() / 60)


def hosted_by(user: User | AnonymousUser) -> QuerySet[Evening]:
    """The evenings of a host, the newest first."""
    return Evening.objects.filter(host=user.pk).order_by("-created")


# Locking


def hosted(host: User, code: str) -> Evening:
    """An evening, for its host only.

    Raises:
        EveningError: "unknown-evening" or "not-host".
    """
    return _checked(host, Evening.objects.filter(code=codes.normal(code)))


def _hosted(host: User, code: str) -> Evening:
    return _checked(host, Evening.objects.select_for_update(of=("self",)).filter(code=codes.normal(code)))


def _checked(host: User, rows: QuerySet[Evening]) -> Evening:
    evening = rows.select_related("host", "tournament").first()
    if evening is None:
        raise refusals.UnknownEvening
    if evening.host_id != host.pk:
        raise refusals.NotHost
    return evening


def _locked(code: str) -> Evening:
    rows = Evening.objects.select_for_update(of=("self",)).select_related("host", "tournament")
    evening = rows.filter(code=codes.normal(code)).first()
    if evening is None:
        raise refusals.UnknownEvening
    return evening


def _person(evening: Evening, user_id: int) -> EveningGuest:
    person = evening.people.filter(user=user_id, removed=False).select_related("user").first()
    if person is None:
        raise refusals.UnknownPerson
    return person


def _changed(evening: Evening, *columns: str) -> None:
    evening.version += 1
    evening.save(update_fields=["version", *columns])


# Forgetting


@transaction.atomic
def erase_rows(evening: Evening) -> list[str]:
    """Delete an evening and its tournament; returns the ids of the matches, which still exist."""
    # Lock the evening before its tournament, as whoever comes in does.
    Evening.objects.select_for_update().filter(pk=evening.pk).first()
    people = [evening.host_id, *evening.people.values_list("user", flat=True)]
    commands.forget_objects(people, evening.code, evening.pk, evening.lot)
    match_ids = [] if evening.tournament_id is None else organising.erase(evening.tournament_id)
    # Guests who were created here and are at another evening are erased with that one.
    created = evening.people.filter(created_here=True, user__is_guest=True).values_list("user", flat=True)
    elsewhere = EveningGuest.objects.filter(user__in=list(created)).exclude(evening=evening)
    elsewhere.update(created_here=True)
    evening.delete()
    return match_ids


def forget(user_id: int) -> None:
    """Delete the evenings that a user hosts and their entries at others, when their account is deleted.

    The tournaments of these go too: without its evening a tournament would be listed for everybody.
    """
    for evening in Evening.objects.filter(host=user_id).order_by("pk"):
        erase_rows(evening)
    EveningGuest.objects.filter(user=user_id).delete()

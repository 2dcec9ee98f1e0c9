"""What members and organisers do on the ladder of a club. Writes `ClubLadder`.

Every action is one transaction that holds the row of the ladder, and is carried out once by its command id.
Lock order: seeks, clubs and memberships, ladders, tables, users.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.domain import clock, codec
from games.registry import GAMES
from lobby.clubs import lookup
from lobby.clubs.lookup import Role
from lobby.clubs.models import Club
from lobby.commands import once, record
from lobby.ladders import challenges, places, refusals
from lobby.ladders.challenges import Ending
from lobby.ladders.models import ClubLadder, LadderChallenge, Rung
from lobby.pairing import queue
from lobby.people import naming, relationships
from lobby.people.models import User
from lobby.ratings.rated import casual_only
from lobby.tables import challenges as table_challenges
from lobby.tables import signals as of_tables
from lobby.tables import tables
from lobby.tables import terms as conditions
from lobby.tables.models import Table
from lobby.tables.terms import TableTerms

REACH = 3
"""How many places above one may challenge."""
PAUSE = timedelta(days=7)
"""For so long after a lost challenge one does not challenge the same person again."""
LEAST_DAYS, MOST_DAYS, MOST_IDLE = 1, 30, 365


@dataclass(frozen=True, slots=True)
class Plan:
    """What leaders choose, named like the columns of `ClubLadder`."""

    game: str
    options: Any
    clock: str
    rated: bool = False
    answer_days: int = 3
    play_days: int = 7
    idle_days: int = 30

    @classmethod
    def of(cls, ladder: ClubLadder) -> Plan:
        """What the leaders of a ladder have chosen."""
        options = codec.decode(GAMES[ladder.game].rules.Options, ladder.options)
        named = ("clock", "rated", "answer_days", "play_days", "idle_days")
        return cls(ladder.game, options, **{name: getattr(ladder, name) for name in named})


def find(club_id: str) -> ClubLadder:
    """The ladder of a club. Raises LadderError "unknown-ladder"."""
    ladder = ClubLadder.objects.filter(pk=club_id).first()
    if ladder is None:
        raise refusals.UnknownLadder
    return ladder


def may_challenge(ladder: ClubLadder, user_id: int) -> set[int]:
    """The ids of the users whom a user can challenge now, blocks apart."""
    mine = places.rung(ladder, user_id)
    if mine is None or challenges.open_of(ladder, user_id) is not None:
        return set()
    above = Rung.objects.filter(ladder=ladder, place__lt=mine.place, place__gte=mine.place - REACH)
    busy = LadderChallenge.objects.filter(ladder=ladder, ended=None).values_list("challenger", "defender")
    lost = _lost_lately(ladder, user_id, timezone.now()).values_list("defender", flat=True)
    taken = {each for pair in busy for each in pair} | set(lost)
    return set(above.values_list("user", flat=True)) - taken


@once("ladder-set-up", "club_id", again=find)
def set_up(leader: User, club_id: str, plan: Plan, command: str) -> ClubLadder:
    """Make the ladder of a club, or change what its organisers chose. Matches in play stay as they are.

    Raises:
        LadderError: "unknown-ladder" (it was closed meanwhile), "bad-days" or "untimed-ladder".
        ClubError: "unknown-club", "not-member", "not-organiser" or "club-game".
        TableError: what `lobby.tables.tables.check_game` and `lobby.tables.terms.check` raise.
        NotRated: the matches cannot be rated.
    """
    club = lookup.locked(club_id)
    lookup.needs(club, leader, Role.ORGANISER)
    lookup.check_game(club, plan.game)
    _check(plan, leader)
    before = ClubLadder.objects.select_for_update().filter(club=club).first()
    columns = {**asdict(plan), "options": asdict(plan.options)}
    ladder, made = ClubLadder.objects.update_or_create(club=club, defaults=columns)
    if before is not None and before.idle_days != ladder.idle_days:
        places.renew(ladder, timezone.now())
    record(leader, "ladder-set-up", club.pk, made=made)
    return ladder


@once("ladder-close", "club_id")
def close(leader: User, club_id: str, command: str) -> None:
    """Delete the ladder of a club with its challenges. Matches go on.

    Raises:
        LadderError: "unknown-ladder".
        ClubError: "unknown-club", "not-member" or "not-organiser".
    """
    lookup.needs(lookup.locked(club_id), leader, Role.ORGANISER)
    ladder = _locked(club_id)
    ladder.delete()
    record(leader, "ladder-close", club_id)


@once("ladder-join", "club_id")
def join(user: User, club_id: str, command: str) -> None:
    """Get the last place. Who is on the ladder stays where they are.

    Raises:
        LadderError: "unknown-ladder".
        ClubError: "unknown-club" or "not-member".
    """
    ladder = _locked_for(user, club_id)
    places.add(ladder, user.pk, timezone.now())
    record(user, "ladder-join", ladder.pk)


@once("ladder-leave", "club_id")
def leave(user: User, club_id: str, command: str) -> None:
    """Give up one's place, and the challenge one is in. Raises LadderError "unknown-ladder"."""
    ladder = _locked(club_id)
    if _take_off(ladder, user.pk):
        record(user, "ladder-leave", ladder.pk)


@once("ladder-challenge", "club_id")
def challenge(user: User, club_id: str, name: str, command: str) -> None:
    """Challenge somebody up to `REACH` places above.

    Raises:
        LadderError: "unknown-ladder", "not-on-ladder", "unknown-rung", "in-challenge",
            "they-are-in-challenge", "out-of-reach", "too-soon" or "blocked".
        TableError: "too-many-challenges".
        ClubError: "unknown-club" or "not-member".
    """
    ladder, now = _locked_for(user, club_id), timezone.now()
    mine = places.rung(ladder, user.pk)
    if mine is None:
        raise refusals.NotOnLadder
    other = naming.named(name)
    theirs = None if other is None else places.rung(ladder, other.pk)
    if other is None or theirs is None:
        raise refusals.UnknownRung(name=name)
    if challenges.open_of(ladder, user.pk) is not None:
        raise refusals.InChallenge
    if challenges.open_of(ladder, other.pk) is not None:
        raise refusals.TheyAreInChallenge(name=other.get_username())
    if not 0 < mine.place - theirs.place <= REACH:
        raise refusals.OutOfReach(most=REACH)
    if _lost_lately(ladder, user.pk, now).filter(defender=other).exists():
        raise refusals.TooSoon
    if relationships.apart(user.pk, other.pk):
        raise refusals.BlockedOnLadder
    table_challenges.count(user, other)
    challenges.make(ladder, user, other, theirs.place, now)
    record(user, "ladder-challenge", ladder.pk, person=other.pk)


@once("ladder-withdraw", "club_id")
def withdraw(user: User, club_id: str, command: str) -> None:
    """Withdraw one's challenge that is not answered.

    Raises:
        LadderError: "unknown-ladder" or "no-challenge".
    """
    ladder = _locked(club_id)
    mine = challenges.open_of(ladder, user.pk)
    if mine is None or mine.challenger_id != user.pk or mine.accepted is not None:
        raise refusals.NoChallenge
    challenges.end(mine, Ending.WITHDRAWN, None, timezone.now())
    record(user, "ladder-withdraw", ladder.pk)


@once("ladder-answer", "club_id")
def answer(user: User, club_id: str, accepted: bool, command: str) -> None:
    """Accept a challenge, or decline it and lose the place. With days per move, the match begins at once.

    Raises:
        LadderError: "unknown-ladder" or "no-challenge".
        TableError: what `lobby.tables.tables.set_table` and `lobby.tables.tables.sit_down` raise.
    """
    _leave_queue(club_id, user)
    ladder, now = _locked(club_id), timezone.now()
    open_one = challenges.open_of(ladder, user.pk)
    if open_one is None or open_one.defender_id != user.pk or open_one.accepted is not None:
        raise refusals.NoChallenge
    record(user, "ladder-answer", ladder.pk, person=open_one.challenger_id, accepted=accepted)
    if not accepted:
        challenges.end(open_one, Ending.DECLINED, True, now)
        return
    challenges.accept(open_one, now)
    if not clock.parse(ladder.clock).live:
        table = _set_table(open_one, open_one.challenger)
        challenges.invite(open_one, open_one.challenger, table)
        tables.sit_down(user, table.pk)


@once("ladder-play", "ladder_id", again=lambda pk: Table.objects.filter(pk=pk).first())
def play(user: User, club_id: str, command: str) -> Table | None:
    """Invite the other of an accepted challenge to play now, or come to their invitation.

    Returns the table, whose match has begun if the other had invited; None if it is gone since.

    Raises:
        LadderError: "unknown-ladder" or "no-challenge".
        TableError: "too-many-challenges", or what `lobby.tables.tables.set_table` and
            `lobby.tables.tables.sit_down` raise.
    """
    _leave_queue(club_id, user)
    open_one = challenges.open_of(_locked(club_id), user.pk)
    if open_one is None or open_one.accepted is None:
        raise refusals.NoChallenge
    if open_one.table is not None:
        if open_one.table.match is None and open_one.table.host_id != user.pk:
            return tables.sit_down(user, open_one.table.pk)
        return open_one.table
    table_challenges.count(user, open_one.defender if open_one.challenger == user else open_one.challenger)
    table = _set_table(open_one, user)
    challenges.invite(open_one, user, table)
    of_tables.challenged(table)
    return table


def member_gone(club: Club, user: User) -> None:
    """Take a former member off the ladder of a locked club."""
    ladder = ClubLadder.objects.select_for_update().filter(club=club).first()
    if ladder is not None:
        _take_off(ladder, user.pk)


# For `lobby.ladders.keeper`


@transaction.atomic
def settle(challenge_id: int, now: datetime) -> None:
    """End a challenge, unless somebody else has."""
    ladder = ClubLadder.objects.select_for_update().filter(challenges=challenge_id).first()
    if ladder is not None and challenges.pending(now).filter(pk=challenge_id).exists():
        challenges.settle(challenges.of(ladder).get(pk=challenge_id), now)


def idle(now: datetime) -> list[int]:
    """The places of people who fall now. Nobody falls who is in a challenge."""
    rungs = Rung.objects.filter(due__lte=now).select_related("ladder")
    return [each.pk for each in rungs if challenges.open_of(each.ladder, each.user_id) is None]


@transaction.atomic
def fall(rung_id: int, now: datetime) -> None:
    """Let somebody fall, unless they have played meanwhile."""
    ladder = ClubLadder.objects.select_for_update().filter(rungs=rung_id).first()
    found = Rung.objects.filter(pk=rung_id, due__lte=now).select_related("ladder").first()
    if ladder is not None and found is not None and challenges.open_of(ladder, found.user_id) is None:
        places.fall(found, now)


def _locked(club_id: str) -> ClubLadder:
    ladder = ClubLadder.objects.select_for_update().filter(pk=club_id).first()
    if ladder is None:
        raise refusals.UnknownLadder
    return ladder


def _locked_for(user: User, club_id: str) -> ClubLadder:
    """The ladder of a club, locked, for a member, who stays one meanwhile."""
    lookup.hold(user, pk=club_id)
    lookup.needs(lookup.find(club_id), user, Role.MEMBER)
    return _locked(club_id)


def _leave_queue(club_id: str, user: User) -> None:
    """Take the people of a challenge out of quick pairing: seeks are locked before ladders."""
    known = challenges.open_of(find(club_id), user.pk)
    if known is not None:
        queue.cancel([known.challenger_id, known.defender_id])


def _take_off(ladder: ClubLadder, user_id: int) -> bool:
    open_one = challenges.open_of(ladder, user_id)
    if open_one is not None:
        challenges.end(open_one, Ending.LEFT, None, timezone.now())
    return places.remove(ladder, user_id)


def _lost_lately(ladder: ClubLadder, user_id: int, now: datetime) -> Any:
    return LadderChallenge.objects.filter(ladder=ladder, challenger=user_id, won=False, ended__gt=now - PAUSE)


def _set_table(challenge: LadderChallenge, host: User) -> Table:
    """The table of a challenge, at which the host invites the other. Casual if one may not play rated."""
    plan, people = Plan.of(challenge.ladder), (challenge.challenger, challenge.defender)
    terms = TableTerms(listed=False, clock=plan.clock, rated=plan.rated and not casual_only(people))
    other = next(each for each in people if each.pk != host.pk)
    return tables.set_table(host, plan.game, plan.options, 2, Table.First.LOT, terms, invited=other)


def _check(plan: Plan, leader: User) -> None:
    tables.check_game(plan.game, plan.options, 2, Table.First.LOT)
    conditions.check(TableTerms(clock=plan.clock, rated=plan.rated), leader, GAMES[plan.game], plan.options)
    if not clock.parse(plan.clock).timed:
        raise refusals.UntimedLadder
    for days in (plan.answer_days, plan.play_days):
        if not LEAST_DAYS <= days <= MOST_DAYS:
            raise refusals.BadDays(fewest=LEAST_DAYS, most=MOST_DAYS)
    if not 0 <= plan.idle_days <= MOST_IDLE:
        raise refusals.BadDays(fewest=0, most=MOST_IDLE)

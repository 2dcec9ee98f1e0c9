"""Challenges on a ladder. Writes `LadderChallenge`, in transactions whose caller holds the ladder."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from games.models import Match, Seating
from lobby.ladders import places, signals
from lobby.ladders.models import ClubLadder, LadderChallenge
from lobby.people.models import User
from lobby.tables.models import Table
from lobby.tournaments import sheet

Ending = LadderChallenge.Ending


def of(ladder: ClubLadder) -> QuerySet[LadderChallenge]:
    """The challenges of a ladder with their people and matches."""
    return ladder.challenges.select_related("challenger", "defender", "table__match", "ladder")


def open_of(ladder: ClubLadder, user_id: int) -> LadderChallenge | None:
    """The challenge that a user is in, on either side."""
    return of(ladder).filter(Q(challenger=user_id) | Q(defender=user_id), ended=None).first()


def pending(now: datetime) -> QuerySet[LadderChallenge]:
    """The challenges that are to be ended: their time is up, or their match is over.

    One whose match is in play goes on beyond its time.
    """
    in_play = Q(table__match__status=Match.Status.PLAYING)
    over = Q(table__match__status=Match.Status.FINISHED)
    return LadderChallenge.objects.filter(over | Q(due__lte=now) & ~in_play, due__isnull=False).order_by(
        "due"
    )


def make(ladder: ClubLadder, challenger: User, defender: User, place: int, now: datetime) -> None:
    """Store a new challenge for a place."""
    made = LadderChallenge.objects.create(
        ladder=ladder,
        challenger=challenger,
        defender=defender,
        created=now,
        due=now + timedelta(days=ladder.answer_days),
        place=place,
    )
    signals.challenge_made(made)


def accept(challenge: LadderChallenge, now: datetime) -> None:
    """Note that a challenge is accepted."""
    challenge.accepted, challenge.due = now, now + timedelta(days=challenge.ladder.play_days)
    challenge.save(update_fields=["accepted", "due"])
    signals.challenge_accepted(challenge)


def invite(challenge: LadderChallenge, by: User, table: Table) -> None:
    """Note the table of a challenge, to which one invites the other."""
    challenge.table = table
    mine = "challenger_asked" if by.pk == challenge.challenger_id else "defender_asked"
    setattr(challenge, mine, True)
    challenge.save(update_fields=["table", mine])


def settle(challenge: LadderChallenge, now: datetime) -> None:
    """End a challenge that is pending."""
    match = challenge.match
    if match is not None and match.status == Match.Status.FINISHED:
        end(challenge, Ending.PLAYED, _winner(challenge, match), now)
    elif challenge.accepted is None:
        end(challenge, Ending.UNANSWERED, True, now)
    else:
        asked = challenge.challenger_asked, challenge.defender_asked
        end(challenge, Ending.UNPLAYED, asked[0] if asked[0] != asked[1] else None, now)


def end(challenge: LadderChallenge, ending: Ending, won: bool | None, now: datetime) -> None:
    """End a challenge; a challenger who has won takes the place of the other."""
    challenge.ended, challenge.due, challenge.ending, challenge.won = now, None, ending, won
    defender = places.rung(challenge.ladder, challenge.defender_id)
    if defender is not None:
        challenge.place = defender.place
    challenge.save(update_fields=["ended", "due", "ending", "won", "place"])
    if won:
        places.overtake(challenge.ladder, challenge.challenger_id, challenge.defender_id)
    if ending != Ending.WITHDRAWN:
        active = [challenge.challenger_id]
        if ending not in (Ending.UNANSWERED, Ending.UNPLAYED):
            active.append(challenge.defender_id)
        places.note_active(challenge.ladder, active, now)
    signals.challenge_over(challenge)


def _winner(challenge: LadderChallenge, match: Match) -> bool | None:
    """Whether the challenger has won; None after a draw, or if nobody came."""
    assert match.outcome is not None
    _kind, points = sheet.results_of([sheet.Ended(match.pk, match.outcome, 2)])[match.pk]
    if points[0] == points[1]:
        return None
    first = Seating.objects.get(match=match, seat=0).user_id
    return (first == challenge.challenger_id) == (points[0] > points[1])

"""Export of all data about a user.

Whole matches, which belong to the opponents too, are another file (`lobby.profiles.matches_file`).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import orjson
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models import F, Q

from games.models import Match, Ply
from games.store import conditional
from lobby.accounts import remarks, traces
from lobby.appeals.models import Appeal
from lobby.chat.models import ChatLine, Report
from lobby.classes.models import ClassTeacher
from lobby.clubs.models import Announcement, Exclusion, JoinRequest, Membership
from lobby.commands.models import Command
from lobby.courses import progress as course_progress
from lobby.evenings.models import Evening
from lobby.homework.models import HomeworkRead
from lobby.inbox import conversations
from lobby.ladders.models import LadderChallenge, Rung
from lobby.notices.models import Device, Reminder
from lobby.pairing.models import Seek
from lobby.people import preferences
from lobby.people.models import Relationship, User
from lobby.puzzles import runs as puzzle_runs
from lobby.puzzles.models import PuzzleAttempt, PuzzleSolver
from lobby.ratings.models import Rating, Result
from lobby.studies.models import Study, StudyMember
from lobby.tables.models import Table
from lobby.tokens.models import Event, Token
from lobby.tournaments.models import Entrant, Tournament
from lobby.vacations.models import Vacation
from lobby.webhooks.models import Hook


def everything_about(user: User) -> dict[str, Any]:
    """The export as JSON values; times are RFC 3339 in UTC."""
    return {
        "account": _account(user),
        "settings": preferences.of(user),
        "ratings": _rows(Rating.objects.filter(user=user)),
        "results": _rows(Result.objects.filter(user=user)),
        "matches": _matches(user),
        "boards_held": _held(user),
        "conditional_moves": conditional.of(user.pk),
        "ties": [
            {"kind": row.kind, "person": row.other.get_username(), "since": row.created}
            for row in Relationship.objects.filter(user=user).select_related("other")
        ],
        "chat": _rows(ChatLine.objects.filter(user=user)),
        "messages": conversations.export(user),
        "tables": _rows(Table.objects.filter(chairs__user=user)),
        "tournaments": _tournaments(user),
        "tournaments_organised": _rows(Tournament.objects.filter(organiser=user).order_by("created")),
        "evenings": _rows(Evening.objects.filter(people__user=user).order_by("pk")),
        "evenings_hosted": _rows(Evening.objects.filter(host=user).order_by("pk")),
        "class": None if user.pupil_of is None else user.pupil_of.title,
        "classes_taught": list(
            ClassTeacher.objects.filter(user=user).order_by("pk").values("school_class__title", "since")
        ),
        "clubs": list(
            Membership.objects.filter(user=user)
            .order_by("pk")
            .values("club", "club__name", "role", "since", "joined", "goes_along")
        ),
        "club_requests": list(
            JoinRequest.objects.filter(user=user)
            .order_by("pk")
            .values("club", "club__name", "text", "created")
        ),
        "removed_from_clubs": list(
            Exclusion.objects.filter(user=user).order_by("pk").values("club", "club__name", "why", "created")
        ),
        "announcements": list(
            Announcement.objects.filter(author=user).order_by("pk").values("club", "text", "created")
        ),
        "ladders": list(
            Rung.objects.filter(user=user)
            .order_by("pk")
            .values("ladder__club", "ladder__club__name", "place", "joined")
        ),
        "ladder_challenges": list(
            LadderChallenge.objects.filter(Q(challenger=user) | Q(defender=user))
            .order_by("pk")
            .values("ladder", "place", "created", "accepted", "ended", "ending", "won")
        ),
        "audit_log": list(user.audit_entries.values("action", "target", "details", "at")),
        "commands": list(
            Command.objects.filter(Q(user=user) | Q(guest=user))
            .order_by("pk")
            .values("action", "target", "at")
        ),
        "waiting_for_an_opponent": _rows(Seek.objects.filter(user=user)),
        "tokens": list(Token.objects.filter(user=user).values("name", "scopes", "created", "used")),
        "events": list(Event.objects.filter(user=user).values("data", "at")),
        "webhooks": _hooks(user),
        "devices": list(
            Device.objects.filter(hook__user=user).values("name", "hook__url", "hook__site", "hook__created")
        ),
        "studies": [
            {
                "title": study.title,
                "visibility": study.visibility,
                "created": study.created,
                "chapters": list(study.chapters.values("title", "start", "nodes")),
            }
            for study in Study.objects.filter(owner=user).prefetch_related("chapters")
        ],
        "in_studies": list(StudyMember.objects.filter(user=user).values("study__title", "role")),
        "puzzle_ratings": list(PuzzleSolver.objects.filter(user=user).values("game", "rating", "deviation")),
        "puzzles": list(PuzzleAttempt.objects.filter(user=user).values("puzzle", "solved", "at")),
        "puzzle_runs": puzzle_runs.bests(user.pk),
        "courses": course_progress.of([user.pk]).get(user.pk, {}),
        "homework_read": list(HomeworkRead.objects.filter(user=user).values("homework")),
        "vacations": list(Vacation.objects.filter(user=user).values("begins", "ends")),
        "reminders": _rows(Reminder.objects.filter(user=user)),
        "remarks_of_moderators": remarks.export(user),
        "traces": traces.export(user),
        "appeals": _rows(Appeal.objects.filter(user=user)),
        "reports": [
            {"about": report.about.get_username(), "reason": report.reason, "created": report.created}
            for report in Report.objects.filter(reporter=user).select_related("about")
        ],
    }


def _account(user: User) -> dict[str, Any]:
    return {
        "id": user.pk,
        "name": user.username,
        "first_name": user.first_name,
        "guest": user.is_guest,
        "joined": user.date_joined,
        "last_login": user.last_login,
        "seen": user.seen,
        "muted_until": user.muted_until,
        "mute_reason": user.mute_reason,
        "email_addresses": list(
            EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
        ),
        "second_factors": list(Authenticator.objects.filter(user=user).values("type", "created_at")),
        "sessions": list(UserSession.objects.filter(user=user).values("created_at", "ip", "user_agent")),
        "accounts_elsewhere": list(SocialAccount.objects.filter(user=user).values("provider", "uid")),
    }


def _hooks(user: User) -> list[dict[str, Any]]:
    """Webhooks and their deliveries, without the signing key."""
    return [
        {
            "url": hook.url,
            "events": hook.events,
            "active": hook.active,
            "created": hook.created,
            "deliveries": list(
                hook.deliveries.order_by("pk").values("event_id", "created", "done", "status")
            ),
        }
        for hook in Hook.objects.filter(user=user, device=None).order_by("pk")
    ]


def _tournaments(user: User) -> list[dict[str, Any]]:
    """The user's entries, with their pairings."""
    return [
        {
            "id": entrant.tournament_id,
            "title": entrant.tournament.title_in_words,
            "club": None if entrant.team is None else entrant.team.get_name(),
            "entered": entrant.created,
            "withdrawn": entrant.withdrawn,
            "removed": entrant.removed,
            "seed": entrant.seed,
            "rating": entrant.rating,
            "byes": entrant.byes,
            "pairings": list(
                entrant.pairing_seats.order_by("pairing").values(
                    "round", "seat", "points", "pairing__table", "pairing__kind", "pairing__match"
                )
            ),
        }
        for entrant in Entrant.objects.filter(user=user)
        .select_related("tournament", "team__club")
        .order_by("pk")
    ]


def _rows(rows: Any) -> list[dict[str, Any]]:
    """Rows as stored, without the user's id."""
    return [{name: value for name, value in row.items() if name != "user_id"} for row in rows.values()]


def _matches(user: User) -> list[dict[str, Any]]:
    """The user's matches with their own moves; the page of a match has all moves."""
    moves = defaultdict(list)
    mine = Ply.objects.filter(match__seatings__user=user, match__seatings__seat=F("seat"))
    for match_id, number, action, at in mine.order_by("number").values_list(
        "match_id", "number", "action", "at"
    ):
        moves[match_id].append({"ply": number, "move": action, "at": at})
    found = Match.objects.filter(seatings__user=user).order_by("created").prefetch_related("seatings__user")
    return [_match(match, user, moves[match.pk]) for match in found]


def _match(match: Match, user: User, moves: list[dict[str, Any]]) -> dict[str, Any]:
    seatings = list(match.seatings.all())
    me = next(seating for seating in seatings if seating.user_id == user.pk)
    return {
        **_about(match),
        "clock": match.clock,
        "rated": match.rated,
        "seat": me.seat,
        "words_for_the_dice": me.words,
        "players": [seating.get_name() for seating in seatings],
        "moves": moves,
    }


def _about(match: Match) -> dict[str, Any]:
    return {
        "id": match.pk,
        "game": match.game,
        "options": orjson.loads(match.options),
        "created": match.created,
        "ended": match.ended,
        "outcome": None if match.outcome is None else orjson.loads(match.outcome),
    }


def _held(user: User) -> list[dict[str, Any]]:
    """Hot-seat matches that the user hosted, with all moves."""
    return [
        {
            **_about(match),
            "players": [seating.get_name() for seating in match.seatings.all()],
            "moves": list(match.plies.order_by("number").values("number", "seat", "action", "at")),
        }
        for match in Match.objects.filter(holder=user).order_by("created").prefetch_related("seatings")
    ]

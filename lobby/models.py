"""The tables of the app, where Django looks for them. Code imports them from the features."""

from lobby.accounts.models import Remark, Trace
from lobby.appeals.models import Appeal
from lobby.chat.models import ChatLine, Report
from lobby.classes.models import ClassTeacher, PupilCard, SchoolClass
from lobby.club_files.models import ClubArchive
from lobby.clubs.models import Announcement, Club, Exclusion, FormerAddress, JoinRequest, Membership
from lobby.commands.models import AuditEntry, Command
from lobby.courses.models import CourseProgress
from lobby.evenings.models import Evening, EveningGuest
from lobby.homework.models import Homework, HomeworkRead
from lobby.inbox.models import Conversation, Message
from lobby.kalaha.models import NoteGame
from lobby.ladders.models import ClubLadder, LadderChallenge, Rung
from lobby.lessons.models import ClassRound, Ladder
from lobby.notices.models import Device, PushKey, Reminder
from lobby.pairing.models import Seek
from lobby.people.models import Relationship, User
from lobby.puzzles.models import PuzzleAttempt, PuzzleBest, PuzzleRating, PuzzleRun, PuzzleSolver
from lobby.ratings.models import Pool, Rating, Result
from lobby.schoolyear.models import ClassEnd
from lobby.studies.models import Chapter, Operation, Study, StudyMember
from lobby.tables.models import Chair, Invite, News, Table
from lobby.tokens.models import Event, Token
from lobby.tournaments.models import Entrant, FinalSheet, Pairing, PairingSeat, Team, Tournament
from lobby.vacations.models import Vacation
from lobby.webhooks.models import Delivery, Hook

__all__ = [
    "Announcement",
    "Appeal",
    "AuditEntry",
    "Chair",
    "Chapter",
    "ChatLine",
    "ClassEnd",
    "ClassRound",
    "ClassTeacher",
    "Club",
    "ClubArchive",
    "ClubLadder",
    "Command",
    "Conversation",
    "CourseProgress",
    "Delivery",
    "Device",
    "Entrant",
    "Evening",
    "EveningGuest",
    "Event",
    "Exclusion",
    "FinalSheet",
    "FormerAddress",
    "Homework",
    "HomeworkRead",
    "Hook",
    "Invite",
    "JoinRequest",
    "Ladder",
    "LadderChallenge",
    "Membership",
    "Message",
    "News",
    "NoteGame",
    "Operation",
    "Pairing",
    "PairingSeat",
    "Pool",
    "PupilCard",
    "PushKey",
    "PuzzleAttempt",
    "PuzzleBest",
    "PuzzleRating",
    "PuzzleRun",
    "PuzzleSolver",
    "Rating",
    "Relationship",
    "Remark",
    "Reminder",
    "Report",
    "Result",
    "Rung",
    "SchoolClass",
    "Seek",
    "Study",
    "StudyMember",
    "Table",
    "Team",
    "Token",
    "Tournament",
    "Trace",
    "User",
    "Vacation",
]

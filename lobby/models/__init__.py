"""Models of the lobby, one module per subject."""

from .appeals import Appeal
from .chat import LINE_LENGTH, REASON_LENGTH, ChatLine, Report
from .clubs import Announcement, Club, ClubAction, Exclusion, JoinRequest, Membership
from .commands import Command
from .evenings import EVENING_CODE_LENGTH, Evening, EveningGuest
from .hooks import URL_LENGTH, Delivery, Hook
from .inbox import MESSAGE_LENGTH, Conversation, Message
from .notes import NoteGame
from .notices import DEVICE_NAME_LENGTH, Device, PushKey, Reminder
from .pairing import Seek
from .people import BAN_REASON_LENGTH, NAME_LENGTH, NAME_RULES, WITHOUT_PLACE, Relationship, User
from .ratings import SURE_ENOUGH, Pool, Rating, Result
from .remarks import Remark
from .tables import Chair, Invite, News, Table
from .tokens import TOKEN_NAME_LENGTH, Event, Token
from .tournaments import Entrant, FinalSheet, Pairing, PairingSeat, Tournament, TournamentAction
from .traces import Trace

__all__ = [
    "BAN_REASON_LENGTH",
    "DEVICE_NAME_LENGTH",
    "EVENING_CODE_LENGTH",
    "LINE_LENGTH",
    "MESSAGE_LENGTH",
    "NAME_LENGTH",
    "NAME_RULES",
    "REASON_LENGTH",
    "SURE_ENOUGH",
    "TOKEN_NAME_LENGTH",
    "URL_LENGTH",
    "WITHOUT_PLACE",
    "Announcement",
    "Appeal",
    "Chair",
    "ChatLine",
    "Club",
    "ClubAction",
    "Command",
    "Conversation",
    "Delivery",
    "Device",
    "Entrant",
    "Evening",
    "EveningGuest",
    "Event",
    "Exclusion",
    "FinalSheet",
    "Hook",
    "Invite",
    "JoinRequest",
    "Membership",
    "Message",
    "News",
    "NoteGame",
    "Pairing",
    "PairingSeat",
    "Pool",
    "PushKey",
    "Rating",
    "Relationship",
    "Remark",
    "Reminder",
    "Report",
    "Result",
    "Seek",
    "Table",
    "Token",
    "Tournament",
    "TournamentAction",
    "Trace",
    "User",
]

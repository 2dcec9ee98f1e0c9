"""What the lobby stores, by what it is about."""

from .chat import LINE_LENGTH, REASON_LENGTH, ChatLine, Report
from .hooks import URL_LENGTH, Delivery, Hook
from .pairing import Seek
from .people import BAN_REASON_LENGTH, NAME_LENGTH, Tie, User
from .ratings import SURE_ENOUGH, Pool, Rating, Result
from .tables import Chair, Invite, News, Table

__all__ = [
    "BAN_REASON_LENGTH",
    "LINE_LENGTH",
    "NAME_LENGTH",
    "REASON_LENGTH",
    "SURE_ENOUGH",
    "URL_LENGTH",
    "Chair",
    "ChatLine",
    "Delivery",
    "Hook",
    "Invite",
    "News",
    "Pool",
    "Rating",
    "Report",
    "Result",
    "Seek",
    "Table",
    "Tie",
    "User",
]

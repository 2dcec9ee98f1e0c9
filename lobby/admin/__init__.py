"""Django's admin as the moderators' desk: all can be looked at, and is changed by deeds that are logged."""

from lobby.admin import chat, log, people, reports, tables

__all__ = ["chat", "log", "people", "reports", "tables"]

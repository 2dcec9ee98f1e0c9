"""The moderators' log: who did what, to whom, when and why. Nobody can change it."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from lobby.admin.base import Desk


@admin.register(LogEntry)
class LogAdmin(Desk):
    """Everything that was done in the admin."""

    list_display = ("action_time", "user", "content_type", "object_repr", "what_and_why")
    list_display_links = ("object_repr",)
    list_filter = ("action_time", ("content_type", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "change_message", "user__username")
    fields = ("action_time", "user", "content_type", "object_id", "object_repr", "what_and_why")
    actions = None

    @admin.display(description=gettext_lazy("What, and why"))
    def what_and_why(self, entry: LogEntry) -> str:
        """What was done, in words."""
        return entry.get_change_message()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

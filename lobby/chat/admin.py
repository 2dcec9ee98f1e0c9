"""Chat lines in the admin: hide and show them."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lobby.admin.base import ReadOnly
from lobby.chat.models import ChatLine
from lobby.moderation import moderation


@admin.register(ChatLine)
class ChatLineAdmin(ReadOnly):
    """Chat lines of the lobby, clubs and matches."""

    list_display = ("at", "room", "user", "text", "hidden")
    list_display_links = ("text",)
    list_filter = ("hidden", "room", "at")
    list_select_related = ("user",)
    search_fields = ("text", "user__username")
    ordering = ("-pk",)
    fields = ("room", "match", "user", "text", "at", "hidden")
    actions = ("hide", "show")

    @admin.action(permissions=["moderate"], description=gettext_lazy("Hide message"))
    def hide(self, request: HttpRequest, lines: QuerySet[ChatLine]) -> None:
        """Hide lines from all users."""
        self.apply(request, lines, moderation.hide_line, _("hidden."))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Show message again"))
    def show(self, request: HttpRequest, lines: QuerySet[ChatLine]) -> None:
        """Show hidden lines again."""
        self.apply(request, lines, moderation.show_line, _("shown again."))

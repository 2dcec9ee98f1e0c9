"""Appeals in the admin: read the reason for the ban or mute and the appeal, then accept or decline it."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lobby.admin.base import ReadOnly
from lobby.admin.forms import AnswerForm
from lobby.appeals.models import Appeal
from lobby.moderation import moderation
from lobby.people.models import User


@admin.register(Appeal)
class AppealAdmin(ReadOnly):
    """Appeals against bans and mutes. The moderator who imposed one cannot decide its appeal."""

    list_display = ("text", "user", "against", "verdict", "created")
    list_filter = ("verdict", "against", "created")
    list_select_related = ("user",)
    search_fields = ("user__username", "text")
    fields = ("verdict", "person", "against", "reason", "decided_by", "text", "created", "answer")
    readonly_fields = ("person", "decided_by")
    actions = ("accept", "decline")

    @admin.display(description=gettext_lazy("Person"))
    def person(self, appeal: Appeal) -> SafeString:
        """The user who appeals, linked to their admin page."""
        address = reverse("admin:lobby_user_change", args=[appeal.user_id])
        return format_html('<a href="{}">{}</a>', address, appeal.user)

    @admin.display(description=gettext_lazy("Decided by"))
    def decided_by(self, appeal: Appeal) -> User | None:
        """The moderator who banned or muted the user."""
        return moderation.decided_by(appeal)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Accept and lift the ban or mute…"))
    def accept(self, request: HttpRequest, appeals: QuerySet[Appeal]) -> HttpResponse | None:
        """Lift the ban or the mute."""
        title = _("Accept and lift the ban or mute")
        return self.confirm(request, appeals, title, AnswerForm, moderation.accept_appeal, _("accepted."))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Decline…"))
    def decline(self, request: HttpRequest, appeals: QuerySet[Appeal]) -> HttpResponse | None:
        """Uphold the ban or the mute."""
        return self.confirm(
            request, appeals, _("Decline"), AnswerForm, moderation.decline_appeal, _("declined.")
        )

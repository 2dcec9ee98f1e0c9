"""Appeals: read why somebody was banned and what they say; then lift the ban or decline, with an answer."""

from __future__ import annotations

from collections.abc import Callable

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
from lobby.admin.people import me
from lobby.models import Appeal, User
from lobby.moderation import moderation


@admin.register(Appeal)
class AppealAdmin(ReadOnly):
    """What people say to their bans."""

    list_display = ("text", "user", "verdict", "created")
    list_filter = ("verdict", "created")
    list_select_related = ("user",)
    search_fields = ("user__username", "text")
    fields = ("verdict", "person", "ban_reason", "text", "created", "answer")
    readonly_fields = ("person",)
    actions = ("accept", "decline")

    @admin.display(description=gettext_lazy("Person"))
    def person(self, appeal: Appeal) -> SafeString:
        """Who appeals, with the way to their page."""
        address = reverse("admin:lobby_user_change", args=[appeal.user_id])
        return format_html('<a href="{}">{}</a>', address, appeal.user)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Accept and lift the ban…"))
    def accept(self, request: HttpRequest, appeals: QuerySet[Appeal]) -> HttpResponse | None:
        """Let people in again."""
        title = _("Accept and lift the ban")
        return self._decide(request, appeals, title, moderation.accept_appeal, _("accepted."))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Decline…"))
    def decline(self, request: HttpRequest, appeals: QuerySet[Appeal]) -> HttpResponse | None:
        """Leave the ban as it is."""
        return self._decide(request, appeals, _("Decline"), moderation.decline_appeal, _("declined."))

    def _decide(
        self,
        request: HttpRequest,
        appeals: QuerySet[Appeal],
        title: str,
        decide: Callable[[User, Appeal, str], None],
        done: str,
    ) -> HttpResponse | None:
        form = self.asked(request, appeals, title, AnswerForm)
        if isinstance(form, HttpResponse):
            return form
        answer = form.cleaned_data["answer"]
        self.do(request, appeals, lambda appeal: decide(me(request), appeal, answer), done)
        return None

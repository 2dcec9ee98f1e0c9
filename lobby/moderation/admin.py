"""The moderators' pages for reports, and the log of what they did, which nobody can change."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lobby.admin.base import LimitedLookupAdmin, ReadOnly
from lobby.chat.lines import Room
from lobby.chat.models import ChatLine, Report
from lobby.inbox.models import Message
from lobby.moderation import moderation
from lobby.moderation.moderation import NoLine
from lobby.moderation.reports import MODELS, quoted, subject_of
from lobby.people.admin import ban, mute
from lobby.people.models import User

AROUND = 5
"""Number of lines that are shown before and after the reported one."""


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """What people complain about.

    A report shows what was said around the line and what was reported before; then act or dismiss.
    """

    list_display = ("created", "about", "reason", "subject", "reporter", "verdict")
    list_display_links = ("reason",)
    list_filter = ("verdict", "created")
    list_select_related = ("about", "reporter", *MODELS)
    search_fields = ("about__username", "reporter__username", "reason")
    fields = ("verdict", "person", "reason", "subject", "conversation", "reporter", "created", "earlier")
    readonly_fields = ("person", "subject", "conversation", "earlier")
    actions = ("hide_line", "show_line", "mute_person", "ban_person", "dismiss")

    @admin.display(description=gettext_lazy("About"))
    def person(self, report: Report) -> SafeString:
        """The reported user, linked to their admin page."""
        address = reverse("admin:lobby_user_change", args=[report.about_id])
        return format_html('<a href="{}">{}</a>', address, report.about)

    @admin.display(description=gettext_lazy("Reported"))
    def subject(self, report: Report) -> SafeString | str:
        """The reported line or object, linked to its page."""
        subject = subject_of(report)
        if subject is None:
            return _("the person")
        if isinstance(subject, Message):
            # Moderators may read reported messages only.
            return subject.text
        address = reverse(f"admin:lobby_{subject._meta.model_name}_change", args=[subject.pk])
        return format_html('<a href="{}">{}</a>', address, quoted(subject))

    @admin.display(description=gettext_lazy("Chat message"))
    def conversation(self, report: Report) -> SafeString | str:
        """The reported line among those around it."""
        if report.message is not None:
            return _messages(report.message)
        if report.line is None:
            return _("Not about a message.")
        said = Room.of(report.line).lines().select_related("user")
        before = said.filter(pk__lt=report.line.pk).order_by("-pk")[:AROUND]
        after = said.filter(pk__gt=report.line.pk).order_by("pk")[:AROUND]
        lines = [*reversed(before), report.line, *after]
        return format_html_join(
            "", "<p>{} <strong>{}</strong>: {}</p>", (_shown(line, report) for line in lines)
        )

    @admin.display(description=gettext_lazy("Other reports about the same person"))
    def earlier(self, report: Report) -> SafeString | str:
        """Other reports about the user."""
        others = Report.objects.filter(about=report.about).exclude(pk=report.pk).order_by("-created")
        rows = (
            (
                reverse("admin:lobby_report_change", args=[other.pk]),
                f"{other.created:%Y-%m-%d}",
                other.reason,
                other.get_verdict_display(),
            )
            for other in others
        )
        return format_html_join("", '<p><a href="{}">{}</a> {} ({})</p>', rows) or _("None.")

    @admin.action(permissions=["moderate"], description=gettext_lazy("Hide message"))
    def hide_line(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Hide the reported lines from all users."""
        self.apply(request, reports, _hide, _("message hidden."))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Show message again"))
    def show_line(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Show the reported lines again."""
        self.apply(request, reports, _show, _("shown again."))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Mute the person in chats…"))
    def mute_person(self, request: HttpRequest, reports: QuerySet[Report]) -> HttpResponse | None:
        """Mute the reported users for a number of days."""
        return mute(self, request, reports, _reported(reports))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Ban the person…"))
    def ban_person(self, request: HttpRequest, reports: QuerySet[Report]) -> HttpResponse | None:
        """Ban the reported users for a number of days or permanently."""
        return ban(self, request, reports, _reported(reports))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Dismiss the report"))
    def dismiss(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Decide that nothing needs to be done."""
        self.apply(request, reports, moderation.dismiss, _("dismissed."))


def _reported(reports: QuerySet[Report]) -> QuerySet[User]:
    return User.objects.filter(pk__in=reports.values_list("about", flat=True))


def _shown(line: ChatLine, report: Report) -> tuple[str, object, str]:
    mark = "→" if line.pk == report.line_id else ""
    hidden = f" ({_('hidden')})" if line.hidden else ""
    return f"{line.at:%H:%M} {mark}", line.user, line.text + hidden


def _messages(reported: Message) -> SafeString:
    """The reported message, marked, with the messages before and after it."""
    pair = {reported.sender_id, reported.recipient_id}
    said = Message.objects.filter(sender__in=pair, recipient__in=pair).select_related("sender")
    before = said.filter(pk__lt=reported.pk).order_by("-pk")[:AROUND]
    after = said.filter(pk__gt=reported.pk).order_by("pk")[:AROUND]
    rows = (
        (
            f"{each.at:%Y-%m-%d %H:%M} {'→' if each == reported else ''}",
            each.sender,
            each.text + (f" ({_('hidden')})" if each.hidden else ""),
        )
        for each in (*reversed(before), reported, *after)
    )
    return format_html_join("", "<p>{} <strong>{}</strong>: {}</p>", rows)


def _hide(moderator: User, report: Report) -> None:
    if report.message is not None:
        moderation.hide_message(moderator, report.message, report.reason)
    elif report.line is not None:
        moderation.hide_line(moderator, report.line, report.reason)
    else:
        raise NoLine


def _show(moderator: User, report: Report) -> None:
    if report.message is not None:
        moderation.show_message(moderator, report.message)
    elif report.line is not None:
        moderation.show_line(moderator, report.line)
    else:
        raise NoLine


@admin.register(LogEntry)
class LogAdmin(LimitedLookupAdmin):
    """All actions in the admin."""

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
        """Nobody adds entries by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes entries."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes entries."""
        return False

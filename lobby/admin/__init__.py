"""Django's admin as the moderators' desk: all can be looked at, and is changed by deeds that are logged."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin

from lobby.admin import appeals, chat, clubs, log, people, reports, tables, tournaments

__all__ = ["appeals", "chat", "clubs", "log", "people", "reports", "tables", "tournaments"]

# Django's own page to log in counts no tries and asks for no second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

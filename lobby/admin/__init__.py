"""Django's admin for moderators: rows are read-only, and changed by actions that are logged."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin

from lobby.appeals import admin as appeals
from lobby.chat import admin as chat
from lobby.classes import admin as classes
from lobby.clubs import admin as clubs
from lobby.moderation import admin as moderation
from lobby.people import admin as people
from lobby.studies import admin as studies
from lobby.tables import admin as tables
from lobby.tournaments import admin as tournaments

__all__ = ["appeals", "chat", "classes", "clubs", "moderation", "people", "studies", "tables", "tournaments"]

# Django's own login page has neither a rate limit nor a second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

"""Addresses of the lobby, its tables and its people."""

from django.urls import include, path

from lobby.views import front, invitations, leaderboards, new, pairing, people, profiles, settings, tables

urlpatterns = [
    path("", include("lobby.notes.urls")),
    path("", front.lobby, name="lobby"),
    path("settings", settings.settings, name="settings"),
    path("settings/export", settings.export, name="export"),
    path("settings/delete", settings.delete, name="delete"),
    path("guest", front.play_as_guest, name="guest"),
    path("people", people.people, name="people"),
    path("people/<str:name>/report", people.report, name="report"),
    path("people/<str:name>/<slug:act>", people.decide, name="decide"),
    path("new", new.new_table, name="new"),
    path("new/<slug:game>", new.new_table, name="new-table"),
    path("m/<str:match_id>/again", new.same_as, name="same-as"),
    path("challenge/<str:name>", new.challenge, name="challenge"),
    path("challenge/<str:name>/<slug:game>", new.challenge, name="challenge-at"),
    path("i/<str:token>", invitations.invitation, name="invitation"),
    path("pairing", pairing.enter, name="seek"),
    path("pairing/cancel", pairing.cancel, name="cancel-seek"),
    path("t/<str:table_id>", tables.table, name="table"),
    path("t/<str:table_id>/sit", tables.sit_down, name="sit-down"),
    path("t/<str:table_id>/decline", tables.decline, name="decline"),
    path("t/<str:table_id>/invite", tables.invite, name="invite"),
    path("t/<str:table_id>/start", tables.start, name="start"),
    path("t/<str:table_id>/stand", tables.stand_up, name="stand-up"),
    path("@/<str:name>", profiles.profile, name="profile"),
    path("@/<str:name>/matches.json", profiles.matches, name="matches-file"),
    path("leaderboards", leaderboards.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:slug>", leaderboards.leaderboard, name="leaderboard"),
]

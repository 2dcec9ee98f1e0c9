"""URLs of the lobby: each feature has its own."""

from django.urls import include, path

urlpatterns = [
    path("", include("lobby.kalaha.urls")),
    path("", include("lobby.front.urls")),
    path("", include("lobby.accounts.urls")),
    path("", include("lobby.tokens.urls")),
    path("", include("lobby.webhooks.urls")),
    path("", include("lobby.notices.urls")),
    path("", include("lobby.vacations.urls")),
    path("", include("lobby.puzzles.urls")),
    path("", include("lobby.courses.urls")),
    path("", include("lobby.people.urls")),
    path("", include("lobby.inbox.urls")),
    path("", include("lobby.about.urls")),
    path("", include("lobby.appeals.urls")),
    path("", include("lobby.tables.urls")),
    path("", include("lobby.positions.urls")),
    path("", include("lobby.pairing.urls")),
    path("", include("lobby.tournaments.urls")),
    path("", include("lobby.evenings.urls")),
    path("", include("lobby.classes.urls")),
    path("", include("lobby.lessons.urls")),
    path("", include("lobby.homework.urls")),
    path("", include("lobby.schoolyear.urls")),
    path("", include("lobby.studies.urls")),
    path("", include("lobby.clubs.urls")),
    path("", include("lobby.ladders.urls")),
    path("", include("lobby.club_files.urls")),
    path("", include("lobby.profiles.urls")),
    path("", include("lobby.ratings.urls")),
]

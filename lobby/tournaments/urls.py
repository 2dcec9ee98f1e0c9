"""URLs of tournaments."""

from django.urls import path

from lobby.tournaments.views import frames, tournaments

urlpatterns = [
    path("tournaments", tournaments.overview, name="tournaments"),
    path("tournaments/rules", tournaments.rules, name="tournament-rules"),
    path("tournaments/new", tournaments.new, name="new-tournament"),
    path("tournaments/new/<slug:game>", tournaments.new, name="new-tournament-at"),
    path("tournament/<str:tournament_id>", tournaments.tournament, name="tournament"),
    path("tournament/<str:tournament_id>/edit", tournaments.edit, name="tournament-edit"),
    path("tournament/<str:tournament_id>/embed", frames.embed, name="tournament-embed"),
    path("tournament/<str:tournament_id>/wall", tournaments.wall, name="tournament-wall"),
    path(
        "tournament/<str:tournament_id>/certificates",
        tournaments.certificates,
        name="tournament-certificates",
    ),
    path("tournament/<str:tournament_id>/results.csv", tournaments.results_csv, name="tournament-csv"),
    path("tournament/<str:tournament_id>/results.json", tournaments.results_json, name="tournament-json"),
    *(
        path(f"tournament/<str:tournament_id>/{act}", tournaments.act, {"act": act}, f"tournament-{act}")
        for act in tournaments.ACTS
    ),
]

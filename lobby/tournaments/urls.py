"""URLs of tournaments."""

from django.urls import path

from lobby.tournaments import frames, views

urlpatterns = [
    path("tournaments", views.overview, name="tournaments"),
    path("tournaments/rules", views.rules, name="tournament-rules"),
    path("tournaments/new", views.new, name="new-tournament"),
    path("tournaments/new/<slug:game>", views.new, name="new-tournament-at"),
    path("tournament/<str:tournament_id>", views.tournament, name="tournament"),
    path("tournament/<str:tournament_id>/edit", views.edit, name="tournament-edit"),
    path("tournament/<str:tournament_id>/embed", frames.embed, name="tournament-embed"),
    path("tournament/<str:tournament_id>/boards", views.boards, name="tournament-boards"),
    path("tournament/<str:tournament_id>/wall", views.wall, name="tournament-wall"),
    path("tournament/<str:tournament_id>/version", views.version, name="tournament-version"),
    path(
        "tournament/<str:tournament_id>/certificates",
        views.certificates,
        name="tournament-certificates",
    ),
    path("tournament/<str:tournament_id>/results.csv", views.results_csv, name="tournament-csv"),
    path("tournament/<str:tournament_id>/results.json", views.results_json, name="tournament-json"),
    path("tournament/<str:tournament_id>/results.trf", views.results_trf, name="tournament-trf"),
    *(
        path(f"tournament/<str:tournament_id>/{act}", views.act, {"act": act}, f"tournament-{act}")
        for act in views.ACTIONS
    ),
]

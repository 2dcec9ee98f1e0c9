"""Addresses of the matches and of the games they are of."""

from django.urls import path

from games import analysis_views, embed_views, picture_views, score_views, views

urlpatterns = [
    # Before the page of a match, whose id would have the dot in it.
    path("m/<str:match_id>.txt", score_views.text_file, name="match-text"),
    path("m/<str:match_id>.json", score_views.json_file, name="match-json"),
    path("m/<str:match_id>.svg", picture_views.svg, name="picture"),
    path("m/<str:match_id>.png", picture_views.png, name="picture-png"),
    path("m/<str:match_id>/<int:ply>.svg", picture_views.svg, name="picture-at"),
    path("m/<str:match_id>/<int:ply>.png", picture_views.png, name="picture-png-at"),
    path("embed/<str:match_id>", embed_views.embed, name="embed"),
    path("oembed", embed_views.oembed, name="oembed"),
    path("replay", score_views.replay_file, name="replay"),
    path("m/<str:match_id>", views.match_page, name="match"),
    path("m/<str:match_id>/dice", views.dice_page, name="match-dice"),
    path("m/<str:match_id>/dice.json", views.dice_file, name="match-dice-file"),
    path("m/<str:match_id>/analysis", analysis_views.analysis_page, name="match-analysis"),
    path("m/<str:match_id>/analysis.json", analysis_views.analysis_file, name="match-analysis-file"),
    path("m/<str:match_id>/positions.json", analysis_views.positions_file, name="match-positions"),
    path("rules/<slug:slug>", views.rules_page, name="rules"),
]

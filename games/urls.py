"""Addresses of the matches and of the games they are of."""

from django.urls import path

from games import views

urlpatterns = [
    path("m/<str:match_id>", views.match_page, name="match"),
    path("m/<str:match_id>/dice", views.dice_page, name="match-dice"),
    path("m/<str:match_id>/dice.json", views.dice_file, name="match-dice-file"),
    path("rules/<slug:slug>", views.rules_page, name="rules"),
]

"""URLs of leaderboards."""

from django.urls import path

from lobby.ratings import views

urlpatterns = [
    path("leaderboards", views.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:slug>", views.leaderboard, name="leaderboard"),
]

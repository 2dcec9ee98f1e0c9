"""URLs of positions."""

from django.urls import path

from lobby.positions import views

urlpatterns = [
    path("position/<slug:slug>", views.page, name="position"),
    path("position/<slug:slug>.png", views.card, name="position-card"),
]

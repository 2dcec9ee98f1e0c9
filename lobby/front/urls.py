"""URLs of the front page."""

from django.urls import path

from lobby.front import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("guest", views.play_as_guest, name="guest"),
]

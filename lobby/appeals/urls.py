"""URLs of appeals."""

from django.urls import path

from lobby.appeals import views

urlpatterns = [
    path("appeal", views.appeal, name="appeal"),
    path("mute", views.mute, name="mute"),
]

"""Addresses of the lobby, its tables and its guests."""

from django.urls import path

from lobby import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("guest", views.play_as_guest, name="guest"),
    path("new", views.new_table, name="new"),
    path("new/<slug:game>", views.new_table, name="new-table"),
    path("t/<str:table_id>", views.table, name="table"),
    path("t/<str:table_id>/sit", views.sit_down, name="sit-down"),
    path("t/<str:table_id>/start", views.start, name="start"),
    path("t/<str:table_id>/stand", views.stand_up, name="stand-up"),
]

"""URLs of clubs."""

from django.urls import path

from lobby.clubs import views

urlpatterns = [
    path("clubs", views.overview, name="clubs"),
    path("clubs/rules", views.club_rules, name="club-rules"),
    path("clubs/new", views.new, name="new-club"),
    path("club/<str:club>", views.club, name="club"),
    path("club/<str:club>/edit", views.edit, name="edit-club"),
    *(path(f"club/<str:club>/{act}", views.act, {"act": act}, f"club-{act}") for act in views.ACTIONS),
]

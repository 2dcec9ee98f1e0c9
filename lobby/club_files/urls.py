"""URLs of the archives of clubs."""

from django.urls import path

from lobby.club_files import views

urlpatterns = [
    path("club/<str:club>/archive", views.archive, name="club-archive"),
    path("club/<str:club>/archive/delete", views.delete, name="club-archive-delete"),
    path("club/<str:club>/archive/study/<int:number>.json", views.study_file, name="club-archive-study"),
]

"""URLs of the courses of games, and of the page that lists them."""

from django.urls import path

from lobby.courses import views

urlpatterns = [
    path("rules", views.learn, name="learn"),
    path("rules/<slug:slug>/course", views.course, name="course"),
    path("courses", views.note, name="course-progress"),
]

"""URLs of the end of a class."""

from django.urls import path

from lobby.schoolyear import views

urlpatterns = [
    path("class/<str:class_code>/end", views.page, name="class-ending"),
    path("class/<str:class_code>/end/now", views.end, name="class-end"),
    path("class/<str:class_code>/keep", views.keep, name="class-keep"),
]

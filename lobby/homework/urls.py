"""URLs of homework."""

from django.urls import path

from lobby.homework import views
from lobby.homework.forms import FORMS

urlpatterns = [
    path("class/<str:class_code>/homework", views.page, name="class-homework"),
    path("class/<str:class_code>/progress.csv", views.progress_csv, name="class-progress"),
    path("class/<str:class_code>/homework/read", views.read, name="class-read"),
    path("class/<str:class_code>/homework/take-back", views.take_back, name="class-take-back"),
    *(
        path(f"class/<str:class_code>/homework/{kind}", views.give, {"kind": kind}, f"class-give-{kind}")
        for kind in FORMS
    ),
]

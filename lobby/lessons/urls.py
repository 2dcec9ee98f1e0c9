"""URLs of lessons."""

from django.urls import path

from lobby.lessons import views

urlpatterns = [
    path("class/<str:class_code>/lesson", views.lesson, name="class-lesson"),
    path("class/<str:class_code>/lesson/version", views.version, name="class-lesson-version"),
    path("class/<str:class_code>/wall", views.wall, name="class-wall"),
    path("class/<str:class_code>/wall/version", views.wall_version, name="class-wall-version"),
    path("class/<str:class_code>/wall/<str:match_id>.svg", views.wall_board, name="class-wall-board"),
    *(
        path(f"class/<str:class_code>/{act}", views.act, {"act": act}, f"class-{act}")
        for act in views.ACTIONS
    ),
]

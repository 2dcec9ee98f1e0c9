"""URLs of classes."""

from django.urls import path

from lobby.classes import views

urlpatterns = [
    path("classes", views.home, name="classes"),
    path("classes/make", views.make, name="make-class"),
    path("class/<str:class_code>", views.school_class, name="class"),
    path("class/<str:class_code>/pupil/<int:pupil_id>", views.pupil, name="class-pupil"),
    path("class/<str:class_code>/remove", views.remove, name="class-remove"),
    *(
        path(f"class/<str:class_code>/{act}", views.act, {"act": act}, f"class-{act}")
        for act in views.ACTIONS
    ),
]

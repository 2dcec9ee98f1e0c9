"""URLs of classes."""

from django.urls import path

from lobby.classes.views import coming, teaching

urlpatterns = [
    path("classes", coming.home, name="classes"),
    path("classes/make", teaching.make, name="make-class"),
    path("classes/privacy", coming.privacy, name="class-privacy"),
    path("classes/log-in", coming.log_in, name="class-log-in"),
    path("classes/join", coming.join, name="class-join"),
    path("class/<str:class_code>/card", coming.card, name="class-card"),
    path("class/<str:class_code>/cards", teaching.card_sheet, name="class-cards"),
    path("class/<str:class_code>", teaching.school_class, name="class"),
    path("class/<str:class_code>/pupil/<int:pupil_id>", teaching.pupil, name="class-pupil"),
    path("class/<str:class_code>/pupil/<int:pupil_id>/export", teaching.export, name="class-export"),
    path("class/<str:class_code>/remove", teaching.remove, name="class-remove"),
    *(
        path(f"class/<str:class_code>/{act}", teaching.act, {"act": act}, f"class-{act}")
        for act in teaching.ACTIONS
    ),
]

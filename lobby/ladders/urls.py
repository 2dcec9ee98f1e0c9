"""URLs of ladders."""

from django.urls import path

from lobby.ladders import views

urlpatterns = [
    path("club/<str:club>/ladder", views.ladder, name="club-ladder"),
    path("club/<str:club>/ladder/edit", views.edit, name="club-ladder-edit"),
    path("club/<str:club>/ladder/close", views.close, name="club-ladder-close"),
    *(
        path(f"club/<str:club>/ladder/{act}", views.act, {"act": act}, f"club-ladder-{act}")
        for act in views.ACTIONS
    ),
]

"""URLs of webhooks."""

from django.urls import path

from lobby.webhooks import views

urlpatterns = [
    path("settings/webhooks", views.overview, name="hooks"),
    path("settings/webhooks/<int:hook_id>", views.hook, name="hook"),
    path("settings/webhooks/<int:hook_id>/again/<int:delivery_id>", views.again, name="send-again"),
    path("settings/webhooks/<int:hook_id>/<slug:act>", views.decide, name="decide-hook"),
]

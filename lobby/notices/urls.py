"""URLs of devices and reminders."""

from django.urls import path

from lobby.notices import views

urlpatterns = [
    path("settings/devices", views.add_device, name="devices"),
    path("settings/devices/<int:number>/end", views.end_device, name="end-device"),
    path("settings/reminders", views.choose_reminders, name="reminders"),
    path("reminders/stop/<str:token>", views.stop_reminders, name="stop-reminders"),
]

"""Every address of the site; those of sockets are in `config.asgi`."""

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

from config import health

urlpatterns = [
    path("", include("lobby.urls")),
    path("m/", include("games.urls")),
    path("jsi18n/", JavaScriptCatalog.as_view(), name="javascript-catalog"),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("admin/", admin.site.urls),
]

"""All URLs of the site; sockets are in `config.asgi`, probes in `config.health`."""

from allauth.account.decorators import reauthentication_required
from allauth.usersessions.views import list_usersessions
from django.contrib import admin
from django.urls import include, path

from config import api_docs
from config.api import api
from config.i18n.js_catalog import js_catalog
from config.install import views as install

handler400 = "config.error_views.bad_request"
handler404 = "config.error_views.not_found"
handler429 = "lobby.http.too_many.by_allauth"
handler500 = "config.error_views.server_error"

password_again = reauthentication_required(app="allauth.account", allow_get=True)

urlpatterns = [
    path("", include("lobby.urls")),
    path("", include("games.urls")),
    path("api", api_docs.page, name="api-docs"),
    path("api/v1/", api.urls),
    path("words/<slug:language>.<slug:version>.js", js_catalog, name="js-catalog"),
    path("manifest.webmanifest", install.manifest, name="manifest"),
    path("sw.js", install.worker, name="worker"),
    path("offline", install.offline, name="offline"),
    path("accounts/sessions/", password_again(list_usersessions), name="usersessions_list"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]

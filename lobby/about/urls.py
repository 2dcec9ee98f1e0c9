"""URLs of the pages about the site."""

from django.urls import path

from lobby.about import views

urlpatterns = [
    path("privacy", views.privacy, name="privacy"),
    path("contact", views.contact, name="contact"),
    path("imprint", views.imprint, name="imprint"),
    path("terms", views.terms, name="terms"),
]

"""The site's addresses: accounts, health and metrics here; the rest belongs to the apps."""

from __future__ import annotations

from django.urls import include, path

from config import accounts, observe

handler500 = "config.failures.failed"
urlpatterns = [
    path("health/", observe.health, name="health"),
    path("metrics", observe.metrics, name="metrics"),
    path("welcome/<str:token>/", accounts.welcome, name="welcome"),
    path("accounts/", include("config.account_urls")),
    path("api/", include("campaign.api.urls")),
    path("api/", include("umpire.api.urls")),
    path("", include("campaign.pages.urls")),
    path("", include("umpire.pages.urls")),
]
handler400 = "campaign.pages.toolarge.unusable"

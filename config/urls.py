"""The site's URLs: accounts, health and metrics here, the rest included from the apps."""

from __future__ import annotations

from allauth.account import views
from django.urls import include, path, re_path

from config import accounts, guests, observe, public_files

account_addresses = [  # the allauth pages in use, and the site's own e-mail page
    path("login/", views.login, name="account_login"),
    path("logout/", accounts.logout, name="account_logout"),
    path("signup/", views.signup, name="account_signup"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("email/", accounts.email, name="account_email"),
    path("password/change/", accounts.password_change, name="account_change_password"),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("password/reset/done/", views.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("2fa/", include("allauth.mfa.urls")),
]

handler500 = "config.middleware.server_error_page"
urlpatterns = [
    path("robots.txt", public_files.robots, name="robots"),
    path(".well-known/security.txt", public_files.security, name="security-txt"),
    path(".well-known/blindjump-key", public_files.signing_key, name="signing-key"),
    path("health/", observe.health, name="health"),
    path("health/web/", observe.web_health, name="web-health"),
    path("metrics", observe.metrics, name="metrics"),
    path("welcome/<str:token>/", accounts.welcome, name="welcome"),
    path("guest/", guests.guest_start, name="guest-start"),
    path("daily/start/", guests.daily_start, name="daily-start"),
    path("gallery/moments/<uuid:moment>/play/", guests.moment_play_page, name="moment-play"),
    path("guest/keep/", guests.guest_keep_page, name="guest-keep"),
    path("accounts/", include(account_addresses)),
    path("api/", include("campaign.api.urls")),
    path("api/", include("umpire.api.urls")),
    path("", include("campaign.pages.urls")),
    path("", include("umpire.pages.urls")),
]
handler400 = "campaign.web.common.unreadable_request"

"""Settings, read from the environment.

Every default is safe on your own machine and needs no other server.

The `#:` comment above a setting is its entry in docs/reference/settings.md
(tools/settings_reference.py).
"""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from campaign.rules.limits import BODY, FIELDS
from config.environment import (
    broker_from,
    contact_from,
    database_from,
    flag_from,
    hosts_from,
    mail_from,
    proxies_from,
    secret_from,
    security_contact_from,
    signing_key_from,
)
from config.release import release_of
from engine.cli.release import version_of

BASE_DIR = Path(__file__).resolve().parent.parent
#: Folder for this machine's files: the database, secrets, logs and backups. Default: `var/` in the
#: project.
VAR_DIR = Path(os.environ.get("BLINDJUMP_VAR", BASE_DIR / "var"))

#: Signs sessions and links. If it changes, everybody has to log in again. Give all machines of a
#: site the same one, of at least 50 characters. Default: made at the first start and stored in
#: `var/secret_key`.
SECRET_KEY = secret_from(os.environ.get("SECRET_KEY", ""), VAR_DIR / "secret_key")
#: Signs receipts of sealed orders and heads of ledgers. If it changes, players can no longer check
#: older receipts against the site's public key. Give all machines of a site the same one, of at
#: least 32 characters, and do not keep it with backups. Default: made at the first start and stored
#: in `var/signing_key`.
SIGNING_KEY = signing_key_from(os.environ.get("SIGNING_KEY", ""), VAR_DIR / "signing_key")
#: `1` shows full error pages. Never set it on a server that others can reach, because those pages
#: show secrets. Default: off.
DEBUG = flag_from(os.environ.get("DEBUG", ""))
#: Host names under which the site is reached, separated by commas. Default: this machine only.
ALLOWED_HOSTS = hosts_from(os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1"))
#: Addresses (`https://...`) whose forms are accepted although they differ from the site's own,
#: separated by commas. Default: none.
CSRF_TRUSTED_ORIGINS = hosts_from(os.environ.get("TRUSTED_ORIGINS", ""))

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.apps.CollectedFiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "csp",
    "django_cotton.apps.SimpleAppConfig",  # `config.templates` has the loader
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "config",
    "jobs",
    "campaign",
    "umpire",
]
MIDDLEWARE = [
    "campaign.web.addresses.AddressMiddleware",  # first: all others use the address it finds
    "config.observe.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.Compression",
    "csp.middleware.CSPMiddleware",
    "config.middleware.Sessions",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "campaign.web.common.UiPreferencesMiddleware",
    "config.guests.GuestMiddleware",
    "config.middleware.Methods",  # its error pages need the reader's language
    "campaign.web.common.LimitMiddleware",
    "campaign.pages.people.seat_ended.SeatEndMiddleware",
    "axes.middleware.AxesMiddleware",  # axes asks to be last
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "config.templates.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "campaign.web.common.ui_preferences",
                "config.release.version_context",
                "config.accounts.mail_context",
                "campaign.pages.people.help_pages.topic_of",
            ],
            "builtins": [
                "django_cotton.templatetags.cotton",
                "django.templatetags.i18n",
                "campaign.templatetags.english",
                "campaign.templatetags.fields",
                "campaign.templatetags.guide",
                "campaign.templatetags.war_bar",
                "campaign.templatetags.lists",
                "campaign.templatetags.moments",
                "campaign.templatetags.phrases",
                "campaign.templatetags.seats",
            ],
        },
    },
]

#: The database: `postgresql://user:password@host/name` or `sqlite:////path/to/file`. Default: a
#: SQLite file in `var/`.
DATABASES = {"default": database_from(os.environ.get("DATABASE_URL", ""), VAR_DIR)}
DATABASES["default"].update(
    CONN_MAX_AGE=600, CONN_HEALTH_CHECKS=True
)  # opening SQLite costs more than a query
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Size limits of requests; `campaign.rules.limits` has the reasons.
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY
DATA_UPLOAD_MAX_NUMBER_FIELDS = FIELDS
DATA_UPLOAD_MAX_NUMBER_FILES = 1

LANGUAGE_CODE = "en"
#: Time zone of pages for users who have not chosen one. Default: `UTC`.
TIME_ZONE = os.environ.get("TIME_ZONE", "UTC")
USE_I18N = True
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
USE_TZ = True

# Files for browsers.
STATIC_URL = "static/"
#: Folder that `collectstatic` writes to. Default: `var/static`.
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", VAR_DIR / "static"))
STATICFILES_DIRS = [BASE_DIR / "static"]
#: `1` if `collectstatic` has run: file names contain hashes, and browsers keep the files for good.
#: Default: off (`bin/serve` sets it).
STATIC_COLLECTED = flag_from(os.environ.get("STATIC_COLLECTED", ""))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.static.HashedFiles"
        if STATIC_COLLECTED
        else "config.static_addresses.PlainFiles"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not STATIC_COLLECTED

# Accounts: signing up needs an invitation (config/accounts.py), unless SIGNUP=open.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "config.sessions.Backend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
#: `open` lets everybody create an account. Default: by invitation only.
SIGNUP_OPEN = os.environ.get("SIGNUP", "") == "open"
#: `on` lets strangers play a single battle without an account, `off` does not. Default: as SIGNUP.
GUESTS = flag_from(os.environ.get("GUESTS") or str(SIGNUP_OPEN))
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "config.accounts.Adapter"
ACCOUNT_FORMS = {
    "login": "config.accounts.LoginForm",
    "signup": "config.accounts.SignupForm",
    "change_password": "config.accounts.ChangePasswordForm",
    "reset_password": "config.accounts.ResetPasswordForm",
    "reset_password_from_key": "config.accounts.ResetPasswordKeyForm",
    "reauthenticate": "config.accounts.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Blind Jump: "
ACCOUNT_LOGOUT_REDIRECT_URL = LOGIN_URL
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_BLACKLIST = ["admin", "umpire", "host", "observer", "staff"]
# axes counts wrong passwords (config/logins.py), so "login_failed" limits only second-factor codes.
# Password reset mails are limited by network address, and "reset_mail" limits them for each mailbox
# (config/accounts.py).
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "5/5m/key",
    "reset_password": "20/m/ip",
    "reset_mail": "3/10m/key",
    "guest": "6/h/ip",  # new guest accounts (config/guests.py)
}
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# No page verifies an address (docs/decisions/0133-second-factor-without-verified-address.md)
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Blind Jump"
MFA_FORMS = {
    "authenticate": "config.second_factor.CodeForm",
    "reauthenticate": "config.second_factor.CodeAgainForm",
    "activate_totp": "config.second_factor.FirstCodeForm",
}
AXES_HANDLER = "config.logins.Handler"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=5)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_PARAMETERS = "config.logins.lockout_parameters"
AXES_USERNAME_CALLABLE = "config.logins.attempt_name"
AXES_CLIENT_IP_CALLABLE = "campaign.web.addresses.client_address_of"
AXES_LOCKOUT_CALLABLE = "config.logins.lockout_page"
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False

SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
CSRF_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "campaign.web.flash_messages.FlashStorage"

# Security headers.
#: `1` if the site is reached only over TLS, through a proxy that sets `X-Forwarded-Proto` and is
#: listed in `TRUSTED_PROXIES`. Default: off.
HTTPS = flag_from(os.environ.get("HTTPS", ""))
#: Addresses and ranges (`10.0.0.0/8`) of your proxies, separated by commas. Forwarding headers from
#: other addresses are ignored. Default: none.
TRUSTED_PROXIES = proxies_from(
    os.environ.get("TRUSTED_PROXIES", ""), HTTPS
)  # campaign/web/addresses.py
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REDIRECT_EXEMPT = [r"^health/(web/)?$", r"^metrics$"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.SessionAuthentication",
        "rest_framework.authentication.TokenAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
VERSION = version_of()
RELEASE = release_of()

SPECTACULAR_SETTINGS = {
    "TITLE": "Blind Jump",
    "DESCRIPTION": "Campaigns with hidden movement: orders, decisions, reports, umpire's tools.",
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.1",
    "POSTPROCESSING_HOOKS": [],
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Read by the script of the page. Links inside the buttons that open an operation would nest
    # controls, and the page has its own header.
    "SWAGGER_UI_SETTINGS": "{deepLinking: false, "
    "plugins: [() => ({wrapComponents: {InfoContainer: () => () => null}})]}",
    "REDOC_DIST": "SIDECAR",
}

# Background work: a message contains the id of a row and nothing else.
#: The message broker: `redis://host/0`. Default: files in `var/`.
CELERY_BROKER_URL, CELERY_BROKER_TRANSPORT_OPTIONS = broker_from(
    os.environ.get("CELERY_BROKER_URL", ""), VAR_DIR
)
#: Seconds without a sign of life after which a worker is considered dead and another worker gets
#: its job. Default: `9`.
JOB_LEASE_SECONDS = float(os.environ.get("JOB_LEASE_SECONDS", "9"))

#: Seconds between the closing of a stage and the earliest publication of its outcome. Raise it if
#: stages are often published one grid point late. Default: `5`.
PUBLICATION_ALLOWANCE = int(os.environ.get("PUBLICATION_ALLOWANCE", "5"))
#: Outcomes are published at the next full multiple of this number of seconds after the allowance,
#: and the next stage opens then. With `0` they are published at once; players can then see how long
#: the computation took, and so whether others fought. Default: `10`.
PUBLICATION_GRID = int(os.environ.get("PUBLICATION_GRID", "10"))

#: Notification channels for the whole site (Discord and many others; see Apprise), separated by
#: commas. Default: none.
APPRISE_URLS = hosts_from(os.environ.get("APPRISE_URLS", ""))
#: API requests allowed in a minute, by kind. List only the kinds that you change. Default:
#: `read=60000,write=1200,stranger=600,token=20`.
API_RATES = {
    pair.partition("=")[0]: int(pair.partition("=")[2])
    for pair in hosts_from(os.environ.get("API_RATES", ""))
}
#: Heavy requests (checking or importing designs, or more than 20 kB) for each account and minute.
#: Default: `60`.
HEAVY_RATE = int(os.environ.get("HEAVY_RATE", "60"))
#: The site's key for notifications in browsers is derived from it. If it changes, every browser has
#: to turn on notifications again. Default: made at the first start and stored in `var/push_secret`.
PUSH_SECRET = secret_from(os.environ.get("PUSH_SECRET", ""), VAR_DIR / "push_secret")
#: `mailto:` or `https:` address at which push services can reach you. Some refuse a site without
#: one. Default: `SITE_URL`, if it begins with `https:`.
PUSH_CONTACT = contact_from(
    os.environ.get("PUSH_CONTACT", ""), os.environ.get("SITE_URL", "").rstrip("/")
)
#: Hosts (and their subdomains) to which notifications for browsers may be sent, separated by
#: commas. They are sent only to public addresses on port 443. To allow a push server of your own,
#: give its whole origin (`https://push.example.lan:8443`); it may be inside your network. Default:
#: Google's, Mozilla's, Microsoft's and Apple's.
PUSH_SERVICES = hosts_from(
    os.environ.get(
        "PUSH_SERVICES",
        "fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,web.push.apple.com",
    )
)
#: Addresses that publish the values of drand, for public dice, separated by commas. They are asked
#: in turn. They need not be trusted, because each value is signed. Empty: no war can have public
#: dice. Default: four of drand's.
BEACON_RELAYS = tuple(
    relay.rstrip("/")
    for relay in hosts_from(
        os.environ.get(
            "BEACON_RELAYS",
            "https://api.drand.sh,https://api2.drand.sh,https://api3.drand.sh,"
            "https://drand.cloudflare.com",
        )
    )
)
#: `mailto:` or `https:` address for reports of vulnerabilities, shown in
#: `/.well-known/security.txt`. Without this setting the file does not exist. Default: none.
SECURITY_CONTACT = security_contact_from(os.environ.get("SECURITY_CONTACT", ""))
#: Public key of your Discord application, whose commands arrive at `/discord/`. Default: none.
DISCORD_PUBLIC_KEY = os.environ.get("DISCORD_PUBLIC_KEY", "")
#: Address of the site in mails and calendars. Default: set by `bin/serve`.
SITE_URL = os.environ.get("SITE_URL", "").rstrip("/")
MAIL_IS_SENT = bool(os.environ.get("EMAIL_URL", ""))
#: Mail server: `smtp://` (STARTTLS), `smtps://` or `smtp+plain://`, with
#: `user:password@host:port/?from=address`; or `console://`. Default: no mail.
globals().update(mail_from(os.environ.get("EMAIL_URL", "")))

#: Token that a request for `/metrics` must contain. Default: made at the first start and stored in
#: `var/metrics_token`.
METRICS_TOKEN = secret_from(os.environ.get("METRICS_TOKEN", ""), VAR_DIR / "metrics_token")
#: `text` or `json`. Default: `text`.
LOG_FORMAT = os.environ.get("LOG_FORMAT", "text")
LOGGING_CONFIG = "config.logs.configure"
#: Lowest level of the messages that are logged. Default: `INFO`.
LOGGING = {"format": LOG_FORMAT, "level": os.environ.get("LOG_LEVEL", "INFO")}

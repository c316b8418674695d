"""Settings, read from the environment; every default is safe on one's own machine and needs no server."""

from __future__ import annotations

import os
from pathlib import Path

from config.environment import database_from, secret_key_from

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("BLINDJUMP_VAR", BASE_DIR / "var"))

SECRET_KEY = secret_key_from(os.environ.get("SECRET_KEY", ""), VAR_DIR)
DEBUG = os.environ.get("DEBUG", "") == "1"
ALLOWED_HOSTS = [host for host in os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1").split(",") if host]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "campaign",
    "umpire",
]
MIDDLEWARE: list[str] = []

DATABASES = {"default": database_from(os.environ.get("DATABASE_URL", ""), VAR_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
TIME_ZONE = os.environ.get("TIME_ZONE", "UTC")
USE_I18N = False
USE_TZ = True

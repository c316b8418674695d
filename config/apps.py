"""The site itself as apps of Django: its commands, and which static files it collects."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class SiteConfig(AppConfig):
    name = "config"
    verbose_name = "Site"
    default = True


class CollectedFiles(StaticFilesConfig):
    """Static files, but for pages of packages that the site does not show and extensions of htmx
    that it does not load (one of them imports a file that is not there).
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "redoc", "rest_framework", "ext"]  # noqa: RUF012 Django's own form

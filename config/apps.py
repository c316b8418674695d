"""The site as Django apps: its management commands, and the static files it collects."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class SiteConfig(AppConfig):
    name = "config"
    verbose_name = "Site"
    default = True


class CollectedFiles(StaticFilesConfig):
    """Static files without those that the site does not use.

    Left out are pages of packages that are not shown, and htmx extensions that are not loaded; one
    of these imports a missing file.
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "redoc", "rest_framework", "ext"]  # noqa: RUF012 Django's own form

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

    Left out are pages of packages that are not shown, versions and extensions of htmx that are not
    loaded (one of these imports a missing file), and source maps of packages' scripts.
    """

    ignore_patterns = [  # noqa: RUF012 Django's own form
        *StaticFilesConfig.ignore_patterns,
        "redoc",
        "rest_framework",
        "ext",
        "htmax-*",
        "htmx-4*",
        "htmx-2.js",
        "*.js.map",
    ]

"""The site itself as an app: its commands."""

from __future__ import annotations

from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "config"
    verbose_name = "Site"

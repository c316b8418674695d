"""The Django app that makes the weeks pass; it has no models of its own."""

from __future__ import annotations

from django.apps import AppConfig


class UmpireConfig(AppConfig):
    name = "umpire"
    verbose_name = "Umpire"

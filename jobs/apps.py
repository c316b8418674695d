"""The Django app of the jobs."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """The app `jobs`: background work, one row per job."""

    name = "jobs"
    verbose_name = "Jobs"

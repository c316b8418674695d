"""The Django app of the jobs."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """The app `jobs`: work in the background, with a row for each job."""

    name = "jobs"
    verbose_name = "Jobs"

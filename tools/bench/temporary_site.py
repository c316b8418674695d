"""A temporary site for a benchmark: an empty database in a temporary folder."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def temporary_site(**environment: str) -> Iterator[None]:
    """Set Django up on a new database; possible once in a process.

    Args:
        environment: Further environment variables for the settings.
    """
    with tempfile.TemporaryDirectory(prefix="bj-bench-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "BLINDJUMP_VAR": folder,
            "CELERY_BROKER_URL": "memory://",
            **environment,
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        logging.disable(logging.INFO)
        yield

"""The program, loaded for a database that was never used, from which test processes are forked."""

from __future__ import annotations

import os

import django
from django.apps import apps

URL = os.environ["DATABASE_URL"]

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()

from tests.umpire.services import wars  # noqa: E402, F401
from umpire.services import battle_phases, stages  # noqa: E402, F401

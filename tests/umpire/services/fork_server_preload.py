"""What processes of `a_process` are forked from: the program loaded for a database that nothing has
been asked of.
"""

from __future__ import annotations

import os

import django
from django.apps import apps

URL = os.environ["DATABASE_URL"]

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()

from tests.umpire.services import wars  # noqa: E402, F401
from umpire.services import battle_stops, stages  # noqa: E402, F401

"""Logs."""

from __future__ import annotations

import logging.config
from typing import Any


def configure(settings: dict[str, Any]) -> None:
    logging.config.dictConfig({"version": 1, "disable_existing_loggers": False})

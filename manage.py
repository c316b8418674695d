#!/usr/bin/env python
"""Django's commands for Blind Jump."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.commands import run

    run(sys.argv)


if __name__ == "__main__":
    main()

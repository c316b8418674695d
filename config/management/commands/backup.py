"""`manage.py backup [FILE]`: write every row to one file while the site keeps running."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.backup import backup_write


class Command(BaseCommand):
    """Writes a backup."""

    help = "Write every row of the database to one file (default: var/backups/<time>.jsonl.gz)."
    requires_system_checks: tuple[str, ...] = ()  # checks load every page, which is not needed here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path)

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path | None = options["file"]
        if path is None:
            folder = Path(settings.VAR_DIR) / "backups"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = folder / f"blindjump-{timezone.now():%Y%m%d-%H%M%S}.jsonl.gz"
        try:
            rows = backup_write(path=path)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        self.stdout.write(
            f"{rows} rows in {path}. It contains the secrets of all campaigns: keep it safe."
        )

"""`manage.py restore FILE`: restore a backup into an empty database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from campaign.services.signing_keys import key_change_record
from config.backup import NotRestorable, backup_restore, prepare_database, signer_of


class Command(BaseCommand):
    """Restores a backup."""

    help = (
        "Read a backup into the database of DATABASE_URL, which must be empty; "
        "missing tables are created."
    )
    requires_system_checks: tuple[str, ...] = ()  # checks load every page, which is not needed here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--migrate", action="store_true", help="restore a backup of an older release"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            if options["migrate"]:
                rows = backup_restore(path=path, registry=prepare_database(path=path))
            call_command("migrate", verbosity=0, interactive=False)
            if not options["migrate"]:
                rows = backup_restore(path=path)
            signer = signer_of(path)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from error
        except NotRestorable as reason:
            raise CommandError(f"{options['file']}: {reason}") from reason
        self.stdout.write(f"{rows} rows restored.")
        if signer and (wars := key_change_record(before=signer)):
            words = "This site signs with another key than the one before; {} wars say so."
            self.stdout.write(words.format(wars))

"""`manage.py signing_key export|import FILE`: keep the signing key elsewhere, or bring it back."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from campaign.services.signing_keys import key_change_record
from campaign.store.signatures import site_key
from config.environment import SHORTEST_SIGNING_KEY

EXPORT, IMPORT = "export", "import"


class Command(BaseCommand):
    """Exports or imports the key with which the site signs; no backup contains it."""

    help = "Write the site's signing key to a new file, or read it from one."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the direction and the file."""
        parser.add_argument("action", choices=(EXPORT, IMPORT))
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Copy the key.

        Raises:
            CommandError: A file cannot be read or written, or the key is not usable.
        """
        path: Path = options["file"]
        try:
            if options["action"] == EXPORT:
                _write_new(path, settings.SIGNING_KEY)
                self.stdout.write(f"{path}: keep it secret, and apart from the backups.")
            else:
                self._import(path.read_text(encoding="ascii").strip())
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{path}: {error}") from error

    def _import(self, key: str) -> None:
        """Sign with another key from now on."""
        if os.environ.get("SIGNING_KEY"):
            raise CommandError("the key is set in the environment (SIGNING_KEY): change it there")
        if len(key) < SHORTEST_SIGNING_KEY:
            raise CommandError(f"a key has at least {SHORTEST_SIGNING_KEY} characters")
        before = site_key().verifier
        target = settings.VAR_DIR / "signing_key"
        draft = target.with_name("signing_key.part")
        draft.unlink(missing_ok=True)
        _write_new(draft, key)
        wars = key_change_record(before=before, after=site_key(key).verifier)
        draft.replace(target)
        self.stdout.write(f"The site signs with this key after its restart; {wars} wars say so.")


def _write_new(path: Path, key: str) -> None:
    """Write a new file that only its owner can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key)

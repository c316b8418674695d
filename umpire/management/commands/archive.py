"""`manage.py archive ID|--newest FILE`: write the archive of a finished war."""

from __future__ import annotations

import gzip
import os
import uuid
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError

from campaign.errors import NotFound
from campaign.models.campaign import Campaign
from umpire.services.archives import archive_file
from umpire.services.faction_archives import faction_archive
from umpire.services.reveal import seed_reveal

NO_SUCH_WAR = 2


class Command(BaseCommand):
    """Writes an archive, which `python -m proof verify` checks without this server."""

    help = "Write the archive of a finished war to a file; a name that ends in .gz is gzipped."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the war and the file."""
        parser.add_argument(
            "target", nargs="+", metavar="ID FILE", help="the id of the war, and the file"
        )
        parser.add_argument("--newest", action="store_true", help="the newest war; then only FILE")
        parser.add_argument(
            "--for",
            metavar="faction=KEY",
            dest="reader",
            default="",
            help="only what this faction can prove, also while the war goes on",
        )
        parser.add_argument(
            "--names", action="store_true", help="include the user names of those who acted"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the file and print its name and size.

        Raises:
            CommandError: There is no such war (exit status 2), or it is not over (1).
        """
        target: list[str] = options["target"]
        if len(target) != (1 if options["newest"] else 2):
            raise CommandError("write: archive ID FILE, or: archive --newest FILE", returncode=2)
        campaign = self._campaign(None if options["newest"] else target[0])
        path = Path(target[-1])
        partial = path.with_name(f"{path.name}.part")
        try:
            if not options["reader"]:
                seed_reveal(campaign=campaign)
            lines = self._lines(campaign, options["reader"], names=options["names"])
            with partial.open("wb") as raw:
                self._write(lines, raw, zipped=path.name.endswith(".gz"))
                raw.flush()
                os.fsync(raw.fileno())  # a file under this name is whole, also after a power cut
            os.replace(partial, path)
        except NotFound as error:
            raise CommandError(str(error)) from error
        finally:
            partial.unlink(missing_ok=True)
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes")

    def _lines(self, campaign: Campaign, reader: str, *, names: bool) -> Iterator[bytes]:
        """Return the lines of the archive of a whole war, or of what one faction can prove."""
        if not reader:
            return archive_file(campaign, names=names)
        faction = campaign.factions.filter(key=reader.removeprefix("faction=")).first()
        if faction is None or not reader.startswith("faction="):
            raise CommandError("write --for faction=KEY with a faction of the war", returncode=2)
        return faction_archive(campaign, faction)

    def _campaign(self, public_id: str | None) -> Campaign:
        """Return the war with an id, or the newest one."""
        if public_id is None:
            campaign = Campaign.objects.order_by("-pk").first()
        else:
            try:
                campaign = Campaign.objects.filter(public_id=uuid.UUID(public_id)).first()
            except ValueError:
                campaign = None
        if campaign is None:
            raise CommandError("there is no such war", returncode=NO_SUCH_WAR)
        return campaign

    def _write(self, lines: Any, raw: IO[bytes], *, zipped: bool) -> None:
        """Write lines as they come."""
        if not zipped:
            raw.writelines(lines)
            return
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
            cast(IO[bytes], packed).writelines(lines)

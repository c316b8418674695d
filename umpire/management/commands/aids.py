"""`manage.py aids OUT [--paper a4] [--language de] ..`: write all play aids as PDF files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation

from campaign.drawings.aids.catalogue import AIDS, AidChoice
from campaign.drawings.aids.sheets import MM_PER_MU
from campaign.rules.files import fixture_maps, fixture_scenario
from campaign.web.aid_pdf import aid_pdf
from campaign.web.sheet_pdf import PAPERS
from engine.core.edition import EDITIONS, Edition


class Command(BaseCommand):
    """Writes a PDF for each play aid into a directory."""

    help = "Write the play aids (gauge, templates, counters, forms, quick reference) as PDF files."
    # System checks load every page, and this needs none.
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the directory and the choices of the page."""
        editions = [edition.value for edition in EDITIONS]
        languages = [code for code, _ in settings.LANGUAGES]
        parser.add_argument("out", type=Path, help="the directory, which is created")
        parser.add_argument("--paper", choices=tuple(PAPERS), default="a4")
        parser.add_argument("--language", choices=languages, default=languages[0])
        parser.add_argument("--unit", choices=tuple(MM_PER_MU), default="inch", help="of one MU")
        parser.add_argument("--edition", choices=editions, default=editions[0])
        parser.add_argument("--scenario", choices=fixture_maps(), default="lafayette")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the files and print their names."""
        out: Path = options["out"]
        out.mkdir(parents=True, exist_ok=True)
        choice = AidChoice(
            unit=options["unit"],
            edition=Edition(options["edition"]),
            scenario=fixture_scenario(options["scenario"]),
        )
        with translation.override(options["language"]):
            for aid in AIDS:
                file = out / f"{aid.name}.pdf"
                file.write_bytes(aid_pdf(aid, choice, options["paper"]))
                self.stdout.write(str(file))

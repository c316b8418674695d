"""`manage.py verify_campaign ID|--all`: check the records of wars, and repair them."""

from __future__ import annotations

import json
import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign.errors import Refused
from campaign.models.campaign import Campaign
from proof.findings import Exit
from umpire.services.checking import Fault, campaign_faults
from umpire.services.checks import play_again, replay_faults
from umpire.services.rebuilding import campaign_rebuild


class Command(BaseCommand):
    """Compares what is stored of wars; exits with 1 if something does not fit.

    The exit statuses are those of `python -m proof verify`.
    """

    help = "Check that the records of a war follow from each other."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the war and the depth."""
        parser.add_argument("campaign", nargs="?", metavar="ID", help="the id of the war")
        parser.add_argument("--all", action="store_true", help="all wars")
        parser.add_argument("--deep", action="store_true", help="also play the war again")
        parser.add_argument(
            "--repair", action="store_true", help="compute again what is damaged, where possible"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object a war")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check the wars and print what was found.

        Raises:
            CommandError: Something differs (exit status 1), there is no such war (2), or a war
                could not be played again as a whole (3).
        """
        worst = Exit.PROVEN
        for campaign in self._campaigns(options["campaign"], options["all"]):
            status = self._check(campaign, options)
            worst = min((worst, status), key=_severity)
        if worst != Exit.PROVEN:
            raise CommandError(WORDS[worst], returncode=int(worst))

    def _campaigns(self, public_id: str | None, everything: bool) -> list[Campaign]:
        """Return the wars to be checked. Raises CommandError."""
        wars = Campaign.objects.select_related("scenario", "head_branch").order_by("pk")
        wars = wars.filter(started_at__isnull=False)
        if everything == (public_id is not None):
            raise CommandError("write: verify_campaign ID, or: verify_campaign --all", returncode=2)
        if public_id is not None:
            try:
                wars = wars.filter(public_id=uuid.UUID(public_id))
            except ValueError:
                wars = wars.none()
            if not wars:
                raise CommandError("there is no such war, or it has not begun", returncode=2)
        return list(wars)

    def _check(self, campaign: Campaign, options: dict[str, Any]) -> Exit:
        """Check a war, print the result and return the exit status."""
        rebuilt: tuple[dict[str, Any], ...] = ()
        faults = campaign_faults(campaign)
        if options["repair"] and faults:
            try:
                repair = campaign_rebuild(campaign=campaign)
            except Refused as error:
                raise CommandError(error.words) from error
            rebuilt, faults = repair.rebuilt, list(repair.faults)
        status = Exit.DIFFERS if faults else Exit.PROVEN
        deep: list[str] = []
        if options["deep"] and not faults:
            verdict = play_again(campaign)
            status = verdict.exit
            deep = [*(fault.text for fault in replay_faults(verdict)), *verdict.limits]
        if options["json"]:
            self._print_json(campaign, status, faults=faults, rebuilt=rebuilt, deep=deep)
        else:
            self._print_words(campaign, faults=faults, rebuilt=rebuilt, deep=deep)
        return status

    def _print_json(
        self,
        campaign: Campaign,
        status: Exit,
        *,
        faults: list[Fault],
        rebuilt: tuple[dict[str, Any], ...],
        deep: list[str],
    ) -> None:
        """Print a war's result as one line."""
        document = {
            "campaign": str(campaign.public_id),
            "exit": int(status),
            "faults": [fault.to_json() for fault in faults],
            "rebuilt": list(rebuilt),
            "deep": deep,
        }
        self.stdout.write(json.dumps(document, ensure_ascii=False))

    def _print_words(
        self,
        campaign: Campaign,
        *,
        faults: list[Fault],
        rebuilt: tuple[dict[str, Any], ...],
        deep: list[str],
    ) -> None:
        """Print a war's result for people."""
        count = sum(branch.ledger.count() for branch in campaign.branches.all())
        words = "no fault" if not faults and not deep else f"{len(faults) + len(deep)} faults"
        self.stdout.write(f"{campaign.name} ({campaign.public_id}): {count} rows, {words}")
        for part in rebuilt:
            self.stdout.write(f"  computed again: {part['what']}")
        for fault in faults:
            end = " (can be computed again: --repair)" if fault.is_mendable else ""
            self.stdout.write(f"  {fault.text}{end}")
        for line in deep:
            self.stdout.write(f"  {line}")


WORDS = {
    Exit.DIFFERS: "the records of a war do not fit each other",
    Exit.UNREADABLE: "the records of a war cannot be read",
    Exit.AS_FAR_AS_SHOWN: "a war could not be played again as a whole",
    Exit.CONTRADICTED: "a war contradicts what was signed",
}
SEVERITIES = (
    *(Exit.DIFFERS, Exit.UNREADABLE, Exit.CONTRADICTED),
    *(Exit.AS_FAR_AS_SHOWN, Exit.PROVEN),
)


def _severity(status: Exit) -> int:
    """Return the rank of an exit status, worst first."""
    return SEVERITIES.index(status)

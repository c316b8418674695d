"""How balanced a user's scenario is: many wars of computer admirals, and their results.

Workers play them in the background (`umpire.services.balance_wars`). One user can have wars of one
scenario played at a time, and the site of a few.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.errors import Busy
from campaign.kinds import BalanceEnd
from campaign.models.own_scenario import BalancePart, ScenarioBalance, ScenarioDraft
from campaign.rules.codec import to_document
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import read_file
from campaign.services.own_scenarios import scenario_draft_of
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.phrase import phrase
from engine.core.versions import NEWEST
from jobs.services import JobAccount, jobs_enqueue
from umpire.balance import Balance, WarEnd, balance_of
from umpire.tasks import BALANCE_PLAY

WARS, MIN_WARS = 500, 20  # played of a scenario: usually, and at least
TRIAL_WARS = 200  # played of each handicap that is tried
PARTS = 2  # workers that play at once
PLACES = 4  # scenarios of a site whose wars are played at once
MAX_SHIPS = 400  # in all default forces and reinforcements


@dataclass(frozen=True, slots=True)
class BalanceSummary:
    """The results of a scenario's test wars.

    Attributes:
        playing: More of them are being played.
        old: The scenario or the rules changed since.
        died: How many could not be played.
        scenario: The scenario as it was played.
    """

    row: ScenarioBalance
    playing: bool
    old: bool
    played: int
    died: int
    scenario: Scenario
    figures: Balance


def war_sha256(scenario: Scenario) -> str:
    """Return the hash of all that affects a scenario's wars: not its name or introduction."""
    anonymous = replace(scenario, slug="", version=1, name="", intro="")
    return digest([NEWEST, to_document(anonymous)])


def balance_faults(scenario: Scenario) -> tuple[Violation, ...]:
    """Return what keeps computer admirals from playing a legal scenario here."""
    default_fleets = dict(scenario.defaults)
    faults = []
    for power in scenario.factions:
        if not default_fleets.get(power.id):
            words = phrase("{} has no preset fleets for computer admirals to command", power.name)
            path = f"{fault_path('forces', power.id)}.default"
            faults.append(Violation(path, "no-fleets", words))
    groups = [item.ships for item in scenario.reinforcements]
    for fleets in default_fleets.values():
        for pick in fleets:
            groups.append(pick.ships)
    ships = 0
    for group in groups:
        ships += sum(count for _, count in group)
    if ships > MAX_SHIPS:
        words = phrase("{} ships: the limit for these wars is {}", ships, MAX_SHIPS)
        faults.append(Violation("forces", "too-many", words))
    return tuple(faults)


def balance_start(
    *,
    user: AbstractBaseUser,
    public_id: uuid.UUID | str,
    wars: int = WARS,
    now: datetime | None = None,
) -> ScenarioBalance:
    """Start test wars of a scenario's present file; if they are being played, change nothing.

    Raises:
        NotFound: The user has no such scenario.
        RuleViolations: It has faults, or another of the user's scenarios is being played.
        Busy: All places of the site are taken.
    """
    if not MIN_WARS <= wars <= WARS:
        raise RuleViolations(
            [Violation("wars", "out-of-range", phrase("choose {} to {} wars", MIN_WARS, WARS))]
        )
    with transaction.atomic():
        get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one start at a time
        draft = scenario_draft_of(user, public_id)
        row = ScenarioBalance.objects.filter(draft=draft).first() or ScenarioBalance(
            draft=draft, run=0
        )
        if row.place is not None:
            return row
        check_no_other_wars(user)
        scenario, faults = check_draft(read_file(draft.text))
        if faults := faults or balance_faults(scenario):
            raise RuleViolations(faults)
        row.text = draft.text
        row.war_sha256 = war_sha256(scenario)
        row.wars = wars
        row.run = row.run + 1
        row.asked_at = now or timezone.now()
        row.ending = ""
        row.side = ""
        row.handicap_ending = ""
        take_place(row)
        BalancePart.objects.filter(balance=row).delete()
        parts_begin(row, step=0)
    return row


def balance_stop(*, user: AbstractBaseUser, public_id: uuid.UUID | str) -> bool:
    """Stop playing wars of a scenario, and return whether any were played. Raises NotFound."""
    draft = scenario_draft_of(user, public_id)
    with transaction.atomic():
        row = (
            ScenarioBalance.objects.select_for_update()
            .filter(draft=draft, place__isnull=False)
            .first()
        )
        if row is not None:
            balance_end(row, BalanceEnd.STOPPED)
    return row is not None


def balance_summary(draft: ScenarioDraft) -> BalanceSummary | None:
    """Return the results of a scenario's test wars, or None if none were requested.

    Raises:
        RuleViolations: The present file cannot be parsed.
    """
    row = ScenarioBalance.objects.filter(draft=draft).first()
    if row is None:
        return None
    scenario = check_draft(read_file(draft.text))[0]
    parts = list(BalancePart.objects.filter(balance=row, step=0).order_by("number"))
    try:
        played = played_scenario(row.text)
    # This release interprets the file differently than the one that played it
    except RuleViolations:
        played = scenario
    return BalanceSummary(
        row=row,
        playing=row.place is not None,
        old=row.war_sha256 != war_sha256(scenario),
        played=sum(part.played for part in parts),
        died=sum(len(part.failed_seeds) for part in parts),
        scenario=played,
        figures=balance_of(played, ends_of(parts)),
    )


def quota_of(row: ScenarioBalance, part: BalancePart) -> int:
    """Return how many wars belong to a part."""
    return len(range(part.number, TRIAL_WARS if part.step else row.wars, PARTS))


def ends_of(parts: Sequence[BalancePart]) -> list[WarEnd]:
    """Return the results of the wars of some parts."""
    return [
        WarEnd(result, winner, weeks)
        for part in parts
        for result, winner, weeks, count in part.counts
        for _ in range(count)
    ]


def check_no_other_wars(user: AbstractBaseUser) -> None:
    """Raise RuleViolations if wars of a user's scenarios are being played."""
    other = ScenarioDraft.objects.filter(user_id=user.pk, balance__place__isnull=False).first()
    if other is not None:
        words = phrase("the wars of '{}' are being played; wait for them, or stop them", other.name)
        raise RuleViolations([Violation("", "one-at-a-time", words)])


def take_place(row: ScenarioBalance) -> None:
    """Save a row with one of the site's places. Raises Busy."""
    taken_places = set(
        ScenarioBalance.objects.filter(place__isnull=False).values_list("place", flat=True)
    )
    for free in (number for number in range(PLACES) if number not in taken_places):
        try:
            with transaction.atomic():
                row.place = free
                row.save()
        except IntegrityError:  # another user was quicker
            continue
        return
    raise Busy(phrase("wars of other scenarios are being played; try again in some minutes"), 60)


def parts_begin(row: ScenarioBalance, step: int) -> None:
    """Create the parts of a step and let workers play them."""
    BalancePart.objects.bulk_create(
        [BalancePart(balance=row, step=step, number=number) for number in range(PARTS)]
    )
    parts_enqueue(row, step, range(PARTS))


def parts_enqueue(row: ScenarioBalance, step: int, numbers: Sequence[int]) -> None:
    """Let workers continue with parts of a step."""
    requests = {}
    for number in numbers:
        requests[f"balance/{row.pk}/{number}"] = {
            "balance": row.pk,
            "run": row.run,
            "step": step,
            "number": number,
        }
    account = JobAccount(f"balance/{row.draft.user_id}")
    jobs_enqueue(kind=BALANCE_PLAY, requests=requests, accounts=dict.fromkeys(requests, account))


def balance_end(row: ScenarioBalance, ending: BalanceEnd) -> None:
    """Store how the wars or the search for a handicap ended, and free the place."""
    if row.side:
        row.handicap_ending = ending
    else:
        row.ending = ending
    row.place = None
    row.save(update_fields=["ending", "handicap_ending", "place"])


def played_scenario(text: str) -> Scenario:
    """Return the scenario of a file that was checked when its wars were requested.

    Raises:
        RuleViolations: The file has faults.
    """
    scenario, faults = check_draft(read_file(text))
    if faults:
        raise RuleViolations(faults)
    return scenario

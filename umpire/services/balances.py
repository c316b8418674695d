"""How even a scenario of one's own is: many wars of computer admirals, asked for and told of.

Workers play them in the background (`umpire.services.balance_wars`).

    balance_start(user, public_id)      the wars of the file as it stands; pressed twice, they are begun once
    balance_stop(user, public_id)       no more of them; what was played stays
    balance_told(draft)                 what they came to so far

One person has wars of one scenario played at a time, and the site of a few.
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
from campaign.rules.files import check_scenario
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import read_file
from campaign.services.own_scenarios import scenario_draft_of
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation, place
from engine.core.phrase import phrase
from engine.core.versions import NEWEST
from jobs.services import JobAccount, jobs_enqueue
from umpire.balance import Balance, WarEnd, balance_of
from umpire.tasks import BALANCE_PLAY

WARS, MIN_WARS = 500, 20  # that are played of a scenario: as a rule, and at least
TRIAL_WARS = 200  # that are played of each handicap that is tried
PARTS = 2  # workers that play them at once
PLACES = 4  # scenarios of a site of which wars are played at once
MAX_SHIPS = 400  # in all fleets that are chosen beforehand and all reinforcements


@dataclass(frozen=True, slots=True)
class BalanceSummary:
    """What wars of a scenario came to.

    `playing`: more of them are being played; `old`: the scenario was changed since, or the rules
    were; `died`: so many could not be played. `scenario`: what they were wars of.
    """

    row: ScenarioBalance
    playing: bool
    old: bool
    played: int
    died: int
    scenario: Scenario
    figures: Balance


def war_sha256(scenario: Scenario) -> str:
    """The hash of all that decides the wars of a scenario: not of its names and its
    introduction.
    """
    anonymous = replace(scenario, slug="", version=1, name="", intro="")
    return digest([NEWEST, to_document(anonymous)])


def balance_faults(scenario: Scenario) -> tuple[Violation, ...]:
    """What keeps computer admirals from playing a lawful scenario here."""
    chosen = dict(scenario.defaults)
    faults = [
        Violation(
            f"{place('forces', power.id)}.default",
            "no-fleets",
            phrase("{} has no fleets chosen beforehand, which computer admirals lead", power.name),
        )
        for power in scenario.factions
        if not chosen.get(power.id)
    ]
    picks = [pick.ships for fleets in chosen.values() for pick in fleets]
    ships = sum(
        count
        for group in (*picks, *(item.ships for item in scenario.reinforcements))
        for _, count in group
    )
    if ships > MAX_SHIPS:
        words = phrase("{} ships: wars of at most {} are played here", ships, MAX_SHIPS)
        faults.append(Violation("forces", "too-many", words))
    return tuple(faults)


def balance_start(
    *,
    user: AbstractBaseUser,
    public_id: uuid.UUID | str,
    wars: int = WARS,
    now: datetime | None = None,
) -> ScenarioBalance:
    """Let the wars of a scenario be played as its file stands; where they are being played, nothing
    is changed.

    Raises NotThere, RuleViolations where it has faults or another of the user's is being played,
    Busy where as many are played as the site has places.
    """
    if not MIN_WARS <= wars <= WARS:
        raise RuleViolations(
            [
                Violation(
                    "wars", "out-of-range", phrase("{} to {} wars can be asked for", MIN_WARS, WARS)
                )
            ]
        )
    with transaction.atomic():
        get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one press at a time
        draft = scenario_draft_of(user, public_id)
        row = ScenarioBalance.objects.filter(draft=draft).first() or ScenarioBalance(
            draft=draft, run=0
        )
        if row.place is not None:
            return row
        check_no_other_wars(user)
        scenario, faults = check_scenario(read_file(draft.text))
        if faults := faults or balance_faults(scenario):
            raise RuleViolations(faults)
        row.text, row.war_sha256, row.wars = draft.text, war_sha256(scenario), wars
        row.run, row.asked_at, row.ending, row.side, row.sought = (
            row.run + 1,
            now or timezone.now(),
            "",
            "",
            "",
        )
        take_place(row)
        BalancePart.objects.filter(balance=row).delete()
        parts_begin(row, step=0)
    return row


def balance_stop(*, user: AbstractBaseUser, public_id: uuid.UUID | str) -> bool:
    """Play no more wars of a scenario; whether any were being played. Raises NotThere."""
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
    """What wars of a scenario came to, None where none were asked for.

    Raises RuleViolations where nothing can be read of the file as it stands now.
    """
    row = ScenarioBalance.objects.filter(draft=draft).first()
    if row is None:
        return None
    scenario = check_scenario(read_file(draft.text))[0]
    parts = list(BalancePart.objects.filter(balance=row, step=0).order_by("number"))
    try:
        played = played_scenario(row.text)
    except RuleViolations:  # this release reads the file otherwise than the one that played it
        played = scenario
    return BalanceSummary(
        row=row,
        playing=row.place is not None,
        old=row.war_sha256 != war_sha256(scenario),
        played=sum(part.played for part in parts),
        died=sum(len(part.died) for part in parts),
        scenario=played,
        figures=balance_of(played, ends_of(parts)),
    )


def quota_of(row: ScenarioBalance, part: BalancePart) -> int:
    """How many wars belong to a part."""
    return len(range(part.number, TRIAL_WARS if part.step else row.wars, PARTS))


def ends_of(parts: Sequence[BalancePart]) -> list[WarEnd]:
    """How the wars of some parts ended."""
    return [
        WarEnd(result, winner, weeks)
        for part in parts
        for result, winner, weeks, count in part.counts
        for _ in range(count)
    ]


def check_no_other_wars(user: AbstractBaseUser) -> None:
    """Raises RuleViolations where wars of a user's scenarios are being played."""
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
        except IntegrityError:  # somebody else was quicker
            continue
        return
    raise Busy(phrase("wars of other scenarios are being played; try again in some minutes"), 60)


def parts_begin(row: ScenarioBalance, step: int) -> None:
    """Let the workers play a step."""
    BalancePart.objects.bulk_create(
        [BalancePart(balance=row, step=step, number=number) for number in range(PARTS)]
    )
    parts_enqueue(row, step, range(PARTS))


def parts_enqueue(row: ScenarioBalance, step: int, numbers: Sequence[int]) -> None:
    """Let workers go on with parts of a step."""
    requests = {
        f"balance/{row.pk}/{number}": {
            "balance": row.pk,
            "run": row.run,
            "step": step,
            "number": number,
        }
        for number in numbers
    }
    account = JobAccount(f"balance/{row.draft.user_id}")
    jobs_enqueue(kind=BALANCE_PLAY, requests=requests, accounts=dict.fromkeys(requests, account))


def balance_end(row: ScenarioBalance, ending: BalanceEnd) -> None:
    """Note how the wars ended, or the search for a handicap, and give the place back."""
    if row.side:
        row.sought = ending
    else:
        row.ending = ending
    row.place = None
    row.save(update_fields=["ending", "sought", "place"])


def played_scenario(text: str) -> Scenario:
    """The scenario of a file that was judged when its wars were asked for.

    Raises RuleViolations.
    """
    scenario, faults = check_scenario(read_file(text))
    if faults:
        raise RuleViolations(faults)
    return scenario

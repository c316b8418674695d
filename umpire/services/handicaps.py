"""A handicap for a scenario that test wars found unbalanced.

More wars search for one; the user applies it and can take it back. Only these two change the
scenario.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from campaign.models.own_scenario import BalancePart, ScenarioBalance, ScenarioDraft
from campaign.rules.scenario import Scenario
from campaign.services.own_scenarios import scenario_draft_of, scenario_draft_save
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.balance import Share, balance_of, sides_of
from umpire.handicap import (
    Handicap,
    best_step,
    faction_of,
    handicap_of,
    next_step,
    side_behind,
    steps_of,
)
from umpire.services.balances import (
    BalanceSummary,
    balance_summary,
    check_no_other_wars,
    ends_of,
    parts_begin,
    played_scenario,
    take_place,
)


@dataclass(frozen=True, slots=True)
class HandicapTrial:
    """A handicap that was tried.

    Attributes:
        step: 0 without a handicap.
        wars: Wars played with it.
        share: Wins of the side that it makes stronger.
    """

    step: int
    handicap: Handicap | None
    wars: int
    share: Share


@dataclass(frozen=True, slots=True)
class HandicapSummary:
    """The results of the search for a handicap.

    Attributes:
        tries: The smallest first.
        best: The most balanced one; None if the scenario is more balanced without.
        even: With it, all sides may win equally often, within the confidence interval.
    """

    side: str
    seeking: bool
    tries: tuple[HandicapTrial, ...]
    best: HandicapTrial | None
    even: bool


def handicap_faction(summary: BalanceSummary | None) -> str:
    """Return the faction for which a handicap can be searched.

    Raises:
        RuleViolations: There is none, with the reason.
    """
    if summary is None or not summary.figures.wars:
        raise RuleViolations(
            [Violation("", "not-played", phrase("play wars of the scenario first"))]
        )
    if summary.old:
        words = phrase("the scenario was changed since its wars were played; play them again")
        raise RuleViolations([Violation("", "changed", words)])
    side = side_behind(summary.figures)
    if side is None:
        raise RuleViolations(
            [Violation("", "even", phrase("these wars do not show that any side wins more often"))]
        )
    return faction_of(summary.scenario, side.side)


def handicap_seek(*, user: AbstractBaseUser, public_id: uuid.UUID | str) -> ScenarioBalance:
    """Start the search for a handicap; if wars are being played, change nothing.

    Raises NotFound, RuleViolations and Busy like `balance_start`.
    """
    earlier = balance_summary(scenario_draft_of(user, public_id))
    if earlier is not None and not earlier.playing:
        steps_of(
            earlier.row.text, handicap_faction(earlier)
        )  # cached now, so that no transaction waits for it
    with transaction.atomic():
        get_user_model()._default_manager.select_for_update().get(pk=user.pk)  # one start at a time
        draft = scenario_draft_of(user, public_id)
        summary = balance_summary(draft)
        if summary is not None and summary.playing:
            return summary.row
        faction = handicap_faction(summary)
        check_no_other_wars(user)
        row = ScenarioBalance.objects.get(draft=draft)
        BalancePart.objects.filter(balance=row, step__gt=0).delete()
        row.run = row.run + 1
        row.side = faction
        row.handicap_ending = ""
        take_place(row)
        step = handicap_next(row)
        if step is None:
            words = phrase(
                "the side that is behind cannot get more ships without faults in the scenario"
            )
            raise RuleViolations([Violation("", "no-handicap", words)])
        parts_begin(row, step)
    return row


def handicap_next(row: ScenarioBalance) -> int | None:
    """Return the step to try next, or None at the end of the search."""
    scenario = played_scenario(row.text)
    shares = {trial.step: trial.share.share for trial in _trials(row, scenario)}
    return next_step(steps_of(row.text, row.side), shares, _even_share(scenario))


def trial_text(row: ScenarioBalance, step: int) -> str:
    """Return the scenario file with a step of the row's handicap."""
    if step:
        return handicap_of(row.text, row.side, step).text
    return row.text


def handicap_summary(summary: BalanceSummary | None) -> HandicapSummary | None:
    """Return the results of the search for a handicap, or None without a search."""
    if summary is None or not summary.row.side:
        return None
    tries = _trials(summary.row, summary.scenario)
    equal = _even_share(summary.scenario)
    shares = {trial.step: trial.share.share for trial in tries if trial.wars}
    step = best_step(shares, equal)
    best = next((trial for trial in tries if step and trial.step == step), None)
    name = next(power.name for power in summary.scenario.factions if power.id == summary.row.side)
    even = best is not None and best.share.low <= equal <= best.share.high
    return HandicapSummary(
        name, summary.playing, tuple(trial for trial in tries if trial.step), best, even
    )


def handicap_apply(*, user: AbstractBaseUser, public_id: uuid.UUID | str) -> ScenarioDraft:
    """Save a scenario with the handicap that was found.

    Raises:
        NotFound: The user has no such scenario.
        RuleViolations: It changed since, or there is no handicap.
    """
    with transaction.atomic():
        draft = scenario_draft_of(user, public_id)
        summary = balance_summary(draft)
        handicap = handicap_summary(summary)
        if summary is None or handicap is None or handicap.best is None or handicap.seeking:
            raise RuleViolations(
                [Violation("", "no-handicap", phrase("there is no handicap to apply"))]
            )
        if summary.old:
            raise RuleViolations(
                [
                    Violation(
                        "",
                        "changed",
                        phrase("the scenario was changed since the handicap was found"),
                    )
                ]
            )
        before = draft.text
        text = handicap_of(draft.text, summary.row.side, handicap.best.step).text
        draft = scenario_draft_save(user=user, public_id=draft.public_id, text=text)
        ScenarioBalance.objects.filter(pk=summary.row.pk).update(
            before=before, after_sha256=digest(draft.text)
        )
    return draft


def handicap_undo(*, user: AbstractBaseUser, public_id: uuid.UUID | str) -> ScenarioDraft:
    """Restore a scenario as it was before its handicap.

    Raises:
        NotFound: The user has no such scenario.
        RuleViolations: It changed since, or has no handicap.
    """
    with transaction.atomic():
        draft = scenario_draft_of(user, public_id)
        row = ScenarioBalance.objects.filter(draft=draft).first()
        if row is None or not is_handicap_applied(row, draft):
            words = phrase("the scenario was changed since, or has no handicap to remove")
            raise RuleViolations([Violation("", "changed", words)])
        draft = scenario_draft_save(user=user, public_id=draft.public_id, text=row.before)
        ScenarioBalance.objects.filter(pk=row.pk).update(before="", after_sha256="")
    return draft


def is_handicap_applied(row: ScenarioBalance, draft: ScenarioDraft) -> bool:
    """Return whether the file is unchanged since a handicap, so that it can be taken back."""
    return bool(row.before) and row.after_sha256 == digest(draft.text)


def _even_share(scenario: Scenario) -> float:
    """Return the share of wins of each side if all win equally often."""
    return 1 / len(sides_of(scenario))


def _trials(row: ScenarioBalance, scenario: Scenario) -> list[HandicapTrial]:
    """Return the steps with played wars, in ascending order, beginning without handicap."""
    side = next(power.alliance or power.id for power in scenario.factions if power.id == row.side)
    parts: dict[int, list[BalancePart]] = {}
    for part in row.parts.order_by("step", "number"):
        parts.setdefault(part.step, []).append(part)
    trials = []
    for step, step_parts in parts.items():
        figures = balance_of(scenario, ends_of(step_parts))
        share = next(share for share in figures.shares if share.side == side)
        handicap = handicap_of(row.text, row.side, step) if step else None
        trials.append(HandicapTrial(step, handicap, figures.wars, share))
    return trials

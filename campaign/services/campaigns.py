"""Create campaigns and add members."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from campaign.kinds import BattleMode, Role
from campaign.models.campaign import ROLES_WITH_FACTION, Branch, Campaign, Faction, Membership
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.rules import fairness
from campaign.rules.codec import from_document
from campaign.rules.message_rules import NO_MESSAGES, MessageRules
from campaign.rules.scenario import MOST_DUMMIES, Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.timetable import WEEKLY
from engine.core.errors import RuleViolations, Violation
from engine.core.names import LONGEST_NAME, name_fault
from engine.core.phrase import phrase
from engine.core.versions import NEWEST
from engine.ruleset import option_violations, rules_of, ruleset

ADMIRALS = ("steady", "bold", "cautious")  # the characters of computer admirals


@dataclass(frozen=True, slots=True)
class Markers:
    """How fleets appear on the map.

    Attributes:
        open_play: Whether each fleet is an open marker; None leaves it to the scenario.
        dummies: Dummy counters of each faction in open play; None leaves it to the scenario.
    """

    open_play: bool | None = None
    dummies: int | None = None

    def ruleset_entries(self) -> dict[str, bool | int]:
        """Return the ruleset entries for these choices, without those left to the scenario."""
        entries = {"open_play": self.open_play, "dummies": self.dummies}
        return {key: value for key, value in entries.items() if value is not None}

    def violations(self, scenario: Scenario) -> list[Violation]:
        """Return all faults of these choices for a scenario."""
        if self.open_play is None:
            is_open = scenario.open_play
        else:
            is_open = self.open_play
        if self.dummies is not None and not is_open:
            return [
                Violation("dummies", "hidden-movement", phrase("dummy counters need open markers"))
            ]
        if self.dummies is not None and not 0 <= self.dummies <= MOST_DUMMIES:
            return [
                Violation("dummies", "out-of-range", phrase("must be from 0 to {}", MOST_DUMMIES))
            ]
        return []


SCENARIO_MARKERS = Markers()


@transaction.atomic
def campaign_create(  # noqa: PLR0913 -- the settings of a campaign
    *,
    scenario: ScenarioRow,
    name: str = "",
    timetable: Mapping[str, Any] | None = None,
    admirals: Mapping[str, str] | None = None,
    battles: str = BattleMode.CAPTAINS,
    markers: Markers = SCENARIO_MARKERS,
    options: Sequence[str] | None = None,
    bots: bool = False,
    messages: MessageRules = NO_MESSAGES,
    seed: str = "",
    dice_key: str = "",
) -> Campaign:
    """Create a campaign of a scenario, with its factions and first branch, not yet started.

    Args:
        admirals: Character of the computer admiral by faction key.
        battles: How battles are fought: captains, online or table.
        options: Options of the edition; None takes those of the scenario.
        bots: Whether bots may take seats.
        messages: How messages are delivered.
        seed: 64 hexadecimal digits. With `dice_key` it makes a war repeatable; without them both
            are drawn at random, and only the SHA-256 of the seed is ever public.
    """
    value = from_document(Scenario, scenario.body)
    leaders = dict(admirals or {})
    faction_ids = {faction.id for faction in value.factions}
    if unknown := sorted(set(leaders) - faction_ids):
        raise RuleViolations(
            Violation(f"admirals.{key}", "unknown-faction", phrase("no faction '{}'", key))
            for key in unknown
        )
    seed = seed or secrets.token_hex(fairness.SECRET_BYTES)
    id_secret = secrets.token_hex(fairness.SECRET_BYTES)
    public_id = fairness.outside_id(id_secret, "campaign", "")
    campaign = Campaign.objects.create(
        public_id=public_id,
        name=name or value.name,
        scenario=scenario,
        ruleset={
            "schema": 1,
            "edition": value.edition,
            "options": list(
                value.options if options is None else ruleset(value.edition, options).options
            ),
            "rules_version": NEWEST,
            **battle_ruleset_entries(battles),
            **({"single": True} if is_skirmish(value) else {}),
            **markers.ruleset_entries(),
            **({"bots": True} if bots else {}),
            **messages.ruleset_entries(),
        },
        timetable=dict(timetable or WEEKLY),
        seed=seed,
        seed_sha256=fairness.commitment(seed),
        dice_key=dice_key or str(public_id),
        id_secret=id_secret,
    )
    Faction.objects.bulk_create(
        Faction(
            campaign=campaign,
            key=faction.id,
            name=faction.name,
            alliance=faction.alliance or "",
            admiral=leaders.get(faction.id, ""),
        )
        for faction in value.factions
    )
    campaign.head_branch = Branch.objects.create(
        campaign=campaign, number=1, reason=phrase("the beginning")
    )
    campaign.save(update_fields=["head_branch"])
    return campaign


def options_violations(options: Sequence[str] | None, scenario: Scenario) -> list[Violation]:
    """Return all faults of the options chosen for a war.

    These are unknown options, options that exclude each other, and options that affect ship
    designs, which only the scenario decides.
    """
    if options is None:
        return []
    violations = list(option_violations(scenario.edition, options))
    for option in rules_of(scenario.edition).choices:
        if option.of_designs and (option.name in options) != (option.name in scenario.options):
            words = phrase(
                "'{}' changes what ships may carry or cost: only the scenario can set it",
                option.name,
            )
            violations.append(Violation("options", "option-of-designs", words))
    return violations


def default_battle_mode(scenario: Scenario) -> str:
    """Return the default way to fight battles: by captains, or online for a single battle."""
    if is_skirmish(scenario):
        return BattleMode.ONLINE
    return BattleMode.CAPTAINS


def battle_ruleset_entries(mode: str) -> dict[str, str]:
    """Return the ruleset entries for a way to fight battles; none for computer captains."""
    if mode == BattleMode.CAPTAINS:
        return {}
    return {"battles": mode}


def admiral_violations(admirals: Mapping[str, str], factions: list[str]) -> list[Violation]:
    """Return all faults of the computer admirals chosen for factions."""
    violations = []
    for key, character in admirals.items():
        if key not in factions:
            violations.append(
                Violation(f"admirals.{key}", "unknown-faction", phrase("no faction '{}'", key))
            )
        elif character not in ADMIRALS:
            words = phrase(
                "there is no admiral '{}'; choose from {}", character, ", ".join(ADMIRALS)
            )
            violations.append(Violation(f"admirals.{key}", "unknown-character", words))
    return violations


def name_violations(name: str) -> list[Violation]:
    """Return all faults of a campaign's name; an empty name means that of the scenario."""
    words = name_fault(name) if name else ""
    if words:
        return [Violation("name", "too-long" if len(name) > LONGEST_NAME else "bad-name", words)]
    return []


def battles_violations(mode: str) -> list[Violation]:
    """Return all faults of the chosen way to fight battles."""
    words = phrase("must be one of {}", ", ".join(BattleMode))
    if mode in set(BattleMode):
        return []
    return [Violation("battles", "unknown-mode", words)]


def battle_mode_of(campaign: Campaign) -> str:
    """Return how a campaign's battles are fought: captains, online or table."""
    mode: str = campaign.ruleset.get("battles", BattleMode.CAPTAINS)
    return mode


def membership_add(
    *,
    campaign: Campaign,
    user: AbstractBaseUser,
    role: str,
    faction: Faction | None = None,
    until: datetime | None = None,
) -> Membership:
    """Give a user a seat.

    Raises:
        RuleViolations: The role does not fit the faction, or the user cannot take this seat.
    """
    violations = []
    if role not in set(Role):
        violations.append(Violation("role", "unknown-role", phrase("'{}' is not a role", role)))
    elif (role in ROLES_WITH_FACTION) != (faction is not None):
        words = phrase("only players, staff and guests belong to a faction")
        violations.append(Violation("faction", "faction-does-not-fit", words))
    if faction is not None and faction.campaign_id != campaign.pk:
        violations.append(
            Violation("faction", "unknown-faction", phrase("no such faction in this campaign"))
        )
    seats = Membership.objects.filter(campaign=campaign, user_id=user.pk)
    roles = list(seats.values_list("role", flat=True))
    alone = Role.GUEST in (role, *roles) and bool(roles)  # a guest has no other role, not even host
    if alone or role in roles or (role != Role.HOST and set(roles) - {Role.HOST}):
        violations.append(
            Violation(
                "user", "already-seated", phrase("this user already has a role in this campaign")
            )
        )
    if violations:
        raise RuleViolations(violations)
    return Membership.objects.create(
        campaign=campaign, user_id=user.pk, role=role, faction=faction, until=until
    )

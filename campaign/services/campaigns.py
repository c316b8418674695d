"""Create campaigns and add members."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.kinds import BattleMode, BattleSetting, BranchKind, Role
from campaign.lineage import branch_create
from campaign.models.campaign import ROLES_WITH_FACTION, Campaign, Faction, Membership
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.rules.agreements import (
    SCENARIO_AGREEMENTS,
    Agreements,
    agreed_scenario,
    battle_faults,
    restriction_faults,
)
from campaign.rules.beacon import QUICKNET
from campaign.rules.beacon import RULE as BEACON_RULE
from campaign.rules.codec import from_document
from campaign.rules.fire_by_ship import war_faults
from campaign.rules.message_rules import NO_MESSAGES, MessageRules
from campaign.rules.public_ids import outside_id
from campaign.rules.rollback_rules import DEFAULT_ROLLBACKS, RollbackRules
from campaign.rules.scenario import MAX_DUMMIES, Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.timetable import TWO_FACTIONS, WEEKLY
from campaign.selectors.beacon import may_offer_beacon
from campaign.selectors.gallery_consent import GALLERY_RULE
from campaign.selectors.rules import rules_of as rules_of_branch
from campaign.store.documents import CLASS_NAMES, RESTRICTIONS
from engine.core import fair
from engine.core.errors import RuleViolations, Violation
from engine.core.names import LONGEST_NAME, name_fault
from engine.core.phrase import phrase
from engine.core.versions import NEWEST
from engine.core.war_dice import RULE
from engine.notation.restrictions import restrictions_json
from engine.ruleset import option_violations, rules_of, ruleset

if TYPE_CHECKING:  # pages and API must not import the truth, not even through this module
    from campaign.models.truth import Snapshot

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
        if self.dummies is None:
            return []
        is_open = scenario.open_play if self.open_play is None else self.open_play
        if not is_open:
            words = phrase("dummy counters need open markers")
            return [Violation("dummies", "hidden-movement", words)]
        if not 0 <= self.dummies <= MAX_DUMMIES:
            words = phrase("must be from 0 to {}", MAX_DUMMIES)
            return [Violation("dummies", "out-of-range", words)]
        return []


SCENARIO_MARKERS = Markers()


@transaction.atomic
def campaign_create(  # noqa: PLR0913 -- the settings of a campaign
    *,
    scenario: ScenarioRow,
    name: str = "",
    timetable: Mapping[str, Any] | None = None,
    admirals: Mapping[str, str] | None = None,
    battles: str = BattleSetting.CAPTAINS,
    markers: Markers = SCENARIO_MARKERS,
    agreements: Agreements = SCENARIO_AGREEMENTS,
    bots: bool = False,
    beacon: bool = False,
    messages: MessageRules = NO_MESSAGES,
    rollbacks: RollbackRules = DEFAULT_ROLLBACKS,
    seed: str = "",
    dice_key: str = "",
    forked_from: Snapshot | None = None,
) -> Campaign:
    """Create a campaign of a scenario, with its factions and first branch, not yet started.

    Args:
        admirals: Character of the computer admiral by faction key.
        battles: How battles are fought: captains, online or table.
        agreements: The options, what is barred, and names of classes.
        bots: Whether bots may take seats.
        beacon: Whether public random values are mixed into the dice.
        messages: How messages are delivered.
        rollbacks: Who decides on rollbacks.
        seed: 64 hexadecimal digits. With `dice_key` it makes a war repeatable; without them both
            are drawn at random, and only the SHA-256 of the seed is ever public.
        forked_from: The snapshot of another campaign of this scenario with which it begins. Its
            ruleset is that of that campaign.
    """
    document = from_document(Scenario, scenario.body)
    admirals = admirals or {}
    _check_factions(admirals, document)
    seed = seed or secrets.token_hex(fair.SECRET_BYTES)
    id_secret = secrets.token_hex(fair.SECRET_BYTES)
    public_id = outside_id(id_secret, "campaign", "")
    fork_entries = {} if forked_from is None else _fork_entries(forked_from)
    campaign = Campaign.objects.create(
        public_id=public_id,
        name=name or document.name,
        scenario=scenario,
        ruleset={
            **_edition_entries(document, agreements),
            **battle_ruleset_entries(battles),
            **markers.ruleset_entries(),
            **({"bots": True} if bots else {}),
            **beacon_entries(chosen=beacon),
            **messages.ruleset_entries(),
            **rollbacks.ruleset_entries(),
            **fork_entries,
        },
        timetable=dict(timetable or WEEKLY),
        seed=seed,
        seed_sha256=fair.commitment(seed),
        dice_key=dice_key or str(public_id),
        id_secret=id_secret,
        forked_from=forked_from,
    )
    Faction.objects.bulk_create(
        Faction(
            campaign=campaign,
            key=faction.id,
            name=faction.name,
            alliance=faction.alliance or "",
            admiral=admirals.get(faction.id, ""),
        )
        for faction in document.factions
    )
    campaign.head_branch = branch_create(
        campaign=campaign,
        parent=forked_from,
        kind=BranchKind.BEGINNING if forked_from is None else BranchKind.FORK,
        reason=phrase("the beginning") if forked_from is None else phrase("a fork"),
        now=None if forked_from is None else timezone.now(),
    )
    campaign.save(update_fields=["head_branch"])
    return campaign


def _fork_entries(snapshot: Snapshot) -> dict[str, Any]:
    """Return the ruleset entries that a fork takes over from the war of its first snapshot.

    The gallery is left out: the players of the fork have not consented to it. So are public dice if
    the site cannot get them any more. The rules are those of that week.
    """
    branch = snapshot.branch
    entries = dict(branch.campaign.ruleset)
    entries.pop(GALLERY_RULE, None)
    if not may_offer_beacon():
        entries.pop(BEACON_RULE, None)
    entries["rules_version"] = rules_of_branch(branch).version_in(snapshot.week)
    return entries


def _check_factions(admirals: Mapping[str, str], scenario: Scenario) -> None:
    """Raise RuleViolations for admirals of factions that the scenario does not have."""
    faction_ids = {faction.id for faction in scenario.factions}
    violations = []
    for key in sorted(set(admirals) - faction_ids):
        words = phrase("no faction '{}'", key)
        violations.append(Violation(f"admirals.{key}", "unknown-faction", words))
    if violations:
        raise RuleViolations(violations)


def _edition_entries(scenario: Scenario, agreements: Agreements) -> dict[str, Any]:
    """Return the ruleset entries for the rulebook, its version and what the host agreed on."""
    options = scenario.options
    if agreements.options is not None:
        options = ruleset(scenario.edition, agreements.options).options
    entries = {
        "schema": 1,
        "edition": scenario.edition,
        "options": list(options),
        "rules_version": NEWEST,
        RULE: fair.KEY_TREE,
    }
    if agreements.restrictions is not None:
        entries[RESTRICTIONS] = restrictions_json(agreements.restrictions)
    if agreements.class_names:
        entries[CLASS_NAMES] = {faction: dict(names) for faction, names in agreements.class_names}
    if is_skirmish(scenario):
        entries["single"] = True
    return entries


def agreement_violations(agreements: Agreements, scenario: Scenario) -> list[Violation]:
    """Return all faults of the options and restrictions chosen for a war.

    These are unknown options, options that exclude each other, options that affect ship designs
    (which only the scenario decides), unknown words in lists, and ships of the scenario that break
    a list.
    """
    options = agreements.options
    violations = [] if options is None else _option_violations(options, scenario)
    if violations:
        return violations
    agreed = agreed_scenario(scenario, agreements)
    return restriction_faults(agreed) or battle_faults(agreed)


def _option_violations(options: Sequence[str], scenario: Scenario) -> list[Violation]:
    """Return the faults of options by themselves."""
    violations = list(option_violations(scenario.edition, options))
    if not is_skirmish(scenario):
        violations += war_faults(options)
    for option in rules_of(scenario.edition).choices:
        if option.of_designs and (option.name in options) != (option.name in scenario.options):
            words = phrase(
                "'{}' changes what ships may carry or cost: only the scenario can set it",
                option.name,
            )
            violations.append(Violation("options", "option-of-designs", words))
    return violations


def default_battle_setting(scenario: Scenario, *, is_chosen_by_person: bool = False) -> str:
    """Return the default way to fight battles.

    In a war players may take command of each of their battles. A single battle is fought online.

    Args:
        is_chosen_by_person: Whether a form shows the default. If not, captains fight where a third
            faction could learn of a battle: otherwise the stage would last its full time in wars
            whose clients do not know of the choice.
    """
    if is_skirmish(scenario):
        return BattleSetting.ONLINE
    if is_chosen_by_person or len(scenario.factions) <= TWO_FACTIONS:
        return BattleSetting.MIXED
    return BattleSetting.CAPTAINS


def battle_ruleset_entries(setting: str) -> dict[str, str]:
    """Return the ruleset entries for a way to fight battles; none for computer captains."""
    if setting == BattleSetting.CAPTAINS:
        return {}
    return {"battles": setting}


def beacon_entries(*, chosen: bool) -> dict[str, Any]:
    """Return the ruleset entries for public random values in the dice, if they are chosen."""
    return {BEACON_RULE: dict(QUICKNET)} if chosen else {}


def beacon_violations(*, chosen: bool) -> list[Violation]:
    """Return the fault of choosing public dice on a site that cannot get them."""
    if not chosen or may_offer_beacon():
        return []
    words = phrase("this site cannot get public dice")
    return [Violation("beacon", "not-offered", words)]


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


def battles_violations(setting: str, *, is_single_battle: bool) -> list[Violation]:
    """Return all faults of the chosen way to fight battles.

    Nobody meets before a single battle, so its players cannot take command of it.
    """
    choices: type[BattleMode | BattleSetting] = BattleMode if is_single_battle else BattleSetting
    if setting in set(choices):
        return []
    words = phrase("must be one of {}", ", ".join(choices))
    return [Violation("battles", "unknown-mode", words)]


def battle_setting_of(campaign: Campaign) -> str:
    """Return how a campaign's battles are fought (`BattleSetting`)."""
    setting: str = campaign.ruleset.get("battles", BattleSetting.CAPTAINS)
    return setting


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
    violations = role_violations(role, has_faction=faction is not None)
    if faction is not None and faction.campaign_id != campaign.pk:
        words = phrase("no such faction in this campaign")
        violations.append(Violation("faction", "unknown-faction", words))
    seats = Membership.objects.filter(campaign=campaign, user_id=user.pk)
    if not _may_add_role(role, set(seats.values_list("role", flat=True))):
        words = phrase("this user already has a role in this campaign")
        violations.append(Violation("user", "already-seated", words))
    if violations:
        raise RuleViolations(violations)
    return Membership.objects.create(
        campaign=campaign, user_id=user.pk, role=role, faction=faction, until=until
    )


def role_violations(role: str, *, has_faction: bool) -> list[Violation]:
    """Return the faults of a role, and of a faction that does not go with it."""
    if role not in set(Role):
        return [Violation("role", "unknown-role", phrase("'{}' is not a role", role))]
    if (role in ROLES_WITH_FACTION) != has_faction:
        words = phrase("only players, staff and guests belong to a faction")
        return [Violation("faction", "faction-does-not-fit", words)]
    return []


def _may_add_role(role: str, roles: set[str]) -> bool:
    """Return whether a user with these roles may get another one in the campaign.

    Only hosts may have a second role, and a guest has no other role, not even host.
    """
    if not roles:
        return True
    if Role.GUEST in (role, *roles) or role in roles:
        return False
    return role == Role.HOST or roles == {Role.HOST}

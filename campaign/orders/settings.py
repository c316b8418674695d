"""Settings: a fleet's name, standing orders and doctrine from now on, and its decoys this week."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.decide import choice_words
from campaign.orders.line import Line, Word
from campaign.orders.order import (
    Order,
    OrderContext,
    OwnForces,
    Wording,
    fleets_limit,
    tables,
)
from campaign.orders.set_up import FORMATIONS
from campaign.rules.battle_entries import DECOY_CLASS
from campaign.rules.codec import as_list
from campaign.rules.fleet_names import unique_name
from campaign.rules.fleet_violations import doctrine_faults, name_faults
from campaign.rules.orders import FleetSetting, Orders
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Answer, Fleet
from engine.combat.unidentified import decoy_drives
from engine.core.errors import Violation, fault_path
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.english import counted_noun, noun_for

MAX_ANSWERS = 6  # conditions of one fleet
MAX_CONTACTS = 999

# The classifications that long range scans report.
CLASSIFICATIONS = ("capital", "cruiser", "escort", "merchant", "installation")

TARGETS = (
    ("dangerous", phrase("the most dangerous first")),
    ("nearest", phrase("the nearest first")),
    ("weakest", phrase("the weakest first")),
    ("strongest", phrase("the strongest first")),
)

NO_CONDITION = reason(
    "say-how-many-contacts",
    "give a minimum or a maximum of contacts; what applies without a condition is the standing "
    "order",
)

ANSWER_FORM = "answer FLEET none|CHOICE [of KIND] [least N] [most N]"

DOCTRINE_FORM = (
    "doctrine FLEET [range MU] [targets WHICH] [break-off PERCENT] [flee] [formation WHICH] "
    "[speed MU] [reserve TURN]"
)

# The nouns of contacts, by classification; "" stands for all.
NOUNS = {
    "": "contact",
    "capital": "capital ship",
    "cruiser": "cruiser",
    "escort": "escort",
    "merchant": "merchant ship",
    "installation": "installation",
}


class SettingOrder(Order):
    """The settings of fleets. For a battle only their doctrine can be set."""

    key = "settings"
    value = FleetSetting
    stages = (StageKind.ORDERS, StageKind.BATTLES)
    fault_anchor = ("fleet", "fleet")
    fleet_name = "fleet"
    lines = (
        Line("name", "name FLEET NAME", ("fleet", "name"), is_merged=True),
        Line(
            "standing",
            "standing FLEET fight|stand-off|withdraw",
            ("fleet", "standing"),
            is_merged=True,
        ),
        Line(
            "answer",
            ANSWER_FORM,
            ("fleet", Word("answers", "empty", keyword="none")),
            is_merged=True,
        ),
        Line(
            "answer",
            ANSWER_FORM,
            (
                "fleet",
                "choice",
                Word("of", keyword="of", is_optional=True),
                Word("least", "number", keyword="least", is_optional=True),
                Word("most", "number", keyword="most", is_optional=True),
            ),
            "a condition, in their order; `answer FLEET none` takes them back",
            is_merged=True,
            inside="answers",
            is_repeated=True,
        ),
        Line("decoys", "decoys FLEET N", ("fleet", Word("decoys_on", "number")), is_merged=True),
        Line(
            "decoy-thrust",
            "decoy-thrust FLEET N",
            ("fleet", Word("decoy_thrust", "number")),
            "Continuum; 0: that of the fastest ship that looks like a decoy",
            is_merged=True,
        ),
        Line(
            "doctrine",
            DOCTRINE_FORM,
            (
                "fleet",
                Word("range", "number", keyword="range", is_optional=True),
                Word("targets", keyword="targets", is_optional=True),
                Word("break_off", "number", keyword="break-off", is_optional=True),
                Word("flee", "flag", keyword="flee", is_optional=True),
                Word("formation", keyword="formation", is_optional=True),
                Word("speed", "number", keyword="speed", is_optional=True),
                Word("reserve", "number", keyword="reserve", is_optional=True),
            ),
            "the targets are nearest, weakest, strongest or dangerous; the formation is ranks, "
            "line, column, wedge or screen",
            is_merged=True,
            inside="doctrine",
        ),
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.fleet, repr(item))))

    def limit(self, view: View) -> int:
        return fleets_limit(view)

    def judge(self, context: OrderContext) -> list[Violation]:
        faults: list[Violation] = []
        first_place: dict[str, int] = {}
        for n, setting in enumerate(self.items(context.orders)):
            if setting.fleet in context.fleets_not_formed:
                continue
            where = fault_path(self.key, n)
            fleet = context.fleets.get(setting.fleet)
            if fleet is None:
                faults.append(context.unknown_fleet(f"{where}.fleet", setting.fleet))
                continue
            if setting.fleet in first_place:
                words = reason(
                    "already-settings-settings",
                    "{} already has settings in settings[{}]",
                    fleet.name,
                    first_place[setting.fleet],
                )
                faults.append(Violation(f"{where}.fleet", "twice", words))
            first_place.setdefault(setting.fleet, n)
            faults += _setting_faults(context, fleet, setting, where)
            if context.view.stage == StageKind.BATTLES:
                faults += _battle_faults(context.view, fleet, setting, where)
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        """Change names, standing orders and doctrines.

        A name that another fleet has gets a number. Carrying out the same settings again changes
        nothing. `campaign.rules.movement.release_decoys` deploys the decoys later.
        """
        settings = self.items(orders)
        if not settings:
            return
        renamed = {setting.fleet for setting in settings if setting.name is not None}
        other_fleets = [fleet for key, fleet in own.fleets.items() if key not in renamed]
        used_names = {fleet.name.casefold() for fleet in other_fleets}
        for setting in settings:
            fleet = own.fleets.get(setting.fleet)
            if fleet is not None:
                own.fleets[setting.fleet] = _with_setting(fleet, setting, used_names)

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            lines += _setting_words(wording.name_of(item.get("fleet")), item)
        return lines


def _with_setting(fleet: Fleet, setting: FleetSetting, used_names: set[str]) -> Fleet:
    """Return a fleet with its new settings; its new name is added to `used_names`."""
    if setting.name is not None:
        name = unique_name(setting.name, used_names)
        used_names.add(name.casefold())
        fleet = replace(fleet, name=name)
    if setting.standing is not None:
        fleet = replace(fleet, standing=setting.standing)
    if setting.answers is not None:
        fleet = replace(fleet, answers=setting.answers)
    if setting.doctrine is not None:
        fleet = replace(fleet, doctrine=setting.doctrine)
    if setting.decoy_thrust is not None:
        fleet = replace(fleet, decoy_thrust=setting.decoy_thrust or None)
    return fleet


def _setting_faults(
    context: OrderContext,
    fleet: Fleet,
    setting: FleetSetting,
    where: str,
) -> list[Violation]:
    """Return the faults of a fleet's settings, in any stage."""
    faults: list[Violation] = []
    if setting.name is not None:
        faults += name_faults(setting.name, f"{where}.name")
    if setting.doctrine is not None:
        faults += doctrine_faults(setting.doctrine, f"{where}.doctrine")
    if setting.answers is not None:
        faults += _answer_faults(setting.answers, f"{where}.answers")
    if setting.decoys_on is not None:
        faults += _decoy_faults(context, fleet, setting.decoys_on, f"{where}.decoys_on")
    faults += decoy_thrust_faults(
        context.scenario, setting.decoy_thrust or None, f"{where}.decoy_thrust"
    )
    return faults


def decoy_thrust_faults(scenario: Scenario, thrust: int | None, where: str) -> list[Violation]:
    """Return the fault of a thrust that a player chose for decoy drones.

    Rules: Continuum "Dummy bogeys" 12.3 [pc.sensors]
    """
    if thrust is None:
        return []
    most = decoy_drives(scenario.edition)
    if not most:
        words = reason("decoys-fly-alike", "all decoys fly like a {}", DECOY_CLASS)
        return [Violation(where, "no-decoy-thrust", words)]
    if not 1 <= thrust <= most:
        words = reason("decoy-thrust", "decoys have a thrust of 1 to {}", most)
        return [Violation(where, "out-of-range", words)]
    return []


def _answer_faults(answers: tuple[Answer, ...], where: str) -> list[Violation]:
    """Return every fault of standing orders with conditions."""
    faults = []
    if len(answers) > MAX_ANSWERS:
        words = reason("fleet-most-conditions", "a fleet has at most {} conditions", MAX_ANSWERS)
        faults.append(Violation(where, "too-many", words))
    for n, answer in enumerate(answers):
        spot = f"{where}{fault_path(n)}"
        if answer.of not in ("", *CLASSIFICATIONS):
            words = reason(
                "contacts-read-none-said",
                "contacts must be {}; leave empty for all",
                ", ".join(CLASSIFICATIONS),
            )
            faults.append(Violation(f"{spot}.of", "unknown-classification", words))
        if not 0 <= answer.least <= MAX_CONTACTS:
            words = reason(
                "number-of-contacts", "the number of contacts must be 0 to {}", MAX_CONTACTS
            )
            faults.append(Violation(f"{spot}.least", "out-of-range", words))
        if answer.most is not None and not answer.least <= answer.most <= MAX_CONTACTS:
            words = reason(
                "most-not-below-least",
                "the maximum must not be below the minimum or above {}",
                MAX_CONTACTS,
            )
            faults.append(Violation(f"{spot}.most", "out-of-range", words))
        if not answer.least and answer.most is None:
            faults.append(Violation(f"{spot}.least", "no-condition", NO_CONDITION))
    return faults


def _decoy_faults(context: OrderContext, fleet: Fleet, decoys: int, where: str) -> list[Violation]:
    """Return the fault of a number of decoys to deploy: at most one for each ship."""
    ship_count = len(context.ships_of.get(fleet.key, ()))
    if decoys < 0:
        words = reason("number-decoys-not-below", "the number of decoys cannot be negative")
        return [Violation(where, "out-of-range", words)]
    if decoys and not context.scenario.decoys:
        return [Violation(where, "no-decoys", reason("no-decoys", "this war has no decoys"))]
    if decoys > fleet.decoys:
        words = reason(
            "too-many-decoys",
            "{} has {} decoys aboard, not {}",
            fleet.name,
            fleet.decoys,
            decoys,
        )
        return [Violation(where, "too-many-decoys", words)]
    if decoys > ship_count:
        words = reason(
            "decoys-beside-real-ships",
            "{} decoys for {} real ships; the limit is one per ship",
            decoys,
            ship_count,
        )
        return [Violation(where, "too-many-decoys", words)]
    return []


def _battle_faults(view: View, fleet: Fleet, setting: FleetSetting, where: str) -> list[Violation]:
    """Return the faults of settings for a battle: only doctrines of fighting fleets can be set."""
    faults = []
    for part in ("name", "standing", "answers", "decoys_on", "decoy_thrust"):
        if getattr(setting, part) is not None:
            words = reason("only-doctrine-set-battle", "for a battle, only the doctrine can be set")
            faults.append(Violation(f"{where}.{part}", "not-now", words))
    if fleet.hex not in view.fighting:
        words = reason("not-fighting", "this fleet has no battle this week")
        faults.append(Violation(f"{where}.fleet", "not-fighting", words))
    return faults


def _setting_words(name: str, item: Mapping[str, Any]) -> list[str]:
    """Return the lines about the stored settings of a fleet."""
    lines = []
    if item.get("name") is not None:
        lines.append(phrase("{} is renamed {}", name, item["name"]))
    if item.get("standing"):
        lines.append(phrase("{}: standing order {}", name, choice_words(str(item["standing"]))))
    if item.get("answers") is not None:
        conditions = join_phrases("; ", map(answer_words, tables(as_list(item["answers"]))))
        if conditions:
            lines.append(phrase("{}: {}", name, conditions))
        else:
            lines.append(phrase("{}: conditions removed", name))
    if item.get("decoys_on"):
        lines.append(phrase("{} deploys {} on arrival", name, decoy_words(item["decoys_on"])))
    if item.get("decoy_thrust"):
        lines.append(phrase("{}: decoys with thrust {}", name, item["decoy_thrust"]))
    elif item.get("decoy_thrust") == 0:
        lines.append(phrase("{}: decoys as fast as the ships they pass for", name))
    doctrine = item.get("doctrine")
    if isinstance(doctrine, dict):
        lines.append(phrase("{}: in battle {}", name, doctrine_words(doctrine)))
    return lines


def answer_words(answer: Mapping[str, Any]) -> str:
    """Return a condition as text: "if at least 4 capital ships are scanned: withdraw"."""
    kind = str(answer.get("of", ""))
    least = answer.get("least") or 0
    most = answer.get("most")
    is_singular = (least if most is None else most) == 1
    noun = kind
    if kind in NOUNS:
        noun = noun_for(1 if is_singular else 2, NOUNS[kind])
    if is_singular:
        words = phrase("if {} {} is scanned: {}")
    else:
        words = phrase("if {} {} are scanned: {}")
    choice = choice_words(str(answer.get("choice", "")))
    return words.format(_number_range(least, most), noun, choice)


def _number_range(least: Any, most: Any) -> str:
    """Return the numbers of contacts that meet a condition as text."""
    if most is None:
        return phrase("at least {}", least)
    if least == most:
        return phrase("exactly {}", most)
    if not least:
        return phrase("at most {}", most)
    return phrase("{} to {}", least, most)


def decoy_words(count: object) -> str:
    """Return the text of a number of decoys; unchecked input may be no number."""
    if isinstance(count, int):
        return counted_noun(count, "decoy")
    return phrase("{} decoys", count)


def doctrine_words(doctrine: Mapping[str, Any]) -> str:
    """Return the text of a doctrine."""
    parts = [
        _range_words(doctrine.get("range")),
        _target_words(str(doctrine.get("targets", "dangerous"))),
        _break_off_words(doctrine.get("break_off", 60)),
    ]
    if doctrine.get("flee"):
        parts.append(phrase("withdraws at once"))
    parts += _set_up_words(doctrine)
    return join_phrases(", ", parts)


def _set_up_words(doctrine: Mapping[str, Any]) -> list[str]:
    """Say how a fleet sets up, as far as its doctrine says anything about it."""
    parts = []
    if doctrine.get("formation"):
        formation = str(doctrine["formation"])
        parts.append(phrase("formation {}", dict(FORMATIONS).get(formation, formation)))
    if doctrine.get("speed") is not None:
        parts.append(phrase("begins at velocity {}", doctrine["speed"]))
    if doctrine.get("reserve"):
        parts.append(phrase("capital ships drop out of FTL in turn {}", doctrine["reserve"]))
    return parts


def _range_words(range_mu: object) -> str:
    """Say at which range a fleet fights."""
    if range_mu is None:
        return phrase("fights at its weapons' best range")
    return phrase("fights at {} MU", range_mu)


def _target_words(targets: str) -> str:
    """Say which targets a fleet prefers."""
    return phrase("fires at {}", dict(TARGETS).get(targets, targets))


def _break_off_words(losses_percent: object) -> str:
    """Say at which losses a fleet breaks off."""
    if losses_percent == 100:
        return phrase("never breaks off")
    return phrase("breaks off at losses of {}%", losses_percent)


SETTINGS = SettingOrder()

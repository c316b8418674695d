"""Settings: a fleet's name, standing orders and doctrine from now on, and the decoys it deploys this week."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.decide import choice_words
from campaign.orders.order import Judging, Order, OwnForces, Wording, fleets_limit, listed, tables
from campaign.rules.fleet_violations import (
    CLASSIFICATIONS,
    battle_setting_violations,
    setting_violations,
)
from campaign.rules.movement import apply_settings
from campaign.rules.orders import FleetSetting, Orders
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun, noun_for

TARGETS = (
    ("dangerous", phrase("the most dangerous first")),
    ("nearest", phrase("the nearest first")),
    ("weakest", phrase("the weakest first")),
    ("strongest", phrase("the strongest first")),
)

SHIPS = ("capital", "merchant")  # classifications that take a noun
NOUNS = {
    "": "contact",
    **{kind: f"{kind} ship" if kind in SHIPS else kind for kind in CLASSIFICATIONS},
}


class SettingOrder(Order):
    """The settings of fleets; for a battle their doctrine alone."""

    key = "settings"
    value = FleetSetting
    stages = (StageKind.ORDERS, StageKind.BATTLES)
    about = ("fleet", "fleet")
    fleet_name = "fleet"

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.fleet, repr(item))))

    def limit(self, view: View) -> int:
        return fleets_limit(view)

    def judge(self, judging: Judging) -> list[Violation]:
        settings = self.items(judging.orders)
        settings = tuple(item for item in settings if item.fleet not in judging.unformed)
        if not settings:
            return []
        faults = setting_violations(judging.scenario, settings, judging.fleets, judging.crews)
        if judging.view.stage == StageKind.BATTLES:
            faults.extend(battle_setting_violations(judging.view, settings))
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        settings = self.items(orders)
        if settings:
            own.fleets = apply_settings(own.fleets, settings)

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            lines += _setting(about.named(item.get("fleet")), item)
        return lines


def _setting(name: str, item: Mapping[str, Any]) -> list[str]:
    lines = []
    if item.get("name") is not None:
        lines.append(phrase("{} is renamed {}", name, item["name"]))
    if item.get("standing"):
        lines.append(phrase("{}: standing order {}", name, choice_words(str(item["standing"]))))
    if item.get("answers") is not None:
        conditions = joined_phrases("; ", map(answer_words, tables(listed(item["answers"]))))
        taken_back = phrase("{}: its conditions are taken back", name)
        lines.append(phrase("{}: {}", name, conditions) if conditions else taken_back)
    if item.get("decoys_on"):
        lines.append(phrase("{} deploys {} on arrival", name, decoy_words(item["decoys_on"])))
    doctrine = item.get("doctrine")
    if isinstance(doctrine, dict):
        lines.append(phrase("{}: in battle {}", name, doctrine_words(doctrine)))
    return lines


def answer_words(one: Mapping[str, Any]) -> str:
    """Return a condition in a line: "if at least 4 capital ships are read, withdraw"."""
    kind, least, most = str(one.get("of", "")), one.get("least") or 0, one.get("most")
    single = (least if most is None else most) == 1
    of = noun_for(1 if single else 2, NOUNS[kind]) if kind in NOUNS else kind
    if most is None:
        number_ = phrase("at least {}", least)
    elif least == most:
        number_ = phrase("just {}", most)
    else:
        number_ = phrase("at most {}", most) if not least else phrase("{} to {}", least, most)
    words = phrase("if {} {} is scanned: {}") if single else phrase("if {} {} are scanned: {}")
    return words.format(number_, of, choice_words(str(one.get("choice", ""))))


def decoy_words(many: object) -> str:
    """Return a number of decoys in words; it may be anything that somebody wrote."""
    return counted_noun(many, "decoy") if isinstance(many, int) else phrase("{} decoys", many)


def doctrine_words(doctrine: Mapping[str, Any]) -> str:
    """Return a doctrine in one line."""
    range_ = doctrine.get("range")
    off = doctrine.get("break_off", 60)
    targets = str(doctrine.get("targets", "dangerous"))
    best = phrase("fights at its weapons' best range")
    parts = [
        best if range_ is None else phrase("fights at {} MU", range_),
        phrase("fires at {}", dict(TARGETS).get(targets, targets)),
        phrase("never breaks off") if off == 100 else phrase("breaks off at losses of {}%", off),
    ]
    if doctrine.get("flee"):
        parts.append(phrase("withdraws at once"))
    return joined_phrases(", ", parts)


SETTINGS = SettingOrder()

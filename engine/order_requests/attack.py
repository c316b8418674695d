"""What Continuum's craft attack once everything has moved: a ship, a group or a marker.

An entry looks like `{"attack": {"n1/hangar-1": [{"weapon": "fighters", "target": "e1"}]}}`.
`"press": true` continues an attack run although craft meet it. `"split": true` with a list of
targets divides the hits. Where dogfights are fought by actions, `"actions": ["engage", "break
off"]` lists what the group does in them, and `"to": [x, y]` where it flies then; an entry of these
alone names no target.
Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]; Dogfight actions [dog.actions]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.continuum.craft.pilots import ACE_ALONE
from engine.continuum.craft.targets import attack_violations, leaving_violations
from engine.continuum.launching import is_marker
from engine.core.errors import Violation, fault_path
from engine.core.orders import ATTACK_FURTHER, Attack
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.dogfight_figures import MAX_ACTIONS, FightAction
from engine.notation.battle_ships import read_pair
from engine.notation.fire import FireNames, armament_names, check_system
from engine.notation.reading import Reader
from engine.order_requests.base import UnitOrderRequest
from engine.order_requests.craft_flights import SECONDARY
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

ATTACK = "attack"
ATTACK_KEYS = ("weapon", "target", *ATTACK_FURTHER)


class AttackRequest(UnitOrderRequest[tuple[Attack, ...]]):
    """Attacks by group, asked of the sides that have craft in flight."""

    key = ATTACK
    title = phrase("attacks of craft")
    task = phrase("Choose what your fighters attack")

    @override
    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """Return the groups in flight."""
        return state.pieces_of(Group)

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, tuple[Attack, ...]]:
        """Parse the entry `attack`: lists of {weapon, target} by group."""
        data, where = self.parse_entries(
            reader,
            document,
            where,
            reason("attacks-lists-group", "attacks must be lists of {weapon, target} by group"),
        )
        attacks: dict[str, tuple[Attack, ...]] = {}
        for name, entries in data.items():
            spot = f"{where}.{name}"
            if name not in names.groups:
                reader.fault(
                    spot,
                    "unknown-group",
                    reason("unknown-group", "no fighter group is called '{}'", name),
                )
            else:
                weapons = armament_names(names.groups[name], str(name))
                attacks[str(name)] = _attacks(
                    reader, data=entries, where=spot, name=str(name), weapons=weapons, names=names
                )
        return attacks

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, tuple[Attack, ...]], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return the attacks that no such group could make, wherever its targets are."""
        if sound:
            return attack_violations(state, orders, f"{where}{self.key}")
        return []

    @override
    def find_conflicts(
        self, state: BattleState, orders: Mapping[str, Any], where: str, /
    ) -> list[Violation]:
        """Return the dogfights that groups cannot leave as ordered, after their secondary moves."""
        moves = orders.get(SECONDARY, {})
        return leaving_violations(state, orders[self.key], moves, f"{where}{self.key}")

    @override
    def with_ids(
        self, orders: dict[str, tuple[Attack, ...]], ids: Mapping[str, str]
    ) -> dict[str, tuple[Attack, ...]]:
        """Return the attacks with ids instead of contacts, for targets too."""
        if not ids:
            return orders
        result: dict[str, tuple[Attack, ...]] = {}
        for name, attacks in orders.items():
            result[ids.get(name, name)] = tuple(attack.with_ids(ids) for attack in attacks)
        return result

    @override
    def to_entry(self, attacks: tuple[Attack, ...]) -> Any:
        """Return a group's attacks as a JSON list."""
        return [attack.to_json() for attack in attacks]

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, tuple[Attack, ...]]:
        """Return the captain's attacks by group."""
        return captain.attacks(view)


def _attacks(
    reader: Reader, data: object, where: str, name: str, weapons: Sequence[str], names: FireNames
) -> tuple[Attack, ...]:
    """Parse the attacks of the group `name`, without those that cannot be used."""
    attacks = []
    for item, spot in reader.rows(
        data,
        ATTACK_KEYS,
        where,
        (
            reason("attacks-list", "attacks must be a list of {weapon, target}"),
            reason("attack-entry", "write an attack as {weapon, target}"),
        ),
    ):
        attack = _attack(reader, item, where=spot, group=name, weapons=weapons, names=names)
        if attack is not None:
            attacks.append(attack)
    return tuple(attacks)


def _attack(
    reader: Reader,
    item: Mapping[Any, Any],
    *,
    where: str,
    group: str,
    weapons: Sequence[str],
    names: FireNames,
) -> Attack | None:
    """Parse one entry of a group's attacks; None if it has faults that make it useless."""
    actions = _actions(reader, item, where)
    is_plan = (bool(actions) or "to" in item) and "target" not in item
    default_weapon = weapons[0] if is_plan and weapons else None
    weapon = reader.text(item, "weapon", where, default=default_weapon)
    if weapon and weapon not in (*weapons, ACE_ALONE):
        all_weapons = ", ".join(weapons)
        words = reason("unknown-weapon", "{} has no '{}'; it has {}", group, weapon, all_weapons)
        reader.fault(f"{where}.weapon", "unknown-weapon", words)
        return None
    targets = _targets(item, names)
    if targets is None or not (targets or is_plan):
        reader.fault(
            f"{where}.target",
            "unknown-target",
            reason("ship-group-marker-sight", "expected a ship, a group or a marker in sight"),
        )
        return None
    marines, parties, count, falls = (
        reader.number(item, key, where, default=0)
        for key in ("marines", "parties", "count", "falls")
    )
    if min(marines, parties, count, falls) < 0:
        reader.fault(
            where, "attack", reason("numbers-0-more-needed", "expected numbers of 0 or more")
        )
        return None
    press = reader.flag(item, "press", where)
    split = reader.flag(item, "split", where)
    system = reader.text(item, "system", where, default="")
    assist = _assisted_group(reader, item, where, names)
    if assist is None:
        return None
    to = _flies_to(reader, item, where)
    if system:
        check_system(reader, system=system, targets=targets, where=where, names=names)
    if not weapon:
        return None
    return Attack(
        weapon,
        targets=targets,
        press=press,
        split=split,
        count=count,
        system=system,
        marines=marines,
        parties=parties,
        assist=assist,
        falls=falls,
        actions=actions,
        to=to,
    )


def _targets(item: Mapping[Any, Any], names: FireNames) -> tuple[str, ...] | None:
    """Return an entry's targets by id; None if any of them is unknown."""
    entry = item.get("target", [])
    target_names = entry if isinstance(entry, list) else [entry]
    targets = []
    for name in target_names:
        if not isinstance(name, str) or not _is_known_target(name, names):
            return None
        targets.append(names.targets.get(name, name))
    return tuple(targets)


def _assisted_group(
    reader: Reader, item: Mapping[Any, Any], where: str, names: FireNames
) -> str | None:
    """Return the group that an entry says it helps, "" for none; None if it does not exist."""
    group = reader.text(item, "assist", where, default="")
    if group and group not in names.groups:
        reader.fault(
            f"{where}.assist",
            "unknown-group",
            reason("unknown-group", "no fighter group is called '{}'", group),
        )
        return None
    return group


def _flies_to(reader: Reader, item: Mapping[Any, Any], where: str) -> tuple[float, ...]:
    """Return where a group flies after its dogfight, () if the entry does not say it."""
    if "to" not in item:
        return ()
    return read_pair(reader, data=item, key="to", where=where, default=None)


def _actions(reader: Reader, item: Mapping[Any, Any], spot: str) -> tuple[str, ...]:
    """Parse a group's actions in a dogfight, in sequence."""
    actions = reader.items(item, "actions", spot, default=())
    for number, action in enumerate(actions):
        if action not in tuple(FightAction):
            reader.fault(
                f"{spot}.actions{fault_path(number)}",
                "action",
                reason("one-of-needed", "expected one of {}", ", ".join(FightAction)),
            )
    if len(actions) > MAX_ACTIONS:
        reader.fault(
            f"{spot}.actions",
            "action",
            reason("most-actions-needed", "expected at most {} actions", MAX_ACTIONS),
        )
        return ()
    return tuple(str(action) for action in actions if action in tuple(FightAction))


def _is_known_target(name: str, names: FireNames) -> bool:
    """Return whether a target is ordnance, or a unit that orders may name."""
    return is_marker(name) or name in names.targets


ATTACK_REQUEST = AttackRequest()

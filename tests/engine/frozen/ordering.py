"""Random orders of a side in any phase, from its view and its own designs; illegal ones are
removed.

`engine.stops` decides whether orders are legal. No captain is asked, and nothing inside the engine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import dist
from random import Random
from typing import Any

from engine.battle import Battle
from engine.craft.registry import craft_type
from engine.stops import read_orders
from engine.view.side_view import observe
from tests.engine.frozen import choices, fights
from tests.engine.frozen.making import Document, fit_ids

ARCS = ("F", "FS", "AS", "A", "AP", "FP")
CINEMATIC = ("P1", "S1", "P2+1", "S1-1", "+2", "-1", "-2", "P1S1", "+4", "S3")
BURNS = ("TP2", "TS1", "MD2", "MD1", "PP1", "PS1", "PR1")
# Fire modes, those at a system of the target, and those at a point.
MODES = {
    "phaser": ("", "needle"),
    "transporter": ("", "raid"),
    "k-gun": ("", "flak"),
    "ads": ("", "split"),
}
AT_SYSTEM = ("needle", "phaser needle", "transporter raid")
MAYBE_AT_POINT = ("spinal-beam", "spinal-plasma", "spinal-singularity")
LAUNCHERS = (
    "salvo-launcher",
    "salvo-rack",
    "heavy-missile",
    "rocket-pod",
    "plasma-bolt",
    "antimatter-missile",
)
GUARDS = (
    "pds",
    "ads",
    "scattergun",
    "grapeshot",
    "gatling",
    "beam",
    "k-gun",
    "meson",
    "pulser",
    "phaser",
    "emp",
    "particle-array",
)
HANGARS = ("hangar", "combined-hangar", "fighter-rack", "gunboat-rack", "boat-bay")
UNAIMED = ("nova-cannon", "wave-gun")
AT_CRAFT = ("pdaf", "adaf")
SETTINGS = {
    "fusion-array": ("torpedo", "flare"),
    "pulse-torpedo": ("long", "short", "standard"),
    "pulser": ("short",),
}
CLOAKS = ("cloaking-device", "cloaking-field", "tuffley-cloak")


class Orderer:
    """The source of a battle's random orders: `luck`, and every ship's design by id and class."""

    def __init__(self, luck: Random, document: Document) -> None:
        ships = [ship for side in document["sides"] for ship in side["ships"] if "design" in ship]
        self.luck = luck
        self.continuum = document["edition"] == "continuum"
        self.boards = "boarding" in document.get("options", ())
        self.scrambles = bool({"aces", "fighter-morale"} & set(document.get("options", ())))
        self.fits = {ship["id"]: fit_ids(ship["design"]) for ship in ships}
        self.by_class = {ship["design"]["class"]: fit_ids(ship["design"]) for ship in ships}

    def orders(self, battle: Battle, side: int) -> Document:
        """Return a side's orders in the present phase: legal, whether useful or not."""
        view = observe(battle.state, side).to_json()
        document: Document
        if view["stop"] == "plot":
            own = [name for name, ship in view["own"].items() if "owner" not in ship]
            document = {"plot": {name: self._plot(battle, side, view, name) for name in own}}
            document = _without_refused(battle, side, document)
            if self.continuum:
                beside = {
                    "launch": self._launches(battle, side, view),
                    **self._flights(battle, side, view),
                }
                document |= {key: orders for key, orders in beside.items() if orders}
            return document
        elif view["stop"] == "fighters":
            document = {
                "fighters": {group["id"]: self._flight(view, group) for group in view["groups"]}
            }
        elif view["stop"] == "set_up":
            document = {"set_up": self._places(battle, side, view)}
        elif view["stop"] == "attack":
            document = {"attack": self._attacks(battle, side, view)}
            choices.order_losses(battle, side, document)
            luck = Random(f"{battle.turn}/{side}/secondary")
            flown = {
                group[
                    "id"
                ]: f"to {group['x'] + luck.randint(-9, 9):.1f} {group['y'] + luck.randint(-9, 9):.1f}"
                for group in view["groups"]
                if luck.random() < 0.3
            }
            for group in view["groups"]:
                if group["type"].startswith("assault-shuttle") and view["contacts"]:
                    near = [contact["at"] for contact in view["contacts"]]
                    x, y = min(near, key=lambda at: dist(at, (group["x"], group["y"])))
                    flown[group["id"]] = f"to {x:.1f} {y:.1f}"
            return {
                **_without_refused(battle, side, document),
                **_valid(battle, side, "secondary", flown),
            }
        elif view["stop"] == "defend":
            by_level = "point-defence-level" in battle.state.terms.options
            document = {
                "defend": self._levels(battle, side, view) if by_level else self._defences(view)
            }
            guards = {} if by_level else self._guards(battle, side, view)
            return _without_refused(
                battle, side, document | {"defend": document["defend"] | guards}
            )
        elif view["stop"] == "engage":
            document = {"engage": self._engage(battle, side, view)}
            if self.luck.random() < 0.3:
                document["pursue"] = True
            choices.aim_at_types(battle, side, document)
            choices.add_order_of_others(battle, side, document)
        else:
            document = {
                "control": {
                    name: self._control(own)
                    for name, own in view["own"].items()
                    if "owner" not in own
                }
            }
        return _without_refused(battle, side, document)

    def _places(self, battle: Battle, side: int, view: Mapping[str, Any]) -> Document:
        """Return places in the side's zone, of which some are not valid."""
        zones = view["set_up"]["zones"][battle.state.sides[side]]
        places: Document = {}
        for name in view["set_up"]["to_place"]:
            left, bottom, right, top = self.luck.choice(zones)["box"]
            x, y = self.luck.uniform(left, right + 1), self.luck.uniform(bottom, top)
            places[name] = {
                "at": [round(x, 1), round(y, 1)],
                "course": self.luck.randint(1, 12),
                "velocity": self.luck.randint(0, 26),
            }
            if self.luck.random() < 0.2:
                places[name]["ftl_entry"] = self.luck.randint(1, 5)
            if self.luck.random() < 0.2:
                places[name]["aloft"] = ["hangar-1"]
        return places

    def _launches(self, battle: Battle, side: int, view: Mapping[str, Any]) -> Document:
        """Return legal launches, with separate dice, and further stages of missiles in flight."""
        luck = Random(f"{battle.turn}/{side}/{sorted(view['own'])}")
        orders: Document = {}
        aimed = [
            (name, own["at"], fit)
            for name, own in view["own"].items()
            for fit, _ in self.fits.get(name, ())
        ]
        targets = [
            (name, at, fit) for name, at, fit in aimed if fit.rpartition("-")[0] in LAUNCHERS
        ]
        targets += [
            (item["id"], [item["x"], item["y"]], "stage") for item in view.get("ordnance", ())
        ]
        for name, (x, y), weapon in targets:
            contacts = [contact["at"] for contact in view["contacts"]] or [[x, y]]
            to_x, to_y = luck.choice(contacts)
            share = luck.choice((0.5, 0.8, 1.0, 1.2))
            item = {
                "weapon": weapon,
                "at": [round(x + (to_x - x) * share, 1), round(y + (to_y - y) * share, 1)],
            }
            if weapon.startswith("rocket-pod"):
                item = {
                    "weapon": weapon,
                    "target": luck.choice([contact["id"] for contact in view["contacts"]] or ["?"]),
                }
            if weapon.startswith("antimatter") and luck.random() < 0.4:
                item["fuse"] = "open"
            tried = {**orders, name: [*orders.get(name, []), item]}
            if not read_orders(battle, side, {"plot": {}, "launch": tried})[1]:
                orders = tried
        return self._loads(battle, side, view, self._barrages(battle, side, view, orders))

    def _barrages(
        self, battle: Battle, side: int, view: Mapping[str, Any], orders: Document
    ) -> Document:
        """Return the launches with flak, most of it in the path of what flies."""
        luck = Random(f"{battle.turn}/{side}/flak")
        flying = [
            [piece["x"], piece["y"]] if "x" in piece else piece["at"] for piece in view["flyers"]
        ]
        flying += [
            [piece["x"], piece["y"]] for piece in view.get("ordnance", ()) if piece["side"] != side
        ]
        for name, own in view["own"].items():
            for weapon, item in self.fits.get(name, ()):
                if not item.get("flak") or luck.random() < 0.3:
                    continue
                x, y = own["at"]
                to_x, to_y = luck.choice(
                    flying or [contact["at"] for contact in view["contacts"]] or [[x, y + 9]]
                )
                share = min(
                    1.0, luck.choice((4.0, 8.0, 12.0)) / max(dist((x, y), (to_x, to_y)), 1.0)
                )
                piece = {
                    "weapon": weapon,
                    "at": [round(x + (to_x - x) * share, 1), round(y + (to_y - y) * share, 1)],
                }
                tried = {**orders, name: [*orders.get(name, []), piece]}
                if not read_orders(battle, side, {"plot": {}, "launch": tried})[1]:
                    orders = tried
        return orders

    def _loads(
        self, battle: Battle, side: int, view: Mapping[str, Any], orders: Document
    ) -> Document:
        """Return the launches with those of craft, at a target or beside it."""
        luck = Random(f"{battle.turn}/{side}/loads")
        for group in view["groups"]:
            for load in craft_type(group["type"]).armaments:
                if not load.launches or not view["contacts"]:
                    continue
                contact = luck.choice(view["contacts"])
                x, y = contact["at"]
                attack: Document = {"weapon": load.name} | (
                    {"count": 2} if luck.random() < 0.5 else {}
                )
                if load.at_target:
                    attack["target"] = contact["id"]
                elif not load.dropped:
                    attack["at"] = [
                        round(x + luck.randint(-3, 3), 1),
                        round(y + luck.randint(-3, 3), 1),
                    ]
                tried = {**orders, group["id"]: [*orders.get(group["id"], []), attack]}
                if not read_orders(battle, side, {"plot": {}, "launch": tried})[1]:
                    orders = tried
        return orders

    def _flights(self, battle: Battle, side: int, view: Mapping[str, Any]) -> Document:
        """Return legal flights of Continuum's groups, also of those about to launch, and robots'
        second moves.
        """
        luck = Random(f"{battle.turn}/{side}/flights")
        groups = {group["id"]: (group["x"], group["y"]) for group in view["groups"]}
        for name, own in view["own"].items():
            for bay, item in self.fits.get(name, ()):
                if _loaded(item):
                    groups.setdefault(f"{name}/{bay}", tuple(own["at"]))
        aces = {
            group["id"]: group["course"] for group in view["groups"] if group.get("pilots") == "ace"
        }
        flown: Document = {}
        again: Document = {}
        for name, (x, y) in groups.items():
            near = [*view["contacts"], {"at": [x + 9, y]}]
            to_x, to_y = luck.choice(near)["at"]
            share = luck.choice((0.3, 0.6, 0.9))
            ways = [f"to {x + (to_x - x) * share:.1f} {y + (to_y - y) * share:.1f}"] * 4
            ways += [f"land {luck.choice(list(view['own']))}{luck.choice(('', ' at once'))}"]
            ways += [f"screen {luck.choice([*view['own'], *groups])}"] * 2
            ways += [f"face {luck.randint(1, 12)}"] * 2
            ways += [f"pursue {contact['id']}" for contact in view["contacts"]]
            flown[name] = luck.choice(ways) + luck.choice(
                ("", "", f"; face {luck.randint(1, 12)}", "; evade 1")
            )
            flown[name] = luck.choice(("", f"to {to_x} {to_y - 3}; evade 1")) or flown[name]
            flown[name] = (
                f"face {aces[name]}" if name in aces and luck.random() < 0.6 else flown[name]
            )
            again[name] = f"to {x + luck.randint(-9, 9):.1f} {y + luck.randint(-9, 9):.1f}"
        return {
            **_valid(battle, side, "fighters", flown),
            **_valid(battle, side, "secondary", again),
        }

    def _attacks(self, battle: Battle, side: int, view: Mapping[str, Any]) -> Document:
        """Return an attack of every group with its type's weapons."""
        luck = Random(f"{battle.turn}/{side}/attacks")
        ships, craft = (
            [contact["id"] for contact in view["contacts"]],
            [flyer["id"] for flyer in view["flyers"]],
        )
        markers = [item["id"] for item in view.get("ordnance", ()) if item["side"] != side]
        orders: Document = {}
        for group in view["groups"]:
            here = group["x"], group["y"]
            row = craft_type(group["type"])
            reach = 12.0 if row.berth else 7.0
            near = [name for name, there in _places(view).items() if dist(here, there) <= reach]
            at = [name for name in near if name in markers] * 4 + near or [*ships, *craft, *markers]
            if not at or luck.random() < 0.3:
                continue
            armaments = [item.name for item in row.armaments]
            item: Document = {"weapon": luck.choice(armaments), "target": luck.choice(at)}
            if craft and luck.random() < 0.2:
                item |= {"target": luck.sample(craft, min(2, len(craft))), "split": True}
            if group.get("pilots") == "ace" and set(near) & set(craft):
                item["target"] = min(set(near) & set(craft))
            item |= {"press": True} if luck.random() < 0.3 else {}
            if row.type == "assault-shuttle" and ships and luck.random() < 0.7:
                item = {
                    "weapon": "shuttles",
                    "target": min(ships, key=lambda name: dist(here, _places(view)[name])),
                }
            if item["weapon"] == "shuttles":
                item |= {"marines": luck.randint(1, 3), "parties": luck.randint(0, 2)}
            if row.berth or row.option:
                item |= (
                    {"system": luck.choice(("drive", "firecon-1", "pds-1"))}
                    if row.guns.snipes or (row.guns.jams and luck.random() < 0.5)
                    else {}
                )
                item |= {"count": 1} if row.guns.rounds and luck.random() < 0.5 else {}
            others = [other["id"] for other in view["groups"] if other is not group]
            if (
                "point-defence-level" in battle.state.terms.options
                and others
                and "split" not in item
            ):
                item |= {"assist": luck.choice(others)} if luck.random() < 0.4 else {}
                if read_orders(battle, side, {"attack": {group["id"]: [item]}})[1]:
                    item.pop("assist", None)
            orders[group["id"]] = [item]
            if len(armaments) > 1 and luck.random() < 0.4:
                other = next(name for name in armaments if name != item["weapon"])
                orders[group["id"]].append({"weapon": other, "target": item["target"]})
            if "dogfight-actions" in battle.state.terms.options:
                orders |= self._planned(battle, side, group, orders)
                continue
            if "refuse-dogfights" in battle.state.terms.options:
                refused = fights.refusal(battle, side, group)
                orders |= refused
                if refused:
                    continue
            if group.get("pilots") == "ace" and item["weapon"] == "fighters":
                own = (
                    {"system": luck.choice(("drive", "firecon-1"))}
                    if item["target"] in ships
                    else {}
                )
                orders[group["id"]] += [
                    {"weapon": "ace", "target": item["target"], **own}
                ] * luck.randint(0, 1)
        return orders

    def _planned(
        self, battle: Battle, side: int, group: Mapping[str, Any], planned: Document
    ) -> Document:
        """Return legal dogfight actions and flights of groups; some get no further order."""
        luck, name = Random(f"{battle.turn}/{group['id']}/planned"), group["id"]
        plan: Document = {
            "actions": luck.choices(("engage", "break off", "stay on target"), k=luck.randint(1, 3))
        }
        if luck.random() < 0.5:
            plan["to"] = [
                round(group["x"] + luck.randint(-9, 9), 1),
                round(group["y"] + luck.randint(-9, 9), 1),
            ]
        first, *more = planned[name]
        orders = [plan] if luck.random() < 0.2 else [first | plan, *more]
        return {
            name: orders
            if not read_orders(battle, side, {"attack": {name: orders}})[1]
            else [first, *more]
        }

    def _defences(self, view: Mapping[str, Any]) -> Document:
        """Return point defence of some ships at some of what is on its way; the others spread
        theirs.
        """
        markers = [marker["id"] for marker in (*view.get("ordnance", ()), *view["flyers"])]
        orders: Document = {}
        for name in view["own"]:
            guns = [fit for fit, _ in self.fits.get(name, ()) if fit.rpartition("-")[0] in GUARDS]
            if guns and self.luck.random() < 0.5:
                orders[name] = [
                    {"weapon": gun, "target": self.luck.choice(markers)} for gun in guns
                ]
            bays = (
                [fit for fit, item in self.fits.get(name, ()) if _loaded(item)]
                if self.scrambles
                else []
            )
            if bays:
                groups = self.luck.sample(bays, min(len(bays), self.luck.randint(1, 2)))
                orders[name] = {"scramble": groups} | (
                    {"fire": orders[name]} if name in orders and self.luck.random() < 0.3 else {}
                )
        return orders

    def _guards(self, battle: Battle, side: int, view: Mapping[str, Any]) -> Document:
        """Return legal targets of boats on guard, for most squadrons."""
        luck = Random(f"{battle.turn}/{side}/guards")
        names = [item["id"] for item in (*view.get("ordnance", ()), *view["flyers"])]
        result: Document = {}
        for group in view["groups"]:
            guards: list[Document] = []
            for name in names if luck.random() < 0.8 else []:
                item = {"weapon": "boats", "target": name} | (
                    {"count": luck.randint(1, 4)} if luck.random() < 0.7 else {}
                )
                if not read_orders(battle, side, {"defend": {group["id"]: [*guards, item]}})[1]:
                    guards.append(item)
            result |= {group["id"]: guards} if guards else {}
        return result

    def _levels(self, battle: Battle, side: int, view: Mapping[str, Any]) -> Document:
        """Return point defence by level: weapons for their own ship or another, or screening craft."""
        result: Document = {}
        for name in view["own"]:
            guns = [fit for fit, _ in self.fits.get(name, ()) if fit.rpartition("-")[0] in GUARDS]
            if guns and self.luck.random() < 0.6:
                friend = self.luck.choice(list(view["own"]))
                aimed = [
                    {"weapon": gun} | ({"target": friend} if friend != name else {}) for gun in guns
                ]
                result[name] = [item for item in aimed if self.luck.random() < 0.7]
            screens = {"defend": {name: [{"weapon": "screens"}]}}
            if view["groups"] and not read_orders(battle, side, screens)[1]:
                result |= screens["defend"]
        return result

    def _plot(self, battle: Battle, side: int, view: Mapping[str, Any], name: str) -> str:
        """Return a move, and words that this ship could carry out, each on its own."""
        luck = self.luck
        moves = [luck.choice(CINEMATIC), luck.choice(CINEMATIC), ""]
        if self.continuum:
            moves.append(" ".join(luck.sample(BURNS, luck.randint(1, 2))))
        parts = [luck.choice(moves)]
        own = view["own"][name]
        if own["status"] == "returning":
            parts = [
                luck.choice(
                    ["stay", "enter 0 30 3", "enter 64 30 9", "enter 32 0 12", "enter 30 60 6"]
                )
            ]
        words = self._words(view, name)
        parts += luck.sample(words, min(len(words), luck.choice((0, 1, 2, 3))))
        accepted_words = [
            part
            for part in parts
            if part and not read_orders(battle, side, {"plot": {name: part}})[1]
        ]
        return "; ".join(dict.fromkeys(accepted_words))

    def _words(self, view: Mapping[str, Any], name: str) -> list[str]:
        """Return words that may suit a ship, each with a possible argument; rash ones are rare."""
        luck, fits = self.luck, self.fits.get(name, [])
        types = [item["type"] for _, item in fits]
        others = [other for other in view["own"] if other != name]
        words = [f"ram {contact['id']}" for contact in view["contacts"] if luck.random() < 0.3]
        words += [f"dock {other}" for other in others]
        words += ["undock"] if others and luck.random() < 0.5 else []
        words += ["ftl"] if luck.random() < 0.15 else []
        words += ["leave"] if luck.random() < 0.2 else []
        if view["contacts"]:
            contacts = luck.sample(view["contacts"], min(len(view["contacts"]), luck.randint(1, 2)))
            words.append("scan " + " ".join(contact["id"] for contact in contacts))
        bays = [fit for fit, item in fits if item["type"] == "fighter-bay" or _loaded(item)]
        words += (
            ["launch " + " ".join(luck.sample(bays, luck.randint(1, len(bays))))] * 2
            if bays
            else []
        )
        words += [luck.choice(["mine", "mine 1 3", "mine 2"])] * 2 if "minelayer" in types else []
        words += ["sweep"] if "minesweeper" in types else []
        words += ["nova"] * 2 if "nova-cannon" in types else []
        return words + (self._further(view, name, others) if self.continuum else [])

    def _further(self, view: Mapping[str, Any], name: str, others: list[str]) -> list[str]:
        """Return Continuum's further words."""
        luck, fits = self.luck, self.fits.get(name, [])
        types = [item["type"] for _, item in fits]
        words = ["roll", "et", f"stealth {luck.choice(('active', 'passive', 'on', 'off'))}"]
        words += [f"squadron {other}" for other in others] * 3
        words += ["alone"] * 3 if "squadron" in view["own"][name].get("notes", {}) else []
        words += (
            [luck.choice(["jam", "jam ecm", "jam area-ecm"])]
            if "ecm" in types or "area-ecm" in types
            else []
        )
        if self.boards:
            words += [
                f"board {contact['id']} {luck.randint(0, 2)} {luck.randint(0, 2)}"
                for contact in view["contacts"]
            ]
        for gate in view.get("gates", ()):
            words += (
                [f"gate {gate['id']}"] * 4
                + [f"activate {gate['id']}"]
                + [f"deactivate {gate['id']}"]
            )
        riders = [other for other in others if view["own"][other].get("aboard") == name]
        words += [f"bear {other}" for other in (*riders, name)] * 2 if riders else []
        words += ["detach"] * 2 if "aboard" in view["own"][name] else []
        words += (
            [f"cloak {luck.randint(1, 3)}"] * 3 if any(type_ in CLOAKS for type_ in types) else []
        )
        words += ["reflex"] * 2 if "reflex-field" in types else []
        words += ["detonate"] if "suicide-charge" in types and luck.random() < 0.15 else []
        words += [f"else {luck.choice(('P1', '+1', 'S1-1'))}"]
        if view.get("sites") and "ortillery" in types:
            down = [contact["id"] for contact in view["contacts"] if contact["status"] == "landed"]
            words += [
                f"bombard {luck.choice([*down, *(site['id'] for site in view['sites'])])}"
            ] * 6
        if any("speeds" in planet for planet in view.get("planets", ())):
            words += ["orbit"] * 3 + [f"swing {luck.choice(('+1', '-1', '+2'))}"]
            if view["own"][name].get("notes", {}).keys() & {"orbit:planet-1"}:
                words += ["-1", "-2", "+3"] * 2
        for fit, item in fits:
            words += [f"turret {fit} {luck.choice(ARCS)}"] if item["type"] == "turret" else []
            words += [f"charge {fit}"] * 3 if item["type"] == "wave-gun" else []
            words += [f"overload {fit}"] if item["type"] == "pulse-torpedo" else []
            words += (
                [f"set {fit} {luck.choice(SETTINGS[item['type']])}"]
                if item["type"] in SETTINGS
                else []
            )
        return words

    def _flight(self, view: Mapping[str, Any], group: Mapping[str, Any]) -> str:
        """Return a destination, and perhaps a course to face.

        A group in a dogfight often tries to leave it.
        """
        luck = self.luck
        ways = [f"to {luck.randint(5, 60)} {luck.randint(5, 55)}", ""]
        ways += [f"to {spot['at'][0]:.2f} {spot['at'][1]:.2f}" for spot in view["contacts"]]
        ways += [f"dogfight {flyer['id']}" for flyer in view["flyers"]] * 2
        ways += [f"land {name}" for name in view["own"]]
        parts = [luck.choice(ways[:1] if group["dogfight"] and luck.random() < 0.5 else ways)]
        parts += [f"face {luck.randint(1, 12)}"] if luck.random() < 0.3 else []
        parts += ["evade"] if luck.random() < 0.2 else []
        return "; ".join(part for part in parts if part)

    def _engage(self, battle: Battle, side: int, view: Mapping[str, Any]) -> list[list[Any]]:
        """Return ships and groups in random order, each with most of its weapons at a target."""
        luck = self.luck
        rows: list[list[Any]] = []
        craft = [flyer["id"] for flyer in view["flyers"]]
        foes = [contact for contact in view["contacts"] if contact["status"] == "fighting"]
        if self.continuum:
            aimed = Random(f"{battle.turn}/{side}/at-craft")
            foes += [flyer for flyer in view["flyers"] * 2 if aimed.random() < 0.7]
        rocks = [rock["id"] for rock in view["rocks"] if rock["boxes"]]
        for name in view["own"]:
            fires = [
                self._fire(fit, item, foes, craft, rocks) for fit, item in self.fits.get(name, [])
            ]
            rows.append([name, [fire for fire in fires if fire and luck.random() < 0.85]])
        for group in view["groups"] if not self.continuum else ():
            at = [*craft, *(foe["id"] for foe in foes)]
            rows.append(
                [group["id"], [{"weapon": "fighters", "target": luck.choice(at)}] if at else []]
            )
        luck.shuffle(rows)
        return [row for row in rows if row[1]]

    def _fire(
        self, fit: str, item: Document, foes: list[Document], craft: list[str], rocks: list[str]
    ) -> Document:
        """Return a weapon's fire, or nothing if it is no weapon or has no target."""
        luck, type_ = self.luck, item["type"]
        mode = luck.choice(MODES.get(type_, ("",)))
        if type_ == "k-gun" and ("flak" in item) != bool(mode) and luck.random() < 0.7:
            mode = "flak" if "flak" in item else ""
        if mode == "flak":
            return {}  # it is fired with the plots
        way = f"{type_} {mode}".strip()
        fire: Document = {"weapon": fit} | ({"mode": mode} if mode else {})
        if type_ in UNAIMED:
            return fire
        if type_ in MAYBE_AT_POINT and luck.random() < 0.5:
            x, y = luck.choice(foes)["at"] if foes and luck.random() < 0.8 else (30, 30)
            return fire | {"at": [round(x) + luck.randint(-2, 2), round(y) + luck.randint(-2, 2)]}
        if type_ in AT_CRAFT:
            return fire | {"target": luck.choice(craft)} if craft else {}
        if rocks and luck.random() < 0.2:
            return fire | {"target": luck.choice(rocks)}
        if not foes:
            return {}
        foe = luck.choice(foes)
        systems = [name for name, _ in self.by_class.get(foe.get("class", ""), [])] + ["drive"]
        if way in AT_SYSTEM:
            fire["system"] = luck.choice(systems)
        elif type_ == "emp" and luck.random() < 0.5:
            fire["system"] = luck.sample(systems, min(len(systems), 2))
        elif luck.random() < 0.1:
            return fire | {"target": [foe["id"], luck.choice(foes)["id"]]}
        return fire | {"target": foe["id"]}

    def _control(self, own: Mapping[str, Any]) -> Document:
        """Return parties for what can be repaired; sometimes a dumped core, or an abandoned ship."""
        luck, parties_left = self.luck, own["parties"]
        repairs = []
        for name in own["repairable"]:
            parties = min(parties_left, luck.randint(1, 3))
            if parties and luck.random() < 0.8:
                repairs.append({"system": name, "parties": parties})
                parties_left -= parties
        document: Document = {"repairs": repairs}
        foes = sum(
            number for note, number in own.get("notes", {}).items() if note.startswith("boarders:")
        )
        if foes and parties_left:
            document["repel"] = [
                [luck.randint(1, min(parties_left, 3)), luck.choice(("hull", "marines"))]
            ]
            document["marines"] = {"marines": luck.randint(0, 2), "hull": luck.randint(0, 2)}
        if luck.random() < 0.05:
            document[luck.choice(("dump", "abandon"))] = True
        return document


def _places(view: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return the positions of everything that craft may attack, by name."""
    places = {
        item["id"]: (item["at"][0], item["at"][1]) for item in (*view["contacts"], *view["flyers"])
    }
    return places | {item["id"]: (item["x"], item["y"]) for item in view.get("ordnance", ())}


def _loaded(item: Document) -> bool:
    """Return whether a system of Continuum holds craft."""
    return item["type"] in HANGARS and bool(item.get("load"))


def _valid(battle: Battle, side: int, entry: str, orders: Document) -> Document:
    """Return the legal orders of an additional entry of the phase, each on its own."""
    accepted = {
        name: value
        for name, value in orders.items()
        if not read_orders(battle, side, {entry: {name: value}})[1]
    }
    return {entry: accepted} if accepted else {}


def _without_refused(battle: Battle, side: int, orders: Document) -> Document:
    """Return the orders without those that are refused before sealing.

    Raises:
        AssertionError: Some cannot be removed.
    """
    entry = next(iter(orders))
    for _ in range(80):
        faults = read_orders(battle, side, orders)[1]
        if not faults:
            return orders
        _strike(orders, entry, faults[0].where)
    raise AssertionError(faults)


def _strike(document: Document, entry: str, where: str) -> None:
    """Remove what a fault concerns: the last word of a plot, one weapon's fire, or a ship's orders."""
    entries = document[entry]
    if where == entry == "set_up":  # nobody of the side would be on the table
        for place in entries.values():
            place.pop("ftl_entry", None)
        return
    if isinstance(entries, list):
        at = re.match(rf"{entry}\[(\d+)\](?:\[(\d+)\])?", where)
        if at is None and (match := re.match(rf"{entry}\.([^.\[]+)(?:\[(\d+)\])?", where)):
            row = next(number for number, pair in enumerate(entries) if pair[0] == match[1])
            number = match[2]
        else:
            assert at is not None, where
            row, number = int(at[1]), at[2]
        if number is None:
            entries.pop(row)
        else:
            entries[row][1].pop(int(number))
        return
    match = re.match(rf"{entry}\.([^.\[]+)", where)
    assert match is not None, where
    name = next(candidate for candidate in entries if candidate == match[1])
    orders = entries[name]
    if entry == "plot" and ";" in orders:
        entries[name] = orders.rpartition(";")[0]
    elif entry == "control" and set(orders) != {"repairs"}:
        entries[name] = {"repairs": orders["repairs"]}
    else:
        entries.pop(name)

"""How the ships of a battle ended, one by one, as far as the viewer saw: from the reports of its stops alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.drawings.strips import Strip
from campaign.words.battle.log import SideNames, stops_of
from campaign.words.battle.phrases import GATE_ENDS
from engine.core.kinds import CAPTURED, FIGHTING, HULK, STRUCK, JumpOutcome, ShipStatus
from engine.core.phrase import joined_phrases, phrase
from engine.english import system_words
from engine.events.movement import JUMPED
from engine.events.orbits import CAME_DOWN

# What some events make of the ship they are about.
TURNED_INTO: dict[str, ShipStatus] = {"adrift": HULK, "won-back": HULK, "captured": CAPTURED, "colours-struck": STRUCK}


@dataclass(frozen=True, slots=True)
class Fate:
    """A ship at the end, as far as the viewer saw. `how` is empty where it still fights. `kind`: the
    classification seen of a foreign ship; of one's own `drawn.with_hulls` says it, and the hull's strip.
    """

    key: str
    name: str
    cls: str
    kind: str
    own: bool
    damage: int
    lost: str
    how: str
    hull: Strip | None = None


def fates(body: Mapping[str, Any], names: SideNames, classes: Mapping[str, str]) -> tuple[Fate, ...]:
    """Every ship the viewer saw, with its end. `classes`: of the viewer's own ships by key."""
    stops = stops_of(body)
    ends: dict[str, str] = {}
    marks: dict[str, int] = {}
    lost: dict[str, list[str]] = {}
    for stop in stops:
        for event in stop["log"]:
            key = str(event.get("ship", ""))
            jump = event["outcome"] if event["event"] == "ftl-exit" else ""
            if event["event"] == "destroyed" or jump == JumpOutcome.EXPLODED:
                ends[key] = ShipStatus.DESTROYED.label
            elif jump in JUMPED:
                ends[key] = ShipStatus.FTL.label
            elif event["event"] == "gate-passed" and event["at"] is None:
                ends[key] = GATE_ENDS.get(event["outcome"], "")
            elif event["event"] == "left-table":
                ends[key] = ShipStatus.LEFT.label
            elif event["event"] == "entered-atmosphere" and event["outcome"] in CAME_DOWN:
                ends[key] = ShipStatus.LANDED.label
            elif event["event"] in TURNED_INTO:
                ends[key] = TURNED_INTO[event["event"]].label
            elif event["event"] == "repair" and event["done"] and event["system"] in lost.get(key, ()):
                lost[key].remove(event["system"])
            elif event["event"] in ("system-check", "system-lost"):
                lost.setdefault(key, []).extend(event["lost"] if "lost" in event else [event["system"]])
            elif event["event"] == "returned":
                ends.pop(key, None)
            elif event["event"] == "dummy-found":
                ends[key] = ShipStatus.SCANNED_AWAY.label
            elif event["event"] == "damaged":
                marks[key] = int(event["total"])
            elif event["event"] == "threshold":
                lost.setdefault(key, []).extend(str(system) for system in event["lost"])
            elif event["event"] == "entered":
                ends[key] = "" if event["status"] == FIGHTING else ShipStatus.words(event["status"])
                marks[key], lost[key] = int(event["damage"]), list(event["lost"])
    own = sorted({key for stop in stops for key in stop["own"]}, key=names.of)
    others: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for stop in stops:
        others |= {
            str(contact["id"]): str(contact.get("class", contact["classification"])) for contact in stop["contacts"]
        }
        kinds |= {str(contact["id"]): str(contact["classification"]) for contact in stop["contacts"]}

    def fate(key: str, cls: str, mine: bool) -> Fate:
        gone = joined_phrases(", ", (system_words(system) for system in lost.get(key, ())))
        return Fate(key, names.of(key), cls, kinds.get(key, ""), mine, marks.get(key, 0), gone, ends.get(key, ""))

    found = [
        fate(key, classes.get(key, phrase("decoy drone") if key in names.drones else phrase("ally's ship")), True)
        for key in own
    ]
    return (*found, *(fate(key, others[key], False) for key in sorted(others, key=names.of)))

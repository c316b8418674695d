"""Rulings: an umpire's corrections of the world, and what each faction learns of them. Pure.

A ruling is a list of patches. It closes the open stage without playing it: the corrected world is
of the same week and stage. Whose view changes is notified, and nobody else; the umpire can add
factions but not leave one out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from campaign.events.event import WeekEvent
from campaign.events.umpire import RecordCorrected, UmpireRuled
from campaign.kinds import StageKind
from campaign.rules.codec import validation_faults
from campaign.rules.perception import build_view, notices_by_faction
from campaign.rules.plain_text import text_faults
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice, View
from campaign.rules.world import World
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.notation.reading import prefix_places
from umpire.adjudication.corrections import Correction, corrections_of
from umpire.adjudication.indexes import index_scenario
from umpire.adjudication.patch import NOT_NOW, Patch, Restore, stage_faults
from umpire.adjudication.patches import PATCHES

RULING_SCHEMA = 1
RULED_STAGES = (StageKind.ORDERS, StageKind.DECISIONS)  # in battles, ships are already fighting
MOST_PATCHES = 20  # of one ruling
NO_SHIPS = "no-ships"  # the code of the fault of a fleet without ships
LONGEST_TEXT = 400  # characters of a reason or a note
ALL_PATCHES = (*PATCHES, Restore)  # umpires write the others; the server makes this one to undo
ADAPTERS: Mapping[type[Patch], TypeAdapter[Any]] = {cls: TypeAdapter(cls) for cls in ALL_PATCHES}


@dataclass(frozen=True, slots=True)
class Ruling:
    """An umpire's ruling.

    Attributes:
        reason: Read by all factions that are notified, and by everybody after the war.
        public_note: Read by everybody at once; empty: the program's own words.
        also: Factions that are notified although their view does not change.
        undoes: The number of the ruling that this one undoes; 0: none.
        act: The hash of the act by which it was held; empty: it was made at once.
    """

    patches: tuple[Patch, ...]
    reason: str
    public_note: str = ""
    also: tuple[str, ...] = ()
    undoes: int = 0
    act: str = ""

    def to_document(self) -> dict[str, Any]:
        """Return the ruling as acts, rows and archives store it."""
        return {
            "schema": RULING_SCHEMA,
            "patches": [patch_document(patch) for patch in self.patches],
            "reason": self.reason,
            "public_note": self.public_note,
            "also": list(self.also),
            "undoes": self.undoes,
            "act": self.act,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Ruling:
        """Return a stored ruling. Raises RuleViolations if it cannot be read."""
        return cls(
            patches=read_patches(document["patches"]),
            reason=document["reason"],
            public_note=document["public_note"],
            also=tuple(document["also"]),
            undoes=document["undoes"],
            act=document["act"],
        )


@dataclass(frozen=True, slots=True)
class RulingOutcome:
    """What follows from a ruling.

    Attributes:
        events: Those of which factions are notified.
        views: After the ruling, by faction; unchanged for all but `told`.
        changes: What changes in the views of the factions that are notified, by key.
    """

    world: World
    events: tuple[WeekEvent, ...]
    views: Mapping[str, View]
    changes: Mapping[str, tuple[Correction, ...]]

    @property
    def told(self) -> tuple[str, ...]:
        """Return the factions that are notified, by key."""
        return tuple(sorted(self.changes))


def read_patches(
    documents: Sequence[Mapping[str, Any]], kinds: Sequence[type[Patch]] = ALL_PATCHES
) -> tuple[Patch, ...]:
    """Return patches from documents `{"kind": …, field: value, …}`. Raises RuleViolations.

    Args:
        kinds: Those that are allowed.
    """
    allowed = {cls.code: cls for cls in kinds}
    patches = []
    faults: list[Violation] = []
    for number, document in enumerate(documents):
        values = dict(document)
        code = values.pop("kind", None)
        patch_class = allowed.get(code) if isinstance(code, str) else None
        if patch_class is None:
            words = phrase("there is no such kind of correction")
            faults.append(Violation(f"patches.{number}.kind", "unknown-kind", words))
            continue
        try:
            patches.append(ADAPTERS[patch_class].validate_python(values))
        except ValidationError as error:
            faults += validation_faults(error, ("patches", str(number)))
    if faults:
        raise RuleViolations(faults)
    return tuple(patches)


def patch_document(patch: Patch) -> dict[str, Any]:
    """Return the document of a patch."""
    values = ADAPTERS[type(patch)].dump_python(patch, mode="json")
    return {"kind": patch.code, **values}


def ruling_violations(scenario: Scenario, world: World, ruling: Ruling) -> list[Violation]:
    """Return all faults of a ruling in a world, of each patch in the world left by those before."""
    faults = []
    if not ruling.reason:
        faults.append(Violation("reason", "missing", phrase("give a reason")))
    for where, text in (("reason", ruling.reason), ("public_note", ruling.public_note)):
        for fault in text_faults(text, LONGEST_TEXT, phrase("the text of a ruling")):
            faults.append(replace(fault, where=where))
    keys = {faction.id for faction in scenario.factions}
    for key in ruling.also:
        if key not in keys:
            faults.append(Violation("also", "unknown-faction", phrase("no faction '{}'", key)))
    if len(ruling.patches) > MOST_PATCHES:
        words = phrase("a ruling can have at most {} corrections", MOST_PATCHES)
        return [*faults, Violation("patches", "too-many", words)]
    if world.stage not in RULED_STAGES:
        words = phrase("a ruling is possible only while orders or decisions are open")
        return [*faults, Violation("patches", NOT_NOW, words)]
    return faults + _patch_violations(scenario, world, ruling.patches)


def _patch_violations(
    scenario: Scenario, world: World, patches: Sequence[Patch]
) -> list[Violation]:
    """Return all faults of patches; one with faults is left out for those after it."""
    faults: list[Violation] = []
    for number, patch in enumerate(patches):
        index = index_scenario(scenario, world)
        found = stage_faults(patch, world) or patch.violations(index, world)
        faults += prefix_places(f"patches.{number}", found)
        if not found:
            world = patch.apply(index, world)
    if not faults:
        manned = {ship.fleet for ship in world.ships}
        for fleet in world.fleets:
            if fleet.key not in manned:
                words = phrase("{} needs a ship", fleet.name)
                faults.append(Violation("patches", NO_SHIPS, words))
    return faults


def ruled_world(scenario: Scenario, world: World, patches: Sequence[Patch]) -> World:
    """Return the world after patches without faults."""
    for patch in patches:
        world = patch.apply(index_scenario(scenario, world), world)
    return world


def undo_patches(scenario: Scenario, world: World, patches: Sequence[Patch]) -> tuple[Patch, ...]:
    """Return the inverse patches of a ruling, the last one first.

    Args:
        world: Before that ruling.
    """
    inverses: list[Patch] = []
    for patch in patches:
        index = index_scenario(scenario, world)
        inverses.append(patch.inverse(index, world))
        world = patch.apply(index, world)
    return tuple(inverse for inverse in reversed(inverses) if _changes_something(inverse))


def _changes_something(patch: Patch) -> bool:
    """Return whether an inverse puts anything back."""
    return not isinstance(patch, Restore) or bool(patch.rows)


def rule(
    scenario: Scenario, world: World, views: Mapping[str, View], ruling: Ruling
) -> RulingOutcome:
    """Return what follows from a ruling without faults.

    Args:
        views: Before the ruling, by faction.
    """
    after = ruled_world(scenario, world, ruling.patches)
    changes = {}
    for faction, view in views.items():
        found = _view_corrections(scenario, world, after, view)
        if found or faction in ruling.also:
            changes[faction] = found
    events = _events(ruling, changes)
    notices = notices_by_faction(events, world.week, world.stage)
    views_after = dict(views)
    for faction in changes:
        views_after[faction] = _view_after(
            scenario, after, views[faction], notices.get(faction, ())
        )
    return RulingOutcome(after, events, views_after, changes)


def _view_corrections(
    scenario: Scenario, before: World, after: World, view: View
) -> tuple[Correction, ...]:
    """Return what a ruling changes for a faction.

    Both worlds are seen with the same memory, so that only the ruling makes a difference.
    """
    seen_before = _view_after(scenario, before, view, ())
    seen_after = _view_after(scenario, after, view, ())
    return corrections_of(seen_before, seen_after)


def _view_after(scenario: Scenario, world: World, view: View, notices: Sequence[Notice]) -> View:
    """Return a faction's view of a world of the same week, with its present view as its memory.

    Progress towards objectives is measured when a week ends, so a ruling does not count it again.
    """
    seen = build_view(scenario, world, view.faction, view, notices)
    return replace(seen, objectives=view.objectives)


def _events(ruling: Ruling, changes: Mapping[str, Sequence[Correction]]) -> tuple[WeekEvent, ...]:
    """Return the events of a ruling: its reason, then what changes for each faction."""
    if not changes:
        return ()
    events: list[WeekEvent] = [UmpireRuled(tuple(sorted(changes)), "", ruling.reason)]
    for faction in sorted(changes):
        for change in changes[faction]:
            values = {field.name: getattr(change, field.name) for field in fields(Correction)}
            events.append(RecordCorrected((faction,), "", **values))
    return tuple(events)

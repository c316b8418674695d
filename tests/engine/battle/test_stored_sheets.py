"""Record sheets of stored battles are read once in a process, and never mixed up or shared."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from engine.battle import battle_from, begin
from engine.core.errors import RuleViolations
from engine.notation import designs
from engine.notation.battles import read_battle
from engine.ruleset import RuleSet, ruleset

DESIGN = {
    "class": "Stored Frigate", "edition": "second-edition", "kind": "warship", "mass": 12, "thrust": 6,
    "ftl": "standard", "systems": [{"type": "battery", "battery": "C", "arcs": ["F", "P", "S"]}],
}  # fmt: skip


def stored_battle(cls: str = "Stored Frigate", **changes: Any) -> dict[str, Any]:
    """Return a stored battle of two ships of one design."""

    def side(name: str, x: int, course: int) -> dict[str, Any]:
        ship = {
            "id": f"{name}1",
            "design": DESIGN | {"class": cls} | changes,
            "at": [x, 20],
            "course": course,
        }
        return {"name": name, "ships": [ship | {"velocity": 4}]}

    document = {
        "edition": "second-edition",
        "table": [60, 48],
        "sides": [side("red", 10, 3), side("blue", 50, 9)],
    }
    result: dict[str, Any] = json.loads(json.dumps(begin(read_battle(document, {})).to_json()))
    return result


def test_reread_battle_judges_no_design_again(monkeypatch: pytest.MonkeyPatch) -> None:
    document = stored_battle("Frigate Judged Once")
    read: list[object] = []
    plain = designs.read_design

    def watched(design: object, where: str = "", options: Any = ()) -> designs.DesignReading:
        read.append(design)
        return plain(design, where, options)

    monkeypatch.setattr(designs, "read_design", watched)
    for _ in range(3):
        battle_from(copy.deepcopy(document))
    assert len(read) <= 1


def test_design_is_judged_once_while_its_sheet_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    editions: list[str] = []
    plain = ruleset

    def watched(edition: str, options: Any = ()) -> RuleSet:
        rules = plain(edition, options)
        yard = rules.yard

        def counting_violations(*arguments: Any) -> Any:
            editions.append(edition)
            return yard.violations(*arguments)

        watching = copy.copy(yard)
        object.__setattr__(watching, "violations", counting_violations)
        changed = copy.copy(rules)
        object.__setattr__(changed, "yard", watching)
        return changed

    monkeypatch.setattr(designs, "ruleset", watched)
    designs.load_sheet(DESIGN)
    assert editions == ["second-edition"]


def test_designs_with_one_class_name_stay_separate() -> None:
    plain, armed = (
        stored_battle(),
        stored_battle(systems=[{"type": "battery", "battery": "B", "arcs": ["F"]}]),
    )
    assert battle_from(plain).state.ships[0].sheet.fits[0].variant == "C"
    assert battle_from(armed).state.ships[0].sheet.fits[0].variant == "B"
    assert battle_from(plain).state.ships[0].sheet.fits[0].variant == "C"


def test_options_are_part_of_the_sheet_cache_key() -> None:
    plain = designs.stored_sheet(DESIGN, ())
    assert designs.stored_sheet(copy.deepcopy(DESIGN), ()) is plain
    with pytest.raises(RuleViolations):
        designs.stored_sheet(DESIGN, ("no-such-option",))


def test_illegal_design_is_refused_every_time() -> None:
    for _ in range(2):
        with pytest.raises(RuleViolations):
            designs.stored_sheet(DESIGN | {"mass": -1}, ())


def test_ship_changes_do_not_leak_into_another_battle() -> None:
    document = stored_battle()
    first, second = battle_from(document), battle_from(document)
    hit = first.state.ships[0]
    hit.damage, hit.alive[0] = 1, 0
    hit.write_fact("reactor", 1)
    assert [json.loads(json.dumps(each.to_json())) for each in (second, battle_from(document))] == [
        document,
        document,
    ]

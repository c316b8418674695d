"""Ships in FTJava's XML: read as designs with faults by line, written, and read back unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.core.errors import RuleViolations
from engine.notation.designs import parse_design, read_design
from engine.notation.documents import FILES, Limits
from engine.notation.files import fixture_classes
from engine.notation.ftjava_export import to_ftjava, unwritable_faults
from engine.notation.ftjava_fleets import read_ftjava_fleet
from engine.notation.ftjava_import import find_ships, from_ftjava
from engine.notation.ftjava_names import SYSTEMS
from engine.notation.reading import DocumentPart, make_parts
from engine.ruleset import ruleset

pytestmark = pytest.mark.rule("pc.design")
RULES = ruleset("continuum")
CLASSES = fixture_classes("continuum")
SHIP = """<?xml version="1.0" standalone="yes" ?>
<Ship>
    <Race>Nobody</Race>
    <ClassName>Petrel</ClassName>
    <ShipClass>Frigate</ShipClass>
    <Mass>{mass}</Mass>
    <PointValue>99</PointValue>
    <MainDrive type="Standard" initialThrust="6"/>
    <FTLDrive/>
    <Armor totalArmor="{armour}"/>
    <Hull value="{mass}" {hull}/>
    <Electronics><FireControl xSSD="1" ySSD="2"/></Electronics>
    <Defenses/>
    <Holds/>
    <Weapons>
{weapons}
    </Weapons>
</Ship>
"""


def ship(weapons: str = "", mass: int = 40, armour: str = "0", hull: str = 'type="Average"') -> str:
    return SHIP.format(weapons=weapons, mass=mass, armour=armour, hull=hull)


def read_ships(text: str) -> list[dict[str, Any]]:
    return [from_ftjava(element) for element in find_ships(text, FILES)]


def refused(text: str) -> list[tuple[str, str]]:
    with pytest.raises(RuleViolations) as caught:
        read_ships(text)
    return [(fault.code, fault.message) for fault in caught.value.violations]


def test_ship_is_read_with_hull_drives_arcs_and_counted_systems() -> None:
    weapons = """<BeamBattery rating="3" arcs="(FP/F/FS)"/><BeamBattery rating="1" arcs="(All arcs)"/>
        <BeamBattery rating="1" arcs="(All arcs)"/><PointDefense xSSD="5" ySSD="6"/><KineticGun rating="1"/>"""
    (design,) = read_ships(ship(weapons, armour="4,2"))
    assert design == {
        "class": "Petrel (Frigate)",
        "edition": "continuum",
        "kind": "warship",
        "mass": 40,
        "thrust": 6,
        "ftl": "standard",
        "hull": {"boxes": 12, "rows": 4},
        "armour": [[4, 0], [2, 0]],
        "printed": {"points": 99},
        "systems": [
            {"type": "firecon"},
            {"type": "beam", "class": 3, "arcs": ["F", "FS", "FP"]},
            {"type": "beam", "class": 1, "count": 2},
            {"type": "pds"},
            {"type": "k-gun", "class": 1},
        ],
    }


def test_launchers_are_fed_from_their_magazines() -> None:
    weapons = """<SalvoMissileLauncher smmId="7" arcs="(FP/F/FS)"/><SalvoMissileLauncher smmId="8" arcs="(FP/F/FS)"/>
        <SalvoMissileMagazine id="7" capacity="4"><Salvo type="Standard Salvo"/><Salvo type="Standard Salvo"/>
        </SalvoMissileMagazine>
        <SalvoMissileMagazine id="8" capacity="6"><Salvo type="Extended Range Salvo"/></SalvoMissileMagazine>"""
    (design,) = read_ships(ship(weapons, mass=80))
    assert design["systems"][1:] == [
        {"type": "salvo-launcher", "arcs": ["F", "FS", "FP"], "magazine": "magazine-1"},
        {"type": "salvo-launcher", "arcs": ["F", "FS", "FP"], "magazine": "magazine-2"},
        {"type": "magazine", "mass": 4, "load": {"standard": 2}},
        {"type": "magazine", "mass": 6, "load": {"extended": 1}},
    ]
    assert read_design(design).illegal == ()


def test_game_lists_the_ships_of_all_players_in_order() -> None:
    inner = ship().split("?>", 1)[1]
    game = f"<GameEngine><Player>{inner}{inner.replace('Petrel', 'Skua')}</Player><Player>{inner}</Player></GameEngine>"
    assert [design["class"] for design in read_ships(game)] == [
        "Petrel (Frigate)",
        "Skua (Frigate)",
        "Petrel (Frigate)",
    ]


# A game as the program saves it: options, a report and the ships' history beside their designs;
# elements in any order, missing groups, extra brackets, missing arcs and drives, comments.
GAME = """<?xml version="1.0" standalone="yes" ?>
<GameEngine id="0" name="Nobody" turn="0" combat="false">
  <GameOptions><Variant value="any"/><BeamRangeBand value="12.0"/></GameOptions>
  <Briefing></Briefing><Report>
  </Report>
  <Player id="37" name="One" email="" team="one" key="0"><Objectives></Objectives>
    <Ship id="1" arrivalTurn="-1">
      <Name>Ada</Name><Status>Ok</Status><Orders>0</Orders><DamageControl/><Position x="0.0" y="0.0" />
      <Heading heading="12" /><Speed speed="0"/><VectorSpeed speed="-1.0"/><Course course="-1.0"/>
      <ClassAbbrev>SS </ClassAbbrev><ClassName>Quay</ClassName><ShipClass>Station</ShipClass>
      <CrewQuality>First Rate</CrewQuality><Mass>120</Mass><PointValue>400</PointValue>
      <Armor totalArmor="0" remainingArmor="0"/>
      <Hull value="120" type="Custom" class="Military" stealth="1" rows="3" totalHullBoxes="30" remainingHullBoxes="9"/>
      <Electronics><AreaDefenseFireControl id="3" status="Operational"/></Electronics>
      <Defenses><VapourShroud xSSD="1" ySSD="1"/></Defenses>
      <Holds><CargoHold type="Passenger" totalSize="4"/><CargoHold type="Troop Transport" totalSize="2"/></Holds>
      <Weapons><PlasmaBoltLauncher rating="2" arcs="(FP/F/FS))" recharge="0"/><Pulser arcs="(All Arcs)" mode="L"/>
        <KineticGun rating="1"/><Scattergun/><MultipleKineticPenetratorPack arcs="(F)"/><HangerBay size="5"/>
        <AntiMatterTorpedoLauncher/><SalvoMissileRack type="Standard Salvo" arcs="(FP/F/FS)"/><FighterBay/>
        <!-- <HangerBay size="4"/> --></Weapons>
      <CoreCommandBridge id="0" status="Operational"/><CorePowerCore id="2" status="Operational"/>
    </Ship>
    <Ship>
      <PointValue>50</PointValue><ClassName>Tern</ClassName><Mass>20</Mass><Designer>Someone</Designer>
      <MainDrive initialThrust="4"/><Hull type="Weak" class="Civilian" value="20"/><FTLDrive/>
      <Weapons><SalvoMissileMagazine maxInRow="3" capacity="2"><Salvo type="Standard Salvo" status="Available"/>
        </SalvoMissileMagazine><SalvoMissileLauncher arcs="(FP/F/FS)"/></Weapons>
    </Ship>
    <Ship><ClassName>Rook</ClassName><Mass>30</Mass><MainDrive initialThrust="6" type="Advanced" active="false" />
      <Hull totalHullBoxes="9" type="Custom" value="30"/><Armor totalArmor="3,2"/></Ship>
  </Player>
</GameEngine>
"""


def test_saved_game_is_read_in_any_layout() -> None:
    quay, tern, rook = read_ships(GAME)
    assert (quay["kind"], quay["thrust"], quay["stealth"]) == ("installation", 0, 1)
    assert quay["hull"] == {"boxes": 30, "rows": 3}
    assert quay["systems"] == [
        {"type": "adfc"},
        {"type": "shroud"},
        {"type": "passengers", "mass": 4},
        {"type": "troops", "mass": 2},
        {"type": "plasma-bolt", "class": 2, "arcs": ["F", "FS", "FP"]},
        {"type": "pulser", "arcs": ["F", "FS", "AS", "A", "AP", "FP"]},
        {"type": "k-gun", "class": 1},
        {"type": "scattergun"},
        {"type": "mkp", "arcs": ["F"]},
        {"type": "boat-bay", "mass": 8},  # a bay takes half as much again as its craft: 7.5
        {"type": "antimatter-missile"},
        {"type": "salvo-rack", "arcs": ["F", "FS", "FP"]},
        {"type": "combined-hangar"},
    ]
    assert (tern["kind"], tern["thrust"], tern["ftl"], tern["hull"]["boxes"]) == (
        "merchant",
        4,
        "standard",
        4,
    )
    assert [system["type"] for system in tern["systems"]] == ["magazine", "salvo-launcher"]
    assert (rook["drive"], rook["ftl"], rook["armour"], rook["systems"]) == (
        "advanced",
        "none",
        [[3, 0], [2, 0]],
        [],
    )


def fleet(*ships: str, most: int = 100) -> list[DocumentPart]:
    inner = "".join(ship.split("?>", 1)[1] for ship in ships)
    return read_ftjava_fleet(
        f"<GameEngine><Player>{inner}<FighterGroup/></Player></GameEngine>", FILES, most
    )


def own_name(name: str, **settings: Any) -> str:
    return ship(**settings).replace("<Race>", f"<Name>{name}</Name><Race>")


def test_fleet_makes_each_design_once_and_explains_omissions() -> None:
    planet = ship(mass=1000).replace(">Frigate<", ">Planet<").replace("Petrel", "Haven")
    results = fleet(
        ship(),
        planet,
        own_name("Ada"),
        ship("<Tardis/>").replace("Petrel", "Box"),
        ship(armour="2"),
    )
    assert [(result.where, result.name) for result in results] == [
        ("[0]", "Petrel (Frigate)"),
        ("[1]", "Haven (Planet)"),
        ("[3]", "Box (Frigate)"),  # the third ship is a sister of the first
        ("[4]", "Petrel (Frigate) 2"),  # the same name with another design
    ]
    assert [[fault.code for fault in result.faults] for result in results] == [
        [],
        ["no-ship"],
        ["unknown-system"],
        [],
    ]
    assert [result.document and result.document["class"] for result in results] == [
        results[0].name,
        None,
        None,
        results[3].name,
    ]
    (alone,) = read_ftjava_fleet(ship("<Tardis/>"), FILES, 1)
    assert (alone.where, alone.faults[0].message.split(":")[0]) == ("", "line 16")


def test_different_designs_of_one_class_use_their_own_names() -> None:
    results = fleet(own_name("Ada"), own_name("Bea", armour="2"), own_name("Bea", armour="3"))
    assert [result.name for result in results] == [
        "Petrel (Frigate)",
        "Bea (Frigate)",
        "Petrel (Frigate) 2",
    ]


def test_report_lists_as_many_faults_as_any_answer() -> None:
    box = ship("<Tardis/>" * 70)
    designs, left_out = make_parts(
        fleet(ship(), box, box, box), lambda document: document["class"], partial=True
    )
    assert designs == ["Petrel (Frigate)"]
    assert [len(result.faults) for result in left_out] == [70, 31, 1]
    assert [result.faults[-1].message for result in left_out[1:]] == [
        f"{n} more faults are not listed" for n in (40, 70)
    ]


def test_fleet_size_is_limited() -> None:
    assert len(fleet(*[ship()] * 3, most=3)) == 1
    with pytest.raises(RuleViolations) as caught:
        fleet(*[ship()] * 4, most=3)
    assert [(fault.code, fault.message) for fault in caught.value.violations] == [
        ("too-many-ships", "a document can have at most 3 ships; this one has 4")
    ]


def test_class_names_are_valid_in_wars() -> None:
    slash, long = ship().replace("Petrel", "Petrel/T"), ship().replace("Petrel", "P" * 38)
    assert [design["class"] for design in (*read_ships(slash), *read_ships(long))] == [
        "Petrel-T (Frigate)",
        "P" * 38,
    ]


def test_hull_without_drives_is_an_installation() -> None:
    fort = ship().replace('initialThrust="6"', 'initialThrust="0"')
    gate, bare = read_ships(fort)[0], read_ships(fort.replace("<FTLDrive/>", ""))[0]
    assert [(design["kind"], design["thrust"], design["ftl"]) for design in (gate, bare)] == [
        ("warship", 0, "standard"),
        ("installation", 0, "none"),
    ]
    assert not read_design(bare).illegal


def test_non_ships_are_refused_by_name() -> None:
    planet = ship(mass=1000).replace(">Frigate<", ">Planet<")
    assert refused(planet) == [
        ("no-ship", "line 2: Ship: a Planet is not a ship and has no design")
    ]


@pytest.mark.parametrize(
    ("kind", "boxes"), [("Fragile", 4), ("Weak", 8), ("Average", 13), ("Strong", 17), ("Super", 21)]
)
def test_named_hulls_are_shares_of_the_mass(kind: str, boxes: int) -> None:
    (design,) = read_ships(ship(mass=42, hull=f'type="{kind}"'))
    assert design["hull"]["boxes"] == boxes


def test_every_refusal_names_its_line_and_element() -> None:
    weapons = '<PodLauncher/>\n<BeamBattery rating="x" arcs="(F)"/>\n<PulseTorpedo arcs="(Q)"/>'
    faults = refused(ship(weapons, hull='type="Odd"'))
    assert [(code, words.split(":")[0], words.split(":")[1].strip()) for code, words in faults] == [
        ("hull", "line 11", "Hull"),
        ("unknown-system", "line 16", "PodLauncher"),
        ("not-a-number", "line 17", "BeamBattery"),
        ("arcs", "line 18", "PulseTorpedo"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<!DOCTYPE x [<!ENTITY a "aaaa">]><Ship>&a;</Ship>', "doctype"),
        ('<!DOCTYPE Ship SYSTEM "file:///etc/passwd"><Ship/>', "doctype"),
        ("<Ship>&a;</Ship>", "not-xml"),
        ("<Ship>", "not-xml"),
        ("", "not-xml"),
        ("<Fleet/>", "no-ship"),
        ("<a>" * 50 + "</a>" * 50, "too-deep"),
        ("<a>" + "<b c='1'/>" * 600 + "</a>", "too-many-values"),
        ("<a>" + "x" * 9000 + "</a>", "too-long"),
    ],
)
def test_invalid_or_oversized_document_is_refused(text: str, code: str) -> None:
    with pytest.raises(RuleViolations) as caught:
        find_ships(text, Limits(characters=8000, depth=40, values=1000))
    assert [fault.code for fault in caught.value.violations] == [code]


def test_every_known_element_makes_a_known_system() -> None:
    for name in SYSTEMS:
        (document,) = read_ships(
            ship(f'<{name} rating="2" arcs="(F)" capacity="4" id="1"/>', mass=200)
        )
        codes = {fault.code for fault in read_design(document).illegal}
        assert not codes & {
            "unknown-system",
            "unknown-variant",
            "unknown-class",
            "class-not-asked",
        }, name


def writable(name: str) -> bool:
    return not list(unwritable_faults(CLASSES[name], RULES))


@pytest.mark.parametrize("name", [name for name in CLASSES if writable(name)])
def test_written_design_is_read_back(name: str) -> None:
    design = CLASSES[name]
    (document,) = read_ships(to_ftjava([design], RULES))
    again = parse_design(document)
    assert RULES.yard.figures(again, RULES) == RULES.yard.figures(design, RULES)
    assert sorted(fit.id for fit in RULES.yard.fits(again, RULES)) == sorted(
        fit.id for fit in RULES.yard.fits(design, RULES)
    )


def test_unsupported_part_is_a_fault_and_never_omitted() -> None:
    names = [name for name in CLASSES if not writable(name)]
    assert 0 < len(names) < len(CLASSES)
    with pytest.raises(RuleViolations) as caught:
        to_ftjava([CLASSES[name] for name in names], RULES)
    assert {fault.code for fault in caught.value.violations} == {"unwritable"}
    assert {fault.where.partition("]")[0] + "]" for fault in caught.value.violations} == {
        f"[{number}]" for number in range(len(names))
    }


def test_command_reads_and_writes_ftjava(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "petrel.xml"
    file.write_text(ship("<PointDefense/>"), encoding="utf-8")
    assert main(["design", str(file), "--from", "ftjava"]) == 0
    assert json.loads(capsys.readouterr().out)["class"] == "Petrel (Frigate)"
    file.write_text(ship("<Tardis/>"), encoding="utf-8")
    assert main(["design", str(file), "--from", "ftjava"]) == 2
    assert "line 16: Tardis" in capsys.readouterr().err


def test_command_omits_bad_designs_on_request_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.xml"
    file.write_text(GAME.replace("<Mass>30</Mass>", "<Mass>x</Mass>"), encoding="utf-8")
    assert main(["design", str(file), "--from", "ftjava"]) == 2
    assert '"[2].Mass"' in capsys.readouterr().err
    assert main(["design", str(file), "--from", "ftjava", "--to", "design", "--partial"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [design["class"] for design in answer["read"]] == ["Quay (Station)", "Tern"]
    (entry,) = answer["left_out"]
    assert (entry["where"], entry["name"], entry["violations"][0]["code"]) == (
        "[2]",
        "Rook",
        "not-a-number",
    )
    file.write_text("[]", encoding="utf-8")
    assert main(["design", str(file), "--partial"]) == 0
    assert json.loads(capsys.readouterr().out) == {"read": [], "left_out": []}
    file.write_text(ship("<Tardis/>"), encoding="utf-8")
    assert (
        main(["design", str(file), "--from", "ftjava", "--partial"]) == 2
    )  # nothing would be left

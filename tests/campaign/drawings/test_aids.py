"""Play aids: true to scale, complete, and with the engine's own figures."""

from __future__ import annotations

from math import atan2, degrees, hypot

import pytest

from campaign.drawings.aids import blank_forms, gauge, reference, templates
from campaign.drawings.aids.catalogue import AIDS, AidChoice
from campaign.drawings.aids.markers import A_PAGE, contacts, pieces
from campaign.drawings.aids.reference_continuum import continuum_tables
from campaign.drawings.aids.reference_second_edition import second_edition_tables
from campaign.drawings.aids.sheets import MM_PER_MU, AidDrawing, AidTable
from campaign.drawings.aids.star_map import star_map
from campaign.rules.files import fixture_scenario
from engine.continuum.edition import CONTINUUM
from engine.core.edition import Edition
from engine.core.rolls import BEAM_HITS, PROJECTILE_BANDS, PROJECTILE_HITS_ON
from engine.core.terms import VECTOR
from engine.second_edition.edition import SECOND_EDITION
from engine.systems.defences import BEAM_POINTS
from engine.weapons import torpedoes
from engine.weapons.beams import DICE_BY_BAND

# The paper less its margins, upright: the smaller width and height of A4 and letter, in mm.
WIDTH, HEIGHT = 192.0, 261.0
LAFAYETTE = AidChoice("inch", Edition.SECOND_EDITION, fixture_scenario("lafayette"))


def ends(path: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return both ends of the path of a straight line."""
    start, end = (part.split() for part in path.removeprefix("M").split("L"))
    return (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))


@pytest.mark.rule("aid.gauge")
def test_gauge_has_a_ray_every_30_degrees_and_a_scale_of_50_mm() -> None:
    bearings = []
    for ray in gauge.rays():
        (_, _), (x, y) = ends(ray)
        bearings.append(round(degrees(atan2(x - gauge.MIDDLE, gauge.MIDDLE - y))) % 360)
    assert bearings == [*range(30, 360, 30), 0]
    start, end = ends(gauge.scale_bar())
    assert hypot(end[0] - start[0], end[1] - start[1]) == 50.0
    texts = [label.text for label in gauge.gauge().labels]
    assert texts[:12] == [str(course) for course in range(1, 13)]
    assert [text for text in texts if text.isalpha()] == [
        *SECOND_EDITION.arcs,
        *CONTINUUM.arcs,
    ]


@pytest.mark.rule("aid.templates")
@pytest.mark.parametrize("unit", MM_PER_MU)
def test_templates_are_true_to_scale(unit: str) -> None:
    scale = MM_PER_MU[unit]
    drawings = [page.parts[0] for page in templates.template_pages(unit)]
    nova, wave, plasma = (part for part in drawings if isinstance(part, AidDrawing))
    assert [round(2 * circle.radius / scale, 6) for circle in nova.circles] == [2, 4, 6]
    assert [round(2 * circle.radius / scale, 6) for circle in wave.circles] == [2, 3, 4]
    if unit == "cm":
        assert [2 * circle.radius for circle in plasma.circles] == [120.0]
    else:  # a quarter, because the whole is wider than the paper
        assert "v152.4a152.4 152.4" in plasma.lines[0].path


@pytest.mark.rule("aid.markers")
def test_page_has_40_counters_each_with_its_own_code() -> None:
    for page in (contacts(), pieces()):
        assert len(page) == A_PAGE == 40
        assert len({(marker.text, marker.code) for marker in page}) == 40
    assert {marker.text for marker in contacts()} == {
        *("escort", "cruiser", "capital", "merchant", "installation", "decoy"),
    }
    assert {marker.text for marker in pieces()} == {
        *("mine", "missile", "salvo", "craft", "ECM", "cloak", "rock"),
    }


@pytest.mark.rule("aid.order-sheet")
def test_forms_have_their_rows_and_columns() -> None:
    (orders,) = blank_forms.order_sheet().parts
    assert isinstance(orders, AidTable)
    assert orders.columns == ("Ship", "Set-up", *(str(turn) for turn in range(1, 13)))
    assert len(orders.rows) == 10
    (roster,) = blank_forms.craft_roster().parts
    assert isinstance(roster, AidTable)
    assert roster.columns == ("Group", "Type", "Craft", "Endurance", "Pilot", "Loads")
    assert len(roster.rows) == 20
    for form in (orders, roster):
        assert all(row == ("",) * len(form.columns) for row in form.rows)


def numbers(table: AidTable) -> list[list[int]]:
    """Return the figures of a table's rows without their names; a dash is 0."""
    rows = []
    for row in table.rows:
        rows.append([0 if cell == "–" else int(cell.removesuffix("+")) for cell in row[1:]])
    return rows


@pytest.mark.rule("aid.quick-reference")
def test_reference_of_the_second_edition_has_the_figures_of_the_engine() -> None:
    tables = {table.title: table for table in second_edition_tables(SECOND_EDITION, ())}
    assert numbers(tables["Dice of a battery"]) == [list(dice) for dice in DICE_BY_BAND.values()]
    assert numbers(tables["Damage of a beam die"]) == [list(row[1:]) for row in BEAM_POINTS]
    assert numbers(tables["Pulse torpedo"]) == [list(torpedoes.HITS_ON)]
    assert tables["Threshold checks"].rows == (("1", "6"), ("2", "5+"), ("3", "4+"))
    assert tables["Nova cannon"].rows[0] == ("1", "2 MU", "18 MU", "6D6")
    assert [row[0] for row in tables["Leaving by FTL"].rows] == ["1", "2–4", "5–6"]


@pytest.mark.rule("aid.quick-reference")
def test_reference_of_continuum_has_the_figures_of_the_engine() -> None:
    tables = {table.title: table for table in continuum_tables(CONTINUUM, ())}
    assert numbers(tables["Hits of a beam die"]) == [list(row[1:]) for row in BEAM_HITS]
    assert numbers(tables["Dice of a beam"])[2] == [3, 2, 1, 0, 0]
    projectiles = tables["Projectile weapons"]
    assert numbers(projectiles) == [list(map(int, bands)) for bands in PROJECTILE_BANDS.values()]
    assert [int(head[0]) for head in projectiles.columns[1:]] == list(PROJECTILE_HITS_ON)
    assert ("Missiles find a ship within", "6 MU") in tables["Ordnance"].rows


@pytest.mark.rule("aid.quick-reference")
def test_reference_follows_the_optional_rules() -> None:
    pages = reference.reference_pages(Edition.CONTINUUM, (VECTOR,))
    tables = {table.title: table for page in pages for table in page.parts}  # type: ignore[union-attr]
    ordnance, options = tables["Ordnance"], tables["Optional rules in force"]
    assert isinstance(ordnance, AidTable)
    assert isinstance(options, AidTable)
    assert ("Missiles find a ship within", "3 MU") in ordnance.rows
    assert [row[0] for row in options.rows] == ["Vector movement"]


@pytest.mark.rule("aid.gauge")
def test_every_drawing_fits_on_both_papers() -> None:
    for aid in AIDS:
        for page in aid.pages(LAFAYETTE):
            width, height = (HEIGHT, WIDTH) if page.is_landscape else (WIDTH, HEIGHT)
            for part in page.parts:
                if isinstance(part, AidDrawing):
                    assert part.width <= width, (aid.name, page.title)
                    assert part.height <= height - 14, (aid.name, page.title)  # below the title


def test_star_map_shows_every_hex_and_system() -> None:
    scenario = LAFAYETTE.scenario
    texts = [label.text for label in star_map(scenario).labels]
    assert {system.name for system in scenario.systems} <= set(texts)
    assert len(texts) == scenario.columns * scenario.rows + len(scenario.systems)

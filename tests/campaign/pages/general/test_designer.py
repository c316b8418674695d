"""The designer and the design library in a browser without JavaScript, for both editions."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign.models import LibraryDesign, ShipClass
from campaign.services.design_library import library_design_save
from engine.core.edition import EDITIONS
from engine.design.offers import offers_of
from engine.ruleset import rules_of
from tests.campaign.pages.general.browser_pages import browser, page, read_page
from tests.campaign.pages.general.test_classes import seat_player
from tests.umpire.services.wars import campaign_of

pytestmark = pytest.mark.django_db
FIRST: dict[str, str] = {
    "class": "Shrike",
    "kind": "warship",
    "mass": "40",
    "thrust": "4",
    "ftl": "standard",
}
SIX = {"boxes": "12", "rows": "4"}
NEW = "/designs/new/{}/"


def ann() -> Client:
    User.objects.create_user("ann")
    return browser("ann")


def press_button(client: Client, where: str, fields: dict[str, Any], act: str, **extra: Any) -> Any:
    return client.post(where, {**fields, "act": act, **extra})


def rows_in(text: str) -> int:
    return text.count('<input type="hidden" name="row-')


@pytest.mark.parametrize("edition", EDITIONS)
def test_exactly_the_known_systems_are_offered(edition: str) -> None:
    text = ann().get(NEW.format(edition)).content.decode()
    rules = rules_of(edition)
    system_types = {*(spec.type for spec in rules.systems), *rules.system_prices}
    assert {offer.type for offer in offers_of(rules)} == system_types
    for type_ in system_types:
        assert f'value="add:{type_}"' in text
        answer = ann_again().post(NEW.format(edition), {**FIRST, **SIX, "act": f"add:{type_}"})
        assert answer.status_code == 200
        assert rows_in(answer.content.decode()) == 1
        assert "has no system" not in answer.content.decode()


def ann_again() -> Client:
    return browser("ann")


def test_ship_of_six_arcs_is_built_and_saved_in_the_library() -> None:
    client, where = ann(), NEW.format("continuum")
    first_page = read_page(press_button(client, where, FIRST | SIX, "add:beam"))
    assert "Beam 1" in first_page.text
    fields = (
        FIRST
        | SIX
        | {"row-0": '{"type":"beam","class":1}', "count-0": "2", "at": "0", "at-model": "3/"}
    )
    bigger = read_page(
        press_button(client, where, fields, "show", **{"at-arcs": ["FP", "F", "FS"]})
    )
    assert "2 × beam 3 (F FS FP)" in bigger.text
    assert "mass 12, 36 pts" in bigger.text
    answer = press_button(
        client, where, fields, "keep", **{"at-arcs": ["F"], "notes": "for the rim"}
    )
    row = LibraryDesign.objects.get()
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/designs/{row.public_id}/"
    assert row.design["systems"] == [{"type": "beam", "class": 3, "arcs": ["F"], "count": 2}]
    assert (row.name, row.notes, row.user.get_username()) == ("Shrike", "for the rim", "ann")
    assert "Shrike" in page(client, "/designs/").text
    compare_url = f"/designs/compare/?first=library/{row.public_id}"
    assert compare_url in client.get("/designs/").content.decode()
    assert f'value="library/{row.public_id}" selected' in client.get(compare_url).content.decode()
    assert "for the rim" in page(client, f"/designs/{row.public_id}/").text


def test_model_change_replaces_unavailable_arcs() -> None:
    client, where = ann(), NEW.format("continuum")
    for model, arcs, words in (
        ("3/", [], "beam 3 (F FS FP)"),
        ("2/", ["F"], "beam 2 (F FS FP)"),
        ("4/", ["A"], "beam 4 (A)"),
    ):
        fields = (
            FIRST
            | SIX
            | {"row-0": '{"type":"beam","class":1}', "count-0": "1", "at": "0", "at-model": model}
        )
        assert (
            words
            in read_page(press_button(client, where, fields, "show", **{"at-arcs": arcs})).text
        )
    back = (
        FIRST
        | SIX
        | {
            "row-0": '{"type":"beam","class":3,"arcs":["F"]}',
            "count-0": "1",
            "at": "0",
            "at-model": "1/",
        }
    )
    final_page = read_page(press_button(client, where, back, "show", **{"at-arcs": ["F"]})).text
    assert "Valid design" in final_page


def test_ship_of_four_arcs_is_built_and_edited() -> None:
    client, where = ann(), NEW.format("second-edition")
    fields = FIRST | {"row-0": '{"type":"battery","battery":"A","arcs":["F"]}', "count-0": "1"}
    assert press_button(client, where, fields, "keep").status_code == 302
    row = LibraryDesign.objects.get()
    again = {**fields, "class": "Shrike II", "at": "0", "at-model": "/B"}
    assert (
        press_button(
            client, f"/designs/{row.public_id}/", again, "keep", **{"at-arcs": ["P", "F"]}
        ).status_code
        == 302
    )
    row.refresh_from_db()
    assert row.name == "Shrike II"
    assert row.design["systems"] == [{"type": "battery", "battery": "B", "arcs": ["F", "P"]}]
    assert LibraryDesign.objects.count() == 1


def test_faults_name_fields_and_systems_as_players_do() -> None:
    wrong = FIRST | SIX | {"class": "", "mass": "abc"}
    text = page_text(press_button(ann(), NEW.format("continuum"), wrong, "keep"))
    assert "Enter a class name" in text
    assert "Mass: expected a whole number" in text
    assert "a text that is not empty" not in text
    rows = {"row-0": '{"type":"turret"}', "count-0": "1", "row-1": '{"type":"nova-cannon"}'}
    answer = press_button(ann_again(), NEW.format("continuum"), FIRST | SIX | rows, "show")
    text = page_text(answer)
    assert "Turret 1 has no weapon" in text
    assert "A nova cannon needs a capital ship; by its mass, this design is: escort" in text
    rows = {"row-0": '{"type":"screen"}', "count-0": "5"}
    where = NEW.format("second-edition")
    assert "Screen: at most 3 on a warship" in page_text(
        press_button(ann_again(), where, FIRST | rows, "show")
    )
    cannon = ann_again().post(
        NEW.format("continuum"),
        {**FIRST, **SIX, "row-0": '{"type":"nova-cannon"}', "act": "show"},
        headers={"accept-language": "de"},
    )
    assert "Novakanone: nur für Großkampfschiff; dieser Entwurf zählt" in page_text(cannon)
    german = ann_again().post(
        where, {**FIRST, **rows, "class": "", "act": "keep"}, headers={"accept-language": "de"}
    )
    assert "Schirm: höchstens 3 (Kriegsschiff)" in page_text(german)
    assert "Gib einen Klassennamen ein" in page_text(german)


def page_text(answer: Any) -> str:
    """Return the text of an answer, without tags."""
    return html.unescape(answer.content.decode())


def test_faults_are_at_the_top_and_at_their_rows() -> None:
    rows = {
        "row-0": '{"type":"k-gun","class":3,"arcs":["F","A"]}',
        "count-0": "1",
        "row-1": '{"type":"hangar"}',
    }
    answer = press_button(
        ann(), NEW.format("continuum"), FIRST | SIX | rows | {"count-1": "9"}, "show"
    )
    text = answer.content.decode()
    words = "The number of arcs of a K-gun 3 is 1, not 2"
    assert text.count(words) == 2
    assert 'href="#row-0"' in text
    assert 'id="row-0"' in text
    assert "hull, drives and systems take mass" in text.lower()
    assert "Over by" in text


def test_invalid_number_is_a_fault_not_a_crash() -> None:
    client = ann()
    result = read_page(
        press_button(
            client,
            NEW.format("continuum"),
            {**FIRST, **SIX, "mass": "many", "row-0": "{", "row-1": "7"},
            "show",
        )
    )
    assert "No figures yet" in result.text
    assert (
        press_button(
            client, NEW.format("continuum"), {**FIRST, **SIX, "mass": "many"}, "keep"
        ).status_code
        == 422
    )
    assert not LibraryDesign.objects.exists()
    huge = read_page(
        press_button(
            client,
            NEW.format("continuum"),
            {**FIRST, "mass": "3000", "boxes": "900000", "rows": "4"},
            "show",
        )
    )
    assert "fits on one sheet" in huge.text


@pytest.mark.parametrize(
    "act",
    ["copy:0", "up:1", "down:0", "remove:0", "edit:1", "remove:9", "up:x", "add:nothing", "x"],
)
def test_rows_are_copied_moved_and_removed(act: str) -> None:
    fields = (
        FIRST
        | SIX
        | {"row-0": '{"type":"pds"}', "count-0": "1", "row-1": '{"type":"screen"}', "count-1": "1"}
    )
    text = press_button(ann(), NEW.format("continuum"), fields, act).content.decode()
    expected = {"copy:0": 3, "remove:0": 1}.get(act, 2)
    assert rows_in(text) == expected
    if act in ("up:1", "down:0"):
        assert text.index("Screen</b>") < text.index("Point defence system</b>")


def test_script_gets_the_changed_part() -> None:
    client, where = ann(), NEW.format("continuum")
    part = client.post(where, FIRST | SIX | {"act": "add:pds"}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert b"<html" not in part.content
    assert b"Point defence system" in part.content


def test_design_library_is_searched_by_word_and_letter() -> None:
    client = ann()
    owner = User.objects.get(username="ann")
    frame = {"edition": "continuum", "kind": "warship", "mass": 40, "thrust": 4, "ftl": "standard"}
    design = {**frame, "hull": {"boxes": 12, "rows": 4}, "systems": [{"type": "pds"}]}
    names = ("Zhukov", "Éclair", "Anson", *(f"Ship {n}" for n in range(11)))
    for name in names:
        library_design_save(user=owner, document={**design, "class": name})
    library = page(client, "/designs/")
    assert [link for link in library.links if link.startswith("#kept-")] == [
        "#kept-1",
        "#kept-2",
        "#kept-3",
        "#kept-14",
    ]
    assert {"kept-1", "kept-2", "kept-3", "kept-14"} <= set(library.ids)
    for search_text, matching in (
        ("eclair", {"Éclair"}),
        ("pds zHu", {"Zhukov"}),
        ("needle", set()),
        (" ", set(names)),
    ):
        text = page(client, f"/designs/?q={search_text}").text
        assert {name for name in names if f"{name} Continuum" in text} == matching, search_text
        assert ("No matches" in text) == (not matching)


def test_design_library_is_private() -> None:
    client = ann()
    press_button(client, NEW.format("continuum"), FIRST | SIX, "keep")
    row = LibraryDesign.objects.get()
    User.objects.create_user("bob")
    other = browser("bob")
    for where in (f"/designs/{row.public_id}/", f"/designs/{row.public_id}/json/"):
        assert other.get(where).status_code == 404
        assert Client().get(where).status_code == 302
    assert (
        other.post(f"/designs/{row.public_id}/", FIRST | SIX | {"act": "keep"}).status_code == 404
    )
    assert other.post("/designs/", {"act": "delete", "id": str(row.public_id)}).status_code == 404
    assert "Shrike" not in page(other, "/designs/").text
    assert client.post("/designs/", {"act": "delete", "id": str(row.public_id)}).status_code == 302
    assert not LibraryDesign.objects.exists()


def test_designs_are_imported_and_exported() -> None:
    client = ann()
    press_button(
        client,
        NEW.format("continuum"),
        FIRST | SIX | {"row-0": '{"type":"pds"}', "count-0": "2"},
        "keep",
    )
    row = LibraryDesign.objects.get()
    for form in ("json", "yaml", "ftlibship"):
        text = client.get(f"/designs/{row.public_id}/{form}/").content.decode()
        source = form if form == "ftlibship" else "design"
        assert (
            client.post("/designs/", {"act": "import", "text": text, "source": source}).status_code
            == 302
        )
    assert [stored_design.design for stored_design in LibraryDesign.objects.all()] == [
        row.design
    ] * 4
    bad = client.post(
        "/designs/",
        {"act": "import", "text": json.dumps([row.design, {"mass": 3}]), "source": "design"},
    )
    assert bad.status_code == 422
    assert "Design 2, edition: " in bad.content.decode()
    assert "[1]" not in bad.content.decode()
    assert LibraryDesign.objects.count() == 4
    assert client.get(f"/designs/{row.public_id}/doc/").status_code == 404


SHIP = "<Ship><ClassName>{}</ClassName><Mass>20</Mass><MainDrive initialThrust='6'/><Hull type='Weak'/>{}</Ship>"
LIST_AT = "Left out: 2 designs"


def test_ftjava_fleet_is_imported_and_omissions_are_listed() -> None:
    client = ann()
    gun, box = (
        "<Weapons><BeamBattery rating='1'/></Weapons>",
        "<Weapons><Tardis/><Tardis/></Weapons>",
    )
    ships = [
        SHIP.format("Tern", gun),
        SHIP.format("Tern", gun),
        SHIP.format("Box &amp; Co", box),
        SHIP.format("", ""),
    ]
    fleet = f"<GameEngine><Player>{''.join(ships)}</Player></GameEngine>"
    form = {"act": "import", "text": "", "source": "ftjava"}
    refused = client.post(
        "/designs/", {**form, "file": SimpleUploadedFile("fleet.xml", fleet.encode())}
    )
    assert refused.status_code == 422
    assert not LibraryDesign.objects.exists()
    assert 'name="partial" value="1">' in refused.content.decode()  # as sent
    upload = SimpleUploadedFile("fleet.xml", fleet.encode())
    assert (
        client.post("/designs/", {"act": "import", "partial": "1", "file": upload}).status_code
        == 302
    )
    assert [row.name for row in LibraryDesign.objects.all()] == ["Tern"]
    assert LIST_AT not in page(browser(User.objects.create_user("bob").username), "/designs/").text
    text = page(client, "/designs/").text
    assert "Saved: Tern." in text
    assert LIST_AT in text
    assert text.count("Line 1: Tardis: Continuum has no such system") == 2
    assert "Box & Co" in text
    assert "Design 4" in text
    assert LIST_AT not in page(client, "/designs/").text
    assert 'value="1" checked>' in client.get("/designs/").content.decode()
    bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'>]>" + SHIP.format("&a;", gun)
    answer = client.post("/designs/", {**form, "text": bomb, "partial": "1"})
    assert (answer.status_code, LibraryDesign.objects.count()) == (422, 1)
    assert "document types (DTD) are not allowed" in answer.content.decode()
    hundreds = f"<Player>{ships[0] * 101}</Player>"
    assert (
        b"can have at most 100 ships"
        in client.post("/designs/", {**form, "text": hundreds, "partial": "1"}).content
    )


def test_war_offers_buildable_systems_and_saves_valid_classes() -> None:
    client, where = seat_player(campaign_of("lafayette-continuum"))
    text = client.get(f"{where}designer/").content.decode()
    assert 'value="add:graser"' in text
    assert 'value="add:pulser"' not in text
    assert 'value="add:cloaking-field"' not in text
    valid = {**FIRST, **SIX, "row-0": '{"type":"pds"}', "count-0": "2"}
    refused = client.post(
        f"{where}designer/", {**valid, "row-1": '{"type":"pulser","arcs":["F"]}', "act": "class"}
    )
    assert refused.status_code == 422
    assert "Needs the technology Pulsers" in refused.content.decode()
    assert not ShipClass.objects.filter(campaign__isnull=False).exists()
    assert client.post(f"{where}designer/", {**valid, "act": "class"}).status_code == 302
    saved = ShipClass.objects.get(campaign__isnull=False)
    assert saved.name == "Shrike"
    assert "Shrike" in page(client, f"{where}designer/?of={saved.public_id}").text
    assert client.post(f"{where}designer/", {**valid, "act": "keep"}).status_code == 302
    row = LibraryDesign.objects.get()
    assert "Shrike" in page(client, f"{where}designer/?library={row.public_id}").text
    assert client.get(f"{where}designer/?of=x").status_code == 404

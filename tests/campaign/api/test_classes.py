"""Ship classes over the API: listed, checked, saved, imported, exported, deleted, and built."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from campaign.models import ShipClass
from tests.campaign.api.calls import Caller, caller, json_of
from tests.campaign.rules.yards import design
from tests.umpire.services.wars import start_campaign
from umpire.services.stages import stage_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.tech-base")]
SLUG = "lafayette-continuum"
HUNTER = design(
    "Hunter", {"type": "graser", "class": 1, "arcs": ["FP", "F", "FS"]}, {"type": "pds"}
)
GHOST = design("Ghost", {"type": "cloaking-field"}, {"type": "pulser", "arcs": ["F"]})
MISSING = [
    (
        "systems[1]",
        "needs the technology Cloaking field, which New Anglian Confederation does not have",
    ),
    ("systems[2]", "needs the technology Pulsers, which New Anglian Confederation does not have"),
]


@pytest.fixture
def both() -> tuple[Caller, Caller, Any]:
    """Return a player of each faction in the deployment of the war with tech bases."""
    campaign, stage = start_campaign(SLUG)
    callers = [caller(name, campaign, "player", name) for name in ("nac", "esu")]
    return callers[0], callers[1], stage


@pytest.fixture
def nac(both: tuple[Caller, Caller, Any]) -> Caller:
    return both[0]


def own_class_names(caller: Caller) -> list[str]:
    return [
        line["card"]["display_name"]
        for line in json_of(caller.get("classes/"))["classes"]
        if line["id"]
    ]


def faults(answer: Any) -> list[tuple[str, str]]:
    return [(fault["where"], fault["message"]) for fault in json_of(answer, 422)["violations"]]


def test_check_returns_figures_and_every_fault_and_saves_nothing(nac: Caller) -> None:
    good = json_of(nac.post("classes/check/", {"design": HUNTER}))
    card = good["card"]
    assert good["violations"] == []
    assert (card["mass"], card["rows"], card["kind"]) == (60, [3, 3, 3, 3], "warship")
    assert card["points"] > 0
    assert card["crew"]
    bad = json_of(nac.post("classes/check/", {"design": GHOST}))
    assert bad["card"] is None
    assert [(fault["where"], fault["message"]) for fault in bad["violations"]] == MISSING
    assert {fault["code"] for fault in bad["violations"]} == {"missing-technology"}
    assert good["warnings"] == card["warnings"] == []
    idle = json_of(nac.post("classes/check/", {"design": design("Lob", {"type": "shroud"})}))
    assert [(warning["where"], warning["code"]) for warning in idle["warnings"]] == [
        ("systems[1]", "idle-system")
    ]
    assert idle["card"]["warnings"] == [
        "shroud: has no effect in a battle, because the rulebook has no rule for it"
    ]
    assert not ShipClass.objects.filter(faction__isnull=False).exists()


def test_design_is_saved_replaced_and_deleted(nac: Caller) -> None:
    answer = nac.post("classes/", {"design": HUNTER})
    line = json_of(answer, 201)
    assert answer.headers["Location"].endswith(f"/classes/{line['id']}/")
    assert own_class_names(nac) == ["Hunter"]
    again = json_of(nac.post("classes/", {"design": HUNTER}), 201)
    assert again["id"] == line["id"]
    changed = {**HUNTER, "thrust": 5}
    newer = json_of(nac.post("classes/", {"design": changed}), 201)
    assert newer["id"] != line["id"]
    assert json_of(nac.get(f"classes/{newer['id']}/"))["card"]["thrust"] == 5
    assert nac.get(f"classes/{line['id']}/").status_code == 404
    assert ShipClass.objects.get(public_id=newer["id"]).supersedes is not None
    back = json_of(nac.post("classes/", {"design": HUNTER}), 201)  # an older form
    assert (back["id"], own_class_names(nac)) == (line["id"], ["Hunter"])
    assert nac.delete(f"classes/{line['id']}/").status_code == 204
    assert own_class_names(nac) == []
    assert nac.delete(f"classes/{line['id']}/").status_code == 404
    assert not ShipClass.objects.filter(faction__isnull=False).exists()


def test_unbuildable_design_is_not_saved(nac: Caller) -> None:
    assert faults(nac.post("classes/", {"design": GHOST})) == MISSING
    text = json.dumps([HUNTER, GHOST])
    violations = faults(nac.post("classes/import/", {"text": text}))
    assert violations == [(f"[1].{where}", words) for where, words in MISSING]
    assert own_class_names(nac) == []
    report = json_of(nac.post("classes/import/", {"text": text, "partial": True}), 201)
    assert (
        [line["card"]["display_name"] for line in report["classes"]] == own_class_names(nac) != []
    )
    (left_out,) = report["left_out"]
    assert left_out["where"] == "[1]"
    assert [(fault["where"], fault["message"]) for fault in left_out["violations"]] == list(MISSING)


@pytest.mark.any_database
def test_designs_are_imported_and_exported_in_every_format(nac: Caller) -> None:
    moth = design("Moth", {"type": "beam", "class": 1, "count": 2})
    json_of(nac.post("classes/import/", {"text": yaml.safe_dump([HUNTER, moth])}), 201)
    assert own_class_names(nac) == ["Hunter", "Moth"]
    texts = {
        form: json_of(nac.get(f"classes/export/?form={form}"))["text"]
        for form in ("json", "yaml", "ftlibship")
    }
    assert json.loads(texts["json"]) == yaml.safe_load(texts["yaml"])
    assert [item["class"] for item in json.loads(texts["json"])] == ["Hunter", "Moth"]
    ids = [line["id"] for line in json_of(nac.get("classes/"))["classes"] if line["id"]]
    for id_ in ids:
        nac.delete(f"classes/{id_}/")
    report = json_of(
        nac.post("classes/import/", {"text": texts["ftlibship"], "source": "ftlibship"}), 201
    )
    before = {item["class"]: item for item in json.loads(texts["json"])}
    assert [(line["card"]["mass"], line["card"]["rows"]) for line in report["classes"]] == [
        (60, [3, 3, 3, 3])
    ] * 2
    assert len(before) == len(report["classes"])


BAD = {
    "": "empty",
    "[": "not-json",
    "a: [": "not-yaml",
    "a: &x [1]\nb: *x": "alias",
    "class: A\nclass: B": "key-twice",
    "[]": "wrong-length",
    json.dumps([HUNTER, HUNTER]): "class-twice",
    "[" * 100_000: "too-deep",
    "x" * 200_001: "too-long",
}


def test_bad_documents_are_refused(nac: Caller) -> None:
    for text, code in BAD.items():
        violations = json_of(nac.post("classes/import/", {"text": text}), 422)["violations"]
        assert code in {fault["code"] for fault in violations}, text[:30]
    assert own_class_names(nac) == []


@pytest.mark.any_database
@pytest.mark.parametrize("name", ["x/Ghost", "esu/Destroyer", "/"])
def test_class_name_of_another_player_is_refused(nac: Caller, name: str) -> None:
    """Others see only the short name of a class: `x/System Defence Ship` appeared as `System
    Defence
    Ship`.
    """
    violations = json_of(nac.post("classes/check/", {"design": {**HUNTER, "class": name}}))[
        "violations"
    ]
    assert ("class", "bad-name") in {(fault["where"], fault["code"]) for fault in violations}
    assert nac.post("classes/", {"design": {**HUNTER, "class": name}}).status_code == 422


@pytest.mark.any_database
def test_copied_class_under_a_new_name_is_refused(nac: Caller) -> None:
    plain = (
        "heavy cruiser",
        "Heavy  Cruiser",
        "HEAVY CRUISER",
        "Heavy Ｃruiser",
        "Heavy\u00a0Cruiser",
    )
    unseen = (
        "Heavy Cruiser\ufe0f",
        "Hea\u034fvy Cruiser",
        "Heavy\u3164 Cruiser",
        "Heavy \u2800Cruiser",
    )
    lookalikes = (
        "He\u0430vy Cruiser",
        "Heavy \u0421ruiser",
        "Heavy Cru\u0456\u0455er",
        "\u0397eavy Cruiser",
    )
    for name in (*plain, *unseen, *lookalikes):
        violations = json_of(nac.post("classes/check/", {"design": {**HUNTER, "class": name}}))[
            "violations"
        ]
        assert "class-twice" in {fault["code"] for fault in violations}, name


def test_class_name_must_be_visible_text(nac: Caller) -> None:
    for name in ("Hun\u202eter", "Hun\u200bter", "Hun\nter", "x" * 41):
        violations = json_of(nac.post("classes/check/", {"design": {**HUNTER, "class": name}}))[
            "violations"
        ]
        assert {fault["where"] for fault in violations} == {"class"}, name


def test_drawings_are_private(both: tuple[Caller, Caller, Any]) -> None:
    nac, esu, _ = both
    id_ = json_of(nac.post("classes/", {"design": HUNTER}), 201)["id"]
    assert own_class_names(esu) == []
    for answer in (
        esu.get(f"classes/{id_}/"),
        esu.delete(f"classes/{id_}/"),
        esu.get("classes/x/"),
    ):
        assert answer.status_code == 404
        assert answer.content == esu.get("reports/x/").content
    assert own_class_names(nac) == ["Hunter"]
    assert b"Hunter" not in esu.get("classes/export/").content


def test_tech_base_lists_chosen_free_and_missing_technologies(nac: Caller) -> None:
    sheet = json_of(nac.get("tech-base/"))
    assert (sheet["has"], sheet["name"], sheet["choices"], sheet["most"]) == (
        True, "New Anglian Confederation", 12, 12,
    )  # fmt: skip
    ids = {part: {row["id"] for row in sheet[part]} for part in ("chosen", "along", "lacking")}
    assert "advanced-screens" in ids["chosen"]
    assert {"hull", "salvo-racks", "interceptors"} <= ids["along"]
    assert {"armour", "pulsers"} <= ids["lacking"]
    assert not ids["chosen"] & ids["along"]


@pytest.mark.any_database
def test_own_designs_are_deployed_and_stay_in_the_war(both: tuple[Caller, Caller, Any]) -> None:
    nac, esu, stage = both
    id_ = json_of(nac.post("classes/", {"design": HUNTER}), 201)["id"]
    budgets = json_of(nac.get("/api/scenarios/lafayette-continuum/"))["scenario"]["budgets"]
    budget = next(
        item["id"] for item in budgets if item["faction"] == "nac" and item["ftl"] == "required"
    )
    ships = [["nac/Hunter", "First"], ["nac/Hunter", "Second"]]
    orders: dict[str, Any] = {
        "deploy": [{"name": "Pack", "budget": budget, "hex": "1408", "ships": ships}]
    }
    unknown = json_of(nac.post("orders/seal/", {"orders": orders}), 422)["violations"]
    assert {fault["code"] for fault in unknown} == {"unknown-class"}
    orders["designs"] = [HUNTER]
    json_of(nac.post("orders/seal/", {"orders": orders}), 201)
    assert stage_resolve(stage=stage.pk, force=True) is not None
    mine = json_of(nac.get("ships/"))["ships"]
    assert {ship["cls"] for ship in mine} == {"nac/Hunter"}
    assert [cls["name"] for cls in json_of(nac.get("view/"))["view"]["classes"]] == ["nac/Hunter"]
    assert b"Hunter" not in esu.get("view/").content + esu.get("classes/").content
    line = next(line for line in json_of(nac.get("classes/"))["classes"] if line["id"] == id_)
    assert line["card"]["in_service"] == 2
    assert json_of(nac.delete(f"classes/{id_}/"), 409)["code"] == "in-use"
    changed = {**HUNTER, "thrust": 5}
    json_of(
        nac.post("classes/", {"design": changed}), 201
    )  # ships of the old design stay as they were built
    cards = [
        line
        for line in json_of(nac.get("classes/"))["classes"]
        if line["card"]["cls"] == "nac/Hunter"
    ]
    assert [(bool(line["id"]), line["card"]["thrust"]) for line in cards] == [(True, 5), (False, 4)]


def test_deployment_names_missing_technologies_of_a_design(nac: Caller) -> None:
    orders = {"deploy": [], "designs": [GHOST]}
    violations = faults(nac.post("orders/seal/", {"orders": orders}))
    assert [(where, words) for where, words in violations if ".designs" in where] == [
        (f"orders.designs[0].{where}", words) for where, words in MISSING
    ]


@pytest.mark.rule("camp.refit")
@pytest.mark.any_database
def test_refits_are_weekly_orders(both: tuple[Caller, Caller, Any]) -> None:
    nac, _, stage = both
    assert stage_resolve(stage=stage.pk, force=True) is not None
    ship = json_of(nac.get("ships/"))["ships"][0]
    order = {"ship": ship["key"], "system": "pulser-1", "setting": "short"}
    violations = json_of(nac.post("orders/seal/", {"orders": {"refit": [order]}}), 422)[
        "violations"
    ]
    assert [(fault["where"], fault["code"]) for fault in violations] == [
        ("orders.refit[0].system", "not-settable")
    ]

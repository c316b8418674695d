"""The scenario editor in a browser without JavaScript, from a copy to a campaign."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from campaign.models import Campaign, PrivateScenario, Scenario, ScenarioDraft
from campaign.rules.files import check_scenario, fixture_text
from campaign.rules.scenario_editing import NEW_SCENARIO, read_file
from campaign.rules.scenario_sections import SECTIONS
from campaign.services.own_scenarios import (
    MAX_STORED,
    private_scenario_store,
    scenario_draft_create,
)
from campaign.services.scenarios import scenarios_load
from campaign.store.documents import stored_scenario
from campaign.web.scenario_forms import form_groups
from campaign.words.languages import in_language
from tests.campaign.pages.general.browser_pages import browser, page, read_page
from tests.campaign.pages.war.browsing import Page

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LIST = "/scenarios/"


class ScenarioPage(Page):
    """A page that also reads text areas."""

    box: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag == "textarea" and self.forms:
            self.box = [""]
            self.forms[-1][dict(attrs)["name"] or ""] = self.box

    def handle_data(self, data: str) -> None:
        if self.box is not None:
            self.box[0] += data

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        if self.box is not None and tag == "textarea":
            self.box[0], self.box = self.box[0].removeprefix("\n").replace("\n", "\r\n"), None


def ann() -> Client:
    User.objects.create_user("ann")
    return browser("ann")


def begin_draft(client: Client, slug: str = "first-steps") -> tuple[ScenarioDraft, str]:
    answer = client.post(LIST, {"act": "begin", "scenario": slug})
    row = ScenarioDraft.objects.get()
    assert answer.headers["Location"] == f"/scenarios/{row.public_id}/war/"
    return row, f"/scenarios/{row.public_id}/"


def form_data_of(text: str) -> dict[str, Any]:
    """Return what a browser would send of the form that saves a part."""
    scenario_page = ScenarioPage(text)
    return next(
        form
        for form, acts in zip(scenario_page.forms, scenario_page.buttons, strict=True)
        if ("act", "save") in acts
    )


def post_changes(client: Client, where: str, act: str = "save", **changes: Any) -> Any:
    fields = form_data_of(client.get(where).content.decode())
    assert set(changes) <= set(fields), "a field that the form has not"
    return client.post(where, {**fields, **changes, "act": act})


def document() -> dict[str, Any]:
    return read_file(ScenarioDraft.objects.get().text)


def _with_defaults(document: dict[str, Any]) -> dict[str, Any]:
    """Return a file with all defaults filled in, and its introduction as shown."""
    result = {**document, "intro": document["intro"].strip()}
    result["decoys"] = {"allowed": True, **result["decoys"]}
    for row in result["systems"]:
        row.setdefault("owner", None)
    return result


def test_rows_and_faults_have_titles_in_the_readers_language() -> None:
    document = read_file(NEW_SCENARIO)
    document |= {"links": [{}], "entries": [{}], "reinforcements": [{}]}
    _, faults = check_scenario(document)
    titles: list[str] = []
    words: list[str] = []
    for section in SECTIONS:
        groups, unplaced = form_groups(document, section, faults, {})
        titles += [row.title for group in groups for row in group.rows]
        words += unplaced
    with translation.override("de"):
        assert {in_language(title) for title in titles} >= {
            "Verbindung 1",
            "Eintrittsort 1",
            "Verstärkung 1",
        }
        assert any(in_language(fault).startswith("Systeme: ") for fault in words)
        assert any(in_language(fault).startswith("Streitkräfte: ") for fault in words)


def test_new_scenario_has_a_name_in_its_authors_language() -> None:
    ann().post(LIST, {"act": "new"}, headers={"accept-language": "fr"})
    assert ScenarioDraft.objects.get().name == "Nouvelle guerre"


def test_saving_every_section_unchanged_changes_nothing() -> None:
    client = ann()
    _, where = begin_draft(client, "knot-of-gates")
    before = document()
    for section in SECTIONS:
        assert "can be played" in page(client, f"{where}{section.slug}/").text
        assert post_changes(client, f"{where}{section.slug}/").status_code == 302
    assert ScenarioDraft.objects.get().faults == 0
    assert _with_defaults(document()) == _with_defaults(before)


def test_own_scenario_is_written_opened_and_private() -> None:
    scenarios_load()
    client, public = ann(), Scenario.objects.count()
    _, where = begin_draft(client)
    assert (
        post_changes(
            client, f"{where}war/", **{"war-0-name": "Ann's War", "war-0-weeks": "7"}
        ).status_code
        == 302
    )
    answer = post_changes(client, f"{where}war/", "play")
    scenario = PrivateScenario.objects.get().scenario
    assert answer.headers["Location"] == f"/campaigns/new?scenario={scenario.slug}"
    assert (scenario.name, stored_scenario(scenario).weeks) == ("Ann's War", 7)
    settings = page(client, answer.headers["Location"]).text
    assert "Ann's War" in settings
    faction = document()["factions"][0]["id"]
    client.post("/campaigns/new", {"scenario": scenario.slug, "number": "0", "solo": faction})
    campaign = Campaign.objects.get()
    assert (campaign.scenario, campaign.started_at is not None) == (scenario, True)
    User.objects.create_user("bob")
    bob = browser("bob")
    assert "Ann's War" not in page(bob, "/campaigns/new").text
    assert "Ann's War" not in page(bob, f"/campaigns/new?scenario={scenario.slug}").text
    bob.post("/campaigns/new", {"scenario": scenario.slug, "number": "0", "solo": faction})
    assert Campaign.objects.count() == 1
    assert bob.get(f"/api/scenarios/{scenario.slug}/").status_code == 404
    assert scenario.slug not in bob.get("/api/scenarios/").content.decode()
    assert Scenario.objects.count() == public + 1


def test_faults_are_at_their_fields_and_block_opening() -> None:
    client = ann()
    _, where = begin_draft(client)
    answer = post_changes(
        client, f"{where}map/", "play", **{"systems-0-hex": "9999", "systems-1-income": "much"}
    )
    assert answer.status_code == 422
    read_page(answer)
    text = answer.content.decode()
    assert re.search(r'name="systems-0-hex" value="9999"[^>]*aria-invalid="true"', text)
    assert re.search(
        r'id="systems-0-hex-fault"><p class="fault">&#x27;9999&#x27; is not a hex of this map', text
    )
    assert 'id="systems-1-income-fault"' in text
    assert not PrivateScenario.objects.exists()
    assert ScenarioDraft.objects.get().faults > 1
    assert "faults" in page(client, LIST).text
    assert '<svg class="thumb"' in text, "what stands on the map is drawn all the same"
    before = len(read_file(fixture_text("first-steps"))["systems"])
    assert (
        post_changes(client, f"{where}map/", "add:systems").url == f"{where}map/#systems-{before}"
    )  # the new one
    assert len(document()["systems"]) == before + 1
    assert f'<details id="systems-{before}"' in client.get(f"{where}map/").content.decode()
    assert "Fill this in" not in client.get(f"{where}map/").content.decode()
    post_changes(client, f"{where}map/", **{f"systems-{before}-note": "Far"})
    assert '<p class="fault">Fill this in</p>' in client.get(f"{where}map/").content.decode()
    assert "is missing" not in client.get(f"{where}map/").content.decode()
    assert client.get(f"{where}map/").content.decode().count('class="piece wrong"') >= 3


def test_untouched_rows_are_no_fault_and_are_not_kept() -> None:
    client = ann()
    _, where = begin_draft(client)
    before = document()
    groups = [(section.slug, group) for section in SECTIONS for group in section.groups]
    for slug, group in groups:
        if not group.single:
            post_changes(client, f"{where}{slug}/", f"add:{group.key}")
            post_changes(client, f"{where}{slug}/", f"add:{group.key}")
    assert len(document()["victory"]) == len(before["victory"]) + 2
    assert ScenarioDraft.objects.get().faults == 0
    for slug, _ in groups:
        assert "can be played" in page(client, f"{where}{slug}/").text
    played = client.post(LIST, {"act": "play", "id": str(ScenarioDraft.objects.get().public_id)})
    assert played.headers["Location"].startswith("/campaigns/new?scenario=")
    post_changes(client, f"{where}victory/", **{"victory-0-result": ""})
    number = len(before["victory"])
    assert len(document()["victory"]) == number, "rows that nobody filled in are dropped"
    assert "Results, row 1, Result: fill this in" in " ".join(faults_of_play(client, where))


def faults_of_play(client: Client, where: str) -> list[str]:
    """Return the listed faults after pressing the button that opens a campaign."""
    answer = post_changes(client, f"{where}war/", "play")
    assert answer.status_code == 422
    listed = answer.content.decode().split('id="refused"')[1].split("</section>")[0]
    return [html.unescape(words).strip() for words in re.findall(r"<li>(.*?)</li>", listed)]


def test_budgets_show_the_points_of_their_preset_fleets() -> None:
    client = ann()
    _, where = begin_draft(client)
    forces = page(client, f"{where}forces/").text
    costs = re.findall(r"preset fleets: (\d+) of (\d+) points", forces)
    cost = int(costs[0][0])
    assert 0 < cost <= int(costs[0][1])
    post_changes(client, f"{where}forces/", **{"budgets-0-points": str(cost)})
    assert ScenarioDraft.objects.get().faults == 0
    post_changes(client, f"{where}forces/", **{"budgets-0-points": str(cost - 1)})
    changed = page(client, f"{where}forces/").text
    assert f"preset fleets: {cost} of {cost - 1} points" in changed
    checked = post_changes(client, f"{where}forces/", "check", **{"budgets-0-points": str(cost)})
    assert f"preset fleets: {cost} of {cost} points" in checked.content.decode()
    assert page(client, f"{where}forces/").text.count(f"{cost} of {cost - 1}"), "nothing is saved"
    assert f"has {cost - 1} points; these fleets cost {cost}" in changed


WRONG_VALUES: dict[str, dict[str, Any]] = {
    "war": {
        "file-0-slug": "Two Words",
        "war-0-name": "",
        "war-0-weeks": "abc",
        "battles-0-table": ["x", "48"],
        "fleet-rules-0-classification_limit": "3",
    },
    "map": {"map-0-closed": "9999", "systems-0-facility.yard": "big"},
    "forces": {"budgets-0-points": "", "fleets-1-ships-count": ["three", "1"]},
    "victory": {"victory-0-of_word": "nowhere"},
}


def test_listed_faults_have_the_labels_of_the_form() -> None:
    client = ann()
    _, where = begin_draft(client)
    for slug, changes in WRONG_VALUES.items():
        post_changes(client, f"{where}{slug}/", **changes)
    listed = faults_of_play(client, where)
    for words in (
        "Id: 'Two Words' cannot be used as an id: write up to 32 lower-case letters, digits and "
        "single hyphens; the words any, all, own, entry and settled are reserved",
        "Name: fill this in",
        "Weeks: enter a whole number",
        "Battle table in MU, Width: enter a whole number",
        "Ships of one classification in a fleet list, at most: a share must be a fraction such as 1/2, "
        "above 0 and at most 1",
        "Closed hexes: '9999' is not a hex of this map (0101 to 1007)",
        "Systems, Ember, Shipyard: largest mass: enter a whole number",
        "Budgets, Ember Cooperative, mobile, Points: fill this in",
        "Results, row 1, These systems: there is no system 'nowhere'",
    ):
        assert words in listed
    assert any(re.search(", Ships, .*: enter a whole number", words) for words in listed)
    head = page(client, f"{where}war/").text
    assert "2 factions · 2 systems" in " ".join(head.split()), "no weeks that nobody entered"
    text_page = page(client, f"{where}text/").text
    assert "Weeks (weeks): enter a whole number" in text_page
    assert "Battle table in MU, Width (table[0]): enter a whole number" in text_page
    german = client.get(f"{where}text/", headers={"accept-language": "de"}).content.decode()
    assert "Wochen (weeks): gib eine ganze Zahl ein" in html.unescape(german)


def test_yaml_is_exported_and_imported() -> None:
    client = ann()
    row, where = begin_draft(client)
    file = client.get(f"{where}scenario.yaml")
    named_copy = 'name: "First Steps (copy)"'
    original = fixture_text("first-steps")
    assert file.content.decode() == original.replace("name: First Steps", named_copy, 1)
    assert file.headers["Content-Disposition"] == 'attachment; filename="scenario.yaml"'
    assert (
        client.post(f"{where}text/", {"text": row.text.replace("weeks:", "weks:")}).status_code
        == 302
    )
    assert "weks: unknown key" in page(client, f"{where}text/").text.lower()
    refused = client.post(f"{where}text/", {"text": "systems: [1"})
    assert refused.status_code == 422
    assert "systems: [1" in refused.content.decode(), "what was typed is not lost"
    assert "weks:" in ScenarioDraft.objects.get().text
    upload = SimpleUploadedFile("war.yaml", fixture_text("lafayette").encode())
    assert client.post(LIST, {"act": "import", "file": upload}).status_code == 302
    assert {draft.name for draft in ScenarioDraft.objects.all()} > {row.name}
    assert client.post(LIST, {"act": "import", "text": "battle: 3"}).status_code == 422
    assert ScenarioDraft.objects.count() == 2


def test_unsupported_old_content_is_edited_as_text() -> None:
    client = ann()
    _, where = begin_draft(client)
    ScenarioDraft.objects.update(text="systems: 3\n")
    assert client.get(f"{where}map/").headers["Location"] == f"{where}text/"
    assert client.post(f"{where}map/", {"act": "save"}).headers["Location"] == f"{where}text/"
    assert ScenarioDraft.objects.get().text == "systems: 3\n"
    assert "Systems (systems): in YAML, write a list" in page(client, f"{where}text/").text
    assert client.post(f"{where}text/", {"text": fixture_text("first-steps")}).status_code == 302
    assert "can be played" in page(client, f"{where}map/").text


def test_scenarios_are_private() -> None:
    client = ann()
    row, where = begin_draft(client)
    User.objects.create_user("bob")
    bob = browser("bob")
    for part in ("war/", "map/", "text/", "scenario.yaml"):
        assert bob.get(where + part).status_code == 404
    assert bob.post(f"{where}war/", {"act": "save"}).status_code == 404
    assert bob.post(f"{where}text/", {"text": "name: Mine"}).status_code == 404
    assert bob.post(LIST, {"act": "delete", "id": str(row.public_id)}).status_code == 404
    assert row.name not in bob.get(LIST).content.decode().split('id="begin-title"')[0]
    assert Client().get(LIST).status_code == 302
    assert client.get(f"{where}nowhere/").status_code == 404
    assert client.post(LIST, {"act": "delete", "id": str(row.public_id)}).status_code == 302
    assert not ScenarioDraft.objects.exists()


def test_changed_scenario_is_a_new_version() -> None:
    user = User.objects.create_user("ann")
    row = scenario_draft_create(user=user, text=fixture_text("first-steps"))
    first = private_scenario_store(user=user, public_id=row.public_id)
    assert private_scenario_store(user=user, public_id=row.public_id) == first
    ScenarioDraft.objects.update(text=row.text.replace("name: First Steps", "name: Next Steps"))
    second = private_scenario_store(user=user, public_id=row.public_id)
    assert (second.slug, second.version > first.version) == (first.slug, True)
    user.delete()
    User.objects.create_user("bob")
    assert first.slug not in browser("bob").get("/api/scenarios/").content.decode()


def test_number_of_scenarios_is_limited() -> None:
    client = ann()
    begin_draft(client)
    row = ScenarioDraft.objects.get()
    for n in range(MAX_STORED - 1):
        ScenarioDraft.objects.create(
            user=row.user,
            public_id=f"00000000-0000-0000-0000-{n:012}",
            name="x",
            text="name: x",
            faults=1,
            changed_at=row.changed_at,
        )
    refused = client.post(LIST, {"act": "begin", "scenario": "first-steps"})
    assert refused.status_code == 422
    assert f"at most {MAX_STORED} scenarios" in read_page(refused).text


def test_list_describes_each_scenario_and_opens_campaigns() -> None:
    scenarios_load()
    client = ann()
    row, where = begin_draft(client)
    post_changes(client, f"{where}war/", **{"war-0-name": "Ann's War", "war-0-weeks": "7"})
    list_text = client.get(LIST).content.decode().split('id="begin-title"')[0]
    for words in (
        "Map: Ann",
        "Frost Assembly",
        "7 weeks",
        "Ember victory",
        "at least 2 settled systems",
    ):
        assert words in list_text
    opened = client.post(LIST, {"act": "play", "id": str(row.public_id)})
    assert opened.headers["Location"].startswith("/campaigns/new?scenario=")
    settings = client.get(opened.headers["Location"]).content.decode()
    for words in ('viewBox="-', "Ember victory"):
        assert words in settings
    ScenarioDraft.objects.update(
        text="weeks: [", faults=1
    )  # saved by an earlier release, no longer readable
    answer = client.get(LIST)
    assert (
        answer.status_code,
        "Ember victory" in answer.content.decode().split('id="begin-title"')[0],
    ) == (200, False)
    assert client.post(LIST, {"act": "play", "id": str(row.public_id)}).status_code == 422
    User.objects.create_user("bob")
    assert browser("bob").post(LIST, {"act": "play", "id": str(row.public_id)}).status_code == 404


def test_concurrent_save_is_not_overwritten() -> None:
    client = ann()
    _, where = begin_draft(client)
    stale = form_data_of(client.get(f"{where}map/").content.decode())
    post_changes(client, f"{where}map/", "add:systems:0906")
    post_changes(client, f"{where}war/", **{"war-0-weeks": "7"})
    refused = client.post(f"{where}map/", {**stale, "map-0-map.columns": "14", "act": "save"})
    assert (refused.status_code, document()["map"]["columns"]) == (422, 10)
    assert "was changed in another window" in read_page(refused).text
    again = form_data_of(refused.content.decode())
    assert again["map-0-map.columns"] == ["14"], "what was typed is not lost"
    assert [row["hex"] for row in document()["systems"]] == ["0304", "0804", "0906"]
    assert document()["systems"][2]["name"] == "System 0906"
    assert ScenarioDraft.objects.get().faults == 0, "a system placed by a click needs no more"
    assert client.post(f"{where}map/", {**again, "act": "save"}).status_code == 302
    assert (document()["map"]["columns"], len(document()["systems"]), document()["weeks"]) == (
        14,
        2,
        7,
    )
    text = form_data_of(
        client.get(f"{where}text/")
        .content.decode()
        .replace('type="submit"', 'type="submit" name="act" value="save"')
    )
    post_changes(client, f"{where}war/", **{"war-0-weeks": "5"})
    refused = client.post(f"{where}text/", {**text, "file": "", "text": text["text"][0] + "# mine"})
    assert (refused.status_code, "# mine" in refused.content.decode(), document()["weeks"]) == (
        422,
        True,
        5,
    )


def test_scenario_from_nothing_lists_what_it_needs() -> None:
    client = ann()
    where = client.post(LIST, {"act": "new"}).headers["Location"].removesuffix("war/")
    assert "a map needs at least one system" in page(client, f"{where}map/").text.lower()
    answer = post_changes(
        client, f"{where}war/", then=f"{where}map/", **{"war-0-intro": "Two worlds, one lane."}
    )
    assert answer.headers["Location"] == f"{where}map/"
    assert (
        post_changes(client, f"{where}war/", then="https://example.org/").headers["Location"]
        == f"{where}war/"
    )
    for hex_, name in (("0305", "Änderung 2"), ("1208", "Änderung 2")):
        post_changes(client, f"{where}map/", "add:systems")
        number = len(document()["systems"]) - 1
        post_changes(
            client,
            f"{where}map/",
            **{
                f"systems-{number}-name": name,
                f"systems-{number}-hex": hex_,
                f"systems-{number}-owner": ("ember", "frost")[number],
            },
        )
    assert [(row["id"], row["hex"]) for row in document()["systems"]] == [
        ("anderung-2", "0305"),
        ("anderung-2-2", "1208"),
    ]
    for number, side in enumerate(("ember", "frost")):
        for group, fields in (("budgets", {"key": "mobile", "points": "900", "deploy": "own"}), ("fleets", {
            "name": "First", "budget": "mobile", "at": "anderung-2" + ("", "-2")[number],
            "ships-class": "Destroyer", "ships-count": "2",
        })):  # fmt: skip
            post_changes(client, f"{where}forces/", f"add:{group}")
            row = (
                len(
                    re.findall(
                        rf'name="{group}-\d+-row"', client.get(f"{where}forces/").content.decode()
                    )
                )
                - 1
            )
            at = {
                f"{group}-{row}-{key}": value for key, value in {"faction": side, **fields}.items()
            }
            post_changes(client, f"{where}forces/", **at)
    text = client.get(f"{where}forces/").content.decode()
    assert '<option value="anderung-2-2">' in text, "places are proposed"
    assert 'data-class="Heavy Cruiser"' in text, "and what ships there are"
    assert "What a fleet can consist of" in text
    assert "What a fleet can consist of" not in client.get(f"{where}ships/").content.decode()
    assert ScenarioDraft.objects.get().faults == 0, page(client, f"{where}forces/").text
    assert "can be played" in page(client, f"{where}victory/").text
    file = client.get(f"{where}scenario.yaml").content.decode()
    client.post(LIST, {"act": "import", "text": file.replace("\n", "\r\n")})
    assert [row.text for row in ScenarioDraft.objects.all()] == [file, file]

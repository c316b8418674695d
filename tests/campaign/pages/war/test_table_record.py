"""A battle recorded on two phones: marks, what the other side sees, plots, repeated entries."""

from __future__ import annotations

import json
import uuid
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from campaign.forms.table.damage_panels import damage_panel
from campaign.models import Battle, Draft, Stage, TableEntry
from campaign.rules.public_ids import outside_id
from campaign.rules.table_record import KEYS, PHASES, apply_own_entry, build_record, visible_part
from campaign.rules.table_record_faults import entry_faults
from campaign.services import table_records, tables
from campaign.services.table_records import entries_write, record_of
from campaign.services.tables import tables_of
from campaign.sight.reports import list_sheets
from engine.core.terms import ADVANCED_SENSORS, CORE_SYSTEMS
from engine.table_results.validation import own_state
from tests.campaign.pages.general.browser_pages import read_page
from tests.campaign.pages.war.browsing import Page
from tests.umpire.services.table_war import TableWar
from tests.umpire.services.test_single_battles import start_single_battle as single
from umpire.services.stages import stage_resolve
from umpire.services.tables import table_compare

pytestmark = pytest.mark.django_db

SECRET = "P2+3 and then hard about"


class Phone:
    """A player's phone at the table."""

    def __init__(self, war: TableWar, key: str) -> None:
        self.war, self.key = war, key
        self.client = Client()
        self.client.force_login(war.people[key])
        self.table_url = f"/c/{war.campaign.public_id}/battles/{war.table(key).id}/table/"
        self.url = f"{self.table_url}record/"

    @property
    def table(self) -> Any:
        return self.war.table(self.key)

    @property
    def record(self) -> Any:
        return record_of(self.table, self.war.factions[self.key]).state

    def get(self) -> Page:
        return read_page(self.client.get(self.url))

    def text(self) -> str:
        """Return everything that the site sends to this phone about the battle."""
        answers = [
            self.client.get(self.url),
            self.client.get(f"{self.url}sync/"),
            self.client.get(self.table_url),
        ]
        answers.append(
            self.client.get(f"/api/campaigns/{self.war.campaign.public_id}/tables/{self.table.id}/")
        )
        assert [answer.status_code for answer in answers] == [200] * 4
        return "".join(answer.content.decode() for answer in answers)

    def send(self, *entries: dict[str, Any], keys: tuple[str, ...] = ()) -> dict[str, Any]:
        keyed_entries = list(
            zip(keys or [str(uuid.uuid4()) for _ in entries], entries, strict=True)
        )
        answer = self.client.post(
            f"{self.url}sync/", {"entries": keyed_entries}, content_type="application/json"
        )
        assert answer.status_code == 200, answer.content
        report, anew = answer.json(), self.client.get(f"{self.url}sync/").json()
        assert report | {"written": [], "sheets": {}} == anew | {"sheets": {}}, (
            "what was written is not what is read"
        )
        return dict(report)

    def press(self, do: str, **fields: str) -> Any:
        form = next(form for form in self.get().forms if "key" in form)
        return self.client.post(
            self.url, {"key": form["key"][0], "turn": form["turn"][0], "do": do, **fields}
        )


def boxes(ship: str, first: int, last: int, off: bool = True) -> dict[str, Any]:
    return {"kind": "boxes", "ship": ship, "first": first, "last": last, "off": off}


def begin_turn_1(*phones: Phone) -> None:
    """Seal the set-up of every side and go on to the plots of turn 1."""
    for phone in phones:
        phone.send({"kind": "set_up", "places": {}})
    phones[0].send({"kind": "phase", "turn": 1, "phase": 0})


def plot(phone: Phone, turn: int = 1, words: str = SECRET) -> dict[str, Any]:
    return {"kind": "plot", "turn": turn, "orders": dict.fromkeys(phone.record.marks, words)}


def test_taps_mark_the_sheet_and_the_other_side_sees_known_damage() -> None:
    war = TableWar()
    ember, frost = Phone(war, "ember"), Phone(war, "frost")
    ship = war.first_ship("ember")
    ember.send(boxes(ship, 1, 2), {"kind": "system", "ship": ship, "system": "drive", "hits": 1})
    assert (ember.record.marks[ship].damage, ember.record.marks[ship].lost) == (2, ["drive"])
    assert 'data-box="2" aria-pressed="true"' in ember.client.get(ember.url).content.decode()
    code = war.codes()[ship]
    assert frost.record.contacts == {}
    before = frost.text()
    ember.send(boxes(ship, 3, 3))
    again = frost.text()
    assert ("damage 3" in again, len(again)) == (False, len(before))
    ember.send({"kind": "shown", "ship": ship})
    assert frost.record.contacts[code]["damage"] == 3
    ember.send(boxes(ship, 4, 4))
    assert frost.record.contacts[code] | {"armour": 0} == {
        **{
            "status": "fighting",
            "captor": "",
            "how": "",
            "damage": 4,
            "lost": ["drive"],
            "armour": 0,
        },
        "cls": ember.record.marks[ship].ship.sheet.cls,
    }
    assert "damage 4, lost: main drive" in frost.get().text
    assert ship not in frost.text()
    allied = replace(frost.table, sheet={**frost.table.sheet, "side": "ember+frost"})
    ember_entries = [
        entry
        for writer, entry in record_of(allied, war.factions["frost"]).entries
        if writer == "ember"
    ]
    assert [entry["kind"] for entry in ember_entries] == [
        "boxes",
        "system",
        "boxes",
        "shown",
        "boxes",
    ]


def test_sealed_plot_is_hidden_until_all_have_sealed() -> None:
    war = TableWar()
    ember, frost = Phone(war, "ember"), Phone(war, "frost")
    begin_turn_1(ember, frost)
    ember.send(plot(ember))
    assert SECRET in ember.text()
    assert SECRET not in frost.text()
    row = TableEntry.objects.get(body__kind="plot")
    assert row.visible_body == {"kind": "plot", "turn": 1}
    answer = ember.send(plot(ember, words="P1"))
    assert answer["written"][0][1] == [
        "the plot of this turn is already sealed and cannot be changed"
    ]
    on = {"kind": "phase", "turn": 1, "phase": 1}
    assert frost.send(on)["written"][0][1] == [
        "the turn goes on when all sides have sealed their plots"
    ]
    frost.send(plot(frost, words="S1"))
    assert SECRET in frost.text()
    codes = war.codes()
    assert frost.record.plots[1]["ember"] == {codes[ship]: SECRET for ship in ember.record.marks}
    assert not any(ship in frost.text() for ship in ember.record.marks)
    assert frost.send(on)["phase"] == 1
    assert ember.send(on)["phase"] == 1  # sent twice, it changes nothing
    assert ember.send({"kind": "phase", "turn": 2, "phase": 0})["turn"] == 2
    assert PHASES[0] in ember.get().text


def test_worlds_differing_in_hidden_facts_look_the_same() -> None:
    war = TableWar()
    ember, frost = Phone(war, "ember"), Phone(war, "frost")
    begin_turn_1(ember, frost)
    ship = war.first_ship("ember")

    def pages_seen(words: str, last: int) -> list[bytes]:
        with transaction.atomic():
            ember.send(boxes(ship, 1, last), plot(ember, words=words))
            sync_content = frost.client.get(f"{frost.url}sync/").content
            page = frost.client.get(frost.url).content.decode()
            transaction.set_rollback(True)
        return [sync_content, "\n".join(x for x in page.splitlines() if "csrf" not in x).encode()]

    assert pages_seen(SECRET, 1) == pages_seen("P1", 2)


def seen_by_other(ember: Phone, frost: Phone, place: dict[str, Any]) -> list[str]:
    """Return all that Frost gets from the site after Ember's set-up, which is then undone."""
    with transaction.atomic():
        ember.send({"kind": "set_up", "places": {ember.war.first_ship("ember"): place}})
        record = f"/api/campaigns/{ember.war.campaign.public_id}/tables/{frost.table.id}/record/"
        answers = [frost.text(), frost.client.get(record).content.decode()]
        transaction.set_rollback(True)
    return [line for text in answers for line in text.splitlines() if "csrf" not in line]


@pytest.mark.rule("camp.table-set-up")
def test_set_up_at_a_table_tells_the_other_side_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two worlds that differ in where a ship begins, and when; a planted leak is found."""
    war = TableWar()
    ember, frost = Phone(war, "ember"), Phone(war, "frost")
    places = ({"at": [1, 20], "velocity": 3}, {"at": [2, 30], "course": 2})
    assert len({json.dumps(seen_by_other(ember, frost, place)) for place in places}) == 1
    monkeypatch.setattr(table_records, "visible_part", lambda sheet, state, entry: dict(entry))
    assert len({json.dumps(seen_by_other(ember, frost, place)) for place in places}) == 2


def test_repeated_entry_counts_once() -> None:
    war = TableWar()
    ember = Phone(war, "ember")
    ship, key = war.first_ship("ember"), str(uuid.uuid4())
    throw = {"kind": "throw", "about": "Threshold", "dice": 4}
    first = ember.send(throw, keys=(key,))
    assert ember.send(throw, boxes(ship, 1, 1), keys=(key, str(uuid.uuid4())))["written"][0] == [
        key,
        [],
    ]
    assert TableEntry.objects.count() == 2
    assert first["reserved"] == [1]
    assert "Threshold: reserved as number 1, dice: 4" in ember.get().text
    assert "Threshold: reserved dice: 4" in Phone(war, "frost").get().text
    assert not TableEntry.objects.filter(body__has_key="rolls").exists(), "rolled when shown"
    show = {"kind": "reveal", "number": 1}
    assert Phone(war, "frost").send(show)["written"][0][1] == [
        "your side has reserved no dice with this number"
    ]
    for phone in (ember, ember, Phone(war, "ember")):
        assert phone.send(show)["written"][0][1] == []
    rolled = TableEntry.objects.get(body__kind="dice")
    assert (len(rolled.body["rolls"]), rolled.body["number"]) == (4, 1)
    assert {**rolled.visible_body, "number": 1} == rolled.body
    assert "(rolled by the site, number 1)" in ember.get().text
    assert "(rolled by the site)" in Phone(war, "frost").get().text


def test_same_box_from_two_phones_is_crossed_once() -> None:
    war = TableWar()
    first_phone, second_phone = Phone(war, "ember"), Phone(war, "ember")
    ship = war.first_ship("ember")
    first_phone.send(boxes(ship, 1, 2))
    second_phone.send(boxes(ship, 2, 3))
    assert first_phone.record.marks[ship].damage == 3
    second_phone.send(boxes(ship, 3, 3, off=False))
    first_phone.send({"kind": "system", "ship": ship, "system": "drive", "hits": 2})
    second_phone.send({"kind": "system", "ship": ship, "system": "drive", "hits": 1})
    assert (first_phone.record.marks[ship].damage, first_phone.record.marks[ship].lost) == (
        2,
        ["drive"],
    )


def test_lost_row_asks_for_one_check_per_working_system() -> None:
    war = TableWar()
    ember, frost = Phone(war, "ember"), Phone(war, "frost")
    ship = next(
        id_ for id_, marks in ember.record.marks.items() if len(marks.ship.profile.row_ends) > 1
    )
    sheet = ember.record.marks[ship].ship.sheet
    ends = [last for last, _ in ember.record.marks[ship].ship.profile.row_ends]
    check: dict[str, Any] = {
        "kind": "check",
        "ship": ship,
        "row": ends[0],
        "site": True,
        "rolls": [],
    }
    assert ember.send(check)["written"][0][1] == ["no threshold check is due for this row"]
    first = sheet.fits[0].id
    ember.send(
        boxes(ship, 1, ends[0]), {"kind": "system", "ship": ship, "system": first, "hits": 1}
    )
    row = ember.send(check)
    assert (row["reserved"], row["ships"][ship]["reserved"]) == ([1], [ends[0]])
    assert ember.send(check)["written"][0][1] == ["the dice of this check are reserved: show them"]
    assert ember.record.marks[ship].checks == {}
    ember.press("reveal|1")
    checks = ember.record.marks[ship].checks[ends[0]]
    core = ("bridge", "life-support", "power-core")
    assert list(checks) == [fit.id for fit in sheet.fits if fit.id not in (first, *core)]
    assert "threshold check" in ember.get().text
    assert "threshold check" not in frost.get().text  # nothing is shown of a bogey, not even hits
    assert ember.send(check)["written"][0][1] == [
        "the threshold check for this row has already been rolled"
    ]
    by_hand = {**check, "row": ends[1], "site": False, "rolls": [6] * (len(checks) - 1)}
    ember.send({"kind": "shown", "ship": ship}, boxes(ship, 1, ends[1]))
    assert f"{len(checks)} dice from 1 to 6" in ember.send(by_hand)["written"][0][1][0]
    ember.press(
        f"check|{ship}|{ends[1]}|hand", **{f"check-{ship}-{ends[1]}": " ".join("6" * len(checks))}
    )
    assert set(ember.record.marks[ship].checks[ends[1]].values()) == {6}
    assert "threshold check" in frost.get().text
    assert "(rolled by hand)" in frost.get().text


def test_buttons_send_the_form_without_scripts() -> None:
    war = TableWar()
    ember = Phone(war, "ember")
    begin_turn_1(ember, Phone(war, "frost"))
    ship = war.first_ship("ember")
    answer = ember.press(f"boxes|{ship}|1|1|1")
    assert answer.headers["Location"].endswith(f"#kept-{ship.replace('/', '-')}")
    ember.press("dice", about="Beam", rolls="4, 6 1")
    ember.press("plot", **{f"plot-{ship}": SECRET})
    ember.press(f"end|{ship}", **{f"status-{ship}": "left"})
    marks = ember.record.marks[ship]
    assert (marks.damage, marks.status) == (1, "left")
    assert ember.record.own_plots[1][ship] == SECRET
    assert "Beam: 4 6 1 (rolled by hand)" in ember.get().text
    ember.press("dice", rolls="high")
    assert "1 to 60 dice" in ember.get().text
    ember.press("nothing")
    assert "This page has no such button." in ember.get().text


def test_record_becomes_both_results_and_ends_the_battle() -> None:
    war = TableWar()
    ember, frost = Phone(war, "ember"), Phone(war, "frost")
    begin_turn_1(ember, frost)
    damaged_ship = war.first_ship("frost")
    for phone in (ember, frost):
        phone.send(plot(phone))
    frost.send(
        {"kind": "shown", "ship": damaged_ship},
        boxes(damaged_ship, 1, 1),
        {"kind": "phase", "turn": 2, "phase": 0},
    )
    for phone in (ember, frost):
        phone.send(plot(phone, 2))
    typed = Draft.objects.filter(stage=ember.table.stage, faction=war.factions["ember"])
    typed.update(payload={"ground": {"site-1": 2}, "battle": ember.table.id})
    ember.press("result")
    assert typed.get().payload["ground"] == {"site-1": 2}  # nobody recorded it
    typed.update(payload={"battle": ember.table.id})
    for phone in (ember, frost):
        answer = phone.press("result")
        assert answer.headers["Location"] == phone.table_url
        draft = Draft.objects.filter(faction=war.factions[phone.key]).latest("pk").payload
        assert draft["turns"] == 2
        war.seal(phone.key, draft)
    assert table_compare(stage=war.battle.stages.latest("ordinal").pk) == "agreed"
    row = war.battle.stages.latest("ordinal").submissions.get(faction=war.factions["ember"]).payload
    assert row["ships"][war.codes()[damaged_ship]]["damage"] == 1
    assert "This battle no longer accepts entries." in ember.get().text
    answer = ember.client.post(
        f"{ember.url}sync/",
        {"entries": [[str(uuid.uuid4()), boxes(damaged_ship, 1, 1)]]},
        content_type="application/json",
    )
    assert answer.status_code == 409


def test_late_entry_sent_before_the_end_is_no_fault() -> None:
    war = TableWar()
    ember = Phone(war, "ember")
    key, once = str(uuid.uuid4()), boxes(war.first_ship("ember"), 1, 1)
    ember.send(once, keys=(key,))
    war.battle.stages.update(status="resolved")
    assert ember.send(once, keys=(key,))["written"] == [[key, []]]  # the answer was lost
    body = {"entries": [[key, once], [str(uuid.uuid4()), once]]}
    assert (
        ember.client.post(f"{ember.url}sync/", body, content_type="application/json").status_code
        == 409
    )


def test_second_phone_of_a_seat_gets_plot_and_marks() -> None:
    war = TableWar()
    first_phone, second_phone, frost = Phone(war, "ember"), Phone(war, "ember"), Phone(war, "frost")
    begin_turn_1(first_phone, frost)
    at = second_phone.client.get(f"{second_phone.url}sync/").json()["at"]
    ships = list(first_phone.record.marks)
    first_phone.send(plot(first_phone), boxes(war.first_ship("ember"), 1, 1))
    body = {"entries": [[str(uuid.uuid4()), {"kind": "dice", "about": "", "rolls": [1]}]], "at": at}
    answer = second_phone.client.post(
        f"{second_phone.url}sync/", body, content_type="application/json"
    ).json()
    assert answer["plot"] == dict.fromkeys(ships, SECRET)
    assert set(answer["sheets"]) == {
        id_ for id_, marks in first_phone.record.marks.items() if not marks.ship.dummy
    }
    body["entries"][0][0], body["at"] = str(uuid.uuid4()), answer["at"]
    assert (
        second_phone.client.post(
            f"{second_phone.url}sync/", body, content_type="application/json"
        ).json()["sheets"]
        == {}
    )
    assert frost.client.get(f"{frost.url}sync/").json()["plot"] == {}


def test_record_page_is_private_and_uncached() -> None:
    war = TableWar()
    ember = Phone(war, "ember")
    stranger = Client()
    stranger.force_login(war.people["frost"])
    unknown_url = (
        f"/c/{war.campaign.public_id}/battles/{outside_id('0' * 64, 'battle', 'x')}/table/record/"
    )
    for url in (ember.url, f"{ember.url}sync/"):
        assert stranger.get(url).status_code == stranger.get(unknown_url).status_code == 404
        assert (
            stranger.post(url, {"entries": []}, content_type="application/json").status_code == 404
        )
        assert Client().get(url).status_code == 302
        assert "no-store" in ember.client.get(url)["Cache-Control"]
    at = ember.client.get(f"{ember.url}sync/").json()["at"]
    assert ember.client.get(f"{ember.url}sync/?at={at}").status_code == 204


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"entries": 3}', '{"entries": [[1]]}', "\xff", "[" * 9000]
)
def test_unreadable_entry_is_reported_and_changes_nothing(body: str) -> None:
    ember = Phone(TableWar(), "ember")
    answer = ember.client.post(
        f"{ember.url}sync/", body.encode("latin-1"), content_type="application/json"
    )
    assert answer.status_code == 422
    assert (
        ember.client.post(f"{ember.url}sync/", {"entries": "x"}).status_code == 422
    )  # a form is no entry
    assert TableEntry.objects.count() == 0


def test_every_fault_is_reported_and_later_entries_are_added() -> None:
    war = TableWar()
    ember = Phone(war, "ember")
    ship, theirs = war.first_ship("ember"), war.first_ship("frost")
    wrong: list[Any] = [
        3, {"kind": "x"}, {"kind": "boxes"}, {**boxes(ship, 1, 1), "more": 1}, boxes(theirs, 1, 1), boxes(ship, 0, 1),
        boxes(ship, 1, 999), {**boxes(ship, 1, 1), "off": 1}, {**boxes(ship, 1, 1), "first": True},
        {"kind": "system", "ship": ship, "system": "bridge-9", "hits": 1},
        {"kind": "system", "ship": ship, "system": "drive", "hits": 3},
        {"kind": "stock", "ship": ship, "name": "gold", "left": 1}, {"kind": "shown", "ship": ship, "kinds": 1},
        {"kind": "end", "ship": ship, "status": "asleep", "captor": "", "how": ""},
        {"kind": "end", "ship": ship, "status": "captured", "captor": "", "how": ""},
        {"kind": "end", "ship": ship, "status": "left", "captor": "", "how": "ftl"},
        {"kind": "dice", "about": "", "rolls": []}, {"kind": "dice", "about": "x" * 201, "rolls": [1]},
        {"kind": "dice", "about": "a\nb", "rolls": [1]}, {"kind": "plot", "turn": 1, "orders": {ship: "P\n1"}},
        {"kind": "dice", "about": "", "rolls": [13]}, {"kind": "throw", "about": "", "dice": 61},
        {"kind": "plot", "turn": 2, "orders": {}}, {"kind": "plot", "turn": 1, "orders": {theirs: "P1"}},
        {"kind": "plot", "turn": 1, "orders": {ship: 4}}, {"kind": "phase", "turn": 1, "phase": 9},
        {"kind": "phase", "turn": 3, "phase": 0},
    ]  # fmt: skip
    results = ember.send(*wrong, boxes(ship, 1, 1))["written"]
    assert [bool(faults) for _, faults in results] == [True] * len(wrong) + [False]
    assert ember.send(boxes(ship, 1, 1), keys=("no-uuid",))["written"] == [
        ["no-uuid", ["every entry needs its own UUID"]]
    ]
    assert TableEntry.objects.count() == 1
    too_many = [(str(uuid.uuid4()), boxes(ship, 1, 1))] * 201
    answer = ember.client.post(
        f"{ember.url}sync/", {"entries": too_many}, content_type="application/json"
    )
    assert (answer.status_code, "At most 200" in answer.json()["error"]) == (422, True)


def test_closed_sheets_show_only_the_class() -> None:
    war = TableWar()
    table = war.table("ember")
    ship, sheet = war.first_ship("ember"), deepcopy(dict(table.sheet))
    for options, expected in (([], True), ([ADVANCED_SENSORS], False)):
        sheet["options"] = options
        record = build_record(sheet, "ember", own_state(table.sheet).ships, [])
        summary: dict[str, Any] = {}
        for entry in ({"kind": "shown", "ship": ship}, boxes(ship, 1, 1)):
            assert entry_faults(sheet, record, "ember", entry) == ()
            apply_own_entry(record, "ember", entry)
            summary |= visible_part(sheet, record, entry)
        assert ("damage" in summary, "lost" in summary, "armour" in summary) == (expected,) * 3
        assert summary["cls"]


def test_stores_are_private_and_every_entry_kind_has_words() -> None:
    war = TableWar()
    ember = Phone(war, "ember")
    result = entries_write(table=ember.table, faction=war.factions["ember"], entries=[])
    assert result.results == ()
    for marks in ember.record.marks.values():
        ember.send({"kind": "shown", "ship": marks.ship.id})
        for name in marks.stock:
            ember.send({"kind": "stock", "ship": marks.ship.id, "name": name, "left": 0})
    assert all(row.visible_body == {} for row in TableEntry.objects.filter(body__kind="stock"))
    assert set(KEYS) == {
        *(
            "boxes",
            "system",
            "stock",
            "end",
            "shown",
            "check",
            "ground",
            "dice",
            "throw",
            "reveal",
            "plot",
            "phase",
            "body",
            "set_up",
        ),
    }
    json.dumps([row.visible_body for row in TableEntry.objects.all()])


class Single:
    """A single battle of Continuum at a table, as `Phone` needs it."""

    def __init__(self, slug: str = "meeting-engagement") -> None:
        self.campaign = single(slug, battles="table")
        self.factions = {row.key: row for row in self.campaign.factions.all()}
        self.people = {key: User.objects.get(username=key) for key in self.factions}

    def table(self, key: str) -> Any:
        (table_row,) = tables_of(self.campaign, self.factions[key])
        return table_row


@pytest.mark.rule("2e.con-am-12")
def test_sides_enter_asteroids_and_the_station_before_their_ships() -> None:
    battle: Any = Single("con-am-12")
    nac, esu = Phone(battle, "nac"), Phone(battle, "esu")
    nac.press("body|rock-1", **{"body-rock-1-x": "40", "body-rock-1-y": "40,5"})
    nac.press("body|station", **{"body-station-x": "20", "body-station-y": "30"})
    assert esu.record.bodies == {"rock-1": [40, 40.5], "station": [20, 30]}
    assert "asteroid 1 at 40, 40.5" in esu.get().text
    assert "body|station" not in esu.text()
    for phone, answers in ((esu, 1), (nac, 0)):
        shown = phone.send({"kind": "set_up", "places": {}})["written"]
        assert len(shown[0][1]) == answers, "the New Anglians set up first"
    from_right = {"at": [104, 20], "course": 9}
    refused = esu.send({"kind": "set_up", "places": {"e1": {"at": [3, 20]}}})["written"]
    assert refused[0][1], "the edge farthest from the station is the right one"
    assert esu.send({"kind": "set_up", "places": {"e1": from_right}})["written"][0][1] == []


def test_continuum_record_has_armour_crew_and_core_systems() -> None:
    battle: Any = Single()
    mine, theirs = (Phone(battle, key) for key in sorted(battle.factions))
    marks = next(marks for marks in mine.record.marks.values() if marks.ship.sheet.armour)
    ship, sheet = marks.ship.id, marks.ship.sheet
    plain, core = (damage_panel(marks, "Valiant", options) for options in ([], [CORE_SYSTEMS]))
    assert {system.id for system in core.systems} - {system.id for system in plain.systems} == {
        "bridge",
        "life-support",
        "power-core",
    }
    assert [row.die for row in core.rows][:2] == [6, 5]
    assert [row.core_die for row in core.rows][:2] == [0, 6]
    assert not any(row.core_die for row in plain.rows)
    assert sum(crew_count for row in plain.rows for _, _, crew_count in row.boxes) == len(
        sheet.crew
    )
    page = mine.client.get(mine.url).content.decode()
    assert f'value="stock|{ship}|armour-1|' in page
    assert ", 1 crew" in page
    full = sum(map(sum, sheet.armour))
    assert f"damage 0, armour {full}" in theirs.get().text
    name = next(name for name in marks.stock if name.startswith("armour"))
    mine.send(
        {"kind": "shown", "ship": ship}, {"kind": "stock", "ship": ship, "name": name, "left": 0}
    )
    known_state = theirs.record.contacts[str(marks.ship.contact)]
    assert known_state["armour"] == full - marks.stock[name]
    mine.send(boxes(ship, 1, sheet.rows[0]))
    assert "roll a die for every system that still works. A system is lost on 6." in mine.get().text
    for phone in (mine, theirs):
        phone.press("result")
    drafts = [
        Draft.objects.filter(faction=battle.factions[phone.key]).latest("pk").payload
        for phone in (mine, theirs)
    ]
    assert (
        drafts[0]["ships"][ship]["damage"]
        == drafts[1]["ships"][str(marks.ship.contact)]["damage"]
        == sheet.rows[0]
    )
    assert drafts[0]["ships"][ship]["stock"] == {name: 0}


@pytest.mark.rule("pc.fighter-launch", "pc.planets", "pc.boarding")
def test_continuum_battle_result_equals_the_record() -> None:
    battle: Any = Single("carrier-strike")
    esu, nac = (Phone(battle, key) for key in ("esu", "nac"))
    row = esu.record.marks["e1"].ship.profile.row_ends[0][0]
    for turn in (1, 2):
        for phone in (esu, nac):
            phone.send(plot(phone, turn))
        on = [(turn, phase) for phase in range(1, len(PHASES))] + [(2, 0)] * (turn == 1)
        nac.send(*({"kind": "phase", "turn": turn, "phase": phase} for turn, phase in on))
    esu.send(
        boxes("e1", 1, row), {"kind": "check", "ship": "e1", "row": row, "site": True, "rolls": []},
        {"kind": "system", "ship": "e1", "system": "hangar-1", "hits": 1},
        {"kind": "stock", "ship": "e1", "name": "hangar-1", "left": 5},
        {"kind": "stock", "ship": "e1", "name": "hangar-2", "left": 2},
        boxes("e3", 1, 13), boxes("e4", 1, 5),
        {"kind": "end", "ship": "e4", "status": "captured", "captor": "nac", "how": ""},
    )  # fmt: skip
    nac.send(
        boxes("n1", 1, 3), boxes("n1", 3, 3, off=False), {"kind": "stock", "ship": "n2", "name": "hangar-3", "left": 0},
        {"kind": "end", "ship": "n4", "status": "destroyed", "captor": "", "how": "planet"},
        {"kind": "end", "ship": "n3", "status": "left", "captor": "", "how": ""},
    )  # fmt: skip
    for phone in (esu, nac):
        phone.press("result")
        form = next(
            form for form in read_page(phone.client.get(phone.table_url)).forms if "version" in form
        )
        assert phone.client.post(phone.table_url, {**form, "action": "seal"}).status_code == 302
        text = read_page(phone.client.get(phone.table_url)).text
        assert "captured by New Anglian Confederation" in text
        assert "a planet, or its atmosphere" in text
    assert table_compare(stage=nac.table.stage.pk) == "agreed"
    stage_resolve(
        stage=Stage.objects.get(branch=battle.campaign.head_branch, battle__isnull=True).pk,
        force=True,
    )
    result = Battle.objects.get(branch=battle.campaign.head_branch).result
    assert result is not None
    after = {ship["ship"]: ship for ship in result["ships"]}
    assert {id_: (ship["damage"], ship["status"], ship["captor"]) for id_, ship in after.items()} == {
        "e1": (row, "fighting", ""), "e2": (0, "fighting", ""), "e3": (13, "destroyed", ""),
        "e4": (5, "captured", "nac"), "n1": (2, "fighting", ""), "n2": (0, "fighting", ""), "n3": (0, "left", ""),
        "n4": (0, "destroyed", ""),
    }  # fmt: skip
    assert (after["e1"]["lost"], after["n2"]["stock"]) == (["hangar-1"], [["hangar-3", 0]])
    assert dict(after["e1"]["stock"])["hangar-2"] == 2


def test_ground_targets_can_be_marked_by_everybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    war = TableWar()
    site = {
        "id": "site-1",
        "side": 1,
        "planet": "planet-1",
        "x": 1.0,
        "y": 2.0,
        "boxes": 3,
        "damage": 1,
    }

    def sheets(*which: Any) -> Any:
        return [
            (sheet_data, {**body, "seen": {**body["seen"], "sites": [site]}})
            for sheet_data, body in list_sheets(*which)
        ]

    monkeypatch.setattr(tables, "list_sheets", sheets)
    ember, frost = Phone(war, "ember"), Phone(war, "frost")
    pressed = [
        f'data-box="{n}" aria-pressed="{{}}" aria-label="Box {n}" value="ground|site-1|{{}}"'
        for n in (1, 2, 3)
    ]

    def shows(phone: Phone, off: int) -> None:
        text = phone.client.get(phone.url).content.decode()
        for n, box in enumerate(pressed, 1):
            assert box.format("true" if n <= off else "false", n - 1 if n <= off else n) in text, (
                n,
                off,
            )

    shows(frost, 1)
    ember.press("ground|site-1|3")
    shows(frost, 3)
    assert "of Frost Assembly: 3 of 3 boxes marked off" in frost.get().text
    sheet_data = frost.send({"kind": "ground", "site": "site-1", "damage": 2})
    assert sheet_data["ground"] == {"site-1": 2}
    shows(ember, 2)
    ember.press("ground|site-1|0")
    assert "1 to 3" in ember.get().text
    typed = Draft.objects.filter(stage=ember.table.stage, faction=war.factions["ember"])
    typed.update(payload={"ground": {"site-1": 3}, "battle": ember.table.id})
    ember.press("result")
    assert typed.get().payload["ground"] == {"site-1": 2}

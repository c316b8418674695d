"""The umpire enters the result of a table battle: both claims, the phone record, and a reason."""

from __future__ import annotations

import re
import uuid
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.models import Act, Battle, Notification, Submission
from campaign.services.table_records import entries_write
from campaign.services.tables import table_of
from tests.umpire.pages.staffed_war import LOGIN
from tests.umpire.services.table_war import TableWar
from umpire.services.tables import table_compare

pytestmark = pytest.mark.django_db
REASON = "The plot was written down"


@pytest.fixture
def war() -> TableWar:
    """Return a war at its first battle, for which Ember and Frost entered different results."""
    war = TableWar(umpire=True)
    entered = war.agreed_entries(2)
    code = war.codes()[war.first_ship("frost")]
    entered["ember"]["ships"][code]["damage"] = 3
    entered["ember"]["turns"] = 5
    entries = [
        (
            str(uuid.uuid4()),
            {"kind": "boxes", "ship": war.first_ship("frost"), "first": 1, "last": 2, "off": True},
        )
    ]
    result = entries_write(table=war.table("frost"), faction=war.factions["frost"], entries=entries)
    assert [entry.faults for entry in result.results] == [()]
    for key, payload in entered.items():
        war.seal(key, payload)
    assert table_compare(stage=war.table("ember").stage.pk) == "differing"
    return war


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=LOGIN)
    return client


def door(war: TableWar) -> str:
    return reverse("umpire-battle-result", args=(war.campaign.public_id, war.battle.public_id))


def fields(page: str) -> dict[str, str]:
    """Return what a browser would send of the form as shown."""
    form = page[page.index('class="entry narrow"') :]
    values_of = dict(re.findall(r'<input (?:type="hidden" )?name="([^"]+)" value="([^"]*)"', form))
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', form, re.DOTALL):
        values = re.findall(r'<option value="([^"]*)"( selected)?', options)
        values_of[name] = next((value for value, selected in values if selected), values[0][0])
    return values_of


def test_only_differences_are_asked_with_both_claims_and_the_record(war: TableWar) -> None:
    page = unescape(browser(war.umpire).get(door(war)).content.decode())
    ship = war.first_ship("frost")
    disputes = re.findall(r'name="choice-([^"]+)" value="([^"]+)"', page)
    assert disputes == [
        (key, value) for key in (ship, "battle") for value in ("ember", "frost", "record", "hand")
    ]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', page)
    assert [(about, re.findall("<td>(.*?)</td>", cells)) for about, cells in rows] == [
        ("Damage", ["3", "2", "2"]),
        ("Turns played", ["5", "1", "1"]),
    ]
    assert "ships on which the entries agree" in page
    noted = re.findall(
        r'<details class="noted"><summary>(.*?)</summary>(.*?)</details>', page, re.DOTALL
    )
    ((summary, entries),) = noted
    assert summary.endswith("entry by entry (1)")
    (entry,) = re.findall(r"<li>(.*?)</li>", entries)
    assert re.search(r"^<b>Frost.*</b>, .*<time.*</time>: .*2 boxes crossed off$", entry), entry
    assert re.search(r'name="reason"[^>]* required', page)


@pytest.mark.parametrize(
    ("language", "words"), [("de", "2 Kästchen abgestrichen"), ("fr", "2 cases cochées")]
)
def test_record_is_in_the_reader_language(war: TableWar, language: str, words: str) -> None:
    page = (
        browser(war.umpire).get(door(war), headers={"Accept-Language": language}).content.decode()
    )
    (entry,) = re.findall(r'<details class="noted">.*?<li>(.*?)</li>', unescape(page), re.DOTALL)
    assert entry.endswith(words), entry


def test_choice_with_reason_ends_the_battle_and_notifies_both(war: TableWar) -> None:
    client, ship = browser(war.umpire), war.first_ship("frost")
    form = fields(unescape(client.get(door(war)).content.decode()))
    undecided = client.post(door(war), form | {"reason": REASON})
    assert undecided.status_code == 422
    assert "2 problems to fix" in undecided.content.decode()
    unreasoned = client.post(
        door(war), form | {f"choice-{ship}": "frost", "choice-battle": "ember"}
    )
    assert unreasoned.status_code == 422
    assert "Give a reason: all sides can read it" in unreasoned.content.decode()
    assert not Act.objects.filter(verb="table-result").exists()

    chosen = form | {f"choice-{ship}": "record", "choice-battle": "ember", "reason": REASON}
    answer = client.post(door(war), chosen, follow=True)
    assert "All sides are notified" in answer.content.decode()
    live = Submission.objects.filter(
        stage__battle=war.battle, source="umpire", withdrawn_at__isnull=True
    )
    entered = {row.faction.key: row.payload for row in live}
    assert entered["frost"]["turns"] == 5
    assert entered["frost"]["ships"][ship]["damage"] == 2
    act = Act.objects.get(verb="table-result")
    assert act.body["facts"]["replaces"] == ["ember", "frost"]
    rulings = Notification.objects.filter(dedupe_key__startswith="ruling/", user__isnull=False)
    notices_by_user = {str(notice.user): notice for notice in rulings.select_related("user")}
    assert set(notices_by_user) == {"ember", "frost"}
    for key in ("ember", "frost"):
        own_table = table_of(war.campaign, war.factions[key], war.table(key).id)
        assert REASON in notices_by_user[key].body
        assert (
            notices_by_user[key].path
            == f"/c/{war.campaign.public_id}/battles/{own_table.id}/table/"
        )
        page = unescape(browser(war.people[key]).get(notices_by_user[key].path).content.decode())
        assert "The umpire has entered the result of this battle." in page
        assert REASON in page
        assert "do not agree" not in page
    page_text = unescape(
        browser(war.umpire).get(reverse("umpire", args=(war.campaign.public_id,))).content.decode()
    )
    assert "entered the result of a battle at a table" in page_text


def test_manual_fields_count(war: TableWar) -> None:
    client, ship = browser(war.umpire), war.first_ship("frost")
    form = fields(unescape(client.get(door(war)).content.decode()))
    by_hand = {
        f"choice-{ship}": "hand",
        "choice-battle": "hand",
        f"damage-{ship}": "1",
        "turns": "7",
    }
    assert client.post(door(war), form | by_hand | {"reason": REASON}).status_code == 302
    live = Submission.objects.get(stage__battle=war.battle, faction__key="frost", source="umpire")
    assert (live.payload["turns"], live.payload["ships"][ship]["damage"]) == (7, 1)


def test_outdated_form_enters_nothing(war: TableWar) -> None:
    client = browser(war.umpire)
    form = fields(unescape(client.get(door(war)).content.decode()))
    for key, payload in war.agreed_entries(2).items():
        war.seal(key, payload | ({"turns": 9} if key == "ember" else {}))
    assert table_compare(stage=war.table("ember").stage.pk) == "differing"
    chosen = form | {
        f"choice-{war.first_ship('frost')}": "frost",
        "choice-battle": "frost",
        "reason": REASON,
    }
    page = client.post(door(war), chosen, follow=True).content.decode()
    assert "the sides have entered results again" in page
    assert Battle.objects.get(pk=war.battle.pk).status == "waiting"
    assert not Act.objects.filter(verb="table-result").exists()


def test_api_reads_claims_and_enters_a_result(war: TableWar) -> None:
    client = browser(war.umpire)
    address = (
        f"/api/campaigns/{war.campaign.public_id}/umpire/battles/{war.battle.public_id}/result/"
    )
    claims = client.get(address).json()
    ship = war.first_ship("frost")
    assert claims["round"] == 1
    assert claims["differences"] == [
        {"ship": ship, "part": "damage", "claims": {"ember": 3, "frost": 2}},
        {"ship": "", "part": "turns", "claims": {"ember": 5, "frost": 1}},
    ]
    assert claims["record"]["ships"][ship]["damage"] == 2
    claim = {"ships": claims["claims"]["frost"]["ships"], "turns": 5}
    missing = [part["id"] for side in war.battle.start["sides"] for part in side["ships"]]
    assert set(missing) == set(claim["ships"]), "Frost said something of every ship"
    refused = client.post(address, claim, content_type="application/json")
    assert refused.status_code == 422
    assert [violation["where"] for violation in refused.json()["violations"]] == ["reason"]
    late = client.post(
        address, claim | {"reason": REASON, "round": 0}, content_type="application/json"
    )
    assert late.status_code == 409
    assert (
        client.post(
            address, claim | {"reason": REASON, "round": 1}, content_type="application/json"
        ).status_code
        == 200
    )
    assert browser(war.people["ember"]).get(address).status_code == 404
    assert timezone.now() >= Act.objects.get(verb="table-result").at

"""Work on pages of all kinds, for the benchmark of caches.

The wars are those of the pictures: Lafayette in its fourth week and at its end, online battles at
each phase, a battle at a table, and a war with tech bases before its deployment.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

Work = Callable[[int], object]
PLAYER, UMPIRE = "iris", "judge"
TIMES = 3  # requests of one page in a piece of work
LINK = r'href="([^"?#]*{}[^"?#]+)"'

# The pages by their war, in the order of `tests.browser.wars` and `.duels`.
WARS: dict[str, tuple[str, ...]] = {
    "lafayette": (
        *("ships/sheets/", "classes/", "reports/6/", "odds/"),
        "api:view/",
    ),
    "lafayette-over": ("gazette/chronicle/", "story/", "story/film/", "ships/", "gazette/"),
    "first-battle": (),
    "at-table": (),
    "duel-plot": (),
    "duel-attack": (),
    "duel-defend": (),
    "duel-engage": (),
    "duel-control": (),
    "late": ("classes/", "odds/", "visibility/"),
    "technology": ("deploy/", "tech-base/", "designer/"),
    "deciding": ("decisions/",),
}
# Pages that another page links to: war, page, a part of the link, and what follows it.
LINKED = (
    ("at-table", "", "/battles/", ""),
    ("at-table", "", "/battles/", "record/"),
    ("at-table", "", "/battles/", "../sheets/"),
    *((f"duel-{stop}", "", "/battles/", "") for stop in ("plot", "attack", "engage")),
    ("duel-plot", "", "/battles/", "sheets/"),
    ("lafayette-over", "ships/", "/ships/", ""),
    ("lafayette-over", "reports/", "/battles/", ""),
)
OF_UMPIRES = (
    *("map/", "reports/", "stages/", "stages/9/", "battles/", "factions/esu/", "fleets/", "ships/"),
)
OF_THE_SITE = ("/designs/new/continuum/", "/scenarios/", "/gallery/", "/api/schema/", "/umpire/")


def site_works() -> dict[str, Work]:
    """Return the pieces of work by name; the site must be empty (`temporary_site`)."""
    from django.conf import settings
    from django.test import Client

    from campaign.services.tokens import token_make

    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    wars = _made_wars()
    clients = {}
    for name in (PLAYER, UMPIRE):
        clients[name] = Client()
        clients[name].force_login(_user(name), backend="config.sessions.Backend")
    found: dict[str, Work] = {}

    def add(name: str, address: str, who: str = PLAYER) -> None:
        client = clients[who]
        answer = client.get(address)
        if answer.status_code != 200:
            raise SystemExit(f"{name}: {address} answers {answer.status_code}")
        found[name] = lambda _seed: _read(client, address)

    for war, pages in WARS.items():
        for page in pages:
            is_api = page.startswith("api:")
            tail = page.removeprefix("api:")
            start = f"/api/campaigns/{wars[war]}/" if is_api else f"/c/{wars[war]}/"
            add(f"{war} {page}", start + tail)
    for war, page, part, more in LINKED:
        text = clients[PLAYER].get(f"/c/{wars[war]}/{page}").content.decode()
        link = re.search(LINK.format(part), text)
        if link is None:
            raise SystemExit(f"no link with {part} on {page} of {war}")
        address = link[1] + more if not more.startswith("../") else _beside(link[1], more)
        add(f"{war} {page}{part}{more}", address)
    for page in OF_UMPIRES:
        add(f"umpire {page}", f"/c/{wars['lafayette']}/umpire/{page}", UMPIRE)
    for address in OF_THE_SITE:
        add(address, address, UMPIRE if address == "/umpire/" else PLAYER)
    client = clients[PLAYER]
    address = f"/api/campaigns/{wars['late']}/orders/check/"
    token = {"Authorization": f"Token {token_make(user=_user(PLAYER))}"}
    orders = {"orders": {"schema": 1}}

    def check_orders(_seed: int) -> None:
        for _ in range(TIMES):
            client.post(address, orders, content_type="application/json", headers=token)

    found["API check of orders"] = check_orders
    found |= _asked_of_the_api(client, wars["deciding"], wars["late"], token)
    found["orders saved, 200 fleets"] = _orders_saved()
    return found | _reckoned(wars["late"]) | _known(wars["lafayette-over"]) | _of_battles()


def _beside(address: str, more: str) -> str:
    """Return an address with its last part replaced."""
    return address.rstrip("/").rpartition("/")[0] + "/" + more.removeprefix("../")


def _read(client: Any, address: str) -> None:
    """Read a page several times like a browser's first visit, without an ETag."""
    for _ in range(TIMES):
        b"".join(client.get(address))


def _user(name: str) -> Any:
    from django.contrib.auth.models import User

    return User.objects.get(username=name)


def _made_wars() -> dict[str, str]:
    """Create the wars, and return their ids by name."""
    from django.contrib.auth.models import User

    from campaign.rules.files import fixture_scenario, fixture_scenarios
    from campaign.services.own_scenarios import scenario_draft_begin
    from campaign.services.scenarios import scenario_import
    from tests.browser import duels, wars
    from tools.screens import make_wars

    for slug in fixture_scenarios():
        scenario_import(scenario=fixture_scenario(slug))
    for name in (PLAYER, UMPIRE):
        User.objects.create_user(name, password=f"of {name} 7")
    ids: list[str] = []
    for module in (wars, duels):
        ids += _printed(module.main, PLAYER, UMPIRE, "pictures").split()
    more: dict[str, str] = json.loads(_printed(make_wars.main, PLAYER, UMPIRE))
    people = {"player": _user(PLAYER), "umpire": _user(UMPIRE)}
    more["late"] = wars._war("lafayette", (6, "orders"), people)
    scenario_draft_begin(user=_user(PLAYER), slug="lafayette")
    return dict(zip(WARS, ids, strict=False)) | more


def _printed(main: Callable[..., None], *arguments: str) -> str:
    """Return the output of a program."""
    with redirect_stdout(io.StringIO()) as words:
        main(*arguments)
    return words.getvalue().splitlines()[-1]


def _reckoned(war: str) -> dict[str, Work]:
    """Do the work of background workers."""
    from campaign.belief.meetings import Question
    from campaign.models import Campaign
    from campaign.rules.files import SCENARIOS, fixture_scenario
    from campaign.selectors.rules import rules_now
    from campaign.services.meetings import estimate_for, meeting_battles, meeting_question
    from campaign.sight.views import current_sight
    from campaign.store.documents import scenario_of
    from campaign.web.chart_data import arrivals_of
    from campaign.web.sheet_pdf import PaperChoice, document_of, pdf_of
    from engine.captains.continuum.dogfight_actions import Fighter, expected_losses
    from engine.notation.designs import sheet_of
    from engine.notation.files import fixture_classes
    from umpire import handicap as handicaps
    from umpire.rehearsal import play

    campaign = Campaign.objects.select_related("scenario").get(public_id=war)
    faction = campaign.factions.get(key="nac")
    seen = current_sight(campaign, faction)
    fleet = seen.view.fleets[0]
    foreign = _foreign_hex(scenario_of(campaign))
    question = Question(foreign, "esu", (fleet.key,))
    asked = meeting_question(
        campaign, faction, seen, question, rules_now(campaign).version_in(seen.view.week)
    )
    designs = list(fixture_classes("second-edition").items())[:6]
    on_paper = tuple(_on_paper(name, sheet_of(design)) for name, design in designs)
    text = (SCENARIOS / "lafayette.yaml").read_text(encoding="utf-8")

    def odds(_seed: int) -> None:
        estimate_for(asked, "bench")
        battle = meeting_battles(asked)
        for number in range(8):
            battle(number)

    def handicap(_seed: int) -> None:
        handicaps.steps_of(text, "nac")
        for step in (5, 10, 20):
            handicaps.handicap_of(text, "nac", step)

    def printed(_seed: int) -> None:
        document_of("Sheets", on_paper, PaperChoice())
        pdf_of("Sheets", on_paper, PaperChoice())

    def ways(_seed: int) -> None:
        arrivals_of(scenario_of(campaign), seen.view, [f"{fleet.hex}.0"])

    def dogfights(_seed: int) -> None:
        for left in range(1, 7):
            group = Fighter(left, 2, (0,))
            expected_losses(group, group)

    return {
        "battles of odds": odds,
        "handicap": handicap,
        "ways of fleets": ways,
        "dogfights": dogfights,
        "printed sheets": printed,
        "rehearsal": lambda seed: play(fixture_scenario("lafayette"), {}, seed, captains=False),
    }


def _asked_of_the_api(client: Any, deciding: str, late: str, token: Any) -> dict[str, Work]:
    """Send API requests, among them one that waits for odds while no worker runs."""
    from campaign.models import Campaign
    from campaign.sight.views import current_sight
    from campaign.store.documents import scenario_of

    campaign = Campaign.objects.select_related("scenario").get(public_id=late)
    seen = current_sight(campaign, campaign.factions.get(key="nac"))
    asked = {
        "hex": _foreign_hex(scenario_of(campaign)),
        "toward": "esu",
        "fleets": [seen.view.fleets[0].key],
        "battles": 20,
    }

    def sent(address: str, body: dict[str, Any]) -> Any:
        return client.post(address, body, content_type="application/json", headers=token)

    started = sent(f"/api/campaigns/{late}/odds/", asked)
    meeting = f"/api/campaigns/{late}/odds/{started.json()['id']}/"
    return {
        "API messages read": lambda _seed: sent(
            f"/api/campaigns/{deciding}/messages/read/", {"ids": []}
        ),
        "API odds awaited": lambda _seed: client.get(meeting, headers=token),
    }


def _orders_saved() -> Work:
    """Save the orders page of a war so large that only the chosen fleet has a form."""
    from django.test import Client

    from tools.bench.orders_page import large_scenario, stand_in
    from tools.bench.web import war_in_progress

    _, _, war = war_in_progress(1, large_scenario(False), "admiral-of-many")
    stand_in(war)
    client = Client()
    client.force_login(_user("admiral-of-many"), backend="config.sessions.Backend")
    address = f"/c/{war}/orders/"
    page = client.get(address).content.decode()
    stage = re.search(r'name="stage" value="(\d+)"', page)
    assert stage is not None
    return lambda _seed: client.post(address, {"stage": stage[1], "action": "save"})


def _foreign_hex(scenario: Any) -> str:
    """Return the hex of a system of the other side."""
    owned = [system.hex for system in scenario.systems if system.owner not in (None, "", "nac")]
    return str(owned[0] if owned else scenario.systems[-1].hex)


def _known(war: str) -> dict[str, Work]:
    """Return what a faction knows of others after many battles."""
    from campaign.models import Campaign
    from campaign.services.foreign_classes import foreign_classes_of
    from campaign.services.meetings import belief_of
    from campaign.sight.views import current_sight
    from campaign.words.system_names import system_id

    campaign = Campaign.objects.select_related("scenario").get(public_id=war)
    faction = campaign.factions.get(key="nac")
    seen = current_sight(campaign, faction)
    return {
        "foreign classes": lambda _seed: foreign_classes_of(campaign, faction),
        "belief": lambda _seed: belief_of(campaign, faction, seen),
        "names of systems": lambda _seed: system_id("battery 2", "continuum"),
    }


def _of_battles() -> dict[str, Work]:
    """Begin and store battles of every system from their files, and find paths over a large map."""
    from campaign.rules import arrivals
    from campaign.rules.starmap import star_map
    from engine.battle import start
    from engine.notation import files
    from tools.bench.orders_page import large_scenario
    from tools.bench.systems import ENTRIES, battle_file

    begun = [start(battle_file(entry)) for entry in ENTRIES.values()]
    scenario = large_scenario(True)
    hexes = [system.hex for system in scenario.systems][:20]

    def distances(_seed: int) -> None:
        chart = star_map(scenario)
        for a in hexes:
            for b in hexes:
                chart.distance(a, b, 12)

    def plans(_seed: int) -> None:
        chart = star_map(scenario)
        for start_hex in hexes[:5]:
            for goal in hexes[5:15]:
                arrivals.find_arrivals(chart, start_hex, 6).weekly_hexes(goal)

    return {
        "battles stored": lambda _seed: [state.to_json() for state in begun],
        "classes of a battle": lambda _seed: files.fixture_classes("continuum"),
        "distances": distances,
        "plans of fleets": plans,
    }


def _on_paper(name: str, sheet: Any) -> Any:
    """Return a new ship for a printed sheet, with an address for its QR code."""
    from campaign.drawings.condition import fresh_condition
    from campaign.web.sheet_pdf import PaperSheet

    return PaperSheet(sheet, fresh_condition(sheet, name), address=f"https://example.org/{name}")

"""One pair of wars with all requests: nothing breaks, and which queries are sent.

For a player no query reads the truth or the private rows of others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.access import client_requests, site_routes
from tests.access.client_requests import Answer, Request, Statement
from tests.access.histories import LONG_SEED, build_history
from tests.access.private_rows import CAMPAIGN
from tests.access.route_requests import ROUTE_REQUESTS
from tests.access.stored_wars import store
from tests.test_code_rules import imported_modules
from tools.generate import parse_module

ROOT = Path(__file__).resolve().parents[2]
MIDDLE = 15
TABLE = re.compile(r'(?:FROM|JOIN|INTO|UPDATE) "(\w+)"', re.IGNORECASE)
TRUTH = {
    f"campaign_{table}"
    for table in (
        "snapshot",
        "fleet",
        "ship",
        "facilitystate",
        "repair",
        "battle",
        "battlephase",
        "ruling",
    )
}
WORLD = re.compile(r'FROM "campaign_snapshot"|"campaign_snapshot"\."(?:world|events|sha256)"')
# the chain of hashes over the record of a battle at a table begins with the battle's key
KEY_OF_BATTLE = re.compile(
    r'SELECT "campaign_battle"\."key" AS "\w+" FROM "campaign_stage" LEFT OUTER JOIN'
)
# the archive of one faction has the entries that it sealed for phases, with the keys of the battles
OWN_ENTRIES_OF_BATTLES = re.compile(
    r'SELECT (?!.*"campaign_battle"\."(?!key")\w+".* FROM ).* FROM "campaign_submission" '
    r'.*"campaign_submission"\."faction_id" = %s'
)
# one faction's, or a view whose row was found that way before
OWN_ROWS = re.compile(
    r'"campaign_(?:submission|draft|view|report|shipclass)"\."faction_id" (?:= %s|IN \(%s\))|"campaign_view"\."id" = '
    r'|"campaign_message"\."(?:sender|receiver)_id" = %s'
)
# a message to the umpire notifies the umpire once: the query asks whether one is waiting, not what
ANYTHING_FOR_UMPIRE = re.compile(
    r'SELECT (?:1|%s) AS "a" FROM "campaign_message" .*"receiver_id" IS NULL'
)
PRIVATE_TABLES = {
    f"campaign_{table}"
    for table in ("submission", "draft", "view", "report", "shipclass", "message")
}
# Keeping the clock asks who is missing, and closing a stage asks more; the two-world test checks
# what that reveals.
CLOCK = re.compile(r"/(?:host|umpire)/|/seal/$|/start/$|/seats/|/story/|action=|verb=")


def tables(statement: Statement) -> set[str]:
    return set(TABLE.findall(statement.sql))


def reads_the_truth(statement: Statement) -> bool:
    """Return whether a statement reads a table of the truth.

    Joining a snapshot's row reveals nothing of its world.
    """
    if KEY_OF_BATTLE.match(statement.sql) or OWN_ENTRIES_OF_BATTLES.match(statement.sql):
        return False
    true_tables = tables(statement) & TRUTH
    return bool(true_tables - {"campaign_snapshot"}) or (
        bool(true_tables) and WORLD.search(statement.sql) is not None
    )


def asks_of_others(statement: Statement) -> bool:
    """Return whether a statement reads private rows without naming one faction."""
    if ANYTHING_FOR_UMPIRE.match(statement.sql) or not statement.sql.startswith("SELECT"):
        return False
    return bool(tables(statement) & PRIVATE_TABLES) and not OWN_ROWS.search(statement.sql)


@cache
def request_everything() -> tuple[dict[str, list[Request]], list[Answer], list[Answer]]:
    """Return all requests at every route, with the answers in both worlds, sent once for these
    tests.
    """
    pair = build_history(LONG_SEED)
    guesses = site_routes.guesses_of(pair)
    requests = {
        route.route: site_routes.requests_for(
            route, ROUTE_REQUESTS.get(route.route, site_routes.RouteRequests()), guesses, CAMPAIGN
        )
        for route in site_routes.all_routes()
    }
    return requests, *client_requests.answers_of_both(
        pair, [ask for asks in requests.values() for ask in asks]
    )


def iter_answers() -> Iterator[tuple[str, Request, Answer, Answer]]:
    """Yield route, request and both answers."""
    requests, *both = request_everything()
    routes = [(route, ask) for route, asks in requests.items() for ask in asks]
    for (route, ask), here, there in zip(routes, *both, strict=True):
        yield route, ask, here, there


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.rule("camp.hidden")
def test_player_sees_own_objects_in_both_worlds() -> None:
    """The first request at every route has the listed status, none is an error, both worlds agree."""
    differences = {
        str(ask): unlike
        for _, ask, *both in iter_answers()
        if (unlike := client_requests.describe_difference(*both))
    }
    assert differences == {}
    statuses: dict[str, list[int]] = {}
    for route, _, here, _ in iter_answers():
        statuses.setdefault(route, []).append(here.status)
    assert {
        route: route_statuses
        for route, route_statuses in statuses.items()
        if max(route_statuses) >= 500
        or (route in ROUTE_REQUESTS and route_statuses[0] != ROUTE_REQUESTS[route].status)
    } == {}


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.rule("camp.hidden")
def test_player_addresses_never_query_the_truth_or_other_factions() -> None:
    answers = [
        (ask, here)
        for _, ask, here, _ in iter_answers()
        if not CLOCK.search(ask.path)
        and not (isinstance(ask.data, dict) and ask.data.get("action") == "seal")
    ]
    assert len(answers) > 100
    leaks = {
        str(ask)[:120]: sorted(tables(statement))
        for ask, answer in answers
        for statement in answer.statements
        if reads_the_truth(statement) or asks_of_others(statement)
    }
    assert leaks == {}
    assert any(
        tables(statement) & PRIVATE_TABLES
        for _, answer in answers
        for statement in answer.statements
    )


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.urls("tests.access.leaks")
def test_query_log_would_show_a_leak() -> None:
    """The inserted leaks query the umpire's tables, and the private rows of others."""
    with client_requests.freeze_randomness():
        asks = [
            Request("get", f"/leak/{CAMPAIGN}/{name}/")
            for name in ("count", "etag", "order", "sequential_id")
        ]
        answers = client_requests.answers(store(build_history(MIDDLE), 0), "viewer", asks)
    touched = [
        {table for statement in answer.statements for table in tables(statement)} & TRUTH
        for answer in answers
    ]
    assert touched[:2] == [{"campaign_fleet"}, {"campaign_snapshot"}]
    assert any(asks_of_others(statement) for statement in answers[2].statements)
    assert not any(asks_of_others(statement) for statement in answers[3].statements)


WRITES = re.compile(
    r"\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b|.*\bFOR UPDATE\b",
    re.IGNORECASE | re.DOTALL,
)
# a form that is shown again, and a host who may not end a stage, are told why, once; a stranger
# keeps the invitation while creating an account
WRITES_A_SESSION = re.compile(r"/umpire/battles/[^/]+/result/$|/host/act/resolve/$|/join/")
# PDFs, archives, luck accounts over the API and simulations for odds are heavy requests, counted by
# account (decision 24)
MAY_COUNT = re.compile(r"\.pdf(?:\?|$)|/odds/\?|fight=1|/archive/(?:own/)?$|/api/.*/luck/$")
# what an umpire opens, and the first opening of a view by its players, are on record (decision 152)
ON_RECORD = re.compile(r'INSERT .*INTO "campaign_(?:umpireaccess|viewopening)"')


@pytest.mark.django_db
@pytest.mark.any_database
def test_reading_writes_nothing_and_never_waits_for_writers() -> None:
    """There is no transaction either: on SQLite each would wait until it could write."""
    writes = {
        str(ask): wrote
        for _, ask, here, _ in iter_answers()
        if is_reading(ask) and (wrote := writes_of(here))
    }
    assert writes == {}


@pytest.mark.django_db
@pytest.mark.any_database
def test_umpires_reading_writes_only_its_record() -> None:
    pair = build_history(MIDDLE)
    guesses = site_routes.guesses_of(pair)
    asks = [
        ask
        for route in site_routes.all_routes()
        for ask in site_routes.requests_for(route, ROUTE_REQUESTS[route.route], guesses, CAMPAIGN)
        if is_reading(ask) and "umpire" in ask.path
    ]
    assert len(asks) > 20
    with client_requests.freeze_randomness():
        answers = client_requests.answers(store(pair, 0), "umpire", asks)
    pairs = zip(asks, answers, strict=True)
    assert {str(ask): wrote for ask, answer in pairs if (wrote := writes_of(answer))} == {}


def is_reading(ask: Request) -> bool:
    """Return whether a request may write nothing."""
    may_write = WRITES_A_SESSION.search(ask.path) or MAY_COUNT.search(ask.path)
    return ask.method == "get" and not may_write


def writes_of(answer: Answer) -> list[str]:
    """Return the statements for an answer that write, or that begin a transaction."""
    began = ["a transaction"] * answer.transactions
    written = [sql for sql in answer.queries if WRITES.match(sql) and not ON_RECORD.match(sql)]
    return [*began, *written]


FORBIDDEN = (
    "campaign.models.truth",
    "campaign.selectors.truth",
    "campaign.rules.world",
    "campaign.rules.perception",
)
NAMES = {"Snapshot", "Fleet", "Ship", "FacilityState", "Repair", "Battle", "BattlePhase", "Ruling"}


@pytest.mark.parametrize("package", ["campaign/pages", "campaign/api"])
def test_pages_and_api_do_not_import_the_truth(package: str) -> None:
    """This holds by module, and by name from `campaign.models`; `campaign.rules.view` has the
    values
    of views.
    """
    imports = {}
    for path in sorted((ROOT / package).glob("**/*.py")):
        tree = parse_module(path)
        modules = {name for name in imported_modules(tree) if name.startswith(FORBIDDEN)}
        used = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "models"
        } & NAMES
        imported = {name for name in imported_modules(tree) if name.startswith("campaign.models.")}
        if bad := modules | used | {name for name in imported if name.rsplit(".", 1)[-1] in NAMES}:
            imports[path.name] = sorted(bad)
    assert imports == {}

"""One pair of wars, asked everything: it is shown as listed and nothing breaks; and what the
database is asked for it.

For a player it is never asked for the truth, never for the papers of others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.access import asking, reach
from tests.access.asking import Answer, Ask, Statement
from tests.access.histories import WHOLE, history
from tests.access.papers import CAMPAIGN
from tests.access.reached import REACHED
from tests.access.stored import store
from tests.test_house import imported_modules
from tools.generate import parsed

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
        "battlestop",
        "ruling",
    )
}
WORLD = re.compile(r'FROM "campaign_snapshot"|"campaign_snapshot"\."(?:world|happenings|sha256)"')
# one faction's, or a view whose row was found so before
OWN = re.compile(
    r'"campaign_(?:submission|draft|view|report|shipclass)"\."faction_id" (?:= %s|IN \(%s\))|"campaign_view"\."id" = '
    r'|"campaign_message"\."(?:sender|receiver)_id" = %s'
)
# who writes to the umpire has him told of it once: asked is whether anything waits for him, and
# nothing of what
ANYTHING_FOR_UMPIRE = re.compile(
    r'SELECT (?:1|%s) AS "a" FROM "campaign_message" .*"receiver_id" IS NULL'
)
PAPERS = {
    f"campaign_{table}"
    for table in ("submission", "draft", "view", "report", "shipclass", "message")
}
# Keeping the clock asks who is missing, and closing a stage asks more; what it tells is the
# two-world test's business.
CLOCK = re.compile(r"/(?:host|umpire)/|/seal/$|/start/$|/seats/|/story/|action=|verb=")


def tables(statement: Statement) -> set[str]:
    return set(TABLE.findall(statement.sql))


def reads_the_truth(statement: Statement) -> bool:
    """Whether a statement reads a table of the truth.

    To join the row of a snapshot tells nothing of its world.
    """
    found = tables(statement) & TRUTH
    return bool(found - {"campaign_snapshot"}) or (
        bool(found) and WORLD.search(statement.sql) is not None
    )


def asks_of_others(statement: Statement) -> bool:
    """Whether a statement reads papers without naming one faction's."""
    if ANYTHING_FOR_UMPIRE.match(statement.sql) or not statement.sql.startswith("SELECT"):
        return False
    return bool(tables(statement) & PAPERS) and not OWN.search(statement.sql)


@cache
def everything() -> tuple[dict[str, list[Ask]], list[Answer], list[Answer]]:
    """All requests at every route, and the answers in either world; asked once for the tests
    here.
    """
    pair = history(WHOLE)
    known = reach.guesses(pair)
    asked = {
        route.route: reach.asks(route, REACHED.get(route.route, reach.Reach()), known, CAMPAIGN)
        for route in reach.routes()
    }
    return asked, *asking.both(pair, [ask for asks in asked.values() for ask in asks])


def asked_here() -> Iterator[tuple[str, Ask, Answer, Answer]]:
    """Route, request and both answers."""
    asked, *both = everything()
    routes = [(route, ask) for route, asks in asked.items() for ask in asks]
    for (route, ask), here, there in zip(routes, *both, strict=True):
        yield route, ask, here, there


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.rule("camp.hidden")
def test_the_player_is_shown_what_is_his_and_nothing_breaks_in_either_world() -> None:
    """The first request at every route is answered as listed, and nothing with an error; both
    worlds alike.
    """
    told_apart = {
        str(ask): unlike for _, ask, *both in asked_here() if (unlike := asking.unlike(*both))
    }
    assert told_apart == {}
    found: dict[str, list[int]] = {}
    for route, _, here, _ in asked_here():
        found.setdefault(route, []).append(here.status)
    assert {
        route: got
        for route, got in found.items()
        if max(got) >= 500 or (route in REACHED and got[0] != REACHED[route].status)
    } == {}


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.rule("camp.hidden")
def test_no_address_of_a_player_touches_the_truth_or_the_papers_of_others() -> None:
    asked = [
        (ask, here)
        for _, ask, here, _ in asked_here()
        if not CLOCK.search(ask.path)
        and not (isinstance(ask.data, dict) and ask.data.get("action") == "seal")
    ]
    assert len(asked) > 100
    found = {
        str(ask)[:120]: sorted(tables(statement))
        for ask, answer in asked
        for statement in answer.statements
        if reads_the_truth(statement) or asks_of_others(statement)
    }
    assert found == {}
    assert any(tables(statement) & PAPERS for _, answer in asked for statement in answer.statements)


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.urls("tests.access.leaks")
def test_the_log_would_show_it() -> None:
    """The umpire's own tables, and others' papers, asked for by the planted leaks."""
    with asking.still():
        asks = [
            Ask("get", f"/leak/{CAMPAIGN}/{name}/")
            for name in ("count", "etag", "order", "sequential_id")
        ]
        got = asking.answers(store(history(MIDDLE), 0), "viewer", asks)
    touched = [
        {table for one in answer.statements for table in tables(one)} & TRUTH for answer in got
    ]
    assert touched[:2] == [{"campaign_fleet"}, {"campaign_snapshot"}]
    assert any(asks_of_others(one) for one in got[2].statements)
    assert not any(asks_of_others(one) for one in got[3].statements)


WRITES = re.compile(
    r"\s*(?:INSERT|UPDATE|DELETE|REPLACE|SAVEPOINT|BEGIN)\b|.*\bFOR UPDATE\b",
    re.IGNORECASE | re.DOTALL,
)
# who is shown the form again is told why, once; and a stranger keeps the invitation while he makes
# an account
WRITES_A_SESSION = re.compile(r"/umpire/battles/[^/]+/result/$|/join/")
# to make a PDF, or to have battles fought for odds, is a heavy act, and those are counted by
# account (decision 24)
COUNTED = re.compile(r"\.pdf(?:\?|$)|/odds/\?|fight=1")


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.parametrize(("name", "where"), [("viewer", ""), ("umpire", "umpire")])
def test_who_only_reads_writes_nothing_and_so_waits_for_nobody_who_writes(
    name: str, where: str
) -> None:
    """No transaction either: on SQLite each one waits until it could write."""
    known = reach.guesses(history(MIDDLE))
    asks = [
        ask
        for route in reach.routes()
        for ask in reach.asks(route, REACHED[route.route], known, CAMPAIGN)
        if ask.method == "get"
        and where in ask.path
        and not WRITES_A_SESSION.search(ask.path)
        and not COUNTED.search(ask.path)
    ]
    assert len(asks) > 20
    with asking.still():
        client = asking.client_of(store(history(MIDDLE), 0).people.get(name))
        found = {str(ask): wrote for ask in asks if (wrote := written(client, ask))}
    assert found == {}


def written(client: Client, ask: Ask) -> list[str]:
    """The statements of a request that write or begin a transaction."""
    found: list[str] = []

    def keep(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(keep):
        asking.asked(client, ask)
    assert found[0].startswith("SAVEPOINT")  # of `asked` itself
    return [sql for sql in found[1:] if WRITES.match(sql)]


FORBIDDEN = (
    "campaign.models.truth",
    "campaign.selectors.truth",
    "campaign.rules.world",
    "campaign.rules.perceive",
)
NAMES = {"Snapshot", "Fleet", "Ship", "FacilityState", "Repair", "Battle", "BattleStop", "Ruling"}


@pytest.mark.parametrize("package", ["campaign/pages", "campaign/api"])
def test_pages_and_api_import_nothing_of_the_truth(package: str) -> None:
    """By module, and by name out of `campaign.models`; `campaign.rules.view` has the values of
    which a View is made.
    """
    found = {}
    for path in sorted((ROOT / package).glob("**/*.py")):
        tree = parsed(path)
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
            found[path.name] = sorted(bad)
    assert found == {}

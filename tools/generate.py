"""Write the generated reference pages: docs/reference/rules.md, settings.md and battle-homes.md.

rules.md lists every rule of docs/reference/inventory.csv with its state, the functions that
implement it, and its tests. A function implements a rule if its docstring contains a line like
`Rules: 2E "Beam weapon batteries" [2e.beams]`, and a fixture if its first comment does. A test
covers a rule if it is marked `@pytest.mark.rule("2e.beams")`. The code is parsed with `ast`, not
imported. `tools.settings_reference` writes settings.md, and `tools.battle_homes_reference`
battle-homes.md.

Run bin/reference.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

from tools import battle_homes_reference, settings_reference

ROOT = Path(__file__).resolve().parent.parent
INVENTORY = ROOT / "docs" / "reference" / "inventory.csv"
PAGE = ROOT / "docs" / "reference" / "rules.md"
HOMES = ("engine", "campaign", "umpire")
STATES = ("done", "partly", "open", "not played")
NOT_PLAYED = "not played"
SEPARATOR = r"[,;\s]+"
RULE_IDS = re.compile(rf"\[([a-z0-9]+\.[a-z0-9-]+(?:{SEPARATOR}[a-z0-9]+\.[a-z0-9-]+)*)\]")

HEADING = """\
# Rules and their code

This page lists every rule of the rulebooks with the code that implements it and the tests that check it. `bin/reference`
writes it; do not edit it. The docstring of the code contains the rule's id; for a list of figures it is a fixture that
contains it. Tests have the id as a mark. A rule is done, partly done (as far as other rules need it), open, or not
played; [rulings](rulings.md) say why. The newest rules also name their page of the site and their resource of the API.
[Your first rule](../tutorials/first-rule.md) shows how to add one.
"""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A function, class or module that names a rule: its file, relative to the project, and its
    name.
    """

    file: str
    name: str


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    title: str
    source: str
    state: str
    page: str = ""
    api: str = ""


def inventory(path: Path = INVENTORY) -> tuple[Rule, ...]:
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Rule(row["id"], row["title"], row["source"], row["state"], row["page"], row["api"])
            for row in csv.DictReader(file)
        )


def homes(root: Path = ROOT) -> dict[str, list[Place]]:
    """Return the places that name each id, in docstrings or in a fixture's first comment."""
    places_of: dict[str, list[Place]] = {}
    for path in sorted((root / "fixtures").rglob("*.yaml")):
        for id_ in ids_in(_head(path)):
            _add(places_of, id_, Place(path.relative_to(root).as_posix(), "the whole file"))
    for file, tree in _modules(root, HOMES):
        for name, node in _named_nodes(tree):
            for id_ in ids_in(ast.get_docstring(node) or ""):
                _add(places_of, id_, Place(file, name))
    return places_of


def rule_tests(root: Path = ROOT) -> dict[str, list[Place]]:
    """Return the tests marked with each id; a mark on a class or module counts once."""
    places_of: dict[str, list[Place]] = {}
    for file, tree in _modules(root, ("tests",)):
        for name, node in _named_nodes(tree):
            for id_ in _marks(node):
                _add(places_of, id_, Place(file, name))
    return places_of


def ids_in(docstring: str) -> list[str]:
    """Return the ids in brackets after `Rules:`, in their order."""
    _, marker, tail = docstring.partition("Rules:")
    if not marker:
        return []
    return [id_ for group in RULE_IDS.findall(tail) for id_ in re.split(SEPARATOR, group)]


def page(
    rules: Iterable[Rule], where: dict[str, list[Place]], tests: dict[str, list[Place]]
) -> str:
    """Return the text of docs/reference/rules.md."""
    rules = tuple(rules)
    counts = ", ".join(f"{sum(rule.state == state for rule in rules)} {state}" for state in STATES)
    lines = [HEADING, f"{counts}.", ""]
    for rule in rules:
        if rule.state in ("open", NOT_PLAYED):
            continue
        lines += [
            f"## {rule.id}: {rule.title}",
            "",
            f"{rule.state.capitalize()}. Source: {rule.source}.",
            "",
        ]
        if rule.page:
            lines += [f"Page: {rule.page}. API: {rule.api}.", ""]
        lines += ["Code:", "", *_place_lines(where.get(rule.id, [])), ""]
        lines += ["Tests:", "", *_place_lines(tests.get(rule.id, [])), ""]
    lines += _table("Open", [rule for rule in rules if rule.state == "open"])
    lines += ["", *_table("Not played", [rule for rule in rules if rule.state == NOT_PLAYED])]
    return "\n".join(lines) + "\n"


def _table(title: str, rules: Iterable[Rule]) -> list[str]:
    """Return the lines of a chapter with a table of rules."""
    rows = [f"| {rule.id} | {rule.title} | {rule.source} |" for rule in rules]
    return [f"## {title}", "", "| id | rule | source |", "|---|---|---|", *rows]


def main() -> None:
    """Write both pages and print their paths."""
    PAGE.write_text(page(inventory(), homes(), rule_tests()), encoding="utf-8")
    for reference in (settings_reference, battle_homes_reference):
        reference.PAGE.write_text(reference.page(), encoding="utf-8")
    for path in (PAGE, settings_reference.PAGE, battle_homes_reference.PAGE):
        print(path.relative_to(ROOT))


def _place_lines(places: list[Place]) -> list[str]:
    """Return one line for each file, with names; links are relative to docs/reference/."""
    files: dict[str, list[str]] = {}
    for place in sorted(places):
        files.setdefault(place.file, []).append(f"`{place.name}`")
    return [f"- [{file}](../../{file}): {', '.join(names)}" for file, names in files.items()] or [
        "- none"
    ]


def _head(fixture: Path) -> str:
    """Return the comment at the beginning of a fixture."""
    lines = fixture.read_text(encoding="utf-8").splitlines()
    return "\n".join(takewhile(lambda line: line.startswith("#"), lines))


def _modules(root: Path, folders: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            yield path.relative_to(root).as_posix(), parse_module(path)


@cache
def parse_module(path: Path) -> ast.Module:
    """Return the syntax tree of a module, which is parsed once."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


NamedNode = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _named_nodes(tree: ast.Module) -> Iterator[tuple[str, NamedNode]]:
    """Yield the module (as `the whole module`), its classes, and its functions; methods as
    `Class.method`.
    """
    yield "the whole module", tree
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, parent = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield prefix + node.name, node
                waiting.append((f"{prefix}{node.name}.", node))


def _marks(node: NamedNode) -> list[str]:
    """Return the ids of the rule marks in a node's decorators, or in a module's `pytestmark`."""
    if isinstance(node, ast.Module):
        holders: list[ast.AST] = [
            statement.value
            for statement in node.body
            if isinstance(statement, ast.Assign)
            and any(
                isinstance(target, ast.Name) and target.id == "pytestmark"
                for target in statement.targets
            )
        ]
    else:
        holders = list(node.decorator_list)
    calls = (
        inner for holder in holders for inner in ast.walk(holder) if isinstance(inner, ast.Call)
    )
    return [
        argument.value
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "rule"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def _add(places_of: dict[str, list[Place]], id_: str, place: Place) -> None:
    places = places_of.setdefault(id_, [])
    if place not in places:
        places.append(place)


if __name__ == "__main__":
    main()

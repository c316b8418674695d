"""The project's own rules, which every file obeys."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.gate import WITHOUT_DATABASE
from tests.sources import nodes_of, tree_of
from tools import code_figures, generate, settings_reference
from tools.reason_texts import FILE as REASON_TEXTS

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 700  # a limit, not a goal: a file is split where its ideas part
NOT_OURS = {"var", "build", "__pycache__", "node_modules"}
OUR_DOT_FOLDERS = {".ci"}

# Only the engine's command line uses the machine; the rules never do.
COMMAND_LINE = re.compile(
    r"engine/(?:__main__|cli/\w+|notation/files)\.py|umpire/(?:__main__|cli/\w+)\.py"
)
CLOCK_AND_DISK = {
    *(
        "asyncio",
        "datetime",
        "http",
        "io",
        "locale",
        "os",
        "pathlib",
        "secrets",
        "shutil",
        "socket",
        "sqlite3",
    ),
    *("subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "zoneinfo"),
}

# Packages in which every public name has a docstring: others import them or call them over HTTP.
DOCUMENTED = re.compile(
    r"(?:campaign/api|engine/(?:asks|captains|notation|view)|umpire|jobs)/(?!migrations/).+"
    r"|engine/(?:battle|sequences|ship_profiles)\.py"
)
# Packages whose results are hashed into a war, and in them what only chooses or estimates.
EXACT_PACKAGES = (
    *("engine/", "campaign/rules/", "campaign/orders/", "campaign/events/"),
    "umpire/adjudication/",
)
CHOOSERS = ("engine/captains/", "engine/odds.py", "engine/cli/")
# What of `math` IEEE 754 defines, or works with whole numbers.
EXACT_MATH = ("ceil", "floor", "inf", "isfinite", "pi", "prod", "sqrt")
FRAMEWORKS_OWN = {"Meta"}  # a model's or a serializer's settings, in a class that Django looks into

# Written in parts, so that this file does not contain what it searches for.
BANNED = {
    "a registry's host": r"pypi\.(?:org|python)"
    + r"|python"
    + r"hosted\.|npm"
    + r"js\.(?:org|com)",
    "a note to finish it later": r"\b(?:TO" + r"DO|FIX" + r"ME)\b",
    "a test that may fail": r"\bx" + r"fail\b|mark\.sk" + r"ip\b",
    "somebody's own folder": r"/wo" + r"rk/|\.\./sha" + r"red\b|/ro" + r"ot/\.",
}
SYSTEMS = 237  # rules of the rulebooks and of the choices that they leave to players
OWN_RULES = {"2e.fire-by-ship"}  # an option of ours for a rule that the inventory lists already
# Rules that are not done: what misses is in the inventory's page.
UNFINISHED: set[str] = set()
MAX_ARROWS = 96  # pairs of packages of the campaign, of which one imports the other
# The packages of the campaign that each of its packages imports.
ROOMS_IMPORTED = {
    "access": "errors kinds models store",
    "api": (
        "access belief errors kinds lineage models orders rules selectors services sight store "
        "web words"
    ),
    "belief": "rules",
    "drawings": "rules",
    "forms": "drawings orders rules web words",
    "lineage": "kinds models",
    "models": "kinds",
    "orders": "events kinds rules",
    "pages": (
        "access belief drawings errors forms kinds models orders rules selectors "
        "services sight store web words"
    ),
    "replays": "drawings words",
    "rules": "events kinds",
    "selectors": "access errors kinds lineage models rules sight store",
    "services": (
        "access belief errors kinds lineage models orders rules selectors sight store tasks words"
    ),
    "sight": "errors lineage models rules store",
    "store": "kinds models rules",
    "templatetags": "web words",
    "web": (
        "access drawings errors kinds models replays rules selectors services sight store words"
    ),
    "words": "events kinds rules",
}
ARROWS = {
    (importing, imported)
    for importing, rooms in ROOMS_IMPORTED.items()
    for imported in rooms.split()
}


def our_files() -> Iterator[Path]:
    """Return every file of the project, without caches and environments."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(
            name
            for name in folders
            if name in OUR_DOT_FOLDERS or not (name.startswith(".") or name in NOT_OURS)
        )
        yield from (
            Path(folder, name) for name in sorted(files) if name != ".git"
        )  # a file in a linked worktree


def our_modules(*folders: str) -> tuple[tuple[str, ast.Module], ...]:
    """Return the project's modules in these folders, by name, each read once."""
    names = (path.relative_to(ROOT).as_posix() for path in our_files())
    return tuple(
        (name, tree_of(name))
        for name in names
        if name.endswith(".py") and name.split("/")[0] in folders
    )


homes, rule_tests = cache(generate.homes), cache(generate.rule_tests)


@cache
def imported_modules(tree: ast.Module) -> set[str]:
    """Return every module that a module's imports may mean (`from a import b`: `a` and `a.b`)."""
    names: set[str] = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def imported(tree: ast.Module) -> set[str]:
    """Return the packages that a module imports, by their first name."""
    return {name.split(".")[0] for name in imported_modules(tree)}


def test_every_finished_rule_has_code_and_a_test() -> None:
    at_home, tests = homes(), rule_tests()
    claimed = [rule.id for rule in generate.inventory() if rule.state in ("done", "partly")]
    assert [id_ for id_ in claimed if id_ not in at_home] == [], (
        "claimed, but no docstring names it"
    )
    assert [id_ for id_ in claimed if id_ not in tests] == [], "claimed, but no test carries it"


def test_docstrings_and_marks_name_known_rules() -> None:
    ids = {rule.id for rule in generate.inventory()}
    places_by_rule = {**homes(), **rule_tests()}
    assert {id_: places for id_, places in places_by_rule.items() if id_ not in ids} == {}


def test_every_system_of_the_inventory_works() -> None:
    """Only the known rows are open or partly done, and a ruling says why others are not played."""
    rules = generate.inventory()
    finished = ("done", generate.NOT_PLAYED)
    assert {rule.id for rule in rules if rule.state not in finished} == UNFINISHED
    assert len({rule.id for rule in rules} - OWN_RULES) == SYSTEMS
    rulings = (ROOT / "docs" / "reference" / "rulings.md").read_text(encoding="utf-8")
    for rule in rules:
        assert rule.state != generate.NOT_PLAYED or f"`{rule.id}`" in rulings, rule.id


def test_inventory_has_unique_ids_and_known_states() -> None:
    rules = generate.inventory()
    assert len({rule.id for rule in rules}) == len(rules)
    assert {rule.state for rule in rules} <= set(generate.STATES)


def test_rules_page_can_be_built() -> None:
    rules = generate.inventory()
    page = generate.page(rules, homes(), rule_tests())
    chapters = [rule for rule in rules if rule.state in ("done", "partly")]
    assert page.count("\n## ") == len(chapters) + 2, (
        "a chapter for each rule that is played, one for open ones, one for others"
    )
    linked = set(re.findall(r"\]\(\.\./\.\./([^)]+)\)", page))
    assert [name for name in linked if not (ROOT / name).is_file()] == []


def test_every_setting_is_in_the_reference() -> None:
    rows = settings_reference.settings()
    assert {row.variable for row in rows} == settings_reference.variables_read()
    assert [row.variable for row in rows if not (row.meaning and row.default)] == []
    assert all(f"| `{row.variable}` | {row.default} |" in settings_reference.page() for row in rows)


def test_rules_page_finds_code_and_tests(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "ships.yaml").write_text(
        '# Ships.\n# Rules: 2E "Classes" [2e.classes]\n- class: A\n'
    )
    rule = '"""Hits.\n\n    Rules: 2E "Beams" [2e.beams]; "Screens" [2e.screens,\n    2e.arcs]\n    """'
    (tmp_path / "engine" / "beams.py").write_text(
        f"class Beam:\n    def hits(self):\n        {rule}\n"
    )
    (tmp_path / "tests" / "test_beams.py").write_text(
        'pytestmark = pytest.mark.rule("2e.screens")\n\n'
        '@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("2e.arcs"))])\n'
        '@pytest.mark.rule("2e.beams")\ndef test_hits(n): ...\n'
    )
    home = [generate.Place("engine/beams.py", "Beam.hits")]
    file = [generate.Place("fixtures/ships.yaml", "the whole file")]
    assert generate.homes(tmp_path) == {
        "2e.beams": home,
        "2e.screens": home,
        "2e.arcs": home,
        "2e.classes": file,
    }
    test = [generate.Place("tests/test_beams.py", "test_hits")]
    module_places = [generate.Place("tests/test_beams.py", "the whole module")]
    assert generate.rule_tests(tmp_path) == {
        "2e.screens": module_places,
        "2e.arcs": test,
        "2e.beams": test,
    }


def is_generated(path: Path) -> bool:
    """Return whether a command writes a module: a migration, or the table of reasons."""
    return path.parent.name == "migrations" or path == REASON_TEXTS


def test_modules_have_a_length_limit() -> None:
    modules = (path for path in our_files() if path.suffix == ".py" and not is_generated(path))
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_bytes().splitlines()) for path in modules
    }
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


@pytest.mark.parametrize("pattern_name", BANNED)
def test_no_file_holds(pattern_name: str) -> None:
    faults = []
    for path in our_files():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:  # a picture or a font
            continue
        name = path.relative_to(ROOT).as_posix()
        faults += [
            f"{name}:{n}: {line.strip()}"
            for n, line in enumerate(lines, 1)
            if re.search(BANNED[pattern_name], line)
        ]
    assert faults == []


def test_every_public_name_has_a_docstring() -> None:
    bare = [
        f"{name}: {bare}"
        for name, tree in our_modules("campaign", "engine", "jobs", "umpire")
        if DOCUMENTED.fullmatch(name)
        for bare in _without_docstring(tree)
    ]
    assert bare == [], "public, so somebody reads it: say what it is or does, or make it private"


def test_missing_docstrings_are_found() -> None:
    docstring, bare = '"""Said."""', "pass"
    source = f"""
class Bare:
    def method(self): {bare}
    def _private(self): {bare}
    class Meta: {bare}
class Said:
    {docstring}
    @property
    def empty(self): "  "
    async def told(self): {docstring}
def outer():
    {docstring}
    class Made:
        def get(self): {bare}
    def helper(): {bare}
class _Private:
    def method(self): {bare}
"""
    expected = ["the module", "Bare", "Bare.method", "Said.empty", "outer.Made", "outer.Made.get"]
    assert _without_docstring(ast.parse(source)) == expected
    assert _without_docstring(ast.parse("")) == ["the module"]


def test_only_the_dice_import_random() -> None:
    pure = our_modules("engine", "campaign", "umpire", "config")
    assert [name for name, tree in pure if "random" in imported(tree)] == ["engine/core/dice.py"]


def test_engine_uses_no_clock_and_no_disk() -> None:
    faults = {
        name: names
        for name, tree in our_modules("engine")
        if not COMMAND_LINE.fullmatch(name)
        and (names := sorted(imported(tree) & CLOCK_AND_DISK) + _opened(tree))
    }
    assert faults == {}


def test_results_do_not_depend_on_the_c_library() -> None:
    """Powers and most functions of `math` differ from machine to machine in the last digit.

    Captains and admirals may use them: what they choose is recorded.
    """
    faults = []
    for name, tree in our_modules("engine", "campaign", "umpire"):
        if not name.startswith(EXACT_PACKAGES) or name.startswith(CHOOSERS):
            continue
        for node in nodes_of(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "math":
                inexact = [alias.name for alias in node.names if alias.name not in EXACT_MATH]
                faults += [f"{name}:{node.lineno}: {each}" for each in inexact]
            elif isinstance(node, ast.Import) and any(one.name == "math" for one in node.names):
                faults.append(f"{name}:{node.lineno}: math")
            elif isinstance(node, ast.BinOp) and _is_inexact_power(node):
                faults.append(f"{name}:{node.lineno}: a power")
    assert faults == []


def _is_inexact_power(node: ast.BinOp) -> bool:
    """Return whether an operation raises anything but a written whole number to a power."""
    if not isinstance(node.op, ast.Pow):
        return False
    return not isinstance(node.left, ast.Constant) or type(node.left.value) is not int


def test_rules_do_not_import_the_command_line() -> None:
    edge = {name for name, _ in our_modules("engine", "umpire") if COMMAND_LINE.fullmatch(name)}
    modules = {name.removesuffix(".py").replace("/", ".") for name in edge}
    faults = {
        name: sorted(used)
        for name, tree in our_modules("engine", "campaign", "umpire")
        if name not in edge and (used := modules & imported_modules(tree))
    }
    assert faults == {}


def test_pure_code_never_iterates_over_a_set() -> None:
    """A set's order differs from run to run.

    Sets that are only sorted, counted or tested for membership are allowed.
    """
    faults = [
        f"{name}:{iterated.lineno}"
        for name, tree in our_modules("engine", "campaign", "umpire")
        for node in nodes_of(tree)
        if isinstance(node, ast.For | ast.comprehension) and _is_set(iterated := node.iter)
    ]
    assert faults == []


def test_folders_skipped_on_postgresql_use_no_database() -> None:
    """Their tests would never run there; those of pages need not (see `tests.conftest`)."""
    faults = [
        path.relative_to(ROOT).as_posix()
        for folder in WITHOUT_DATABASE
        if not folder.endswith("/pages")
        for path in sorted((ROOT / "tests" / folder).rglob("*.py"))
        if re.search(r"django_db|transactional_db|postgres", path.read_text(encoding="utf-8"))
    ]
    assert faults == []


def test_locks_are_pinned_hashed_and_consistent() -> None:
    pins = {name: _pins(ROOT / "requirements" / f"{name}.txt") for name in ("base", "dev")}
    assert pins["base"].items() <= pins["dev"].items(), (
        "an environment for the tests must also play"
    )
    assert [pin for lock in pins.values() for pin, hashes in lock.items() if not hashes] == []
    assert [pin for lock in pins.values() for pin in lock if "==" not in pin] == []


def _without_docstring(tree: ast.Module) -> list[str]:
    """Yield the public names of a module without a docstring: module, classes, functions, methods."""
    bare = [] if (ast.get_docstring(tree) or "").strip() else ["the module"]
    return bare + [
        name for name, node in _public(tree) if not (ast.get_docstring(node) or "").strip()
    ]


def _public(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, within: str = ""
) -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the classes, functions and methods that others may call, by name.

    Inside functions only classes count.
    """
    nested_types = (
        (ast.ClassDef,) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ()
    )
    for item in node.body:
        if not isinstance(
            item, nested_types or (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        ):
            continue
        if any(getattr(note, "id", "") == "overload" for note in item.decorator_list):
            continue  # an overload of a later function, which has the docstring
        if not item.name.startswith("_") and item.name not in FRAMEWORKS_OWN:
            yield f"{within}{item.name}", item
            yield from _public(item, f"{within}{item.name}.")


def _is_set(node: ast.expr) -> bool:
    """Return whether an expression looks like a set."""
    is_call = (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("set", "frozenset")
    )
    return is_call or isinstance(node, ast.Set | ast.SetComp)


def _opened(tree: ast.Module) -> list[str]:
    """Yield the calls of `open(...)` in a module."""
    calls = (node for node in nodes_of(tree) if isinstance(node, ast.Call))
    return ["open" for call in calls if isinstance(call.func, ast.Name) and call.func.id == "open"]


def _pins(lock: Path) -> dict[str, tuple[str, ...]]:
    """Return the hashes of each pinned line of a lock file."""
    pins: dict[str, tuple[str, ...]] = {}
    for line in lock.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        pin, *hashes = line.split("--hash=")
        pins[pin.strip()] = tuple(pin_hash.strip() for pin_hash in hashes)
    return pins


def test_campaign_packages_have_few_imports_of_each_other() -> None:
    trees = {}
    for name, tree in our_modules("campaign"):
        if "/migrations/" not in name:
            module = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            trees[module] = tree
    arrows = code_figures.package_imports(
        code_figures.imports_of(code_figures.SourceTree(trees=trees))
    )
    new = [f"{importing} imports {imported}" for importing, imported in sorted(arrows - ARROWS)]
    assert new == [], (
        "let a room that is imported already return what is needed; if it cannot, add it to"
        " ROOMS_IMPORTED, which has room for MAX_ARROWS pairs"
    )
    gone = sorted(ARROWS - arrows)
    assert gone == [], "take these pairs off ROOMS_IMPORTED"
    assert len(ARROWS) <= MAX_ARROWS
    assert code_figures.upward_imports(arrows) == []

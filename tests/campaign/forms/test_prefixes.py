"""A field's name is written only where the field is declared: not in Python, templates or scripts."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.sources import ROOT


@dataclass(frozen=True)
class Forms:
    """The files that draw, read and write forms with shared fields, as path patterns."""

    python: tuple[str, ...]
    templates: tuple[str, ...]
    scripts: tuple[str, ...]
    least: int  # fields that the search must find, to show that it works


BATTLES = Forms(
    python=(
        "campaign/forms/battle/*.py",
        "campaign/forms/table/*.py",
        "campaign/pages/battle/*.py",
        "campaign/pages/table/*.py",
        "umpire/pages/battle_result.py",
    ),
    templates=(
        "templates/campaign/_fight*.html",
        "templates/campaign/fight.html",
        "templates/campaign/_table*.html",
        "templates/campaign/table*.html",
        "templates/umpire/_result*.html",
        "templates/umpire/battle_result.html",
    ),
    scripts=("static/js/battle_*.js", "static/js/table_*.js"),
    least=60,
)
WEEK = Forms(
    python=("campaign/forms/week/*.py", "campaign/pages/week/*.py", "campaign/pages/entry_page.py"),
    templates=(
        "templates/campaign/_encounter_choice.html",
        "templates/campaign/_doctrine.html",
        "templates/campaign/_dummy_counters.html",
        "templates/campaign/_encounter.html",
        "templates/campaign/_entry*.html",
        "templates/campaign/_fleet*.html",
        "templates/campaign/_yards.html",
        "templates/campaign/decisions.html",
        "templates/campaign/deploy.html",
        "templates/campaign/orders_*.html",
    ),
    scripts=("static/js/orders*.js", "static/js/deploy*.js", "static/js/draft*.js"),
    least=35,
)
SHIPS = Forms(
    python=("campaign/forms/ships/*.py", "campaign/pages/ships/*.py"),
    templates=("templates/campaign/_design_editor.html", "templates/campaign/design*.html"),
    scripts=("static/js/designer.js",),
    least=6,
)
UMPIRE = Forms(
    python=("umpire/pages/*.py",),
    templates=("templates/umpire/*.html",),
    scripts=("static/js/umpire*.js",),
    least=2,
)
MAP = Forms(
    python=("campaign/pages/map/*.py",),
    templates=("templates/campaign/map*.html", "templates/campaign/_map*.html"),
    scripts=("static/js/map*.js",),
    least=0,
)
PEOPLE = Forms(
    python=("campaign/pages/people/*.py",),
    templates=(
        "templates/campaign/home.html",
        "templates/campaign/lobby.html",
        "templates/campaign/mem*.html",
        "templates/campaign/messages*.html",
        "templates/campaign/profile.html",
        "templates/campaign/_seat*.html",
    ),
    scripts=("static/js/messages.js", "static/js/push.js"),
    least=0,
)
ALL = {
    "battles": BATTLES,
    "week": WEEK,
    "ships": SHIPS,
    "umpire": UMPIRE,
    "map": MAP,
    "people": PEOPLE,
}
EACH = pytest.mark.parametrize("forms", ALL.values(), ids=ALL)

FIELD_CLASSES = {"Field", "TextField", "NumberField", "ChoiceField", "TickField", "HiddenField"}
READERS = {"get", "getlist"}  # objects by which a module reads what was sent
IN_TEMPLATE = re.compile(r"""name=["']([a-z_-]+)-\{\{""")
WHOLE_IN_TEMPLATE = re.compile(r"""name=["']([a-z_-]+)["']""")
IN_SCRIPT = re.compile(r"""[`"'=^]["']?([a-z_-]+)-(?=\$\{|["'`\]])""")
WHOLE_IN_SCRIPT = re.compile(r"""(?:name=["']?|elements\.|elements\[["'])([a-z_]+)""")
# The most arguments of a call that does not say what the field is about.
WITHOUT_OF = {"name": 0, "draw": 0, "read": 1, "check": 1, "name_suffixes": 1}


def files(patterns: tuple[str, ...]) -> list[Path]:
    return [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def count_declared(forms: Forms) -> Counter[str]:
    """Return the keys of all fields that these forms declare, with the number of declarations."""
    counts: Counter[str] = Counter()
    for path in files(forms.python):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if is_field(node):
                key = node.args[0]
                assert isinstance(key, ast.Constant), (
                    f"{path.name} declares a field whose key is not written there"
                )
                counts[str(key.value)] += 1
    return counts


def whole(modules: Iterable[Path]) -> set[str]:
    """Return the keys of fields that occur once in these modules, so the key is the whole name."""
    keys: dict[str, str] = {}
    fields_asked_whole: set[str] = set()
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and is_field(node.value):
                (target,) = node.targets
                keys[ast.unparse(target)] = str(ast.literal_eval(node.value.args[0]))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                most = WITHOUT_OF.get(node.func.attr)
                if most is not None and len(node.args) <= most:
                    fields_asked_whole.add(ast.unparse(node.func.value))
    return {key for name, key in keys.items() if name in fields_asked_whole}


def is_field(node: ast.AST) -> TypeGuard[ast.Call]:
    """Return whether this declares a field."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in FIELD_CLASSES
    )


def spelled_in_python(path: Path) -> Iterator[str]:
    """Return the prefixes that texts of a module begin with: f"fire-{ship}", "plot-"."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            start = node.values[0]
            if isinstance(start, ast.Constant) and (
                match := re.fullmatch(r"([a-z_-]+)-", str(start.value))
            ):
                yield match[1]
        elif isinstance(node, ast.Constant) and (
            match := re.fullmatch(r"([a-z_-]+)-", str(node.value))
        ):
            yield match[1]


def read_in_python(path: Path) -> Iterator[str]:
    """Return the names that a module reads: `posted.get("plot")`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if is_reading(node) and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)


def is_reading(node: ast.AST) -> TypeGuard[ast.Call]:
    """Return whether this reads what was sent: `posted.get(...)`, `request.POST.getlist(...)`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in READERS
        and ast.unparse(node.func.value).rpartition(".")[2] in ("post", "posted", "POST")
        and bool(node.args)
    )


@EACH
def test_every_key_is_declared_once(forms: Forms) -> None:
    twice = {key for key, times in count_declared(forms).items() if times > 1}
    assert not twice
    assert len(count_declared(forms)) >= forms.least


@EACH
def test_prefixes_are_written_only_in_their_declaration(forms: Forms) -> None:
    keys = set(count_declared(forms))
    again = {
        (path, key)
        for path in files(forms.python)
        for key in spelled_in_python(path)
        if key in keys
    }
    again |= {
        (path, key)
        for path in files(forms.templates)
        for key in IN_TEMPLATE.findall(path.read_text())
    }

    again |= {
        (path, key)
        for path in files(forms.scripts)
        for key in IN_SCRIPT.findall(path.read_text())
        if key in keys
    }
    spelled_prefixes = {(path.relative_to(ROOT).as_posix(), key) for path, key in again}
    assert not spelled_prefixes


@EACH
def test_names_are_written_only_in_their_declaration(forms: Forms) -> None:
    keys = whole(files(forms.python))
    again = {
        (path, key) for path in files(forms.python) for key in read_in_python(path) if key in keys
    }
    for patterns, names in (
        (forms.templates, WHOLE_IN_TEMPLATE),
        (forms.scripts, WHOLE_IN_SCRIPT),
    ):
        again |= {
            (path, key)
            for path in files(patterns)
            for key in names.findall(path.read_text())
            if key in keys
        }
    found = {(path.relative_to(ROOT).as_posix(), key) for path, key in again}
    assert not found


@pytest.mark.parametrize(
    ("script", "key"),
    [
        ("form.elements[`fire-${id}`]", "fire"),
        ('one.name.startsWith("order-")', "order"),
        ('row.querySelector("select[name^=land-]")', "land"),
        ('form.querySelectorAll(`[name^="aboard-${id}-"]`)', "aboard"),
        ('row.querySelector(`[name="raw-${id}"]`)', "raw"),
    ],
)
def test_prefix_written_in_a_script_is_found(script: str, key: str) -> None:
    assert IN_SCRIPT.findall(script) == [key]


def test_name_written_in_full_is_found(tmp_path: Path) -> None:
    module = tmp_path / "page.py"
    lines = (
        'WEEKS = NumberField("weeks")',
        'PLOT = TextField("plot")',
        "given = WEEKS.read(posted)",
        "plots = [PLOT.read(posted, ship) for ship in ships]",
        'again = request.POST.get("weeks", "")',
    )
    module.write_text("\n".join(lines), encoding="utf-8")
    assert list(read_in_python(module)) == ["weeks"]
    assert WHOLE_IN_TEMPLATE.findall('<input name="weeks">') == ["weeks"]
    for script in ("form.querySelector('[name=weeks]')", "form.elements.weeks.value"):
        assert "weeks" in WHOLE_IN_SCRIPT.findall(script)
    assert whole([module]) == {"weeks"}

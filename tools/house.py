"""Print the figures of the house: how the code is divided, how dense it is, what is written twice.

    python -m tools.house            the checkout
    python -m tools.house COMMIT     a commit beside the checkout

Only tracked Python, templates, scripts and style sheets are counted; tests, migrations and
generated files are not. Every figure is a count of the text or of its syntax tree, so it is the
same on every machine.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.caches import cached_in

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ("engine", "campaign", "umpire", "jobs", "config")
# Loose modules that Django looks for by name: they are no rooms.
FRAMEWORK = {"apps", "migrations", "management"}
FLOORS = "The campaign's floors"  # how the name of their import contract begins
# Names that say nothing of what they hold.
BARE = re.compile(
    r"(?:one|found|told|said|given|kept|made|seen|known|asked|shown|sought|drawn|chosen|written|read_|left|taken|held"
    r"|wanted|named|called|placed|spent|sent|come|gone|thrown|fired|hit|lost|won|laid|begun|done|met|put|got)$"
)
WIDE, VERY_WIDE = 100, 160  # columns
COMPLEX = 10  # of a function, by McCabe
SMALL = 90  # lines of a module
EVENT_BY_TEXT = re.compile(r"\bevent\[[\"']|\bevent\.get\(")
BRANCHES = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.IfExp,
    ast.Assert,
    ast.comprehension,
)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Code:
    """The modules of a tree, by dotted name."""

    texts: dict[str, str] = field(default_factory=dict)
    trees: dict[str, ast.Module] = field(default_factory=dict)
    others: dict[str, list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )  # lines by suffix


def code_of(root: Path) -> Code:
    """Read the program below a folder."""
    code = Code()
    for package in PROGRAM:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" in path.parts:
                continue
            name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
            code.texts[name] = path.read_text(encoding="utf-8")
            code.trees[name] = ast.parse(code.texts[name])
    for folder, suffix in (("static/css", "css"), ("static/js", "js"), ("templates", "html")):
        for path in sorted((root / folder).rglob(f"*.{suffix}")):
            if "phrases" not in path.parts:
                code.others[suffix] += path.read_text(encoding="utf-8").splitlines()
    return code


def imports_of(code: Code) -> dict[str, set[str]]:
    """Return the modules of the program that each module imports, those for types alone left
    out.
    """
    return {name: set(_imports(tree, code.trees)) - {name} for name, tree in code.trees.items()}


def _imports(tree: ast.Module, known: Mapping[str, ast.Module]) -> Iterator[str]:
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in known:
                    yield whole
                elif node.module in known:
                    yield node.module


def room_of(module: str) -> str:
    """Return the room of the campaign a module stands in; "" for others and for what Django looks
    for by name.
    """
    parts = module.split(".")
    if parts[0] != "campaign" or len(parts) == 1 or parts[1] in FRAMEWORK:
        return ""
    return parts[1]


def arrows_of(imports: Mapping[str, set[str]]) -> set[tuple[str, str]]:
    """Return which room of the campaign imports which other."""
    pairs = {(room_of(name), room_of(other)) for name, found in imports.items() for other in found}
    return {(a, b) for a, b in pairs if a and b and a != b}


def floors() -> list[list[str]]:
    """Return the rooms of each floor of the campaign, the highest first, as the import contract of
    today has them.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (
        contract["layers"] for contract in contracts if contract["name"].startswith(FLOORS)
    )
    return [re.split(r" *[:|] *", layer) for layer in layers]


def upward(arrows: set[tuple[str, str]]) -> list[str]:
    """Return the arrows that go from a floor to a higher one. Rooms on no floor are left out."""
    floor = {room: number for number, rooms in enumerate(floors()) for room in rooms}
    return sorted(
        f"{a} to {b}" for a, b in arrows if a in floor and b in floor and floor[a] > floor[b]
    )


def functions(code: Code) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield every function with the name of its module."""
    for name, tree in code.trees.items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield name, node


def complexity(function: ast.AST) -> int:
    """Return the cyclomatic complexity of a function, with the functions in it."""
    total = 1
    for node in ast.walk(function):
        if isinstance(node, BRANCHES):
            total += 1
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
        elif isinstance(node, ast.match_case):
            total += 1
    return total


def lines_of_code(code: Code) -> dict[str, set[int]]:
    """Return the numbers of each module's lines that hold code: no blank lines, comments or
    docstrings.
    """
    return {name: _code_lines(text, code.trees[name]) for name, text in code.texts.items()}


def _code_lines(text: str, tree: ast.Module) -> set[int]:
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (
            tokenize.COMMENT,
            tokenize.NL,
            tokenize.NEWLINE,
            tokenize.INDENT,
            tokenize.DEDENT,
        ):
            continue
        lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def assigned_names(code: Code) -> Counter[str]:
    """Return how often each name is assigned: by a statement, a loop, a comprehension or as an
    argument.
    """
    counted: Counter[str] = Counter()
    for tree in code.trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                counted[node.id] += 1
            elif isinstance(node, ast.arg):
                counted[node.arg] += 1
    return counted


def figures(root: Path) -> dict[str, str]:
    """Return every figure of a tree, by what it counts."""
    code = code_of(root)
    imports = imports_of(code)
    arrows = arrows_of(imports)
    rooms = {room for pair in arrows for room in pair}
    loose = [
        name
        for name in code.trees
        if re.fullmatch(r"campaign\.\w+", name) and (root / _file(name)).is_file()
    ]
    flat = [
        name
        for name in code.trees
        if re.fullmatch(r"campaign\.pages\.\w+", name) and (root / _file(name)).is_file()
    ]
    importers = Counter(other for found in imports.values() for other in found)
    small = [
        name
        for name, text in code.texts.items()
        if importers[name] == 1
        and 0 < len(text.splitlines()) < SMALL
        and (root / _file(name)).is_file()
    ]
    held = lines_of_code(code)
    whole = sum(len(lines) for lines in held.values())
    measured = [
        (
            complexity(node),
            len(held[name] & set(range(node.lineno, (node.end_lineno or node.lineno) + 1))),
        )
        for name, node in functions(code)
    ]
    nodes = [node for tree in code.trees.values() for node in ast.walk(tree)]
    thousand = whole / 1000
    names = assigned_names(code)
    bare = sum(many for name, many in names.items() if BARE.fullmatch(name))
    lines = [line for text in code.texts.values() for line in text.splitlines()]
    branching = sum(many for many, _ in measured) / max(1, sum(long for _, long in measured))
    above = [many for many, _ in measured if many > COMPLEX]
    made = {
        "loose modules at the top of the campaign": str(len(loose)),
        "modules of pages that lie flat": str(len(flat)),
        "rooms of the campaign, arrows between them": f"{len(rooms)}, {len(arrows)}",
        "arrows upwards": ", ".join(upward(arrows)) or "none",
        "umpire's pages that import players' pages": str(_crossing(imports)),
        "look-ups of events by text": str(
            sum(len(EVENT_BY_TEXT.findall(text)) for text in code.texts.values())
        ),
        "things that are cached": str(
            sum(len(list(cached_in(*module))) for module in code.trees.items())
        ),
        "modules with one importer and under 90 lines": str(len(small)),
        "lines of code": str(whole),
        "complexity per line of code in functions": f"{branching:.2f}",
        "functions above complexity 10": f"{len(above)} of {len(measured)} ({len(above) / len(measured):.1%})",
        "comprehensions per 1,000 lines": f"{sum(isinstance(n, COMPREHENSIONS) for n in nodes) / thousand:.1f}",
        "conditional expressions per 1,000 lines": f"{sum(isinstance(n, ast.IfExp) for n in nodes) / thousand:.1f}",
        "lines over 100 columns": f"{sum(len(line) > WIDE for line in lines) / len(lines):.1%}",
        "assigned names that say nothing": f"{bare / sum(names.values()):.1%}",
    }
    for suffix, held_lines in code.others.items():
        wide = sum(len(line) > VERY_WIDE for line in held_lines)
        made[f"lines of {suffix} over 160 columns"] = f"{wide / max(1, len(held_lines)):.1%}"
    return made


def _file(name: str) -> str:
    return name.replace(".", "/") + ".py"


def _crossing(imports: Mapping[str, set[str]]) -> int:
    """Return how many modules of players' pages the umpire's pages import."""
    found = {
        other
        for name, others in imports.items()
        for other in others
        if name.startswith("umpire.pages") and other.startswith("campaign.pages")
    }
    return len(found)


def at_commit(commit: str) -> dict[str, str]:
    """Return the figures of a commit. Raises CalledProcessError where there is no such commit."""
    archive = subprocess.run(
        ["git", "archive", commit], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        return figures(Path(folder))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.house", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("commit", nargs="?", help="a commit to show beside the checkout")
    options = parser.parse_args(arguments)
    now = figures(ROOT)
    before = at_commit(options.commit) if options.commit else {}
    for name in dict.fromkeys([*before, *now]):
        beside = f"{before.get(name, '-'):<28} " if options.commit else ""
        print(f"{name:<52} {beside}{now.get(name, '-')}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

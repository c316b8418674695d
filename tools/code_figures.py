"""Print figures of the code: its division, its density, and duplication.

    python -m tools.code_figures            the checkout
    python -m tools.code_figures COMMIT     a commit beside the checkout

Only tracked Python, templates, scripts and style sheets are counted; tests, migrations and
generated files are not. Every figure is counted in the text or its syntax tree, so it is the same
on every machine.
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
PROGRAM = ("engine", "campaign", "umpire", "proof", "jobs", "config")
# Modules that Django finds by name; they belong to no package of the campaign.
FRAMEWORK = {"apps", "migrations", "management"}
# Beginning of the name of the campaign's import contract, today and in earlier commits.
FLOORS = ("The campaign's layers", "The campaign's floors")
# Names that do not say what they contain.
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
class SourceTree:
    """The modules of a tree, by dotted name."""

    texts: dict[str, str] = field(default_factory=dict)
    trees: dict[str, ast.Module] = field(default_factory=dict)
    lines_by_suffix: dict[str, list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )  # lines by suffix


def code_of(root: Path) -> SourceTree:
    """Return the program in a folder."""
    code = SourceTree()
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
                code.lines_by_suffix[suffix] += path.read_text(encoding="utf-8").splitlines()
    return code


def imports_of(code: SourceTree) -> dict[str, set[str]]:
    """Return the modules of the program that each module imports, without imports for types only."""
    return {name: set(_imports(tree, code.trees)) - {name} for name, tree in code.trees.items()}


def _imports(tree: ast.Module, modules: Mapping[str, ast.Module]) -> Iterator[str]:
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
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full_name = f"{node.module}.{alias.name}"
                if full_name in modules:
                    yield full_name
                elif node.module in modules:
                    yield node.module


def package_of(module: str) -> str:
    """Return the campaign's package of a module, or "" for other modules and those Django finds by
    name.
    """
    parts = module.split(".")
    if parts[0] != "campaign" or len(parts) == 1 or parts[1] in FRAMEWORK:
        return ""
    return parts[1]


def package_imports(imports: Mapping[str, set[str]]) -> set[tuple[str, str]]:
    """Return which packages of the campaign import which others."""
    pairs = {
        (package_of(name), package_of(other))
        for name, targets in imports.items()
        for other in targets
    }
    return {(a, b) for a, b in pairs if a and b and a != b}


def layers() -> list[list[str]]:
    """Return the packages of each layer of the campaign, highest first, as today's import contract
    lists them.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (
        contract["layers"] for contract in contracts if contract["name"].startswith(FLOORS)
    )
    return [re.split(r" *[:|] *", layer) for layer in layers]


def upward_imports(arrows: set[tuple[str, str]]) -> list[str]:
    """Return the imports that go from a layer to a higher one; packages without a layer are left
    out.
    """
    floor = {package: number for number, packages in enumerate(layers()) for package in packages}
    return sorted(
        f"{a} to {b}" for a, b in arrows if a in floor and b in floor and floor[a] > floor[b]
    )


def functions(code: SourceTree) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
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


def lines_of_code(code: SourceTree) -> dict[str, set[int]]:
    """Return the numbers of each module's lines of code: no blank lines, comments or docstrings."""
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


def assigned_names(code: SourceTree) -> Counter[str]:
    """Return how often each name is assigned: by statements, loops, comprehensions, or as
    arguments.
    """
    counts: Counter[str] = Counter()
    for tree in code.trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                counts[node.id] += 1
            elif isinstance(node, ast.arg):
                counts[node.arg] += 1
    return counts


def figures(root: Path) -> dict[str, str]:
    """Return every figure of a tree, by its title."""
    code = code_of(root)
    imports = imports_of(code)
    arrows = package_imports(imports)
    packages = {package for pair in arrows for package in pair}
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
    importers = Counter(other for targets in imports.values() for other in targets)
    small = [
        name
        for name, text in code.texts.items()
        if importers[name] == 1
        and 0 < len(text.splitlines()) < SMALL
        and (root / _file(name)).is_file()
    ]
    code_lines = lines_of_code(code)
    line_count = sum(len(lines) for lines in code_lines.values())
    measured = [
        (
            complexity(node),
            len(code_lines[name] & set(range(node.lineno, (node.end_lineno or node.lineno) + 1))),
        )
        for name, node in functions(code)
    ]
    nodes = [node for tree in code.trees.values() for node in ast.walk(tree)]
    thousand = line_count / 1000
    names = assigned_names(code)
    bare = sum(value for name, value in names.items() if BARE.fullmatch(name))
    lines = [line for text in code.texts.values() for line in text.splitlines()]
    branching = sum(value for value, _ in measured) / max(1, sum(long for _, long in measured))
    above = [value for value, _ in measured if value > COMPLEX]
    result = {
        "loose modules at the top of the campaign": str(len(loose)),
        "modules of pages that lie flat": str(len(flat)),
        "rooms of the campaign, arrows between them": f"{len(packages)}, {len(arrows)}",
        "arrows upwards": ", ".join(upward_imports(arrows)) or "none",
        "umpire's pages that import players' pages": str(_crossing(imports)),
        "look-ups of events by text": str(
            sum(len(EVENT_BY_TEXT.findall(text)) for text in code.texts.values())
        ),
        "things that are cached": str(
            sum(len(list(cached_in(*module))) for module in code.trees.items())
        ),
        "modules with one importer and under 90 lines": str(len(small)),
        "lines of code": str(line_count),
        "complexity per line of code in functions": f"{branching:.2f}",
        "functions above complexity 10": f"{len(above)} of {len(measured)} ({len(above) / len(measured):.1%})",
        "comprehensions per 1,000 lines": f"{sum(isinstance(n, COMPREHENSIONS) for n in nodes) / thousand:.1f}",
        "conditional expressions per 1,000 lines": f"{sum(isinstance(n, ast.IfExp) for n in nodes) / thousand:.1f}",
        "lines over 100 columns": f"{sum(len(line) > WIDE for line in lines) / len(lines):.1%}",
        "assigned names that say nothing": f"{bare / sum(names.values()):.1%}",
    }
    for suffix, suffix_lines in code.lines_by_suffix.items():
        wide = sum(len(line) > VERY_WIDE for line in suffix_lines)
        result[f"lines of {suffix} over 160 columns"] = f"{wide / max(1, len(suffix_lines)):.1%}"
    return result


def _file(name: str) -> str:
    return name.replace(".", "/") + ".py"


def _crossing(imports: Mapping[str, set[str]]) -> int:
    """Return how many modules of players' pages the umpire's pages import."""
    modules = {
        other
        for name, others in imports.items()
        for other in others
        if name.startswith("umpire.pages") and other.startswith("campaign.pages")
    }
    return len(modules)


def at_commit(commit: str) -> dict[str, str]:
    """Return the figures of a commit.

    Raises:
        CalledProcessError: There is no such commit.
    """
    archive = subprocess.run(
        ["git", "archive", commit], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        return figures(Path(folder))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.code_figures", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("commit", nargs="?", help="a commit to show beside the checkout")
    options = parser.parse_args(arguments)
    now = figures(ROOT)
    before = at_commit(options.commit) if options.commit else {}
    for name in dict.fromkeys([*before, *now]):
        earlier = f"{before.get(name, '-'):<28} " if options.commit else ""
        print(f"{name:<52} {earlier}{now.get(name, '-')}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

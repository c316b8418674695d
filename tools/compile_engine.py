"""The work of bin/compile: compile the engine's hot modules with mypyc into var/compiled/.

The result is a package `engine` that comes first on Python's path. It contains only the compiled
modules and takes all others from the sources. It is stored with a digest of the sources, and is
refused once they have changed. Before the build this module imports only the standard library,
because every start with the compiled engine comes through here.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
BUILD_FOLDER = ROOT / "var" / "compiled"
STAMP = "digest.txt"

# The compiled modules: those that hold or change the state of a battle, and those that captains use
# to decide. Events, design records, and modules that read or write text are not worth it. A package
# stands for all its modules.
PACKAGES = (
    *("engine.captains", "engine.captains.common", "engine.captains.second_edition"),
    *("engine.captains.continuum", "engine.combat", "engine.continuum", "engine.fighters"),
    "engine.movement",
    *("engine.second_edition", "engine.systems", "engine.weapons"),
)
MODULES = (
    *("engine.battle", "engine.core.dice", "engine.core.geometry", "engine.core.rolls"),
    *(
        "engine.core.orders",
        "engine.core.rolls",
        "engine.core.sheet",
        "engine.core.ship",
        "engine.core.state",
    ),
    *("engine.core.table", "engine.core.terms", "engine.core.victory", "engine.sequences"),
    *("engine.ship_profiles", "engine.view.side_view"),
)
EXCLUDED = ()  # modules of those packages that mypyc cannot compile with the same results

# The head of each package of the build: it finds the rest among the sources.
PACKAGE = '''"""Made by bin/compile: compiled modules; all others come from the sources."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
'''
# The engine also checks that it still matches the sources.
STALE_CHECK = """
import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).parents[3] / "tools" / "compile_engine.py"))["refuse_stale"]()
"""
CHOICES = (
    "--strict",
    "--explicit-package-bases",
    "--config-file=",
    "--cache-dir=cache",
    "--no-error-summary",
)


class CompileError(Exception):
    """The engine cannot be compiled or used; the text gives the reason."""


def hot_modules(root: Path = ROOT) -> tuple[str, ...]:
    """Return the names of the compiled modules, in order."""
    names = [
        f"{package}.{path.stem}"
        for package in PACKAGES
        for path in (root / package.replace(".", "/")).glob("*.py")
        if path.stem != "__init__"
    ]
    return tuple(sorted({*names, *MODULES} - {*EXCLUDED}))


def digest(root: Path = ROOT) -> str:
    """Return a digest of the engine's sources and of the build process."""
    hasher = hashlib.sha256(
        sysconfig.get_config_var("EXT_SUFFIX").encode() + Path(__file__).read_bytes()
    )
    for path in sorted((root / "engine").rglob("*.py")):
        text = path.read_bytes()
        hasher.update(f"\n{path.relative_to(root).as_posix()} {len(text)}\n".encode() + text)
    return hasher.hexdigest()


def state(root: Path = ROOT) -> str:
    """Return the state of the build: `none`, `stale` (the sources have changed) or `current`."""
    try:
        built_of = (root / "var" / "compiled" / STAMP).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return "none"
    return "current" if built_of == digest(root) else "stale"


def refuse_stale() -> None:
    """Check that the compiled engine matches its sources.

    Raises:
        ImportError: It does not.
    """
    if state() != "current":
        raise ImportError(
            "the compiled engine is older than its sources: run bin/compile, or go without it"
        )


def environment(compiled: bool) -> dict[str, str]:
    """Return an environment in which Python finds the compiled engine first, or never."""
    path = ([str(BUILD_FOLDER)] if compiled else []) + [str(ROOT)]
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(path)}


def build() -> None:
    """Compile a copy of the sources, and replace the last build with it.

    Raises:
        CompileError: It failed.
    """
    _look_for_compiler()
    BUILD_FOLDER.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="compiling-", dir=BUILD_FOLDER.parent) as name:
        work = Path(name)
        shutil.copytree(
            ROOT / "engine", work / "engine", ignore=shutil.ignore_patterns("__pycache__")
        )
        built_of, modules = digest(work), hot_modules(work)
        for module in modules:
            path = work / _file(module)
            path.write_text(prepare_source(path.read_text(encoding="utf-8")), encoding="utf-8")
        _compile(work, modules)
        new = work / "built"
        for package in sorted({"engine", *(module.rpartition(".")[0] for module in modules)}):
            text = PACKAGE + STALE_CHECK * (package == "engine")
            (new / package.replace(".", "/") / "__init__.py").write_text(text, encoding="ascii")
        (new / STAMP).write_text(f"{built_of}\n", encoding="ascii")
        if BUILD_FOLDER.exists():
            BUILD_FOLDER.rename(work / "last")
        new.rename(BUILD_FOLDER)


def prepare_source(source: str) -> str:
    """Return a module's source as mypyc accepts it, with the same meaning and line numbers."""
    return make_constants_final(wrap_starred_tuples(source))


def wrap_starred_tuples(source: str) -> str:
    """Replace `in (*some, other)` by `in tuple((*some, other))`, because mypyc rejects the first."""
    tuples = [
        node_found
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Compare)
        for operator, node_found in zip(node.ops, node.comparators, strict=True)
        if isinstance(operator, ast.In | ast.NotIn) and isinstance(node_found, ast.Tuple)
        if any(isinstance(part, ast.Starred) for part in node_found.elts)
    ]
    lines = source.encode().splitlines(keepends=True)  # columns are counted in bytes
    ends = [
        ((node_found.end_lineno or 0, node_found.end_col_offset or 0), b")")
        for node_found in tuples
    ]
    for (number, column), insertion in sorted(
        [*ends, *(((node_found.lineno, node_found.col_offset), b"tuple(") for node_found in tuples)]
    )[::-1]:
        line = lines[number - 1]
        lines[number - 1] = line[:column] + insertion + line[column:]
    return b"".join(lines).decode()


def make_constants_final(source: str) -> str:
    """Declare a module's constants Final, so that mypyc does not look them up at run time.

    A constant is a name in capitals that is assigned at module level. Tuples without an annotation
    stay as they are, because mypyc would unpack them. Line numbers do not change.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.parse(source).body:
        lines[node.lineno - 1] = _with_final(lines[node.lineno - 1], node)
    beginning = "from __future__ import annotations"
    return "".join(lines).replace(beginning, f"{beginning}; from typing import Final", 1)


def _with_final(line: str, node: ast.stmt) -> str:
    """Return the first line of a statement, with Final if it assigns a constant."""
    if isinstance(node, ast.AnnAssign) and _is_constant(node.target):
        kind = node.annotation
        if kind.end_lineno != node.lineno or "Final" in ast.unparse(kind):
            return line
        text = line.encode()  # columns are counted in bytes
        begin, end = kind.col_offset, kind.end_col_offset
        return (text[:begin] + b"Final[" + text[begin:end] + b"]" + text[end:]).decode()
    if not isinstance(node, ast.Assign) or len(node.targets) > 1:
        return line
    target, value = node.targets[0], node.value
    if _is_constant(target) and not isinstance(value, ast.Tuple) and not _is_type(value):
        return line.replace(ast.unparse(target), f"{ast.unparse(target)}: Final", 1)
    if (
        not isinstance(target, ast.Tuple)
        or not isinstance(value, ast.Tuple)
        or node.lineno != node.end_lineno
    ):
        return line
    if not all(map(_is_constant, target.elts)) or not all(
        isinstance(element, ast.Constant) for element in value.elts
    ):
        return line
    pairs = zip(target.elts, value.elts, strict=True)
    return (
        "; ".join(f"{ast.unparse(name)}: Final = {ast.unparse(element)}" for name, element in pairs)
        + "\n"
    )


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.isupper()


def _is_type(node: ast.expr) -> bool:
    """Return whether a value is a type alias, which is never Final."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("TypeVar", "ParamSpec")
    )


def _file(module: str) -> str:
    return module.replace(".", "/") + ".py"


def _look_for_compiler() -> None:
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        raise CompileError(
            f"there is no C compiler ({compiler}); CC names another. The plain engine needs none"
        )
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        raise CompileError(
            f"the headers of Python are missing (Debian: python3.{sys.version_info.minor}-dev). "
            "The plain engine needs none"
        )


def _compile(work: Path, modules: Sequence[str]) -> None:
    """Compile the hot modules in `work`/engine into `work`/built.

    Raises:
        CompileError: It failed.
    """
    script = (
        "import sys\n"
        "from mypyc.build import mypycify\n"
        "from distutils.core import setup\n"
        "made = mypycify(sys.argv[1:], opt_level='1', debug_level='0', target_dir='c')\n"
        "setup(name='engine', packages=[], ext_modules=made,\n"
        "      script_args=['-q', 'build_ext', '--build-lib', 'built', '--build-temp', 'objects'])\n"
    )
    arguments = [*CHOICES, *map(_file, modules)]
    # Without the option some compilers join a product and a sum, which rounds once instead of twice.
    flags = f"{os.environ.get('CFLAGS', '')} -ffp-contract=off".strip()
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, *arguments], env={**os.environ, "CFLAGS": flags},
        cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    if process.returncode:
        raise CompileError(f"it does not compile:\n{process.stdout.strip()}")


def same_battles() -> int:
    """Fight the battles of tools/bench/battery.py with both engines and compare the output.

    Returns:
        The number of battles, which were all equal.

    Raises:
        CompileError: At the first line that differs.
    """
    battles = 0
    with tempfile.TemporaryFile("w+") as plain, tempfile.TemporaryFile("w+") as compiled:
        for compiled_too, out in ((False, plain), (True, compiled)):
            process = subprocess.run(
                [sys.executable, "-m", "tools.bench.battery"],
                cwd=ROOT,
                env=environment(compiled_too),
                stdout=out,
                check=False,
            )
            if process.returncode:
                raise CompileError(f"the {'compiled' if compiled_too else 'plain'} engine failed")
            out.seek(0)
        battle = ""
        for plain_line, compiled_line in zip_longest(plain, compiled, fillvalue="nothing\n"):
            if plain_line.startswith("battle "):
                battle = plain_line.strip()
                battles += 1
            if plain_line != compiled_line:
                raise CompileError(
                    f"{battle} differs:\n  plain    {plain_line.strip()[:2000]}\n  compiled {compiled_line.strip()[:2000]}"
                )
    return battles


def run(command: Sequence[str]) -> NoReturn:
    """Replace this process by a command whose Python finds the compiled engine.

    Raises:
        CompileError: The compiled engine must not be used.
    """
    build_state = state()
    if build_state != "current":
        words = (
            "nothing is built"
            if build_state == "none"
            else "the compiled engine is older than its sources"
        )
        raise CompileError(f"{words}; run bin/compile first")
    if shutil.which(command[0]) is None:
        raise CompileError(f"there is no command {command[0]}")
    os.execvpe(command[0], list(command), environment(True))


def main(arguments: Sequence[str]) -> int:
    """Return 0, or 1 after printing what went wrong."""
    parser = argparse.ArgumentParser(prog="bin/compile")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--run", nargs=argparse.REMAINDER)
    args = parser.parse_args(arguments)
    if args.run is not None and not args.run:
        parser.error("--run: which command?")
    try:
        if args.run:
            run(args.run)
        if state() != "current":
            print("compiling; this takes some minutes", flush=True)
            build()
        print(
            f"{len(hot_modules())} modules of the engine stand compiled in {BUILD_FOLDER}",
            flush=True,
        )
        if args.check:
            print(
                f"{same_battles()} battles, plain and compiled: every event and every state is the same"
            )
    except CompileError as why:
        print(f"bin/compile: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

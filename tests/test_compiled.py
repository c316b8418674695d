"""bin/compile: which modules are compiled, and that an old build is refused.

Nothing is built here.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import nodes_of, tree_of
from tools.bench.compiled import compiling

ROOT = Path(__file__).resolve().parent.parent
compile_engine = compiling()


def module(name: str) -> ast.Module:
    return tree_of(name.replace(".", "/") + ".py")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with an engine of one module, marked as built."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "dice.py").write_text("SIDES = 6\n")
    (tmp_path / "var" / "compiled").mkdir(parents=True)
    (tmp_path / "var" / "compiled" / "digest.txt").write_text(
        compile_engine.digest(tmp_path) + "\n"
    )
    return tmp_path


def test_every_module_of_the_table_exists() -> None:
    modules = compile_engine.hot_modules()
    assert [
        name for name in modules if not (ROOT / (name.replace(".", "/") + ".py")).is_file()
    ] == []
    assert {*compile_engine.MODULES} <= {*modules}
    for package in compile_engine.PACKAGES:
        assert [name for name in modules if name.startswith(f"{package}.")]
    unknown = [
        name
        for name in compile_engine.EXCLUDED
        if not (ROOT / (name.replace(".", "/") + ".py")).is_file()
    ]
    assert unknown == []


def test_class_is_compiled_with_its_base() -> None:
    """A compiled class cannot derive from a plain one with slots, nor a plain one from a compiled
    one.
    """
    hot = set(compile_engine.hot_modules())
    faults = []
    for path in sorted((ROOT / "engine").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix().removesuffix(".py").replace("/", ".")
        tree = module(name)
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        home = {
            alias.asname or alias.name: node.module or ""
            for node in imports
            for alias in node.names
        }
        for node in nodes_of(tree):
            bases = node.bases if isinstance(node, ast.ClassDef) else []
            origins = [home.get(base.id, "") for base in bases if isinstance(base, ast.Name)]
            faults += [
                f"{name}, {origin}"
                for origin in origins
                if origin.startswith("engine.") and (origin in hot) != (name in hot)
            ]
    assert faults == []


def test_compiled_modules_avoid_what_mypyc_misreads() -> None:
    """It misreads dataclasses with a ClassVar if annotations are text."""
    faults = [
        f"{name}:{node.lineno}"
        for name in compile_engine.hot_modules()
        for node in nodes_of(module(name))
        if isinstance(node, ast.Name) and node.id == "ClassVar"
    ]
    assert faults == []


def test_build_is_current_until_a_source_changes(project: Path) -> None:
    assert compile_engine.state(project) == "current"
    (project / "engine" / "dice.py").write_text("SIDES = 8\n")
    assert compile_engine.state(project) == "stale"
    (project / "engine" / "dice.py").write_text("SIDES = 6\n")
    assert compile_engine.state(project) == "current"
    (project / "engine" / "rules.py").write_text("")
    assert compile_engine.state(project) == "stale"


def test_there_is_no_build_without_building(tmp_path: Path) -> None:
    assert compile_engine.state(tmp_path) == "none"


@pytest.mark.parametrize("changed", [False, True])
def test_old_build_is_refused_by_command_and_import(
    changed: bool, tmp_path: Path, project: Path
) -> None:
    for name in ("bin/compile", "tools/compile_engine.py"):
        (project / name).parent.mkdir()
        (project / name).write_bytes((ROOT / name).read_bytes())
    (project / "bin" / "compile").chmod(0o755)
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to(sys.executable)
    build_folder = project / "var" / "compiled" / "engine"
    build_folder.mkdir()
    (build_folder / "__init__.py").write_text(compile_engine.PACKAGE + compile_engine.STALE_CHECK)
    (build_folder / "dice.py").write_text("SIDES = 'compiled'\n")
    if changed:
        (project / "engine" / "dice.py").write_text("SIDES = 8\n")
    run_command = [sys.executable, "-c", "import engine.dice; print(engine.dice.SIDES)"]
    path = {
        "PYTHONSAFEPATH": "1",
        "PYTHONPATH": os.pathsep.join([str(build_folder.parent), str(project)]),
    }
    processes = [
        subprocess.run(
            command, env={**os.environ, **more}, capture_output=True, text=True, check=False
        )
        for command, more in (
            ([str(project / "bin" / "compile"), "--run", *run_command], {}),
            (run_command, path),
        )
    ]
    if changed:
        assert [process.returncode for process in processes] == [1, 1]
        assert all("older than its sources" in process.stderr for process in processes)
    else:
        assert [(process.stdout, process.stderr) for process in processes] == [
            ("compiled\n", "")
        ] * 2


def test_constants_are_final_and_lines_stay() -> None:
    source = (
        "from __future__ import annotations\n"
        'A, B = "a", "b"\n'
        "NEAR = 1e-6  # MU\n"
        "BOTH: tuple[int, ...] = (1, 2)\n"
        "PAIR = (1.0, 2.0)\n"
        "name = 3\n"
        "def f() -> int:\n"
        "    LOCAL = 1\n"
        "    return LOCAL\n"
    )
    assert compile_engine.make_constants_final(source) == (
        "from __future__ import annotations; from typing import Final\n"
        "A: Final = 'a'; B: Final = 'b'\n"
        "NEAR: Final = 1e-6  # MU\n"
        "BOTH: Final[tuple[int, ...]] = (1, 2)\n"
        "PAIR = (1.0, 2.0)\n"
        "name = 3\n"
        "def f() -> int:\n"
        "    LOCAL = 1\n"
        "    return LOCAL\n"
    )


def test_starred_tuple_membership_is_written_for_mypyc() -> None:
    source = "if a in (*B, 'ö', c) and d not in (*E,\n    f):\n    print((*B,))\n"
    expected = "if a in tuple((*B, 'ö', c)) and d not in tuple((*E,\n    f)):\n    print((*B,))\n"
    assert compile_engine.prepare_source(source) == expected

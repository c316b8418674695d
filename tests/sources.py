"""The project's own modules as syntax trees, read once in a process for all tests about them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tools.generate import parse_module

ROOT = Path(__file__).resolve().parent.parent
SOURCE_FOLDERS = ("engine", "campaign", "umpire", "proof", "jobs", "config")


def tree_of(name: str) -> ast.Module:
    """Return a module's tree, by its file name in the project."""
    return parse_module(ROOT / name)


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return all nodes of a module."""
    return tuple(ast.walk(tree))


@cache
def source_trees() -> dict[str, ast.Module]:
    """Return the trees of the program's modules, by file name."""
    names = (
        path.relative_to(ROOT).as_posix()
        for part in SOURCE_FOLDERS
        for path in sorted((ROOT / part).rglob("*.py"))
    )
    return {name: tree_of(name) for name in names}


@cache
def texts_in(tree: ast.Module) -> frozenset[str]:
    """Return every separate text of a module."""
    return frozenset(
        node.value
        for node in nodes_of(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def names_in(tree: ast.Module) -> frozenset[str]:
    """Return every plain name that a module uses."""
    return frozenset(node.id for node in nodes_of(tree) if isinstance(node, ast.Name))


@cache
def origins_in(tree: ast.Module) -> frozenset[str]:
    """Return the modules that a module imports names from."""
    return frozenset(
        node.module for node in nodes_of(tree) if isinstance(node, ast.ImportFrom) and node.module
    )

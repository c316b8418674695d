"""`python -m tools.caches` finds every mechanism, and no code uses private parts of Django."""

from __future__ import annotations

import ast
import re

from tests.sources import nodes_of, tree_of
from tools.caches import PACKAGES, ROOT, CachedValue, all_cached, cached_in

SOURCE = """
@cache
def plain(): ...
@lru_cache(maxsize=8)
def limited(): ...
kept_here: Cache[str, str] = Cache(64)
wrapped = lru_cache(maxsize=9)(plain)
class Page:
    @cached_property
    def names(self): ...
"""
# Undocumented parts of Django that planned queries once used.
PRIVATE = {
    *("get_compiler", "klass_info", "get_related_populators", "apply_converters", "Col"),
    *("set_cached_value", "fields_cache"),
}


def test_every_cache_mechanism_is_listed() -> None:
    assert set(cached_in("m", ast.parse(SOURCE))) == {
        CachedValue("m", "plain", "cache", ""),
        CachedValue("m", "limited", "lru_cache", "8"),
        CachedValue("m", "kept_here", "Cache", "64"),
        CachedValue("m", "wrapped", "lru_cache", "plain"),
        CachedValue("m", "Page.names", "cached_property", ""),
    }


def test_private_parts_of_django_are_not_used() -> None:
    names = set()
    for folder in PACKAGES:
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            for node in nodes_of(tree_of(name)):
                word = node.attr if isinstance(node, ast.Attribute) else ""
                words = (
                    {alias.name for alias in node.names}
                    if isinstance(node, ast.ImportFrom)
                    else {word}
                )
                if words & PRIVATE:
                    names.add(name)
    assert names == set()


def test_caches_page_lists_each_cache() -> None:
    page = (ROOT / "docs" / "reference" / "caches.md").read_text(encoding="utf-8")
    names_on_page = re.findall(r"^\| `([\w.]+)` \|", page, re.MULTILINE)
    assert sorted(names_on_page) == sorted(f"{cache.module}.{cache.name}" for cache in all_cached())


def test_each_cache_has_a_measured_gain_or_keeps_identity() -> None:
    page = (ROOT / "docs" / "reference" / "caches.md").read_text(encoding="utf-8")
    _, measured, identity = re.split(
        r"^## (?:Measured|Held for identity)$", page, flags=re.MULTILINE
    )
    rows = re.findall(r"^\| `([\w.]+)` \| (.+) \|$", measured, re.MULTILINE)
    assert [name for name, gain in rows if not re.search(r"\d\.\d\d|\d{3}", gain)] == [], (
        "measure these with python -m tools.bench.caches NAME"
    )
    assert len(re.findall(r"^\| `", identity, re.MULTILINE)) < 5

"""The bytes of scripts that a page loads at first, and that later scripts exist."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage

from campaign.pages.battle.fights import SCRIPT_OF_OTHER_PHASES, SCRIPT_WITHOUT_ORDERS, SCRIPTS
from config.static import COMMENTS, HashedFiles

STATIC = Path(__file__).resolve().parents[4] / "static"
MOST = 15_500  # bytes of a battle page's own scripts
MAX_FOR_ORDERS_PAGE = 27_000  # bytes, with the scripts of every page and those of seals
MAX_FOR_FILM = 18_000  # bytes of the film of a battle, which loads when it plays
FILM = "js/film/film.js"
EVERYWHERE = ("js/script_errors.js", "js/site.js")
DESKS = ("js/orders.js", "js/deploy.js")
REPLAY, RECORD = "js/battle_replay.js", "js/table_record.js"
AT_FIRST = re.compile(
    r"""^(?:import|export) (?:[^"']*? from )?["'](\.\.?/[\w./]+)["'];""", re.MULTILINE
)
LATER = re.compile(r"""\bimport\(["']\./([\w./]+)["']\)""")


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, int]:
    """Return the bytes that a browser receives for each script: its Brotli twin."""
    root = tmp_path_factory.mktemp("collected")
    source = FileSystemStorage(STATIC)
    collected = HashedFiles(location=root)
    names = [str(path.relative_to(STATIC)) for path in (STATIC / "js").rglob("*.js")]
    for name in names:
        with source.open(name) as script:
            collected.save(name, script)
    for _, _, problem in collected.post_process({name: (source, name) for name in names}):
        if isinstance(problem, Exception):
            raise problem
    return {name: _compressed_size(root, collected.hashed_files[name]) for name in names}


def _compressed_size(root: Path, name: str) -> int:
    twin = root / f"{name}.br"
    # The smallest scripts have no twin, because compression would not save enough.
    return (twin if twin.exists() else root / name).stat().st_size


def _weights_of(paths: set[Path], weights: Mapping[str, int]) -> dict[str, int]:
    return {path.name: weights[str(path.relative_to(STATIC))] for path in paths}


def _loaded(script: str) -> set[Path]:
    """Return a script with all that it imports before it runs."""
    paths: set[Path] = set()
    waits = [STATIC / script]
    while waits:
        path = waits.pop()
        if path not in paths:
            paths.add(path)
            waits += [
                (path.parent / name).resolve()
                for name in AT_FIRST.findall(path.read_text(encoding="utf-8"))
            ]
    return paths


@pytest.mark.parametrize(
    "script",
    sorted({*SCRIPTS.values(), SCRIPT_OF_OTHER_PHASES, SCRIPT_WITHOUT_ORDERS, REPLAY, RECORD}),
)
def test_battle_page_loads_at_most_15_kb_of_scripts_at_first(
    script: str, weights: Mapping[str, int]
) -> None:
    beside = set() if script == REPLAY else _loaded("js/site.js")  # most pages load them anyway
    sizes = _weights_of(_loaded(script) - beside, weights)
    assert sum(sizes.values()) <= MOST, sizes


@pytest.mark.parametrize("script", DESKS)
def test_orders_page_loads_at_most_27_kb_of_scripts_at_first(
    script: str, weights: Mapping[str, int]
) -> None:
    paths = set[Path]().union(*map(_loaded, (script, "js/seal.js", *EVERYWHERE)))
    sizes = _weights_of(paths, weights)
    assert sum(sizes.values()) <= MAX_FOR_ORDERS_PAGE, sizes


def test_film_weighs_at_most_18_kb(weights: Mapping[str, int]) -> None:
    sizes = _weights_of(_loaded(FILM), weights)
    assert sum(sizes.values()) <= MAX_FOR_FILM, sizes


def test_lazy_scripts_exist_and_are_not_loaded_at_first() -> None:
    scripts = sorted((STATIC / "js").glob("battle_*.js"))
    later = {name for path in scripts for name in LATER.findall(path.read_text(encoding="utf-8"))}
    at_first = {
        path.name
        for script in (*SCRIPTS.values(), SCRIPT_OF_OTHER_PHASES, SCRIPT_WITHOUT_ORDERS, REPLAY)
        for path in _loaded(script)
        if path.parent == STATIC / "js"
    }
    assert later
    assert later.isdisjoint(at_first)
    with_them = {
        path.name
        for name in later
        for path in _loaded(f"js/{name}")
        if path.parent == STATIC / "js"
    }
    in_line = {"battle_layout.js"}  # not a module: the page loads it separately
    assert (with_them | at_first | in_line) - {
        "dom.js",
        "field.js",
        "lazy_events.js",
        "phrase.js",
    } == {path.name for path in scripts}
    for script in DESKS:
        loaded = _loaded(script)
        later = {
            name for path in loaded for name in LATER.findall(path.read_text(encoding="utf-8"))
        }
        assert later >= {
            "chart_input.js",
            *(
                ("draft_autosave.js", "readback.js")
                if "deploy" in script
                else ("orders_actions.js",)
            ),
        }
        assert later.isdisjoint(path.name for path in loaded)
        assert all((STATIC / "js" / name).is_file() for name in later)


def test_comments_are_stripped_and_code_kept() -> None:
    script = """// A script.

/** @import { Table } from "./table.js" */

/**
 * Return a name.
 * @param {Ship} ship
 */
export const nameOf = (ship) => {
  // The first word is enough.
  const words = /** @type {string[]} */ (ship.name.split(" ")); // "Ajax II"
  /** @type {string} */
  return words[0] || "https://example.org/**/";
};
"""
    stripped = """

export const nameOf = (ship) => {
  const words = /** @type {string[]} */ (ship.name.split(" ")); // "Ajax II"
  return words[0] || "https://example.org/**/";
};
"""
    assert COMMENTS.sub("", script) == stripped


def test_one_script_stores_data_in_the_browser() -> None:
    storage_use = re.compile(r"\b(localStorage|sessionStorage|indexedDB|caches\.keys)\b")
    scripts = (STATIC / "js").rglob("*.js")
    assert [
        path.name for path in scripts if storage_use.search(path.read_text(encoding="utf-8"))
    ] == ["browser_storage.js"]
    assert 'PREFIX = "blind-jump-"' in (STATIC / "js/browser_storage.js").read_text(
        encoding="utf-8"
    )
    assert "NAME = `blind-jump-" in (STATIC / "js/table_worker.js").read_text(encoding="utf-8")

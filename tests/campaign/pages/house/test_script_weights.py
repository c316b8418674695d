"""Scripts of battles and desks: what a page loads at first is light, and what it fetches later is
there.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from campaign.pages.battle.fights import CHOICES, SCRIPTS, TABLE_ALONE

STATIC = Path(__file__).resolve().parents[4] / "static"
# Bytes, compressed, of a page's own scripts; hashes of names come on top as they are served
MOST = 15_000
EVERYWHERE = ("js/lost.js", "js/house.js")
DESKS = ("js/desk.js", "js/deploy.js")
MOST_OF_A_DESK = (
    27_000  # bytes, compressed, with those of every page and of seals; hashes of names come on top
)
REPLAY, RECORD = "js/battle_replay.js", "js/table_record.js"
AT_FIRST = re.compile(
    r"""^(?:import|export) (?:[^"']*? from )?["']\./([\w.]+)["'];""", re.MULTILINE
)
LATER = re.compile(r"""\bimport\(["']\./([\w.]+)["']\)""")


def _sent(path: Path) -> int:
    """Return the bytes of a script as they are sent: readable source costs little of them."""
    return len(gzip.compress(path.read_bytes(), 6))


def _loaded(script: str) -> set[Path]:
    """A script with all that it imports before it runs."""
    found: set[Path] = set()
    waits = [STATIC / script]
    while waits:
        one = waits.pop()
        if one not in found:
            found.add(one)
            waits += [
                one.parent / name for name in AT_FIRST.findall(one.read_text(encoding="utf-8"))
            ]
    return found


@pytest.mark.parametrize(
    "script", sorted({*SCRIPTS.values(), CHOICES, TABLE_ALONE, REPLAY, RECORD})
)
def test_a_battle_page_loads_at_most_15_kb_of_compressed_scripts_at_first(script: str) -> None:
    beside = set() if script == REPLAY else _loaded("js/house.js")  # what most pages bring anyway
    weights = {path.name: _sent(path) for path in _loaded(script) - beside}
    assert sum(weights.values()) <= MOST, weights


@pytest.mark.parametrize("script", DESKS)
def test_a_desk_loads_at_most_27_kb_of_compressed_scripts_at_first(script: str) -> None:
    paths = set[Path]().union(*map(_loaded, (script, "js/seal.js", *EVERYWHERE)))
    weights = {path.name: _sent(path) for path in paths}
    assert sum(weights.values()) <= MOST_OF_A_DESK, weights


def test_what_is_fetched_later_is_there_and_no_part_of_a_page_at_first() -> None:
    scripts = sorted((STATIC / "js").glob("battle_*.js"))
    later = {name for path in scripts for name in LATER.findall(path.read_text(encoding="utf-8"))}
    at_first = {
        path.name
        for script in (*SCRIPTS.values(), CHOICES, TABLE_ALONE, REPLAY)
        for path in _loaded(script)
    }
    assert later
    assert later.isdisjoint(at_first)
    with_them = {path.name for name in later for path in _loaded(f"js/{name}")}
    in_line = {"battle_live.js"}  # no module: the page names it by itself
    assert (with_them | at_first | in_line) - {"field.js", "lazily.js", "phrase.js"} == {
        path.name for path in scripts
    }
    for script in DESKS:
        loaded = _loaded(script)
        later = {
            name for path in loaded for name in LATER.findall(path.read_text(encoding="utf-8"))
        }
        assert later >= {
            "chart_hand.js",
            *(("draft_keep.js", "readback.js") if "deploy" in script else ("desk_acts.js",)),
        }
        assert later.isdisjoint(path.name for path in loaded)
        assert all((STATIC / "js" / name).is_file() for name in later)


def test_one_script_keeps_things_in_the_browser_so_that_one_forgets_them() -> None:
    stored = re.compile(r"\b(localStorage|sessionStorage|indexedDB|caches\.keys)\b")
    scripts = (STATIC / "js").rglob("*.js")
    assert [path.name for path in scripts if stored.search(path.read_text(encoding="utf-8"))] == [
        "kept.js"
    ]
    assert 'PREFIX = "blind-jump-"' in (STATIC / "js/kept.js").read_text(encoding="utf-8")
    assert "NAME = `blind-jump-" in (STATIC / "js/table_worker.js").read_text(encoding="utf-8")

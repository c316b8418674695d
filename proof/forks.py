"""The beginning of a fork: its first world and views are those that a row of another war covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.rules.outcome_leaves import SNAPSHOT, VIEW
from engine.core import fair
from engine.core.canonical import digest
from proof.archive import Line, Opening
from proof.findings import Difference, Level, Where

BEGINNING, FORK = "beginning", "fork"  # kinds of the opening of a war's first branch
UNPROVEN = "the row of the war that this one was forked from cannot prove the first world"


def parent_of(opening: Opening) -> list[str | int] | None:
    """Return campaign, branch and number of the snapshot with which a fork begins; else None."""
    if opening.parent is None:
        return None
    body = opening.parent.body
    return [body["campaign"], body["branch"], body["seq"]]


def parent_row_of(opening: Opening) -> str | None:
    """Return the hash of the row that covers that snapshot."""
    return None if opening.parent is None else str(opening.parent.body["hash"])


def has_proof(opening: Opening) -> bool:
    """Return whether the row shows the first world: rows of schema 1 cannot."""
    return opening.parent is None or bool(opening.parent.body["leaves"])


def fork_differences(opening: Opening) -> Iterator[Difference]:
    """Yield what differs between the beginning of a fork and the row of the other war."""
    line = opening.parent
    if line is None:
        return
    body = line.body
    should = fair.row_hash(body["prev_hash"], body["body"])
    if body["hash"] != should:
        yield _difference(line, "the row has another hash", body["hash"], should)
        return
    seq = body["body"].get("seq")
    if seq is not None and seq + 1 != body["seq"]:
        yield _difference(line, "the row covers another world", seq + 1, body["seq"])
    if has_proof(opening):
        yield from _leaf_differences(opening, line)


def _leaf_differences(opening: Opening, line: Line) -> Iterator[Difference]:
    """Yield first documents that the row does not cover."""
    documents = {SNAPSHOT: digest(opening.snapshot.body["world"])}
    for faction, view in opening.views.items():
        documents[f"{VIEW}/{faction}"] = digest(view.body["document"])
    systems = opening.scenario.body["document"]["body"]["systems"]
    slots = fair.slots_of(len(systems))
    outcome = line.body["body"].get("outcome")
    proofs = {leaf["name"]: leaf for leaf in line.body["leaves"]}
    for name, sha256 in documents.items():
        root = _root_of(proofs.get(name), name, sha256, slots)
        if root != outcome:
            words = f"the row of the other war does not cover the first '{name}'"
            yield _difference(line, words, root, outcome)


def _root_of(proof: Mapping[str, Any] | None, name: str, sha256: str, slots: int) -> str | None:
    """Return the outcome that follows from a leaf; None without a proof, or for a wrong one."""
    if proof is None:
        return None
    leaf = fair.outcome_leaf(proof["blind"], name, sha256)
    try:
        return fair.outcome_from_proof(leaf, proof["index"], slots, proof["hashes"])
    except ValueError:
        return None


def _difference(line: Line, words: str, stands: Any, should: Any) -> Difference:
    """Return a difference in the line of the other war."""
    return Where().difference(Level.INTEGRITY, line, "parent", words, stands, should)

"""The last row of a ledger, which publishes the seed after the war and covers the closing head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core import fair
from engine.core.canonical import digest
from engine.core.merkle import tree_root
from proof.archive import Line, Opening
from proof.findings import Difference, Level, Where

REVEAL = "reveal"  # the verb of the act that publishes the seed


def end_row_differences(
    line: Line, opening: Opening, hashes: Sequence[str]
) -> Iterator[Difference]:
    """Yield what differs in the last row of a ledger.

    Args:
        hashes: Of the rows before it, on the branch on which the war ended.
    """
    act = line.body["act"]
    facts = act.get("facts")
    seed = facts.get("seed") if isinstance(facts, dict) else None
    header = opening.header.body
    if not isinstance(seed, str) or fair.commitment(seed) != header["seed_sha256"]:
        words = "the act publishes another seed than the war committed to"
        yield _difference(line, "act", words, seed, header.get("seed"))
        return
    if act.get("verb") != REVEAL:
        words = "another act stands where the seed is published"
        yield _difference(line, "act", words, act.get("verb"), REVEAL)
    root = tree_root([bytes.fromhex(hash_) for hash_ in hashes]).hex()
    should = fair.end_row(
        branch=opening.branch, size=len(hashes), root=root, seed=seed, act=digest(act)
    )
    yield from _body_differences(line, should)
    prev_hash = hashes[-1] if hashes else ""
    if line.body["prev_hash"] != prev_hash:
        words = "the last row has another 'prev_hash'"
        yield _difference(line, "last row", words, line.body["prev_hash"], prev_hash)
    hash_ = fair.row_hash(line.body["prev_hash"], line.body["body"])
    if line.body["hash"] != hash_:
        words = "the last row has another 'hash'"
        yield _difference(line, "last row", words, line.body["hash"], hash_)


def _body_differences(line: Line, should: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield what differs in the body of the last row."""
    body = line.body["body"]
    for key, value in should.items():
        if body.get(key) != value:
            words = f"'{key}' of the last row is not that of the war"
            yield _difference(line, "last row", words, body.get(key), value)
    if set(body) != set(should):
        words = "the last row has other keys"
        yield _difference(line, "last row", words, sorted(body), sorted(should))


def _difference(line: Line, place: str, words: str, stands: Any, should: Any) -> Difference:
    """Return a difference in the line of the last row."""
    return Where().difference(Level.INTEGRITY, line, place, words, stands, should)

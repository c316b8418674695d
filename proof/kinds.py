"""The kinds of lines of an archive, with the keys of each and their types."""

from __future__ import annotations

# The keys of each kind of line with their types. A key that ends in "?" may be left out.
TEXT, WHOLE, TABLE, ITEMS = (str,), (int,), (dict,), (list,)
TEXT_OR_NONE = (str, type(None))
TABLE_OR_NONE = (dict, type(None))
KINDS: dict[str, dict[str, tuple[type, ...]]] = {
    "archive": {
        **{"format": WHOLE, "made": TEXT, "site": TEXT, "vkey": TEXT, "campaign": TEXT},
        **{"name": TEXT, "dice_key": TEXT, "ruleset": TABLE, "timetable": TABLE, "slots": WHOLE},
        **{"seed_sha256": TEXT, "seed?": TEXT, "for?": TEXT},
    },
    "scenario": {"sha256": TEXT, "document": TABLE},
    "faction": {"key": TEXT, "name": TEXT, "alliance": TEXT, "admiral": TEXT},
    "source": {"version": TEXT, "sha256": TEXT},
    "branch": {"number": WHOLE, "dice?": WHOLE, "parent?": ITEMS, "opening": TABLE_OR_NONE},
    "parent": {
        **{"campaign": TEXT, "branch": WHOLE, "seq": WHOLE, "body": TABLE, "prev_hash": TEXT},
        **{"hash": TEXT, "leaves": ITEMS},
    },
    "stage": {
        **{"branch": WHOLE, "ordinal": WHOLE, "week": WHOLE, "stage": TEXT, "again": WHOLE},
        **{"opens": TEXT, "closes": TEXT_OR_NONE, "closed_at": TEXT, "how?": TEXT},
    },
    "entry": {
        **{"faction": TEXT, "revision": WHOLE, "payload": TABLE, "nonce": TEXT, "digest": TEXT},
        **{
            "source": TEXT,
            "sealed_at": TEXT,
            "withdrawn": TEXT_OR_NONE,
            "share?": TEXT,
            "word?": TEXT,
        },
    },
    "act": {"sha256": TEXT, "audience": TEXT, "body?": TABLE, "words?": TABLE},
    "ruling": {"number": WHOLE, "document": TABLE, "told": ITEMS},
    "beacon": {
        **{"round": WHOLE, "signature": TEXT, "randomness": TEXT},
        **{"battle?": TEXT, "stop?": WHOLE, "closed_at?": TEXT},
    },
    "battle": {"key": TEXT, "mode": TEXT, "rules": TEXT, "schema": WHOLE, "start": TABLE},
    "stop": {
        **{"battle": TEXT, "seq": WHOLE, "schema": WHOLE, "inputs": TABLE, "events": ITEMS},
        **{"views": TABLE, "chain": TEXT},
    },
    "stop-entry": {
        **{"battle": TEXT, "stop": WHOLE, "stage": TEXT, "faction": TEXT, "revision": WHOLE},
        **{"payload": TABLE, "nonce": TEXT, "digest": TEXT, "source": TEXT, "sealed_at": TEXT},
        **{"withdrawn": TEXT_OR_NONE, "share?": TEXT, "word?": TEXT},
    },
    "table-entry": {
        **{"battle": TEXT, "number": WHOLE, "faction": TEXT, "key": TEXT, "schema": WHOLE},
        **{"body": TABLE, "visible_body": TABLE, "at": TEXT},
    },
    "result": {"battle": TEXT, "document": TABLE},
    "throws": {"context": ITEMS, "place": TEXT, "dice": ITEMS},
    "snapshot": {
        **{"branch": WHOLE, "seq": WHOLE, "week": WHOLE, "stage": TEXT, "sha256": TEXT},
        **{"rules": TEXT, "world": TABLE},
    },
    "happenings": {"events": ITEMS},
    "view": {"faction": TEXT, "sha256": TEXT, "document": TABLE},
    "report": {"faction": TEXT, "report": TEXT, "subject": TEXT, "document": TABLE},
    "setting": {"document": TABLE},
    "leaf": {"name": TEXT, "digest": TEXT},
    "proof": {"name": TEXT, "digest": TEXT, "blind": TEXT, "index": WHOLE, "hashes": ITEMS},
    "row": {
        **{"branch": WHOLE, "seq": WHOLE, "schema": WHOLE, "body": TABLE, "prev_hash": TEXT},
        "hash": TEXT,
    },
    "head": {"note": TEXT},
    "end-row": {"act": TABLE, "body": TABLE, "prev_hash": TEXT, "hash": TEXT},
    "end": {"lines": WHOLE, "sha256": TEXT},
}

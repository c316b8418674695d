"""Converts one stored document from before release 1.0.0 into a document of that release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.prerelease import FIRST_RULES
from tools.prerelease.rename_keys import rename_document, rename_week_events
from tools.prerelease.stored_reasons import with_reasons
from tools.prerelease.upgrade_steps import FIRST, STEPS, upgrade

SCHEMA = "schema"
SCHEMA_OF_THE_RELEASE = 1
ENVELOPES = frozenset({"world", "view", "scenario"})  # {schema, type, body}
NUMBERED = frozenset({"battle", "ledger-row"})  # with the version among the other keys
WITH_WEEK_EVENTS = frozenset({"week-events", "view", "report-stage"})

# The keys under which documents name a version of the rules. Release 1.0.0 knows only its own.
RULES_OF: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "battle": (("terms", "rules"),),
    "battle-file": (("rules",),),
    "report-table": (("rules",),),
    "ruleset": (("rules_version",),),
    "ledger-row": (("rules_version",), ("release",)),
}
KNOWN_BATTLE = "known"  # in the sheet of an online battle: the battle as the side knows it


def convert(kind: str, document: Any, version: int = FIRST) -> Any:
    """Return a document of a kind as release 1.0.0 stores it.

    Args:
        version: The version in the column beside the document; not used for documents with a
            version inside, and for kinds that have only one.

    Raises:
        UnknownVersion: The last commit before the release did not write this version.
        NameCollision: Two keys would have the same name.
    """
    body = _upgraded(kind, document, version)
    body = with_reasons(body)
    for path in RULES_OF.get(kind, ()):
        body = _with_first_rules(body, path)
    if kind in WITH_WEEK_EVENTS:
        body = rename_week_events(body)
    return rename_document(kind, body)


def _upgraded(kind: str, document: Any, version: int) -> Any:
    if kind in ENVELOPES:
        body = upgrade(kind, document.get(SCHEMA, FIRST), document["body"])
        return {**document, SCHEMA: SCHEMA_OF_THE_RELEASE, "body": body}
    if kind in NUMBERED:
        body = upgrade(kind, document.get(SCHEMA, FIRST), document)
        return {**body, SCHEMA: SCHEMA_OF_THE_RELEASE}
    body = upgrade(kind, version, document) if kind in STEPS else document
    if kind == "report-stop" and KNOWN_BATTLE in body:
        known = _upgraded("battle", body[KNOWN_BATTLE], FIRST)
        return {**body, KNOWN_BATTLE: _with_first_rules(known, ("terms", "rules"))}
    return body


def _with_first_rules(body: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return a document in which the version of the rules, if it names one, is today's."""
    key, *rest = path
    if key not in body:
        return body
    return {**body, key: _with_first_rules(body[key], tuple(rest)) if rest else FIRST_RULES}

"""The schema versions of stored documents, and the steps that upgrade older ones.

A document states its version as `schema`; one without it has version 1. A step takes a document of
its version and returns one of the next; the old document is not changed. Documents of a newer or
unknown version, or of one without a step, are refused as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.errors import RuleViolations, Violation
from engine.core.reason import reason

Body = dict[str, Any]
Step = Callable[[Body], Body]

FIRST = 1


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of stored document.

    Attributes:
        schema: The version that is written today.
        steps: The upgrade to the next version, by older version.
    """

    name: str
    schema: int
    steps: Mapping[int, Step]

    def upgrade(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a document in today's version; one that has it already is returned as it is.

        Raises:
            RuleViolations: This release cannot read the version.
        """
        number = document.get("schema", FIRST)
        if type(number) is int and number == self.schema:
            return document
        return {**self.upgrade_body(number, dict(document)), "schema": self.schema}

    def upgrade_body(self, number: object, body: Body) -> Body:
        """Return the body of a document of version `number` in today's version.

        Raises:
            RuleViolations: This release cannot read the version.
        """
        version = number if type(number) is int else 0
        while version != self.schema:
            step = self.steps.get(version)
            if step is None:
                fault = Violation("schema", "unknown-schema", self._unreadable_reason(number))
                raise RuleViolations([fault])
            version += 1
            body = step(body)
        return body

    def _unreadable_reason(self, number: object) -> str:
        """Return the reason why this release cannot read a version."""
        return reason(
            "version-cannot-read-release",
            "version {} of '{}' cannot be read; this release reads up to version {}",
            number,
            self.name,
            self.schema,
        )


# A battle in progress, complete or as one side knows it: `engine.battle.Battle.to_json`.
BATTLE = DocumentKind("battle", 1, {})

# The result of a battle at a table: `engine.table_results.validation`.
RESULT = DocumentKind("result", 1, {})

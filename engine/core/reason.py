"""Reasons for refusals and failures: texts with a code that survives rewording.

The rule that refuses declares code and text side by side: `reason("no-firecon", "it has no working
FireCon")`. In memory a reason is a text like every `Phrase`. Documents store its code and values
without the text (`engine.core.phrase_data`). `engine.core.reason_texts` lists the text of each
code. bin/catalogue writes that list from the declarations and keeps codes that are no longer
declared, because stored documents contain them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from typing_extensions import override

from engine.core.phrase import Phrase, join_phrases

# The code of texts that have no code: several reasons together, and the words of a battle file's
# author.
FREE_TEXT = "as-written"


class Reason(Phrase):
    """A text with a code."""

    code: str

    def __new__(cls, code: str, message: str, /, *values: Any, **named_values: Any) -> Self:
        instance = super().__new__(cls, message, *values, **named_values)
        instance.code = code
        return instance

    @override
    def format(self, /, *values: Any, **named_values: Any) -> Phrase:
        return Reason(self.code, self.message, *values, **named_values)

    @override
    def format_map(self, named_values: Mapping[str, Any], /) -> Phrase:  # type: ignore[override]
        return Reason(self.code, self.message, **named_values)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return _rebuild_reason, (self.code, self.message, self.values, dict(self.named_values))


def reason(code: str, message: str, /, *values: Any, **named_values: Any) -> str:
    """Return a reason from a code and the message and values of `phrase`.

    Each code has one message; two rules with the same message share the code.
    """
    return Reason(code, message, *values, **named_values)


def with_code(text: str) -> Reason:
    """Return a reason unchanged, and any other text as a reason with the code FREE_TEXT."""
    if isinstance(text, Reason):
        return text
    return Reason(FREE_TEXT, "{}", text)


def several_reasons(reasons: Sequence[str]) -> str:
    """Join several reasons to one text; a single one is returned as it is."""
    if len(reasons) == 1:
        return reasons[0]
    return join_phrases("; ", reasons)


def _rebuild_reason(
    code: str, message: str, values: tuple[Any, ...], named_values: Mapping[str, Any]
) -> Reason:
    return Reason(code, message, *values, **named_values)

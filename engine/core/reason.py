"""Why something was refused or did not happen: a text with a code that stays when the text is
reworded.

The rule that refuses declares both, side by side: `reason("no-firecon", "it has no working
FireCon")`. In memory a reason is a text like every `Phrase`; documents store its code and the
values in its places, and no text (`engine.core.phrase_data`). `engine.core.reason_texts` lists the
text of each code. It is written by bin/catalogue from these declarations and keeps the codes that
nothing declares any more, because stored documents name them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from typing_extensions import override

from engine.core.phrase import Phrase, join_phrases

# The code of what has no code of its own: several reasons together, and the words of a battle
# file's author.
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
    """Return a text that says why, with its code. `message` and values are those of `phrase`.

    A code belongs to one message; two rules that say the same have the same code.
    """
    return Reason(code, message, *values, **named_values)


def with_code(text: str) -> Reason:
    """Return a text as a reason: itself where it is one, else the reason that says just this
    text.
    """
    return text if isinstance(text, Reason) else Reason(FREE_TEXT, "{}", text)


def several_reasons(reasons: Sequence[str]) -> str:
    """Return several reasons as one text; one alone as it is."""
    return reasons[0] if len(reasons) == 1 else join_phrases("; ", reasons)


def _rebuild_reason(
    code: str, message: str, values: tuple[Any, ...], named_values: Mapping[str, Any]
) -> Reason:
    return Reason(code, message, *values, **named_values)

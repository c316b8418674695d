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

from engine.core.phrase import Phrase, joined_phrases

# The code of what has no code of its own: several reasons together, and the words of a battle
# file's author.
AS_WRITTEN = "as-written"


class Reason(Phrase):
    """A text with a code."""

    code: str

    def __new__(cls, code: str, message: str, /, *values: Any, **named: Any) -> Self:
        found = super().__new__(cls, message, *values, **named)
        found.code = code
        return found

    @override
    def format(self, /, *values: Any, **named: Any) -> Phrase:
        return Reason(self.code, self.message, *values, **named)

    @override
    def format_map(self, named: Mapping[str, Any], /) -> Phrase:  # type: ignore[override]
        return Reason(self.code, self.message, **named)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return _reason_again, (self.code, self.message, self.values, dict(self.named))


def reason(code: str, message: str, /, *values: Any, **named: Any) -> str:
    """Return a text that says why, with its code. `message` and values are those of `phrase`.

    A code belongs to one message; two rules that say the same have the same code.
    """
    return Reason(code, message, *values, **named)


def with_code(text: str) -> Reason:
    """Return a text as a reason: itself where it is one, else the reason that says just this
    text.
    """
    return text if isinstance(text, Reason) else Reason(AS_WRITTEN, "{}", text)


def several_reasons(reasons: Sequence[str]) -> str:
    """Return several reasons as one text; one alone as it is."""
    return reasons[0] if len(reasons) == 1 else joined_phrases("; ", reasons)


def _reason_again(
    code: str, message: str, values: tuple[Any, ...], named: Mapping[str, Any]
) -> Reason:
    return Reason(code, message, *values, **named)

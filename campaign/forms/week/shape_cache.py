"""A cache of a page's parts that differ in few words: the template draws the first of a shape, others are filled in.

A shape is kept for one page and no longer, so that nothing of one reader is ever asked for another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from django.template.loader import get_template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from engine.core.phrase import spoken

BEGIN, END = "\ue000", "\ue001"  # of private use: no text has them
GAP = re.compile(f"{BEGIN}([a-z_]+){END}")


def gap(name: str, value: str) -> str:
    """A gap in a shape, for the word of this name; an empty word stays empty, for templates ask for that."""
    return f"{BEGIN}{name}{END}" if value else ""


class ShapeCache:
    """The shapes of one template, each with gaps for its words."""

    def __init__(self, template: str) -> None:
        self.template = get_template(template)
        self.shapes: dict[Hashable, list[str]] = {}

    def drawn(self, shape: Hashable, words: Mapping[str, str], context: Callable[[], dict[str, Any]]) -> SafeString:
        """A part as HTML. `shape`: all that its context is made of but its `words`; `context`: with the `gap` of each
        word in its place, asked for the first part of a shape alone.
        """
        parts = self.shapes.get(shape)
        if parts is None:
            parts = self.shapes[shape] = GAP.split(self.template.render(context()))
        shown = {name: conditional_escape(spoken(words[name])) for name in set(parts[1::2]) & words.keys()}
        filled = list(parts)
        filled[1::2] = [shown.get(name, "") for name in parts[1::2]]
        return mark_safe("".join(filled))  # noqa: S308 (a template's own, and words that are escaped)

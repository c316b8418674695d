"""Strict reading of XML: elements with their lines, without document types or entities.

Because a document type is refused, no entity can expand or fetch anything; XML's own five remain.
Length, depth and number of values are checked while reading.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.notation.documents import Limits


@dataclass(slots=True)
class Element:
    """An element with its attributes, its children, its text and the line where it begins."""

    name: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def child(self, name: str) -> Element | None:
        """Return the first child with this name, or None."""
        return next((element for element in self.children if element.name == name), None)

    def words(self, name: str) -> str:
        """Return the text of the first child with this name, or ""."""
        child = self.child(name)
        if child is None:
            return ""
        return " ".join(child.text.split())


def read_xml(text: str, limits: Limits) -> Element:
    """Return the root element of a document.

    Raises:
        RuleViolations: With the line, if it is not XML or exceeds the limits.
    """
    if len(text) > limits.characters:
        raise _refused(
            "too-long",
            phrase(
                "a document can have at most {} characters; this one has {}",
                limits.characters,
                len(text),
            ),
        )
    building = _TreeBuilder(limits)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: building.start(
        name, attributes, parser.CurrentLineNumber
    )
    parser.EndElementHandler = lambda _name: building.end()
    parser.CharacterDataHandler = building.characters
    parser.StartDoctypeDeclHandler = lambda *_: building.doctype(parser.CurrentLineNumber)
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise _refused(
            "not-xml",
            phrase("line {}: this is not XML: {}", error.lineno, expat.ErrorString(error.code)),
        ) from error
    except ValueError as error:
        if isinstance(error, RuleViolations):
            raise
        raise _refused("not-xml", phrase("this is not XML: {}", error)) from error
    if building.root is None:
        raise _refused("not-xml", phrase("this is not XML: it has no element"))
    return building.root


class _TreeBuilder:
    """Builds the tree from a parser's calls, and stops at the limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.values_left = limits.values
        self.root: Element | None = None
        self.open: list[Element] = []

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        """Begin an element."""
        self.values_left -= 1 + len(attributes)
        if self.values_left < 0:
            raise _refused(
                "too-many-values",
                phrase("line {}: a document can have at most {} values", line, self.limits.values),
            )
        if len(self.open) >= self.limits.depth:
            raise _refused(
                "too-deep",
                phrase("line {}: elements can be nested at most {} deep", line, self.limits.depth),
            )
        element = Element(name, attributes, line)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self) -> None:
        """End the innermost element."""
        self.open.pop()

    def characters(self, text: str) -> None:
        """Add text to the innermost element."""
        if self.open:
            self.open[-1].text += text

    def doctype(self, line: int) -> None:
        """Refuse a document type."""
        raise _refused("doctype", phrase("line {}: document types (DTD) are not allowed", line))


def _refused(code: str, message: str) -> RuleViolations:
    """Return a refusal of the whole document."""
    return RuleViolations([Violation("", code, message)])

"""The loader of the site's templates, which leaves out their layout.

Templates are laid out for their readers: a line for each element and attribute, indented. Sent to
browsers, this layout more than doubled the deployment page (from 60 kB to 156 kB, compressed from
8.9 kB to 12.7 kB), and few pages are compressed (`config.middleware`). So a line break with its
indentation becomes one space, or nothing at the edge of a block element, where browsers drop white
space anyway. This happens once, when a template is loaded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django_cotton.cotton_loader import Loader as CottonLoader

PIECE = re.compile(
    r"""
    (?P<comment> \{%\ comment\b .*? \{%\ endcomment\ %\} )
    | (?P<kept> \{%\ (?P<kept_tag> blocktranslate | verbatim )\b .*? \{%\ end(?P=kept_tag)\ %\}
        | <(?P<raw> pre | script | style | textarea )\b .*? </(?P=raw)> | \{\{ .*? \}\} )
    | (?P<control> \{%\ (?P<name> \w+ ) .*? %\} )
    | (?P<line_break> \s* \n \s* )
    | (?P<tag_start> </? (?P<element> [a-zA-Z][\w-]* ) )
    | (?P<tag_end> /?> )
    | (?P<quote> ["'] )
    | (?P<text> [^\s<>{/"']+ | . )
    """,
    re.DOTALL | re.VERBOSE,
)
# Elements without text beside them: browsers drop white space at their edges.
BLOCK_ELEMENT = re.compile(
    "article|aside|body|datalist|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form"
    "|h[1-6]|head|header|html|legend|li|main|nav|ol|optgroup|option|p|section|summary|table|tbody"
    "|td|th|thead|tr|ul"
    "|circle|defs|g|line|path|rect|use"
)
# Elements in a line of text whose content begins and ends a line of its own.
BOXES = frozenset({"button", "select", "text"})
BRANCHES = frozenset({"elif", "else", "empty"})
OPENING = frozenset({"block", "filter", "for", "if", "ifchanged", "localize", "with"})
CLOSING = frozenset({"endblock", "endfilter", "endif", "endifchanged", "endlocalize", "endwith"})
CONTROL = OPENING | BRANCHES | CLOSING | {"endfor"}
KINDS = ["comment", "kept", "control", "line_break", "tag_start", "tag_end", "quote", "text"]


class Loader(CottonLoader):  # type: ignore[misc]  # the package has no types
    """Loads a template with its components, without its layout."""

    def _get_template_string(self, template_name: str) -> str:
        source: str = super()._get_template_string(template_name)
        return squeeze(source) if template_name.endswith(".html") else source


@dataclass
class Piece:
    """A part of a template's source."""

    kind: str  # a group of PIECE, or "tag_space": white space between attributes
    source: str
    name: str = ""  # of a control tag
    is_block: bool = False  # the start or end of a block element's tag
    is_in_tag: bool = False  # between the attributes of an HTML tag
    # Of the control tags from `if` to `endif`: the indexes of the first and the last of them.
    first: int = -1
    last: int = -1


def squeeze(source: str) -> str:
    """Return a template's source without comments, line breaks and indentation."""
    tag_state = _TagState()
    pieces = [tag_state.read(match) for match in PIECE.finditer(source)]
    _pair(pieces)
    return "".join(_squeezed(pieces, index) for index in range(len(pieces)))


class _TagState:
    """The HTML tag that a piece of a template is in, followed from piece to piece.

    Attributes:
        element: The name of its element; empty between tags.
        is_end: Whether the tag ends the element.
        quote: The character that ends the attribute value that the piece is in; empty outside one.
    """

    def __init__(self) -> None:
        self.element = ""
        self.is_end = False
        self.quote = ""

    def read(self, match: re.Match[str]) -> Piece:
        """Return the next piece, and note where it leaves us."""
        kind = next(name for name in KINDS if match[name] is not None)
        piece = Piece(kind, match[0], match["name"] or "")
        piece.is_in_tag = bool(self.element) and not self.quote
        if piece.is_in_tag and match[0].isspace():
            piece.kind = "tag_space"
        elif kind == "quote" and self.element:
            self._read_quote(match[0])
        elif kind == "tag_start" and not self.element:
            self.element = match["element"]
            self.is_end = match[0].startswith("</")
            piece.is_block = _is_block(self.element) or (self.is_end and self.element in BOXES)
        elif kind == "tag_end" and piece.is_in_tag:
            is_box_start = not self.is_end and self.element in BOXES
            piece.is_block = _is_block(self.element) or is_box_start
            self.element = ""
        return piece

    def _read_quote(self, character: str) -> None:
        """Enter or leave an attribute value; the other kind of quote inside it means nothing."""
        if not self.quote:
            self.quote = character
        elif self.quote == character:
            self.quote = ""


def _is_block(element: str) -> bool:
    """Return whether browsers drop white space at the edges of this element."""
    return BLOCK_ELEMENT.fullmatch(element) is not None


def _pair(pieces: list[Piece]) -> None:
    """Record in each control tag where its block begins and ends."""
    open_blocks: list[list[Piece]] = []
    for index, piece in enumerate(pieces):
        if piece.kind != "control":
            continue
        if piece.name in OPENING:
            open_blocks.append([])
        if piece.name in CONTROL:
            block = open_blocks[-1]
            block.append(piece)
            piece.first = block[0].first if len(block) > 1 else index
        if piece.name in CLOSING or piece.name == "endfor":
            for other in open_blocks.pop():
                other.last = index


def _squeezed(pieces: list[Piece], index: int) -> str:
    """Return the source of the piece at an index, without its layout."""
    piece = pieces[index]
    if piece.kind == "comment":
        return ""
    if piece.is_in_tag and piece.kind in {"control", "tag_space"}:
        return _squeezed_in_tag(piece, pieces[index + 1])
    if piece.kind != "line_break":
        return piece.source
    is_needless = _follows_gap(pieces, index - 1) or _precedes_gap(pieces, index + 1)
    return "" if is_needless else " "


def _squeezed_in_tag(piece: Piece, following: Piece) -> str:
    """Return a piece of an HTML tag; the space before a conditional attribute is conditional."""
    is_before_control = following.name in CONTROL
    if piece.kind == "tag_space":
        return "" if is_before_control or following.kind == "tag_end" else " "
    if piece.name in OPENING | BRANCHES:
        has_space = is_before_control or following.kind == "tag_space"
        return piece.source if has_space else f"{piece.source} "
    return piece.source


def _follows_gap(pieces: list[Piece], index: int) -> bool:
    """Return whether only control tags are between the piece and a gap before it.

    A gap is the edge of a block element, or a line break. The start of a loop does not count: it
    also follows the loop's end.
    """
    while index >= 0:
        piece = pieces[index]
        if piece.kind == "tag_end":
            return piece.is_block
        if piece.kind == "line_break":
            return True
        if piece.name in BRANCHES:
            index = piece.first - 1
        elif piece.kind == "comment" or piece.name in OPENING - {"for"}:
            index -= 1
        else:
            return False
    return False


def _precedes_gap(pieces: list[Piece], index: int) -> bool:
    """Return whether only control tags are between the piece and a gap after it."""
    while index < len(pieces):
        piece = pieces[index]
        if piece.kind == "tag_start":
            return piece.is_block
        if piece.kind == "line_break":
            return True
        if piece.name in BRANCHES - {"empty"}:
            index = piece.last + 1
        elif piece.kind == "comment" or piece.name in CLOSING:
            index += 1
        else:
            return False
    return False

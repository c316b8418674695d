"""Texts of scripts are translated: every literal that looks like words has the tag `phrase`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.catalogue import SCRIPTS
from tools.script_texts import TAG, Literal, literals

PLACE = "\0"
MARKUP = re.compile(r"<[^<>]*>?|^[^<>]*>")
VISIBLE_ATTRIBUTES = re.compile(r"""(?:aria-label|placeholder|title|alt|label)="([^"]*)""")
WORDS = re.compile(
    r"(?:^|\s|\0)[A-Za-z][a-z]+[.,;:!?…]*(?:\s|\0)\s*\(?[A-Za-z]|\0 [a-z]{2,}|^[A-Z][a-z]+[.,;:!?…]*$|[A-Za-z][.!?…]$"
)
NO_WORDS = re.compile(
    r"[\[\]#=@{}]|^[.#][a-z]|^M-?\d|^/|:not|^(?:translate|rotate|matrix)\(|^(?:seat|way|ship|thing|plan)\b|\bseat-"
)
# Uses of a literal that is no text: addresses, selectors, classes, events, keys, requests.
FOR = re.compile(
    r"""(?:(?:find|findAll|need|closest|matches|inputsIn)\([\w.]+,|from|import|closest|matches|querySelector(?:All)?|getElementById|classList\.\w+|addEventListener|createElement(?:NS)?|"class",|"d",|
    class:|className:|className\s=|cls[:=]|type:|key\s===|\.key\s[!=]==|\.name\s===|on|at|\$|headers\.get|setAttribute|method:|import\()\s*\(?\s*`?["']?$""",
    re.VERBOSE,
)
SIGNED = re.compile(
    r"(?:^|\0)[:;!?] (?:\0|$)|\0[:;!?] "
)  # a sign between values, which languages write differently
NO_TEXTS = {
    *[
        "Enter",
        "Escape",
        "Home",
        "End",
        "Arrow",
        "POST",
        "GET",
        "Content-Type",
        "HX-Request",
        "Notification",
    ],
    *("Blind Jump", "core minor", "sysname minor", "foe bogey"),  # a name; classes
    *("stand off", "stands off"),  # understood when it is typed
}


def _visible_texts(literal: Literal) -> Iterator[str]:
    """Return the parts of a literal that people read."""
    text = PLACE.join(literal.parts)
    if "<" in text or ">" in text:
        yield from VISIBLE_ATTRIBUTES.findall(text)
        text = MARKUP.sub(" ", text)
    yield text.strip(" ")


def reads_like_words(text: str) -> bool:
    """Return whether a text looks like one for people."""
    return bool(WORDS.search(text)) and not NO_WORDS.search(text) and text not in NO_TEXTS


def test_signs_between_values_are_translated() -> None:
    """French has a space before a colon, which an untagged template lacks."""
    faults = []
    for path in sorted([*SCRIPTS.glob("*.js"), *SCRIPTS.glob("film/*.js")]):
        for literal in literals(path.read_text(encoding="utf-8")):
            if literal.tag != TAG and len(literal.parts) > 1:
                faults += [
                    f"{path.name}:{literal.line}: {literal.text}"
                    for text in _visible_texts(literal)
                    if SIGNED.search(text)
                ]
    assert not faults, "\n".join(faults)


def test_script_texts_are_translated() -> None:
    faults = []
    for path in sorted([*SCRIPTS.glob("*.js"), *SCRIPTS.glob("film/*.js")]):
        for literal in literals(path.read_text(encoding="utf-8")):
            if literal.tag == TAG or FOR.search(literal.before):
                continue
            for text in _visible_texts(literal):
                if reads_like_words(text):
                    faults += [f"{path.name}:{literal.line}: {text.replace(PLACE, '{}')}"]
    assert not faults, "\n".join(faults)

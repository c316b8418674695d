"""Strict reading of JSON and YAML, with size limits that apply before any costly work.

Both formats refuse documents that are too long, nested too deeply or have too many values, keys
given twice in a table, NUL and unpaired surrogates, and numbers that no field accepts. YAML has no
tags and no dates here. Limits decide whether it may have aliases; the values that an alias repeats
are counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

import yaml

from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.phrase import phrase

LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
LONGEST_NUMBER = 18  # digits of a whole number
LONGEST_PLAIN = 40  # characters of an unquoted YAML scalar that may be anything but a text
DEEPEST_PLACE = 40  # parts of a place that are shown

# What Python's JSON reader reports, by the beginning of its message.
JSON_FAULTS = {
    "Expecting value": phrase("a value is missing"),
    "Expecting property name": phrase("a key in double quotes is missing"),
    "Expecting ':'": phrase("the colon after a key is missing"),
    "Expecting ','": phrase("a comma or the end of a list or object is missing"),
    "Illegal trailing comma": phrase("there is a comma after the last entry"),
    "Unterminated string": phrase("a text is not closed"),
    "Invalid control character": phrase(
        "a text contains a line break or another control character"
    ),
    "Invalid \\": phrase("unknown escape after a backslash in a text"),
    "Unexpected UTF-8 BOM": phrase("the text begins with a byte order mark"),
    "Extra data": phrase("there is more text after the end of the value"),
}


@dataclass(frozen=True, slots=True)
class Limits:
    """The size limits of a document.

    Attributes:
        depth: Levels of nested tables and lists.
        values: Number of tables, lists and leaves.
        aliases: Whether YAML aliases are allowed.
    """

    characters: int
    depth: int
    values: int
    aliases: bool = False


# Local files given to the command line.
FILES = Limits(characters=5_000_000, depth=40, values=500_000, aliases=True)


class _RepeatedKeyTable(dict[str, Any]):
    """A table with a repeated key, kept in `repeated_key`."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__()
        self.repeated_key = ""
        for key, value in pairs:
            if key in self:
                self.repeated_key = key
            self[key] = value


@dataclass(frozen=True, slots=True)
class _UnusableNumber:
    """A placeholder for a number that no field accepts."""

    text: str


def read_document(text: str, limits: Limits) -> Any:
    """Return the value of a JSON or YAML text.

    Raises:
        RuleViolations: If the text is neither, or exceeds the limits.
    """
    try:
        return read_json(text, limits)
    except RuleViolations as refused:
        fault = refused
    if fault.violations[0].code != "not-json":
        raise fault
    meant_as_json = text.lstrip()[:1] in ("{", "[")  # YAML has such brackets too
    try:
        value = read_yaml(text, limits)
    except RuleViolations as refused:
        if meant_as_json and refused.violations[0].code == "not-yaml":
            raise fault from refused
        raise
    if value is None:
        raise _refused("empty", phrase("the document is empty"))
    return value


def read_json(text: str, limits: Limits) -> Any:
    """Return the value of a JSON text.

    Raises:
        RuleViolations: If the text is not JSON, or exceeds the limits.
    """
    _check_length(text, limits)
    hooks = _JsonHooks(limits)
    try:
        value = json.loads(
            text,
            object_pairs_hook=hooks.table,
            parse_constant=_refuse_constant,
            parse_int=hooks.whole_number,
            parse_float=hooks.fraction,
        )
    except RecursionError as error:
        raise _too_deep(limits) from error
    except RuleViolations:
        raise
    except json.JSONDecodeError as error:
        raise _refused("not-json", json_fault(error)) from error
    except ValueError as error:
        raise _refused("not-json", phrase("this is not JSON: {}", error.args[0])) from error
    _measure(value, limits, texts="\\u" in text or not text.isascii())
    if hooks.found_oddity:
        raise RuleViolations(_oddities(value, ()))
    return value


class _JsonHooks:
    """Builds tables and numbers for Python's JSON reader, and marks those that are refused."""

    def __init__(self, limits: Limits) -> None:
        self.found_oddity = False
        self._limits = limits
        self._tables = 0

    def table(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return a table from its pairs, with a mark if a key is repeated."""
        self._tables += 1
        if self._tables > self._limits.values:
            raise _too_many(self._limits)
        result = dict(pairs)
        if len(result) < len(pairs):
            self.found_oddity = True
            return _RepeatedKeyTable(pairs)
        return result

    def whole_number(self, text: str) -> Any:
        """Return a whole number, or a placeholder if it has too many digits."""
        if len(text.lstrip("-")) <= LONGEST_NUMBER:
            return int(text)
        return self._no_number(text)

    def fraction(self, text: str) -> Any:
        """Return a fraction, or a placeholder if it is infinite."""
        number = float(text)
        if abs(number) < float("inf"):
            return number
        return self._no_number(text)

    def _no_number(self, text: str) -> _UnusableNumber:
        """Return a placeholder for a number, and note that there is one."""
        self.found_oddity = True
        return _UnusableNumber(text[:LONGEST_PLAIN])


def json_fault(error: json.JSONDecodeError) -> str:
    """Return what is wrong with a JSON text, and where."""
    problem = next(
        (words for begins, words in JSON_FAULTS.items() if error.msg.startswith(begins)), error.msg
    )
    return phrase("this is not JSON: line {}, column {}: {}", error.lineno, error.colno, problem)


def yaml_fault(error: Exception) -> str:
    """Return that a text is not YAML, and where, if the parser knows."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return phrase("this is not valid YAML")
    return phrase("this is not valid YAML (line {}, column {})", mark.line + 1, mark.column + 1)


def read_yaml(text: str, limits: Limits) -> Any:
    """Return the value of a YAML text with one document; None for an empty text.

    Raises:
        RuleViolations: If the text is not YAML, or exceeds the limits.
    """
    _check_length(text, limits)
    try:
        return _Tree(iter(yaml.parse(text, Loader=LOADER)), limits).document()
    except RuleViolations:
        raise
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _refused("not-yaml", yaml_fault(error)) from error


def _check_length(text: str, limits: Limits) -> None:
    """Refuse a text with more characters than the limit."""
    if len(text) > limits.characters:
        raise _refused(
            "too-long",
            phrase(
                "a document can have at most {} characters; this one has {}",
                limits.characters,
                len(text),
            ),
        )


def _measure(value: Any, limits: Limits, texts: bool) -> None:
    """Count the values and the depth of a tree, and check both against the limits.

    Args:
        texts: Whether to check for characters that no text may have.
    """
    count = 1
    depth = 0
    level = [value]
    while level:
        if texts:
            _check_texts(level)
        deeper: list[Any] = []
        has_containers = False
        for item in level:
            if isinstance(item, (dict, list)):
                has_containers = True
                count += len(item)
                deeper.extend(item.values() if isinstance(item, dict) else item)
                if count > limits.values:
                    raise _too_many(limits)
        depth += has_containers
        if depth > limits.depth:
            raise _too_deep(limits)
        level = deeper


def _check_texts(level: list[Any]) -> None:
    """Check the texts and the keys of tables on one level of a tree."""
    for item in level:
        if isinstance(item, str):
            _check_text(item)
        elif isinstance(item, dict):
            for key in item:
                _check_text(key)


def _oddities(value: Any, path: tuple[str | int, ...]) -> Iterator[Violation]:
    """Yield a violation for every repeated key and every unusable number."""
    if isinstance(value, _UnusableNumber):
        yield Violation(fault_path(*path), "number", _number_words(value.text))
    elif isinstance(value, dict):
        if isinstance(value, _RepeatedKeyTable):
            yield Violation(
                fault_path(*path, value.repeated_key),
                "key-twice",
                phrase("the key {!r} is given twice", value.repeated_key),
            )
        for key, item in value.items():
            yield from _oddities(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _oddities(item, (*path, number))


class _Tree:
    """Builds the value of a YAML document from parser events, and stops at the limits."""

    def __init__(self, events: Iterator[Any], limits: Limits) -> None:
        self._events = events
        self._limits = limits
        self._values_left = limits.values
        self._anchors: dict[str, tuple[Any, int, int]] = {}  # value, number of values, depth
        self._path: list[str | int] = []

    def document(self) -> Any:
        """Return the value of the only document; None if there is none."""
        value, documents = None, 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _refused(
                        "not-yaml", phrase("a file must hold one document; this one has several")
                    )
            elif isinstance(event, yaml.NodeEvent):
                value = self._value(event, 0)[0]
        return value

    def _value(self, event: Any, depth: int) -> tuple[Any, int, int]:
        """Return a node's value, its number of values and its depth.

        Args:
            depth: The depth of the node that contains it.
        """
        if isinstance(event, yaml.AliasEvent):
            return self._repeated(event, depth)
        self._count(1)
        if event.tag not in (None, "!"):
            raise self._fault("tag", phrase("YAML tags are not allowed: {}", event.tag))
        if isinstance(event, yaml.ScalarEvent):
            built = (self._scalar(event), 1, 0)
        else:
            if depth >= self._limits.depth:
                raise _too_deep(self._limits)
            sequence = isinstance(event, yaml.SequenceStartEvent)
            if sequence:
                built = self._list(depth + 1)
            else:
                built = self._table(depth + 1)
        if event.anchor is not None:
            self._anchors[event.anchor] = built
        return built

    def _list(self, depth: int) -> tuple[list[Any], int, int]:
        """Return a list, its number of values and its depth."""
        items: list[Any] = []
        size, height = 1, 1
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            self._path.append(len(items))
            value, values, levels = self._value(event, depth)
            self._path.pop()
            items.append(value)
            size = size + values
            height = max(height, levels + 1)
        return items, size, height

    def _table(self, depth: int) -> tuple[dict[Any, Any], int, int]:
        """Return a table, its number of values and its depth."""
        table: dict[Any, Any] = {}
        size, height = 1, 1
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            if not isinstance(event, yaml.ScalarEvent):
                raise self._fault("key", phrase("a key must be a text"))
            key = self._value(event, depth)[0]
            self._values_left += 1  # keys are not counted
            self._path.append(str(key))
            if key in table:
                raise self._fault("key-twice", phrase("the key {!r} is given twice", key))
            value, values, levels = self._value(next(self._events), depth)
            self._path.pop()
            table[key] = value
            size = size + values
            height = max(height, levels + 1)
        return table, size, height

    def _repeated(self, event: Any, depth: int) -> tuple[Any, int, int]:
        """Return what an alias repeats; its values count again."""
        if not self._limits.aliases:
            raise self._fault("alias", phrase("aliases are not allowed: write out each value"))
        if event.anchor not in self._anchors:
            raise self._fault("alias", phrase("there is no anchor &{}", event.anchor))
        value, size, height = self._anchors[event.anchor]
        self._count(size)
        if depth + height > self._limits.depth:
            raise _too_deep(self._limits)
        return value, size, height

    def _scalar(self, event: Any) -> Any:
        """Return the meaning of a scalar."""
        text: str = event.value
        if not text.isascii() or "\x00" in text:
            _check_text(text)
        # Quoted, or too long for anything but a text.
        if not event.implicit[0] or len(text) > LONGEST_PLAIN:
            return text
        value = _plain(text)
        if isinstance(value, _UnusableNumber):
            raise self._fault("number", _number_words(text))
        return value

    def _count(self, values: int) -> None:
        """Count values, and stop at the limit."""
        self._values_left -= values
        if self._values_left < 0:
            raise _too_many(self._limits)

    def _fault(self, code: str, message: str) -> RuleViolations:
        """Return a fault at the present place."""
        return RuleViolations([Violation(fault_path(*self._path[:DEEPEST_PLACE]), code, message)])


_RESOLVER: Any = yaml.resolver.Resolver()
_CONSTRUCTOR: Any = yaml.constructor.SafeConstructor()


@lru_cache(maxsize=4096)
def _plain(text: str) -> Any:
    """Return the meaning of an unquoted scalar: null, true, false, a number or a text."""
    kind = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False)).rpartition(":")[2]
    node = yaml.ScalarNode(kind, text)
    if kind == "null":
        return None
    if kind == "bool":
        return _CONSTRUCTOR.construct_yaml_bool(node)
    if kind == "int":
        integer = _CONSTRUCTOR.construct_yaml_int(node)
        if abs(integer) < 10**LONGEST_NUMBER:
            return integer
        return _UnusableNumber(text)
    if kind == "float":
        number = _CONSTRUCTOR.construct_yaml_float(node)
        if abs(number) < float("inf"):
            return number
        return _UnusableNumber(text)
    return text


def _number_words(text: str) -> str:
    """Return the words of the fault of a number that no field accepts."""
    return phrase(
        "{} cannot be used: a whole number can have at most {} digits, and no number can be "
        "infinite",
        text,
        LONGEST_NUMBER,
    )


def _refuse_constant(text: str) -> NoReturn:
    """Refuse the infinities and NaN that Python reads but JSON does not have."""
    raise ValueError(phrase("{} is not a JSON number", text))


def _check_text(text: str) -> None:
    """Refuse NUL, which databases cannot store, and unpaired surrogates, which have no encoding."""
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text if letter > "\x7f"):
        raise _refused(
            "characters", phrase("NUL and unpaired surrogate characters are not allowed")
        )


def _too_deep(limits: Limits) -> RuleViolations:
    """Return the refusal of a document that is nested too deeply."""
    return _refused(
        "too-deep", phrase("the document is nested too deeply: at most {} levels", limits.depth)
    )


def _too_many(limits: Limits) -> RuleViolations:
    """Return the refusal of a document with too many values."""
    return _refused(
        "too-many-values", phrase("a document can have at most {} values", limits.values)
    )


def _refused(code: str, message: str) -> RuleViolations:
    """Return a refusal of the whole document."""
    return RuleViolations([Violation("", code, message)])

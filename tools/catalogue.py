"""The translation catalogues: find every text of the program, and write
locale/*/LC_MESSAGES/django.*.

Texts are in four places: templates (`{% translate %}`, `{% blocktranslate %}`), Python sources
(`phrase`, and nouns passed to `counted_noun` and the like), tables of data that pages show (help,
options, names of systems), and scripts, whose texts in a language form their own module
(static/js/phrases/). A new message is added without a translation, a removed one is dropped, and
existing translations stay.

The sources are read here because Babel's extractors lose texts: the one for Python joins both
branches of a conditional expression and does not say what fills a placeholder, the one for
JavaScript keeps the code in a template's placeholders, and none reads Django's templates.

`bin/catalogue` writes the catalogues and names what is not translated. `bin/catalogue --check`
writes nothing; its exit status is 1 if a catalogue is outdated or incomplete. Run it again after
each change of a .po file.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import django
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation import trim_whitespace

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # it is also run as a file

from engine.core.reason_texts import REASON_TEXTS  # noqa: E402
from tools import reason_texts  # noqa: E402

LANGUAGES = ("de", "fr")
# A constant date, so the files do not change without a reason
NEVER = datetime(2026, 1, 1, tzinfo=UTC)
SCRIPTS = ROOT / "static" / "js"
SOURCES = ("engine", "campaign", "umpire", "config", "jobs")
# Readers of battle files: authors of such files are programmers, and read the faults in English.
UNTRANSLATED_FILES = re.compile(
    r"engine/notation/(auto_point_defence|battle_\w+|battles|deployments|extra_marines|files|gates|"
    r"ground|mines|open_bodies|sections|ships_by_key|terms|terrain)\.py"
)
NOUN = "noun"  # the context of nouns after numbers
NOUNS = {
    "counted_noun": 1,
    "noun_for": 1,
    "counted": 1,
}  # functions, with the position of the noun among their arguments
# Functions that declare a text, with the position of the text among their arguments.
TEXT_ARGUMENTS = {"reason": 1, "phrase": 0, "join_phrases": 0, **NOUNS}
FILLED = ("reason", "phrase")  # the arguments after their text fill its placeholders
# Calls of these functions in a module.
DECLARES_TEXT = re.compile(rf"\b(?:{'|'.join(TEXT_ARGUMENTS)})\(")
TRANSLATED = re.compile(r"""\{% translate (["'])(.*?)\1(?: as \w+)? %\}""")
BLOCK = re.compile(r"\{% blocktranslate\b(.*?)%\}(.*?)\{% endblocktranslate %\}", re.DOTALL)
ARGUMENT = re.compile(r'_\("(.*?)"\)')
TEMPLATE_VALUE = re.compile(r"\{\{ (\w+) \}\}")
IN_TEMPLATE = re.compile(r"""(?:(?:counted_noun|noun_for):|<c-fold [^>]*noun=)(["'])(.+?)\1""")
IN_MESSAGE = re.compile(r"\{\w+:([a-z][a-z ]+)\}")  # a noun in a message, after its number
WORD_PATTERN = re.compile(
    r"[A-Za-z]{2}|'s|^%$"
)  # the bare sign: some languages put a space before it
LETTER = re.compile(r"[A-Za-z]")
SIGN = re.compile(r"[:;!?»](?=\s|$)")  # punctuation that some languages put a space before
PLACES = re.compile(r"\{[^{}]*\}|%\(\w+\)s")
TAG = re.compile(r"</?[a-z]+>")
# Spaces that must not break a line, by language.
UNBROKEN = {"fr": re.compile("[ \N{NARROW NO-BREAK SPACE}](?=[:;!?»])|(?<=«) ")}
SHARE = re.compile(
    r"(\}|\)s|\d)[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]*(%%?)(?![(%\w])"
)  # a number before its sign
SPACED = ("fr",)  # languages with a space before these signs
UNSPACED = re.compile(
    r"[^\s:;!?\"][:;!?»](?=\s|$)|(?<!\N{NO-BREAK SPACE}) +[:;!?»]|«(?!\N{NO-BREAK SPACE})"
)
MAX_PRINTED = 50  # most faults printed
FORMS = re.compile(
    r"\{(\d*):[^{}|]*\|[^{}|]*\}"
)  # forms of a word for its number, in a text of a script


@dataclass
class TextUse:
    """A text of the program: where it is used, and what fills its placeholders."""

    places: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    in_scripts: bool = False  # also used by a script


Forms = str | tuple[str, ...] | list[str]  # a translation; of a noun, one for each number form
Texts = dict[tuple[str, str], TextUse]  # by (context, text)


def texts() -> Texts:
    """Return every text of the program with its uses, by context and text."""
    from tools.script_texts import phrases_in

    uses: Texts = {}
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for context, text in in_template(path.read_text(encoding="utf-8")):
            _add(uses, context, text, path.relative_to(ROOT).as_posix())
    for top in SOURCES:
        for path in sorted((ROOT / top).rglob("*.py")):
            if UNTRANSLATED_FILES.fullmatch(path.relative_to(ROOT).as_posix()):
                continue
            for context, text, comment in in_source(path):
                _add(uses, context, text, path.relative_to(ROOT).as_posix(), comment)
    for path in sorted([*SCRIPTS.glob("*.js"), *SCRIPTS.glob("film/*.js")]):
        for text in phrases_in(path.read_text(encoding="utf-8")):
            _add(uses, "", text, path.relative_to(ROOT).as_posix(), in_scripts=True)
    for place, context, text in in_tables():
        _add(uses, context, text, place)
    for text in reasons()[0].values():
        if ("", text) not in uses:  # no longer declared, but still in stored documents
            _add(uses, "", text, reason_texts.FILE.relative_to(ROOT).as_posix())
    return uses


@cache
def reasons() -> tuple[dict[str, str], list[str]]:
    """Return the current table of reasons, and its faults (`tools.reason_texts`)."""
    declared = (
        item
        for top in SOURCES
        for path in sorted((ROOT / top).rglob("*.py"))
        for item in reason_texts.declarations_in(calls_in(path))
    )
    return reason_texts.reason_texts(declared, REASON_TEXTS)


def _add(
    uses: Texts,
    context: str,
    text: str,
    place: str,
    comment: str = "",
    *,
    in_scripts: bool = False,
) -> None:
    if not _has_words(text, in_scripts=in_scripts) and not SIGN.search(text):
        return
    use = uses.setdefault((context, text), TextUse())
    use.in_scripts |= in_scripts
    if place not in use.places:
        use.places.append(place)
    if comment and comment not in use.comments:
        use.comments.append(comment)
    for noun in IN_MESSAGE.findall(text):
        _add(uses, NOUN, noun, place)


def _has_words(text: str, *, in_scripts: bool = False) -> bool:
    """Return whether a text has words, not only placeholders and punctuation."""
    return bool(
        (LETTER if in_scripts else WORD_PATTERN).search(
            text if in_scripts else PLACES.sub("", text)
        )
    )


def in_template(text: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a template as (context, text), also those in attributes of components."""
    for _, text_found in TRANSLATED.findall(text):
        yield "", text_found
    for trimmed, text_found in BLOCK.findall(text):
        message = TEMPLATE_VALUE.sub(r"%(\1)s", text_found.replace("%", "%%"))
        yield "", trim_whitespace(message) if "trimmed" in trimmed.split() else message
    for text_found in ARGUMENT.findall(text):
        yield "", text_found
    for _, noun in IN_TEMPLATE.findall(text):
        yield NOUN, noun


@cache
def calls_in(path: Path) -> tuple[ast.Call, ...]:
    """Return the calls in a module; none if it calls no function that declares a text.

    Most modules declare none, and parsing all of them took half of the time of `texts`.
    """
    source = path.read_text(encoding="utf-8")
    if not DECLARES_TEXT.search(source):
        return ()
    return tuple(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))


def in_source(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of a module as (context, text, what fills its placeholders)."""
    for node in calls_in(path):
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        number = TEXT_ARGUMENTS.get(name)
        if number is None or len(node.args) <= number:
            continue
        comment = ""
        if name in FILLED:
            comment = ", ".join(ast.unparse(argument) for argument in node.args[number + 1 :])
        for text in _constants(node.args[number]):
            yield (NOUN if name in NOUNS else ""), text, comment


def _constants(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an argument can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)


def in_tables() -> Iterator[tuple[str, str, str]]:
    """Yield the texts of tables of data that pages show, as (place, context, text)."""
    from config import allauth_texts
    from tools import catalogue_tables as shown_tables

    yield from (("config/allauth_texts.py", "", text) for text in allauth_texts.TEXTS)
    for place, texts_of in shown_tables.TABLES.items():
        yield from ((place, "", text) for text in texts_of())
    for noun in shown_tables.nouns():
        yield "tables", NOUN, noun


def catalogue(language: str, uses: Texts) -> Catalog:
    """Return the current catalogue of a language: all texts, with the earlier translations."""
    from engine.core.phrase import plural

    path = po_of(language)
    earlier = (
        read_po(io.BytesIO(path.read_bytes()), locale=language)
        if path.is_file()
        else Catalog(locale=language)
    )
    catalog = Catalog(
        locale=language,
        project="Blind Jump",
        copyright_holder="the authors of Blind Jump",
        charset="utf-8",
        fuzzy=False,
        creation_date=NEVER,
        revision_date=NEVER,
        header_comment="",
    )
    catalog.mime_headers = [
        ("Project-Id-Version", "Blind Jump"),
        ("Language", language),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Transfer-Encoding", "8bit"),
        ("Plural-Forms", f"nplurals=2; plural={'(n > 1)' if language == 'fr' else '(n != 1)'};"),
    ]
    for (context, text), use in sorted(uses.items()):
        old = earlier.get(text, context or None)
        key: str | tuple[str, str] = (text, plural(text)) if context == NOUN else text
        string = (
            old.string if old is not None and old.string else (("", "") if context == NOUN else "")
        )
        if not _has_words(text, in_scripts=use.in_scripts):
            string = SIGN.sub(r" \g<0>", text) if language in SPACED else text
        catalog.add(
            key,
            _with_no_break_spaces(string, language),
            locations=[(place, 0) for place in use.places[:3]],
            auto_comments=use.comments[:2],
            context=context or None,
        )
    return catalog


def _with_no_break_spaces(translation: Forms, language: str) -> str | tuple[str, ...]:
    """Return a translation with no-break spaces where its language needs them; narrow ones before
    `%`.
    """
    if not isinstance(translation, str):
        return tuple(str(_with_no_break_spaces(form, language)) for form in translation)
    translation = SHARE.sub("\\1\N{NARROW NO-BREAK SPACE}\\2", translation)
    return (
        UNBROKEN[language].sub("\N{NO-BREAK SPACE}", translation)
        if language in UNBROKEN
        else translation
    )


def po_of(language: str) -> Path:
    """Return the path of a language's .po file."""
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def faults(catalog: Catalog) -> Iterator[str]:
    """Yield the faults of a catalogue: missing translations, and placeholders that differ."""
    for message in catalog:
        if not message.id:
            continue
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if not all(forms):
            yield f"{catalog.locale}: not translated: {message.id!r}"
        elif isinstance(message.id, str):
            yield from (
                f"{catalog.locale}: {words}: {message.id!r}" for words in _message_faults(message)
            )
        if str(catalog.locale) in SPACED and any(
            _lacks_space_before_sign(str(form), str(message.id)) for form in forms
        ):
            yield f"{catalog.locale}: has a sign without the no-break space before it: {message.id!r}"


def _message_faults(message: Message) -> Iterator[str]:
    text, translation = str(message.id), str(message.string)
    if FORMS.search(text + translation):
        forms, places = FORMS.findall(translation), len(PLACES.findall(FORMS.sub("…", text)))
        text, translation = FORMS.sub("…", text), FORMS.sub("…", translation)
        if any(int(number or 0) >= places for number in forms):
            yield "has a form of a place that is not there"
    if _placeholders(text) != _placeholders(translation):
        yield f"has other places in its translation {translation!r}"
    if sorted(TAG.findall(text)) != sorted(TAG.findall(translation)):
        yield f"has other tags in its translation {translation!r}"
    if _has_words(text) and (text[:1].isspace(), text[-1:].isspace()) != (
        translation[:1].isspace(),
        translation[-1:].isspace(),
    ):
        yield f"has other spaces at its ends in its translation {translation!r}"


def _lacks_space_before_sign(translation: str, text: str) -> bool:
    """Return whether a translation lacks a space before a sign; signs quoted from English are
    ignored.
    """
    words, quoted = (re.sub(r"</?[a-z]+[^>]*>", "", item) for item in (translation, text))
    signs = UNSPACED.finditer(words)
    return any(words[max(0, item.start() - 3) : item.end() + 2] not in quoted for item in signs)


def _placeholders(text: str) -> list[str]:
    """Return a message's placeholders: `{}` by number, others by name."""
    number, names = 0, []
    for place in PLACES.findall(text.replace("{{", "").replace("}}", "")):
        if place.startswith("{}") or place.startswith("{:"):
            names.append(f"{{{number}{place[1:]}")
            number += 1
        else:
            names.append(place)
    return sorted(names)


def script_bytes(catalog: Catalog, uses: Texts) -> bytes:
    """Return a language's module of texts for scripts."""
    script_keys = sorted(text for (_, text), item in uses.items() if item.in_scripts)
    translations = {
        text: str(item.string)
        for text in script_keys
        if (item := catalog.get(text)) and item.string not in ("", text)
    }
    lines = json.dumps(translations, ensure_ascii=False, indent=0, separators=(",", ":"))
    return f'import {{ translations }} from "../phrase.js";\nObject.assign(translations, {lines});\n'.encode()


def po_bytes(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_po(file, catalog, width=110, sort_output=False, include_lineno=False, omit_header=False)
    return file.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def main(arguments: Iterable[str]) -> int:
    """Write or check the catalogues; print the faults, missing translations above all."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    uses, check = texts(), "--check" in arguments
    table, trouble = reasons()
    if table != REASON_TEXTS and check:
        trouble.append(f"{reason_texts.FILE.relative_to(ROOT)} is out of date: run bin/catalogue")
    elif table != REASON_TEXTS and not trouble:
        reason_texts.FILE.write_bytes(reason_texts.file_bytes(table))
    for language in LANGUAGES:
        catalog, path = catalogue(language, uses), po_of(language)
        script = SCRIPTS / "phrases" / f"{language}.js"
        files = {
            path: po_bytes(catalog),
            path.with_suffix(".mo"): mo_bytes(catalog),
            script: script_bytes(catalog, uses),
        }
        trouble += faults(catalog)
        if not check:
            for file, content in files.items():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        elif any(
            not file.is_file() or file.read_bytes() != content for file, content in files.items()
        ):
            trouble.append(f"{path.relative_to(ROOT)} is out of date: run bin/catalogue")
        complete = sum(
            1 for message in catalog if message.id and message.string and all(message.string)
        )
        print(f"{language}: {complete} of {len(catalog)} texts are translated")
    if trouble:
        print("\n".join(trouble[:MAX_PRINTED]))
        if len(trouble) > MAX_PRINTED:
            print(f"and {len(trouble) - MAX_PRINTED} more")
        print("Mend them in locale/*/LC_MESSAGES/django.po, then run bin/catalogue again.")
    return 1 if check and trouble else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))

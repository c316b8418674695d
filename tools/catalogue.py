"""The catalogues of other languages: finds every text of the program and writes
locale/*/LC_MESSAGES/django.{po,mo}.

Texts stand in four places: templates (`{% translate %}`, `{% blocktranslate %}`), the sources
(`phrase`, and nouns given to `counted_noun` and its like), tables of data that pages show (help,
options, names of systems), and the scripts of pages, whose texts in a language are a module of
their own (static/js/phrases/). A message that is new is added without a translation, one that is
gone is dropped; what was translated stays.

Use: bin/catalogue (writes, and names what is not translated), bin/catalogue --check (writes
nothing; exit status 1 where a catalogue is out of date or not whole). Run it again after each
change of a .po file.
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
sys.path.insert(0, str(ROOT))  # it is run as a file, too

from engine.core.reason_texts import REASON_TEXTS  # noqa: E402
from tools import reason_texts  # noqa: E402

LANGUAGES = ("de", "fr")
NEVER = datetime(2026, 1, 1, tzinfo=UTC)  # the files say nothing of when they were written
SCRIPTS = ROOT / "static" / "js"
SOURCES = ("engine", "campaign", "umpire", "config", "jobs")
# Readers of battle files: whoever writes such a file is a programmer, and reads English faults.
UNTOLD = re.compile(
    r"engine/notation/(battle_\w+|battles|companies|crews|deployments|files|gates|ground|mines|officers|orbits|riders|"
    r"sections|stands|terms|terrain)\.py"
)
NOUN = "noun"  # the context of nouns that stand after numbers
NOUNS = {
    "counted_noun": 1,
    "noun_for": 1,
    "counted": 1,
}  # functions, and which of their arguments is a noun
TRANSLATED = re.compile(r"""\{% translate (["'])(.*?)\1 %\}""")
BLOCK = re.compile(r"\{% blocktranslate\b(.*?)%\}(.*?)\{% endblocktranslate %\}", re.DOTALL)
ARGUMENT = re.compile(r'_\("(.*?)"\)')
FILLED = re.compile(r"\{\{ (\w+) \}\}")
IN_TEMPLATE = re.compile(r"""(?:(?:counted_noun|noun_for):|<c-fold [^>]*noun=)(["'])(.+?)\1""")
IN_MESSAGE = re.compile(r"\{\w+:([a-z][a-z ]+)\}")  # a noun that a message gives a number
LETTERS = re.compile(r"[A-Za-z]{2}|'s|^%$")  # the sign alone: some languages put a space before it
LETTER = re.compile(r"[A-Za-z]")
SIGN = re.compile(r"[:;!?»](?=\s|$)")  # signs before which some languages have a space
PLACES = re.compile(r"\{[^{}]*\}|%\(\w+\)s")
TAG = re.compile(r"</?[a-z]+>")
# Spaces of a language at which no line breaks.
UNBROKEN = {"fr": re.compile("[ \N{NARROW NO-BREAK SPACE}](?=[:;!?»])|(?<=«) ")}
SHARE = re.compile(
    r"(\}|\)s|\d)[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]*(%%?)(?![(%\w])"
)  # a number before its sign
SPACED = ("fr",)  # languages with a space before such signs
UNSPACED = re.compile(
    r"[^\s:;!?\"][:;!?»](?=\s|$)|(?<!\N{NO-BREAK SPACE}) +[:;!?»]|«(?!\N{NO-BREAK SPACE})"
)
MOST_TOLD = 50  # faults that are printed
FORMS = re.compile(
    r"\{(\d*):[^{}|]*\|[^{}|]*\}"
)  # of a word that goes with a number, in a script's text


@dataclass
class Found:
    """A text of the program: where it stands, and what is put into its places."""

    places: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    in_scripts: bool = False  # whether a script says it, too


Forms = str | tuple[str, ...] | list[str]  # a translation; of a noun, those that its numbers have
Texts = dict[tuple[str, str], Found]  # by (context, text)


def texts() -> Texts:
    """Every text of the program with its places, by context and text."""
    from tools.script_texts import phrases_in

    found: Texts = {}
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for context, text in in_template(path.read_text(encoding="utf-8")):
            _add(found, context, text, path.relative_to(ROOT).as_posix())
    for top in SOURCES:
        for path in sorted((ROOT / top).rglob("*.py")):
            if UNTOLD.fullmatch(path.relative_to(ROOT).as_posix()):
                continue
            for context, text, comment in in_source(path.read_text(encoding="utf-8")):
                _add(found, context, text, path.relative_to(ROOT).as_posix(), comment)
    for path in sorted(SCRIPTS.glob("*.js")):
        for text in phrases_in(path.read_text(encoding="utf-8")):
            _add(found, "", text, path.relative_to(ROOT).as_posix(), in_scripts=True)
    for place, context, text in in_tables():
        _add(found, context, text, place)
    for text in reasons()[0].values():
        if ("", text) not in found:  # declared no more, but stored
            _add(found, "", text, reason_texts.FILE.relative_to(ROOT).as_posix())
    return found


@cache
def reasons() -> tuple[dict[str, str], list[str]]:
    """The table of reasons as it is now, and what is wrong with it (`tools.reason_texts`)."""
    declared = (
        one
        for top in SOURCES
        for path in sorted((ROOT / top).rglob("*.py"))
        for one in reason_texts.declared_in(ast.parse(path.read_text(encoding="utf-8")))
    )
    return reason_texts.reason_texts(declared, REASON_TEXTS)


def _add(
    found: Texts,
    context: str,
    text: str,
    place: str,
    comment: str = "",
    *,
    in_scripts: bool = False,
) -> None:
    if not _worded(text, in_scripts=in_scripts) and not SIGN.search(text):
        return
    one = found.setdefault((context, text), Found())
    one.in_scripts |= in_scripts
    if place not in one.places:
        one.places.append(place)
    if comment and comment not in one.comments:
        one.comments.append(comment)
    for noun in IN_MESSAGE.findall(text):
        _add(found, NOUN, noun, place)


def _worded(text: str, *, in_scripts: bool = False) -> bool:
    """Whether a text has words, and not only places and signs."""
    return bool(
        (LETTER if in_scripts else LETTERS).search(text if in_scripts else PLACES.sub("", text))
    )


def in_template(text: str) -> Iterator[tuple[str, str]]:
    """The texts of a template's source, as (context, text), those in attributes of components as
    well.
    """
    for _, said in TRANSLATED.findall(text):
        yield "", said
    for trimmed, said in BLOCK.findall(text):
        message = FILLED.sub(r"%(\1)s", said.replace("%", "%%"))
        yield "", trim_whitespace(message) if "trimmed" in trimmed.split() else message
    for said in ARGUMENT.findall(text):
        yield "", said
    for _, noun in IN_TEMPLATE.findall(text):
        yield NOUN, noun


def in_source(source: str) -> Iterator[tuple[str, str, str]]:
    """The texts of a module, as (context, text, what stands in its places)."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        if name == "reason" and len(node.args) > 1:
            comment = ", ".join(ast.unparse(one) for one in node.args[2:])
            yield from (("", text, comment) for text in _constants(node.args[1]))
        elif name == "phrase" and node.args:
            comment = ", ".join(ast.unparse(one) for one in node.args[1:])
            for text in _constants(node.args[0]):
                yield "", text, comment
        elif name == "joined_phrases" and node.args:
            yield from (("", text, "") for text in _constants(node.args[0]))
        elif name in NOUNS and len(node.args) > NOUNS[name]:
            for text in _constants(node.args[NOUNS[name]]):
                yield NOUN, text, ""


def _constants(node: ast.expr) -> Iterator[str]:
    """The texts that an argument may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)


def in_tables() -> Iterator[tuple[str, str, str]]:
    """The texts of tables of data that pages show, as (place, context, text)."""
    from config import allauth_texts
    from tools import catalogue_tables as shown_tables

    yield from (("config/allauth_texts.py", "", text) for text in allauth_texts.TEXTS)
    for place, texts_of in shown_tables.TABLES.items():
        yield from ((place, "", text) for text in texts_of())
    for noun in shown_tables.nouns():
        yield "tables", NOUN, noun


def catalogue(language: str, found: Texts) -> Catalog:
    """The catalogue of a language as it is now: all texts, translated where they were before."""
    from engine.core.phrase import plural

    path = po_of(language)
    kept = (
        read_po(io.BytesIO(path.read_bytes()), locale=language)
        if path.is_file()
        else Catalog(locale=language)
    )
    made = Catalog(
        locale=language,
        project="Blind Jump",
        copyright_holder="the authors of Blind Jump",
        charset="utf-8",
        fuzzy=False,
        creation_date=NEVER,
        revision_date=NEVER,
        header_comment="",
    )
    made.mime_headers = [
        ("Project-Id-Version", "Blind Jump"),
        ("Language", language),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Transfer-Encoding", "8bit"),
        ("Plural-Forms", f"nplurals=2; plural={'(n > 1)' if language == 'fr' else '(n != 1)'};"),
    ]
    for (context, text), one in sorted(found.items()):
        old = kept.get(text, context or None)
        key: str | tuple[str, str] = (text, plural(text)) if context == NOUN else text
        string = (
            old.string if old is not None and old.string else (("", "") if context == NOUN else "")
        )
        if not _worded(text, in_scripts=one.in_scripts):
            string = SIGN.sub(r" \g<0>", text) if language in SPACED else text
        made.add(
            key,
            _unbroken(string, language),
            locations=[(place, 0) for place in one.places[:3]],
            auto_comments=one.comments[:2],
            context=context or None,
        )
    return made


def _unbroken(given: Forms, language: str) -> str | tuple[str, ...]:
    """A translation, or those of a noun, with no-break spaces where its language has them, narrow
    ones before `%`.
    """
    if not isinstance(given, str):
        return tuple(str(_unbroken(one, language)) for one in given)
    given = SHARE.sub("\\1\N{NARROW NO-BREAK SPACE}\\2", given)
    return UNBROKEN[language].sub("\N{NO-BREAK SPACE}", given) if language in UNBROKEN else given


def po_of(language: str) -> Path:
    """Where the translations of a language stand."""
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def faults(made: Catalog) -> Iterator[str]:
    """What is wrong with a catalogue: texts without a translation, places that a translation has
    not or has besides.
    """
    for message in made:
        if not message.id:
            continue
        given = message.string if isinstance(message.string, tuple) else (message.string,)
        if not all(given):
            yield f"{made.locale}: not translated: {message.id!r}"
        elif isinstance(message.id, str):
            yield from (f"{made.locale}: {words}: {message.id!r}" for words in _wrong(message))
        if str(made.locale) in SPACED and any(_crowded(str(one), str(message.id)) for one in given):
            yield f"{made.locale}: has a sign without the no-break space before it: {message.id!r}"


def _wrong(message: Message) -> Iterator[str]:
    text, told = str(message.id), str(message.string)
    if FORMS.search(text + told):
        forms, places = FORMS.findall(told), len(PLACES.findall(FORMS.sub("…", text)))
        text, told = FORMS.sub("…", text), FORMS.sub("…", told)
        if any(int(number or 0) >= places for number in forms):
            yield "has a form of a place that is not there"
    if _filled(text) != _filled(told):
        yield f"has other places in its translation {told!r}"
    if sorted(TAG.findall(text)) != sorted(TAG.findall(told)):
        yield f"has other tags in its translation {told!r}"
    if _worded(text) and (text[:1].isspace(), text[-1:].isspace()) != (
        told[:1].isspace(),
        told[-1:].isspace(),
    ):
        yield f"has other spaces at its ends in its translation {told!r}"


def _crowded(told: str, text: str) -> bool:
    """Whether a translation has a sign without its space; what stands so in English, too, is
    quoted.
    """
    words, quoted = (re.sub(r"</?[a-z]+[^>]*>", "", one) for one in (told, text))
    found = UNSPACED.finditer(words)
    return any(words[max(0, one.start() - 3) : one.end() + 2] not in quoted for one in found)


def _filled(text: str) -> list[str]:
    """What a message is filled with: `{}` by its number, others by their names."""
    number, found = 0, []
    for place in PLACES.findall(text.replace("{{", "").replace("}}", "")):
        if place.startswith("{}") or place.startswith("{:"):
            found.append(f"{{{number}{place[1:]}")
            number += 1
        else:
            found.append(place)
    return sorted(found)


def script_bytes(made: Catalog, found: Texts) -> bytes:
    """The module of a language: what it calls the texts of scripts."""
    said = sorted(text for (_, text), one in found.items() if one.in_scripts)
    told = {
        text: str(one.string)
        for text in said
        if (one := made.get(text)) and one.string not in ("", text)
    }
    lines = json.dumps(told, ensure_ascii=False, indent=0, separators=(",", ":"))
    return f'import {{ translations }} from "../phrase.js";\nObject.assign(translations, {lines});\n'.encode()


def po_bytes(made: Catalog) -> bytes:
    file = io.BytesIO()
    write_po(file, made, width=110, sort_output=False, include_lineno=False, omit_header=False)
    return file.getvalue()


def mo_bytes(made: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, made)
    return file.getvalue()


def main(arguments: Iterable[str]) -> int:
    """Write the catalogues, or only check them, and print what is wrong: texts without a
    translation above all.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    found, check = texts(), "--check" in arguments
    table, trouble = reasons()
    if table != REASON_TEXTS and check:
        trouble.append(f"{reason_texts.FILE.relative_to(ROOT)} is out of date: run bin/catalogue")
    elif table != REASON_TEXTS and not trouble:
        reason_texts.FILE.write_bytes(reason_texts.file_bytes(table))
    for language in LANGUAGES:
        made, path = catalogue(language, found), po_of(language)
        script = SCRIPTS / "phrases" / f"{language}.js"
        files = {
            path: po_bytes(made),
            path.with_suffix(".mo"): mo_bytes(made),
            script: script_bytes(made, found),
        }
        trouble += faults(made)
        if not check:
            for file, written in files.items():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(written)
        elif any(
            not file.is_file() or file.read_bytes() != written for file, written in files.items()
        ):
            trouble.append(f"{path.relative_to(ROOT)} is out of date: run bin/catalogue")
        whole = sum(1 for message in made if message.id and message.string and all(message.string))
        print(f"{language}: {whole} of {len(made)} texts are translated")
    if trouble:
        print("\n".join(trouble[:MOST_TOLD]))
        if len(trouble) > MOST_TOLD:
            print(f"and {len(trouble) - MOST_TOLD} more")
        print("Mend them in locale/*/LC_MESSAGES/django.po, then run bin/catalogue again.")
    return 1 if check and trouble else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))

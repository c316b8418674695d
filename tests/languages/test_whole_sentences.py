"""A sentence of a template is one text of the catalogues, with its links, bold words and values."""

from __future__ import annotations

import pytest

from tests.languages.sentences import CLAUSE, SENTENCE, bare_signs, find_torn_sentences
from tests.sources import ROOT
from tools import catalogue

TORN = [
    '<p>{% translate "Order repairs with" %} <a href="{{ orders }}">{% translate "the week\'s orders" %}</a>.</p>',
    '<p>{% translate "Wait" %}{% if closes %}{% translate ", until" %} {{ closes|deadline }}{% endif %}.</p>',
    "<p>{{ ships }} {% translate 'in' %} <b>{{ place }}</b></p>",
    '<p>{% translate "Winner:" %} {{ name }} {% blocktranslate %}after {{ turns }}.{% endblocktranslate %}</p>',
    '<p>{% translate "Invite" %} {% if a %}{% translate "another" %}{% else %}{% translate "one" %}{% endif %}</p>',
    '<li>{% translate "Save again." %} {{ a }}{% if b %}{% translate "; nobody else sees it." %}{% endif %}</li>',
]
WHOLE_SENTENCES = [
    '<p>{% blocktranslate %}Order repairs with <a href="{{ it }}">your orders</a>.{% endblocktranslate %}</p>',
    '<p>{% if a %}{% translate "Wait until all have sealed" %}{% else %}{% translate "then seal" %}{% endif %}</p>',
    '<p>{% translate "Sealed." %} {% translate "Unseal it." %} <a href="">{% translate "All receipts" %}</a></p>',
    '<p><a href="">{% translate "My designs" %}</a> <a href="">{% translate "your scenarios" %}</a></p>',
    '<li>{{ name }}, {% translate "not settled" %} <span class="tag">{% translate "docked" %}</span></li>',
    '<th>{% translate "Ship" %}</th><th>{% translate "damage" %}</th>',
]


def test_template_sentences_are_complete() -> None:
    faults = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for line, first, then in find_torn_sentences(path.read_text(encoding="utf-8")):
            faults.append(f"{path.relative_to(ROOT)}:{line}: {first!r} goes on with {then!r}")
    assert not faults, "\n".join(faults)


def test_signs_after_values_are_translated() -> None:
    """French has a no-break space before a colon or a semicolon."""
    faults = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        faults += [
            f"{path.relative_to(ROOT)}: {sign}"
            for sign in bare_signs(path.read_text(encoding="utf-8"))
        ]
    assert not faults, "\n".join(faults)
    assert bare_signs("<b>{{ name }}</b>: {{ words }}")
    assert not bare_signs('{{ name }}{% translate ":" %} {{ words }}')


@pytest.mark.parametrize("source", TORN)
def test_split_sentence_is_found(source: str) -> None:
    assert list(find_torn_sentences(source))


@pytest.mark.parametrize("source", WHOLE_SENTENCES)
def test_complete_sentence_is_accepted(source: str) -> None:
    assert list(find_torn_sentences(source)) == []


def test_program_and_script_texts_are_no_fragments() -> None:
    """A continued text is one text: `phrase("{}, lost", name)`, never `+ phrase(", lost")`."""
    faults = []
    for (context, text), entry in catalogue.texts().items():
        if context != catalogue.NOUN and CLAUSE.search(text) and not SENTENCE.fullmatch(text):
            faults += [
                f"{place}: {text!r}" for place in entry.places if not place.startswith("templates/")
            ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "text",
    [", lost {}", " for {}", "; {} has superiority", ", in a stand-off", "{} fires at {} and "],
)
def test_fragment_is_found(text: str) -> None:
    assert CLAUSE.search(text)


@pytest.mark.parametrize(
    "text", ["{}, lost", ", ", " and ", "; ", "{}; {} has superiority", "drive "]
)
def test_separator_is_no_fragment(text: str) -> None:
    assert not CLAUSE.search(text)

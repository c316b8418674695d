"""The template loader, which removes layout."""

from __future__ import annotations

import pytest

from config.templates import squeeze

SQUEEZED = {
    "a list": (
        "<ul>\n  {% for a in b %}\n    <li>{{ a }}</li>\n  {% endfor %}\n</ul>",
        "<ul>{% for a in b %}<li>{{ a }}</li>{% endfor %}</ul>",
    ),
    "a condition that fills a paragraph": (
        "<p>\n  {% if a %}\n    A\n  {% else %}\n    {{ b }}\n  {% endif %}\n</p>",
        "<p>{% if a %}A{% else %}{{ b }}{% endif %}</p>",
    ),
    "words in a line": (
        "<p>\n  <b>A</b>\n  {% if b %}\n    b\n  {% endif %}\n  c\n</p>",
        "<p><b>A</b> {% if b %}b{% endif %} c</p>",
    ),
    "words in a loop": (
        "<p>\n  {% for a in b %}\n    {{ a }}\n  {% endfor %}\n</p>",
        "<p>{% for a in b %} {{ a }} {% endfor %}</p>",
    ),
    "attributes": (
        '<input\n  name="a"\n  {% if b %}checked{% endif %}\n  {% if c %}disabled{% endif %}\n>',
        '<input name="a"{% if b %} checked{% endif %}{% if c %} disabled{% endif %}>',
    ),
    "two kinds of attributes": (
        '<a\n  {% if b %}\n    class="x"\n  {% else %}\n    id="y"\n  {% endif %}\n  href="#"\n>',
        '<a{% if b %} class="x"{% else %} id="y"{% endif %} href="#">',
    ),
    "a comment": ("<p>a</p>\n{% comment %}\nb\n{% endcomment %}\n<p>c</p>", "<p>a</p><p>c</p>"),
    "a button in a line": (
        'A\n<button\n  type="submit"\n>\n  B\n</button>\nc',
        'A <button type="submit">B</button> c',
    ),
}
KEPT = [
    "<pre>\n  a\n   b\n</pre>",
    "<textarea>\n  {{ a }}\n</textarea>",
    "{% blocktranslate %}a\n  b{% endblocktranslate %}",
    '<p title="{% blocktranslate trimmed %}\n  a\n  > b\n{% endblocktranslate %}">c</p>',
    "a <b>b</b>  c",
    '<p class="a {% if b %}c{% endif %} d">e</p>',
]


@pytest.mark.parametrize("name", SQUEEZED)
def test_invisible_line_breaks_are_removed(name: str) -> None:
    source, squeezed = SQUEEZED[name]
    assert squeeze(source) == squeezed


@pytest.mark.parametrize("source", KEPT)
def test_visible_whitespace_is_kept(source: str) -> None:
    assert squeeze(source) == source

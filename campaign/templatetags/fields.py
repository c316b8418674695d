"""Names of form fields: `{% field_name fields.move block.key %}`.

In every template without loading.
"""

from __future__ import annotations

from typing import Protocol

from django import template

register = template.Library()


class NamedField(Protocol):
    """What the tag needs of `campaign.forms.field.Field`."""

    def name(self, *of: object) -> str: ...


@register.simple_tag
def field_name(field: NamedField, *of: object) -> str:
    """Return the name of a field for what it is about."""
    return field.name(*of)

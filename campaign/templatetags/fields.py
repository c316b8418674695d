"""Names of form fields: `{% field_name fields.move block.key %}`.

Every template has the tag without `{% load %}`.
"""

from __future__ import annotations

from typing import Protocol

from django import template

register = template.Library()


class NamedField(Protocol):
    """The part of `campaign.forms.field.Field` that the tag needs."""

    def name(self, *item: object) -> str: ...


@register.simple_tag
def field_name(field: NamedField, *item: object) -> str:
    """Return the name of a form field for an item, which one or more keys identify."""
    return field.name(*item)

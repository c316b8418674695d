"""Names of form fields: `{% field_name fields.move block.key %}`. In every template without loading."""

from __future__ import annotations

from django import template

from campaign.forms.field import Field

register = template.Library()


@register.simple_tag
def field_name(field: Field, *of: object) -> str:
    """Return the name of a field for what it is about."""
    return field.name(*of)

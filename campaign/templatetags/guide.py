"""The guide of a war to learn by: `{% guide guided "seal" %}` where a step is shown.

In every template.

`guided` is a `campaign.web.guide.GuidePage`. All steps of a page stand in it at their places, and
the first that was not taken is to be seen; a script shows the next one at once, and without scripts
the page comes again with it. `{% guide_form guided %}` is what they are sent by, once a page,
outside of other forms.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from campaign.web.common import UiPreferences
from campaign.web.guide import ADDRESS_LABELS, GuidePage, Step

register = template.Library()


@register.inclusion_tag("campaign/_guide.html", takes_context=True)
def guide(context: Context, guided: GuidePage, at: str) -> dict[str, Any]:
    """The step at a place, if it has one that the reader has not taken yet."""
    steps = _steps_left(context, guided)
    step = next((candidate for candidate in steps if candidate.at == at), None)
    if step is None:
        return {"step": None}
    return {
        "step": step,
        "later": step is not steps[0],
        "way": guided.address_of(step),
        "way_label": ADDRESS_LABELS.get(step.go, ""),
    }


@register.inclusion_tag("campaign/_guide_form.html", takes_context=True)
def guide_form(context: Context, guided: GuidePage) -> dict[str, Any]:
    """The form of a page's steps, where one is left."""
    return {
        "left": _steps_left(context, guided),
        "csrf_token": context.get("csrf_token"),
        "back": _here(context),
    }


def _here(context: Context) -> str:
    request = context.get("request")
    return "" if request is None else request.get_full_path()


def _steps_left(context: Context, guided: GuidePage) -> list[Step]:
    """The steps of a page that the reader has not taken."""
    return guided.steps_left(context.get("ui_preferences") or UiPreferences())

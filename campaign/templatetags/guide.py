"""The step-by-step guide of a tutorial war: `{% guide guided "seal" %}` shows a step at its place.

Every template has the tags. `guided` is a `campaign.web.guide.GuidePage`. A page contains all its
steps and shows the first that is not done. A script shows the next one at once; without scripts the
page reloads with it. `{% guide_form guided %}` adds the form that sends completed steps, once per
page and outside other forms.
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
    """Return the step at a place, if the reader has not done it yet."""
    steps = _steps_left(context, guided)
    step = next((candidate for candidate in steps if candidate.at == at), None)
    if step is None:
        return {"step": None}
    return {
        "step": step,
        "is_later": step is not steps[0],
        "address": guided.address_of(step),
        "address_label": ADDRESS_LABELS.get(step.go, ""),
    }


@register.inclusion_tag("campaign/_guide_form.html", takes_context=True)
def guide_form(context: Context, guided: GuidePage) -> dict[str, Any]:
    """Return the form for a page's steps, if any are left."""
    return {
        "steps_left": _steps_left(context, guided),
        "csrf_token": context.get("csrf_token"),
        "back": _page_address(context),
    }


def _page_address(context: Context) -> str:
    """Return the address of the page, to which the form returns; "" without a request."""
    request = context.get("request")
    return "" if request is None else request.get_full_path()


def _steps_left(context: Context, guided: GuidePage) -> list[Step]:
    """Return the steps of a page that the reader has not done."""
    return guided.steps_left(context.get("ui_preferences") or UiPreferences())

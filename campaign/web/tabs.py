"""The tabs above a campaign's pages: context of templates/campaign/_tabs.html, and ETag key.

A page adds the tabs to its context with `**tabs(viewer, "ships")`, or with `**war.tabs("ships")` if
it has the war already. Its template includes `campaign/_tabs.html` without arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.access import Viewer
from campaign.kinds import StageKind
from campaign.selectors.clock import waiting_stage
from campaign.selectors.messages import unread_count
from campaign.web.next_action import ActionWords, current_action


def tabs(viewer: Viewer, here: str) -> dict[str, Any]:
    """Return the context of the tabs before, during and after the war.

    Args:
        here: The page's tab, as named in `_tabs.html`; empty for none.
    """
    if viewer.campaign.started_at is None:
        return tabs_context(viewer, "", None, here)
    stage = waiting_stage(campaign=viewer.campaign)
    kind = stage.kind if stage else StageKind.OVER.value
    return tabs_context(viewer, kind, current_action(viewer, stage), here)


def tabs_context(
    viewer: Viewer, kind: str, next_action: ActionWords | None, here: str
) -> dict[str, Any]:
    """Return the context of the tabs from known values.

    Args:
        kind: The kind of the waiting stage; `over` after the war, empty before it.
        next_action: The viewer's next action.
    """
    return {"viewer": viewer, "kind": kind, "next_action": next_action, "here": here}


def tabs_key(context: Mapping[str, Any]) -> tuple[object, ...]:
    """Return a key of everything the tabs show, for the ETag of a page.

    Args:
        context: The context of the tabs.
    """
    viewer = context["viewer"]
    roles = tuple(sorted(viewer.roles))
    guest_of = "" if viewer.guest_of is None else viewer.guest_of.key
    return (
        viewer.campaign.name,
        roles,
        guest_of,
        unread_count(viewer),
        context["here"],
        context["kind"],
        context["next_action"],
    )

"""The bar above a war's pages: five tabs, and the pages of the tab that is open.

Orders leads to whatever the war asks of the reader: orders, meetings, doctrine or a battle. Members
without a faction have their own page there.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from campaign.access import Viewer
from campaign.kinds import StageKind
from campaign.web.message_tab import message_tab
from campaign.web.next_action import ActionWords
from engine.core.phrase import phrase

# The tab of each page, by the name that pages give to `campaign.web.tabs.tabs`.
WAR_ROOM, ORDERS, REPORTS, FLEET, MORE = "war-room", "orders", "reports", "fleet", "more"
TAB_OF = {
    "lobby": WAR_ROOM,
    "entry": ORDERS,
    "battle": ORDERS,
    "reports": REPORTS,
    "gazette": REPORTS,
    "public": REPORTS,
    "ships": FLEET,
    "classes": FLEET,
    "map": MORE,
    "receipts": MORE,
    "messages": MORE,
    "memos": MORE,
    "timelines": MORE,
    "more": MORE,
    "desk": MORE,
    "host": MORE,
}
ENTRY_TITLES = {
    "deploy": phrase("Deployment"),
    "decisions": phrase("Decisions"),
    "battles": phrase("Doctrine"),
}


@dataclass(frozen=True, slots=True)
class BarLink:
    """A tab, or a page of a tab.

    Attributes:
        address: Empty if there is nothing to open now.
        is_due: The war waits for the reader there.
        count: How many unread messages are behind it.
        about: What the page is for, on the page behind More.
    """

    title: str
    address: str
    is_here: bool = False
    is_due: bool = False
    count: int = 0
    about: str = ""


@dataclass(frozen=True, slots=True)
class _Reader:
    """What decides the bar: who reads, what they are asked for, and where they are."""

    viewer: Viewer
    kind: str
    action: ActionWords | None
    here: str

    def address(self, name: str) -> str:
        """Return the address of a page of the war."""
        return reverse(name, kwargs={"c": self.viewer.campaign.public_id})

    def link(self, title: str, name: str, here: str, about: str = "") -> BarLink:
        """Return the link to a page that calls itself `here`."""
        return BarLink(title, self.address(name), is_here=self.here == here, about=about)

    @property
    def sees_war(self) -> bool:
        """Return whether the reader sees a faction of a war that has begun."""
        return bool(self.kind) and self.viewer.visible_faction is not None

    @property
    def is_single(self) -> bool:
        """Return whether the war is a single battle."""
        return bool(self.viewer.campaign.ruleset.get("single"))


def war_tabs(
    viewer: Viewer, kind: str, action: ActionWords | None, here: str
) -> tuple[BarLink, ...]:
    """Return the tabs of the bar above a page.

    Args:
        kind: The kind of the waiting stage; `over` after the war, empty before it.
        action: What the war asks of the reader.
        here: The page, as `TAB_OF` names it; empty for a page without a tab.
    """
    reader = _Reader(viewer, kind, action, here)
    open_tab = TAB_OF.get(here, "")
    first = phrase("War room") if kind else phrase("Lobby")
    tabs = [BarLink(first, reader.address("lobby"), is_here=open_tab == WAR_ROOM)]
    tabs += _orders_tabs(reader, open_tab)
    reports = _report_pages(reader)
    if reports:
        tabs.append(BarLink(phrase("Reports"), reports[0].address, is_here=open_tab == REPORTS))
    fleet = _fleet_pages(reader)
    if fleet:
        tabs.append(BarLink(phrase("Fleet"), fleet[0].address, is_here=open_tab == FLEET))
    is_more = open_tab == MORE and not any(tab.is_here for tab in tabs)
    unread = message_tab(viewer).unread
    tabs.append(BarLink(phrase("More"), reader.address("more"), is_here=is_more, count=unread))
    return tuple(tabs)


def tab_pages(
    viewer: Viewer, kind: str, action: ActionWords | None, here: str
) -> tuple[BarLink, ...]:
    """Return the pages of the open tab if there are several, for the arguments of `war_tabs`."""
    reader = _Reader(viewer, kind, action, here)
    pages_of = {ORDERS: _order_pages, REPORTS: _report_pages, FLEET: _fleet_pages}
    open_tab = TAB_OF.get(here, "")
    pages = pages_of[open_tab](reader) if open_tab in pages_of else ()
    return pages if len(pages) > 1 else ()


def more_pages(viewer: Viewer, kind: str, action: ActionWords | None) -> tuple[BarLink, ...]:
    """Return the pages behind More."""
    reader = _Reader(viewer, kind, action, "more")
    links = []
    if reader.sees_war and not reader.is_single:
        about = phrase("Every system, and what you know of it.")
        links.append(reader.link(phrase("Map"), "map", "map", about))
    if reader.sees_war and viewer.plays:
        about = phrase("Proof of the orders that you sealed.")
        links.append(reader.link(phrase("Receipts"), "receipts", "receipts", about))
    messages = message_tab(viewer)
    if messages.is_shown:
        address = reader.address("messages")
        about = phrase("Write to the other players, and read what they wrote.")
        links.append(BarLink(phrase("Messages"), address, count=messages.unread, about=about))
    if viewer.plays and kind and not reader.is_single:
        about = phrase("Notes to yourself for later weeks.")
        links.append(reader.link(phrase("Memos"), "memos", "memos", about))
    if viewer.plays and kind == StageKind.OVER:
        about = phrase("Turns of your battles that everybody with the link can watch.")
        links.append(reader.link(phrase("Public moments"), "moments", "moments", about))
    if viewer.umpires:
        about = phrase("The true map, everybody's orders, and your rulings.")
        links.append(reader.link(phrase("Umpire"), "umpire", "desk", about))
    if kind and viewer.hosts:
        about = phrase("The timetable, the rules and the people of this war.")
        links.append(reader.link(phrase("Host"), "host", "host", about))
    return tuple(links)


def _leads(reader: _Reader) -> bool:
    """Return whether the reader leads the war and plays no faction of it."""
    viewer = reader.viewer
    return viewer.umpires or (viewer.hosts and bool(reader.kind) and not viewer.plays)


def _orders_tabs(reader: _Reader, open_tab: str) -> list[BarLink]:
    """Return the tab of what the reader is asked for; none if that can be nothing."""
    if _leads(reader):
        if reader.viewer.umpires:
            return [reader.link(phrase("Umpire"), "umpire", "desk")]
        return [reader.link(phrase("Host"), "host", "host")]
    if not (reader.sees_war and reader.viewer.plays) or reader.kind == StageKind.OVER:
        return []
    action = reader.action
    is_due = action is not None and (action.asks_for_orders or action.calls_to_battle)
    address = ""
    if action is not None:
        address = action.href if is_due else action.entry or action.battle
    return [
        BarLink(phrase("Orders"), address, is_here=open_tab == ORDERS, is_due=is_due),
    ]


def _order_pages(reader: _Reader) -> tuple[BarLink, ...]:
    """Return the reader's battle and the stage's own page, while there are both."""
    action = reader.action
    if action is None or not (action.entry and action.battle):
        return ()
    title = ENTRY_TITLES.get(reader.kind, phrase("Orders"))
    return (
        BarLink(
            phrase("Battle"),
            action.battle,
            is_here=reader.here == "battle",
            is_due=action.calls_to_battle,
        ),
        BarLink(
            title,
            action.entry,
            is_here=reader.here == "entry",
            is_due=action.asks_for_orders,
        ),
    )


def _report_pages(reader: _Reader) -> tuple[BarLink, ...]:
    """Return the pages that tell what happened."""
    links = []
    if reader.sees_war:
        links.append(reader.link(phrase("Reports"), "reports", "reports"))
    if reader.kind and not reader.is_single:
        links.append(reader.link(phrase("Gazette"), "gazette", "gazette"))
    if reader.kind:
        links.append(reader.link(phrase("Public record"), "public", "public"))
    return tuple(links)


def _fleet_pages(reader: _Reader) -> tuple[BarLink, ...]:
    """Return the pages about ships and their classes."""
    links = []
    if reader.sees_war:
        links.append(reader.link(phrase("Ships"), "ships", "ships"))
    if reader.viewer.plays:
        links.append(reader.link(phrase("Classes"), "classes", "classes"))
    return tuple(links)

"""Events of goods: loaded, landed, and handed to ships that were short of stores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from campaign.events.event import Open, WeekEvent


@dataclass(frozen=True, slots=True)
class GoodsMoved(WeekEvent):
    """Goods that a ship took aboard or put ashore."""

    ship: Open[str]
    what: Open[str]
    amount: Open[int]


@dataclass(frozen=True, slots=True)
class GoodsLoaded(GoodsMoved):
    """Goods that a ship loaded."""

    code: ClassVar[str] = "goods-loaded"


@dataclass(frozen=True, slots=True)
class GoodsLanded(GoodsMoved):
    """Goods that a ship landed."""

    code: ClassVar[str] = "goods-landed"


@dataclass(frozen=True, slots=True)
class LandingPrevented(WeekEvent):
    """Goods that a ship could not land, because foes were there or it is in no system."""

    code: ClassVar[str] = "landing-prevented"
    ship: Open[str]
    what: Open[str]


@dataclass(frozen=True, slots=True)
class ShipSupplied(WeekEvent):
    """A ship that was supplied from another ship of its faction."""

    code: ClassVar[str] = "supplied"
    ship: Open[str]
    giver: Open[str]
    stores: Open[int]


@dataclass(frozen=True, slots=True)
class SupplyPrevented(WeekEvent):
    """A ship that could not be supplied from another one, because they were apart or disturbed."""

    code: ClassVar[str] = "supply-prevented"
    ship: Open[str]
    giver: Open[str]

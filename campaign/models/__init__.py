"""Every model of the game, one module a noun. Invariants are constraints of the database."""

from __future__ import annotations

from campaign.models.act import Act
from campaign.models.battle import Battle, BattleStop
from campaign.models.branch import Branch
from campaign.models.campaign import Campaign, Faction
from campaign.models.excuse import Excuse
from campaign.models.heavy_use import HeavyUse
from campaign.models.idempotent_call import IdempotentCall
from campaign.models.invite import Invite
from campaign.models.ledger import LedgerRow
from campaign.models.membership import Membership
from campaign.models.notification import Notification
from campaign.models.preference import Preference
from campaign.models.projection import FacilityState, Fleet, Repair, Ship
from campaign.models.report import Report
from campaign.models.ruling import Ruling
from campaign.models.scenario import Scenario
from campaign.models.ship_class import ShipClass
from campaign.models.snapshot import Snapshot
from campaign.models.stage import Stage
from campaign.models.starmap import ClosedHex, Link, StarMap, System
from campaign.models.submission import Draft, Submission
from campaign.models.token import FeedToken, TokenTerms
from campaign.models.view import View

__all__ = [
    "Act",
    "Battle",
    "BattleStop",
    "Branch",
    "Campaign",
    "ClosedHex",
    "Draft",
    "Excuse",
    "FacilityState",
    "Faction",
    "FeedToken",
    "Fleet",
    "HeavyUse",
    "IdempotentCall",
    "Invite",
    "LedgerRow",
    "Link",
    "Membership",
    "Notification",
    "Preference",
    "Repair",
    "Report",
    "Ruling",
    "Scenario",
    "Ship",
    "ShipClass",
    "Snapshot",
    "Stage",
    "StarMap",
    "Submission",
    "System",
    "TokenTerms",
    "View",
]

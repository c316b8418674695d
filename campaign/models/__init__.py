"""All models of the game, one module for each noun. Database constraints enforce the invariants."""

from __future__ import annotations

from campaign.models.account import (
    ApiToken,
    DiscordAccount,
    FeedToken,
    GuestAccount,
    HeavyUse,
    IdempotentCall,
    Notification,
    Preference,
    PushDevice,
)
from campaign.models.battle import Battle, BattlePhase, BattleSlice
from campaign.models.campaign import (
    Branch,
    Campaign,
    Excuse,
    Faction,
    Invite,
    Lineage,
    Membership,
    SeatEnd,
)
from campaign.models.check import Check
from campaign.models.daily import DailyBattle, DailyTry
from campaign.models.design_library import LibraryDesign
from campaign.models.gallery import GalleryConsent, MomentConsent, PublicMoment
from campaign.models.knowledge import Report, View, ViewOpening
from campaign.models.ledger import Act, LedgerRow
from campaign.models.memo import Memo
from campaign.models.message import Message, MessageRead
from campaign.models.own_scenario import (
    BalancePart,
    PrivateScenario,
    ScenarioBalance,
    ScenarioDraft,
)
from campaign.models.plan import Plan
from campaign.models.printed_document import PrintedDocument
from campaign.models.proposal import Consent, Proposal
from campaign.models.scenario import ClosedHex, Link, Scenario, StarMap, System
from campaign.models.ship_class import ShipClass
from campaign.models.simulation import Simulation
from campaign.models.stage import Draft, Stage, Submission
from campaign.models.table_record import TableEntry
from campaign.models.tournament import (
    Tournament,
    TournamentMatch,
    TournamentPlayer,
    TournamentRound,
)
from campaign.models.truth import FacilityState, Fleet, Repair, Ruling, Ship, Snapshot
from campaign.models.umpire_access import UmpireAccess
from campaign.models.umpire_note import PencilMark, UmpireNote

__all__ = [
    "Act",
    "ApiToken",
    "BalancePart",
    "Battle",
    "BattlePhase",
    "BattleSlice",
    "Branch",
    "Campaign",
    "Check",
    "ClosedHex",
    "Consent",
    "DailyBattle",
    "DailyTry",
    "DiscordAccount",
    "Draft",
    "Excuse",
    "FacilityState",
    "Faction",
    "FeedToken",
    "Fleet",
    "GalleryConsent",
    "GuestAccount",
    "HeavyUse",
    "IdempotentCall",
    "Invite",
    "LedgerRow",
    "LibraryDesign",
    "Lineage",
    "Link",
    "Membership",
    "Memo",
    "Message",
    "MessageRead",
    "MomentConsent",
    "Notification",
    "PencilMark",
    "Plan",
    "Preference",
    "PrintedDocument",
    "PrivateScenario",
    "Proposal",
    "PublicMoment",
    "PushDevice",
    "Repair",
    "Report",
    "Ruling",
    "Scenario",
    "ScenarioBalance",
    "ScenarioDraft",
    "SeatEnd",
    "Ship",
    "ShipClass",
    "Simulation",
    "Snapshot",
    "Stage",
    "StarMap",
    "Submission",
    "System",
    "TableEntry",
    "Tournament",
    "TournamentMatch",
    "TournamentPlayer",
    "TournamentRound",
    "UmpireAccess",
    "UmpireNote",
    "View",
    "ViewOpening",
]

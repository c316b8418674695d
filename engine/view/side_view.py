"""What one side of a battle may see: its own ships, contacts as far as identified, and pieces.

A foreign ship is known by its contact code for the whole battle, also to a side that took it over,
because its id would reveal its place in a roster. A side's own ship that was taken over is a
contact under its id. An unidentified bogey shows only its code, place, course, velocity and the
classification of its drive signature. An identified ship is the model on the table, with an open
damage track because its dice were rolled in the open. Each kind of piece declares its own
visibility.

Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Information" 2.6
[pc.open-book]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar, cast

from engine.combat.q_ships import visible_ship
from engine.continuum.damage_control import repairable_systems
from engine.continuum.readings import (
    is_sheet_closed,
    knowledge_of,
    known_ship,
    knows_loads,
    screens_of,
)
from engine.core.deployment import SetUpStage
from engine.core.firing import FiringStage
from engine.core.ids import ShipId
from engine.core.kinds import CARRIED, CLOAKED, DERELICT_STATUSES, FIGHTING, LANDED, ScanDetail
from engine.core.sheet import Sheet, ShipProfile
from engine.core.ship import BERTHED, NO_POWER, ShipState
from engine.core.ship_facts import blank_record, blank_turn, facts_document, with_ship_numbers
from engine.core.state import CONTROL, BattleState
from engine.core.terms import BOARDING, Terms
from engine.core.versions import CARRIERS_TOLD
from engine.core.victory import known_terms
from engine.core.zones import zone_json
from engine.design.designations import role_of
from engine.documents import ship_json
from engine.pieces.piece import Piece
from engine.pieces.registry import piece_lists
from engine.ship_profiles import profile_of
from engine.systems.outfit import parties_of
from engine.view.documents import (
    ContactDocument,
    FiringDocument,
    OwnShipDocument,
    SetUpDocument,
    ViewDocument,
)
from engine.view.hidden_loadouts import (
    hidden_store_types,
    hidden_systems,
    sheet_for_others,
)

P = TypeVar("P", bound=Piece)


def visible_pieces(state: BattleState, side: int, *, lent: bool = False) -> list[tuple[str, Piece]]:
    """Return the pieces that a side sees in the order it is shown them, each with its true id.

    Only the umpire may see the true ids. If the order on the table would reveal something, the
    side's own pieces come first and the others are sorted by what the side sees of them.

    Args:
        lent: The caller changes none of them, so they need not be copies.
    """
    pieces = state.pieces
    if not pieces:
        return []
    names = state.names_of_units(side)
    own_pieces: list[tuple[str, Piece]] = []
    foreign_pieces: list[tuple[str, Piece]] = []
    hidden_ids = state.set_up.body_ids if state.set_up is not None else ()
    for piece in pieces:
        if piece.id in hidden_ids:
            continue
        if lent:
            visible = piece.shared_view_for(side, names)
        else:
            visible = piece.view_for(side, names)
        if visible is None:
            continue
        if piece.in_table_order or piece.owner == side:
            own_pieces.append((piece.id, visible))
        else:
            foreign_pieces.append((piece.id, visible))
    if len(foreign_pieces) > 1:
        foreign_pieces.sort(key=lambda entry: (entry[1].id, entry[1].x, entry[1].y))
    return own_pieces + foreign_pieces


def _disguise(ship: ShipState) -> ShipState:
    """Return a Q ship as the merchant it passes for."""
    disguised = visible_ship(ship)
    disguised.label, disguised.status, disguised.warm = ship.label, ship.status, ship.warm
    return disguised


class Contact:
    """A ship that another side (`side`) commands, whoever owns it.

    While it is a bogey, `sheet` is None, and damage, power and similar fields have no meaning.

    Attributes:
        is_speed_known: Other sides have seen its velocity; otherwise velocity and drift have no
            meaning.
        detail: What scans have shown of a closed record sheet; the rest is assumed.
        role: "carrier" or "mothership" of an identified ship, also of a closed record sheet.
        scanned_by: The side to which its record sheet is closed; below 0: the sheet is open.
        stock: What the last scan of its stores found, by the name of the store; empty without one.
        knows_loads: Whether scans have shown the exact types of its craft and missiles.
    """

    __slots__ = (
        "armed",
        "armour",
        "course",
        "damage",
        "detail",
        "drift",
        "firecons",
        "hostile",
        "id",
        "is_speed_known",
        "knows_loads",
        "label",
        "lost_systems",
        "owner",
        "power",
        "profile",
        "record",
        "role",
        "scanned_by",
        "screens",
        "sheet",
        "side",
        "status",
        "stock",
        "this_turn",
        "thrust",
        "velocity",
        "warm",
        "x",
        "y",
    )

    def __init__(self, ship: ShipState, hostile: bool, name: str) -> None:
        is_identified = not ship.bogey
        if ship.cover is not None:
            ship = _disguise(ship)
        self.id = name
        self.detail, self.scanned_by = ScanDetail.EVERYTHING, -1
        self.stock: dict[str, int] = {}
        self.knows_loads = False
        self.side = ship.commander
        self.owner = ship.owner
        self.hostile = hostile
        self.x = ship.x
        self.y = ship.y
        self.course = ship.course
        self.velocity = ship.velocity
        self.status = ship.status
        self.warm = ship.warm
        self.drift = ship.drift
        self.label = ship.label
        self.role = ""
        self.sheet: Sheet | None = None
        self.profile: ShipProfile | None = None
        self.lost_systems: Callable[[], tuple[str, ...]] | None = None
        self.armed = False
        self.damage = self.screens = self.thrust = self.firecons = 0
        self.power: tuple[int, ...] = NO_POWER
        self.armour: tuple[tuple[int, int], ...] = ()
        self.record = blank_record()
        self.this_turn = blank_turn()
        if is_identified:
            self.sheet, self.profile = ship.sheet, ship.profile
            self.label = ship.sheet.classification
            self.lost_systems = ship.lost_systems
            self.armed = ship.armed
            self.damage = ship.damage
            self.screens = ship.screens
            self.thrust = ship.thrust
            self.firecons = ship.firecons
            self.power = ship.power
            self.armour = ship.armour
            self.record = ship.record.open_only()
            self.this_turn = ship.this_turn.open_only()
        self.is_speed_known = is_speed_known(ship)
        if not self.is_speed_known:  # it just decloaked; its next move shows its velocity
            self.velocity, self.drift = 0, None
            self.this_turn = self.this_turn.with_values(thrust_used=0)

    def to_json(self) -> ContactDocument:
        """Return the contact for a view's document.

        Class and damage are included only for an identified ship, and velocity only if it is known.
        """
        base: ContactDocument = {
            "id": self.id,
            "side": self.side,
            "at": [self.x, self.y],
            "course": self.course,
            "velocity": self.velocity if self.is_speed_known else None,
            "classification": self.label,
            "status": self.status,
        }
        if self.owner != self.side:
            base["owner"] = self.owner
        if self.role:
            base["role"] = self.role
        if self.sheet is not None and self.scanned_by >= 0:
            return base | self._scanned_json(self.sheet)
        if self.sheet is not None and self.lost_systems is not None:
            base |= {
                "class": self.sheet.cls,
                "damage": self.damage,
                "lost": list(self.lost_systems()),
            }
            if self.armour:
                base["armour"] = [list(layer) for layer in self.armour]
            if facts := facts_document(self.record, self.this_turn):
                base["notes"] = facts
        return base

    def _scanned_json(self, sheet: Sheet) -> ContactDocument:
        """Return what is known of a ship with a closed record sheet.

        Rules: Continuum 12.2 [pc.sensors]
        """
        document: dict[str, Any] = {"class": sheet.cls, "scan_detail": int(self.detail)}
        if self.detail >= ScanDetail.MASS:
            document["mass"] = sheet.mass
        if self.detail >= ScanDetail.DRIVE:
            document |= {"thrust": sheet.thrust, "drive": sheet.drive, "systems": screens_of(sheet)}
        if self.detail >= ScanDetail.SYSTEMS:
            document["systems"] = [fit.id for fit in sheet.fits]
        if self.knows_loads:
            document["loads"] = {fit.id: dict(fit.load) for fit in sheet.fits if fit.load}
        if self.stock:
            document["stock"] = self.stock
        if self.detail is ScanDetail.EVERYTHING:
            assert self.lost_systems is not None
            document |= {
                "damage": self.damage,
                "lost": list(self.lost_systems()),
                "armour": [list(layer) for layer in self.armour],
            }
        if facts := facts_document(self.record, self.this_turn):
            document["notes"] = facts
        return cast(ContactDocument, document)


class SideView:
    """The table as one side sees it in a phase.

    Attributes:
        own_ships: Copies of the ships that it commands.
        contacts: The visible ships of other sides.
        pieces: The pieces that it sees, as far as it may know them.
        markers: Places where ships vanished under a cloaking field, by its names for them.
        boarders: Its marines and parties aboard ships of other sides, by its names for these.
        set_up: The set-up as it knows it; None after that.
        firing: The fire phase ship by ship as it knows it; None otherwise.
        hostile: The sides hostile to it, as bits.
    """

    __slots__ = (
        "boarders",
        "bogeys",
        "contacts",
        "firing",
        "hostile",
        "markers",
        "own_ships",
        "pieces",
        "pieces_by_kind",
        "set_up",
        "side",
        "sides",
        "stop",
        "table",
        "terms",
        "turn",
    )

    def __init__(
        self,
        state: BattleState,
        side: int,
        own_ships: list[ShipState],
        contacts: list[Contact],
        pieces: list[Piece],
    ) -> None:
        self.side = side
        self.sides = state.sides
        self.turn = state.turn
        self.stop = state.stop
        self.table = state.table
        self.bogeys = state.bogeys
        self.terms: Terms
        if state.terms.victory or state.terms.berths:
            self.terms = known_terms(state, side)
        else:
            self.terms = state.terms
        self.own_ships = own_ships
        self.contacts = contacts
        self.hostile = state.hostile[side]
        self.pieces = pieces
        # Its own and foreign pieces by kind, as far as somebody asked for them.
        self.pieces_by_kind: dict[tuple[type[Piece], bool], list[Any]] = {}
        self.markers: list[tuple[str, tuple[float, float]]] = []
        self.boarders: dict[str, tuple[int, int]] = {}
        self.set_up: SetUpStage | None = None
        if state.set_up is not None:
            self.set_up = state.set_up.known_to(side, state.ships)
        self.firing: FiringStage | None = None
        if state.firing is not None:
            names = {}
            for ship in state.ships:
                if ship.commander == side:
                    names[str(ship.id)] = _name_of(ship, side)
            self.firing = state.firing.known_to(side, names)

    def pieces_of(self, kind: type[P]) -> list[P]:
        """Return the pieces of a kind that it sees."""
        return [piece for piece in self.pieces if isinstance(piece, kind)]

    def own_pieces_of(self, kind: type[P]) -> list[P]:
        """Return its own pieces of a kind."""
        if self.pieces:
            return self._of_side(kind, own=True)
        return []

    def foreign_pieces_of(self, kind: type[P]) -> list[P]:
        """Return the foreign pieces of a kind that it sees."""
        if self.pieces:
            return self._of_side(kind, own=False)
        return []

    def _of_side(self, kind: type[P], *, own: bool) -> list[P]:
        """Return its own or foreign pieces of a kind, sorted out once for all callers."""
        if (kind, own) not in self.pieces_by_kind:
            own_pieces: list[P] = []
            foreign_pieces: list[P] = []
            for piece in self.pieces_of(kind):
                (own_pieces if piece.owner == self.side else foreign_pieces).append(piece)
            self.pieces_by_kind[kind, True] = own_pieces
            self.pieces_by_kind[kind, False] = foreign_pieces
        return self.pieces_by_kind[kind, own][:]

    def is_hostile(self, piece: Piece) -> bool:
        """Return whether a piece belongs to a side hostile to this one."""
        owner = piece.owner
        return owner >= 0 and bool(self.hostile >> owner & 1)

    def to_json(self) -> ViewDocument:
        """Return the view as the document shown to players and programs of this side."""
        names = [ship.id for ship in self.own_ships]
        document: ViewDocument = {
            "turn": self.turn,
            "stop": self.stop,
            "own": {ship.id: _own_json(ship, self.stop, names) for ship in self.own_ships},
            "contacts": [contact.to_json() for contact in self.contacts],
            **piece_lists(self.pieces, self.side),  # type: ignore[typeddict-item]  # every kind says its own keys
        }
        if self.markers:
            document["markers"] = [{"id": id_, "at": list(at)} for id_, at in self.markers]
        if self.boarders:
            document["boarders"] = {
                name: {"marines": marines, "parties": parties}
                for name, (marines, parties) in sorted(self.boarders.items())
            }
        if self.set_up is not None:
            document["set_up"] = self._set_up_json(self.set_up)
        if self.firing is not None:
            document["firing"] = self._firing_json(self.firing)
        return document

    def _firing_json(self, stage: FiringStage) -> FiringDocument:
        """Return what the side knows about the fire phase."""
        return {
            "order": [self.sides[side] for side in stage.order],
            "side": None if stage.side is None else self.sides[stage.side],
            "fired": list(stage.fired),
            "passed": [self.sides[side] for side in stage.passed],
        }

    def _set_up_json(self, stage: SetUpStage) -> SetUpDocument:
        """Return what the side knows about the set-up."""
        zones = {}
        for name, side_zones in zip(self.sides, stage.plan.zones, strict=True):
            zones[name] = [zone_json(zone) for zone in side_zones]
        document: SetUpDocument = {
            "manner": stage.plan.manner,
            "side": None if stage.side is None else self.sides[stage.side],
            "step": stage.plan.step,
            "order": list(stage.plan.order),
            "to_place": list(stage.open_ids),
            "zones": zones,
        }
        if stage.bodies:
            document["bodies"] = list(stage.body_ids)
        return document


def _own_json(ship: ShipState, stop: str, names: Sequence[str]) -> OwnShipDocument:
    """Return a ship as its own side sees it.

    Some entries are present only while they apply: `dummy` (a decoy drone), `owner` (the side it
    was taken from), `cover` (the class it passes for), `sweeping`, and `aboard` (the ship that
    carries it). At damage control `parties` are those that can work and `repairable` the systems
    that they can repair.

    Args:
        names: The ships of its side. `notes` refers to other ships by their numbers in this list,
            because a battle's chain of hashes covers views in this form.
    """
    document = cast(OwnShipDocument, ship_json(ship))
    if ship.is_taken_over:
        document["owner"] = ship.owner
    if ship.dummy:
        document["dummy"] = True
    if ship.cover is not None:
        document["cover"] = ship.cover.cls
    if ship.sweeping:
        document["sweeping"] = True
    if ship.status == CARRIED:
        document["aboard"] = ship.dock
    if facts := ship.facts():
        document["notes"] = with_ship_numbers(facts, names)
    if stop == CONTROL:
        document["parties"] = parties_of(ship)
        document["repairable"] = list(repairable_systems(ship))
    return document


def marker_of(ship: ShipState) -> tuple[float, float]:
    """Return the place of the marker of a ship under a cloaking field.

    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]
    """
    assert ship.record.marker is not None
    return ship.record.marker


def is_speed_known(ship: ShipState) -> bool:
    """Return whether other sides know a ship's velocity.

    After a cloaking field they learn it from its next move.
    """
    return not ship.record.decloaked_turn


def _name_of(ship: ShipState, side: int) -> str:
    """Return a side's name for a ship."""
    if ship.owner == side:
        return ship.id
    return ship.contact


def _with_own_names(ship: ShipState, names: Mapping[str, str]) -> ShipState:
    """Return a copy of a ship with its commander's names, also for ships noted on its sheet."""
    renamed = ship.copy()
    renamed.id = ShipId(ship.call_sign)
    renamed.record = ship.record.with_names(names)
    return renamed


def _contact(state: BattleState, side: int, ship: ShipState, hostile: bool) -> Contact:
    """Return a ship of another commander as far as this side knows it.

    A side knows the loads of a ship that it owns.
    """
    name = _name_of(ship, side)
    if ship.bogey:
        return Contact(ship, hostile, name)
    is_closed = is_sheet_closed(state, side, ship)
    if is_closed:
        visible = known_ship(state, side, ship)
    else:
        visible = ship
    known_bays = frozenset[str]()
    if knows_loads(state, side, ship):
        known_bays = hidden_systems(visible.sheet, ())
    elif ship.owner != side:
        visible, known_bays = _hide_loadouts(visible, ship.record.revealed_bays, state.terms)
    contact = Contact(visible, hostile, name)
    if ship.profile.bays and ship.cover is None and state.terms.follows(CARRIERS_TOLD):
        contact.role = role_of(ship.sheet)
    if known_bays:
        contact.record = contact.record.with_values(revealed_bays=known_bays)
    if is_closed:
        contact.detail = knowledge_of(state, side, ship)
        contact.scanned_by = side
        contact.stock = ship.record.stock_seen_by(side)
        contact.knows_loads = knows_loads(state, side, ship)
    return contact


def _hide_loadouts(
    ship: ShipState, revealed_bays: frozenset[str], terms: Terms
) -> tuple[ShipState, frozenset[str]]:
    """Return a ship with assumed loads, and the bays whose craft other sides know.

    Args:
        revealed_bays: The bays that they have seen launch.
    """
    if hidden_store_types(ship.sheet.edition).isdisjoint(ship.profile.indexes_by_type):
        return ship, frozenset()
    sheet, known_bays = sheet_for_others(ship.sheet, revealed_bays, terms.design_options)
    visible = ship.copy()
    visible.sheet = sheet
    visible.profile = profile_of(sheet)
    return visible, known_bays


def observe(state: BattleState, side: int, *, lent: bool = False) -> SideView:
    """Return all that a side may see; captains and pages have no other source.

    Args:
        lent: Its own ships are those of the state, not copies; only for callers that change and
            keep nothing.

    Rules: 2E "Sensors" [2e.sensors]
    """
    view = SideView(
        state,
        side=side,
        own_ships=_own_ships(state, side, lent=lent),
        contacts=_contacts(state, side),
        pieces=[piece for _, piece in visible_pieces(state, side, lent=lent)],
    )
    if BOARDING in state.terms.options:
        view.boarders = _boarders_away(state, side)
    for ship in state.ships:
        if ship.status == CLOAKED:
            view.markers.append((_name_of(ship, side), marker_of(ship)))
    view.markers.sort()
    return view


def _own_ships(state: BattleState, side: int, *, lent: bool) -> list[ShipState]:
    """Return the ships that a side commands, as copies unless they are `lent`."""
    own_ships: list[ShipState] = []
    has_captures = False
    for ship in state.ships:
        if ship.commander == side:
            own_ships.append(ship if lent else ship.copy())
            has_captures = has_captures or ship.owner != side
    if not has_captures:
        return own_ships
    names = state.names_of_units(side)
    return [_with_own_names(ship, names) for ship in own_ships]


def _contacts(state: BattleState, side: int) -> list[Contact]:
    """Return the visible ships of other sides, sorted to hide the order of foreign rosters."""
    enemies = state.hostile[side]
    stage = state.set_up
    contacts: list[Contact] = []
    for ship in state.ships:
        if ship.commander == side or (stage is not None and stage.hides(ship, side)):
            continue
        if ship.status == FIGHTING and ship.docking != BERTHED:
            is_hostile = bool(enemies >> ship.commander & 1)
            contacts.append(_contact(state, side, ship, is_hostile))
        elif ship.status in (*DERELICT_STATUSES, LANDED):
            # These do not fight, but they may explode
            contacts.append(_contact(state, side, ship, False))
    contacts.sort(key=attrgetter("id"))
    return contacts


def _boarders_away(state: BattleState, side: int) -> dict[str, tuple[int, int]]:
    """Return how many marines and damage control parties of a side are aboard others' ships."""
    boarders: dict[str, tuple[int, int]] = {}
    for ship in state.ships:
        if ship.record.boarders and ship.commander != side:
            boarders_by_side = ship.boarders_by_side()
            if side in boarders_by_side:
                boarders[_name_of(ship, side)] = boarders_by_side[side]
    return boarders

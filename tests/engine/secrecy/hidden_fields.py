"""Every kind of piece with an additional unmarked field, and one of each on a table with a secret."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.core.ids import GroupId
from engine.core.state import BattleState
from engine.pieces import registry
from engine.pieces.asteroid import Asteroid
from engine.pieces.cloud import Cloud
from engine.pieces.debris import Debris
from engine.pieces.flak import Flak
from engine.pieces.gate import Gate
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.mine import Mine
from engine.pieces.nova import Nova
from engine.pieces.piece import Piece
from engine.pieces.planet import Planet
from engine.pieces.section import Section
from engine.pieces.site import Site
from engine.pieces.star import Star

SECRET = "the-hidden-word"


@dataclass(slots=True)
class LoadedGroup(Group):
    secret: str = ""


@dataclass(slots=True)
class LoadedMine(Mine):
    secret: str = ""


@dataclass(slots=True)
class LoadedMarker(Marker):
    secret: str = ""


@dataclass(slots=True)
class LoadedRock(Asteroid):
    secret: str = ""


@dataclass(slots=True)
class LoadedNova(Nova):
    secret: str = ""


@dataclass(slots=True)
class LoadedCloud(Cloud):
    secret: str = ""


@dataclass(slots=True)
class LoadedDebris(Debris):
    secret: str = ""


@dataclass(slots=True)
class LoadedStar(Star):
    secret: str = ""


@dataclass(slots=True)
class LoadedPlanet(Planet):
    secret: str = ""


@dataclass(slots=True)
class LoadedGate(Gate):
    secret: str = ""


@dataclass(slots=True)
class LoadedSection(Section):
    secret: str = ""


@dataclass(slots=True)
class LoadedFlak(Flak):
    secret: str = ""


@dataclass(slots=True)
class LoadedSite(Site):
    secret: str = ""


LOADED: tuple[type[Piece], ...] = (
    *(
        LoadedGroup,
        LoadedMarker,
        LoadedMine,
        LoadedRock,
        LoadedNova,
        LoadedCloud,
        LoadedDebris,
        LoadedStar,
    ),
    LoadedSection,
    LoadedPlanet,
    LoadedGate,
    LoadedFlak,
    LoadedSite,
)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Give every kind of piece the field."""
    assert {kind.kind for kind in LOADED} == {kind.kind for kind in registry.KINDS}, (
        "plant it in the new kind too"
    )
    for kind in LOADED:
        patch.setitem(registry._KINDS, kind.kind, kind)


def loaded_pieces(state: BattleState) -> list[Piece]:
    """Return one piece of each kind for each side, in mid-table and known to everybody."""
    x, y = state.table[0] / 2, state.table[1] / 2
    all_sides = (1 << len(state.sides)) - 1
    pieces: list[Piece] = [LoadedRock("rock-77", x, y + 9, 1.0, secret=SECRET)]
    pieces += [
        LoadedCloud("cloud-77", x, y, 1.0, secret=SECRET),
        LoadedDebris("field-77", x, y, 1.0, secret=SECRET),
    ]
    pieces.append(LoadedPlanet("planet-77", x, y - 3, 1.0, secret=SECRET))
    pieces.append(LoadedGate("gate-77", x, y + 3, 77, secret=SECRET))
    pieces.append(LoadedSite("site-77", 0, x, y - 4, "planet-77", 5, secret=SECRET))
    pieces.append(LoadedStar("star", 0.0, 0.0, (9,), secret=SECRET))
    for side in range(len(state.sides)):
        ship = next(ship for ship in state.ships if ship.owner == side)
        group, mine = f"{ship.id}/fighter-bay-7", f"{ship.id}/minelayer-1/1"
        pieces.append(LoadedSection(f"section-7{side}", ship.id, x, y - 9 - side, secret=SECRET))
        pieces += [
            LoadedGroup(
                GroupId(group),
                side,
                f"flight-7{side}",
                ship.id,
                "fighter-bay-7",
                3,
                x + side,
                y,
                3,
                secret=SECRET,
            ),
            LoadedMarker(
                f"marker-7{side}",
                side,
                ship.id,
                "salvo-rack",
                0,
                x,
                y + 5 + side,
                6,
                1,
                "extended",
                secret=SECRET,
            ),
            LoadedMine(mine, side, x, y + side, 0, all_sides, secret=SECRET),
            LoadedFlak(
                f"flak-7{side}", side, ship.id, "k-gun-7", x, y + 12 + side, 2, secret=SECRET
            ),
            LoadedNova(f"nova-0-{side}", side, ship.id, x - 9, y, 9, 1, secret=SECRET),
        ]
    return pieces

"""What missiles, their magazines, plasma bolts and mines weigh and cost. Rules: Continuum 6, 14.6 [pc.design]"""

from __future__ import annotations

from engine.pricelists.ware import Ware, one_arc, three_arcs

# A load of a magazine or a rack: the mass each takes, and the points beside what the magazine's mass costs.
LOADS: dict[str, dict[str, tuple[int, int]]] = {
    "magazine": {"standard": (2, 0), "extended": (3, 0), "two-stage": (4, 0), "boarding": (1, 0)},
    "minelayer": {"mines": (1, 2)},
}
LEAST_MINES = 2  # of each rack
# What a launcher fires; loads of two groups never share a magazine.
FEEDS = {"salvo-launcher": ("standard", "extended", "two-stage"), "boarding-torpedo": ("boarding",)}
MIXES = (("standard", "extended"), ("two-stage",), ("boarding",))
#            model        title             mass  points
SALVO_RACKS = (
    ("", "Salvo missile rack", 4, 12),
    ("extended", "Extended range salvo missile rack", 5, 15),
    ("two-stage", "Two stage salvo missile rack", 6, 24),
)
HEAVY_MISSILES = (
    ("", "Heavy missile", 2, 6),
    ("extended", "Extended range heavy missile", 3, 9),
    ("two-stage", "Two stage heavy missile", 4, 12),
)
BOLT_CLASSES = (1, 2, 3, 4, 5, 6)  # 3 mass for each class, as much as the class for each additional arc

ORDNANCE = (
    Ware("salvo-launcher", "Salvo missile launcher", "pc.salvo-missiles", mounts=three_arcs(3), rate=3, offensive=True),
    *(
        Ware("salvo-rack", title, "pc.salvo-missiles", model=model, mounts=three_arcs(mass), points=points,
             offensive=True, expendable=True)
        for model, title, mass, points in SALVO_RACKS
    ),
    *(
        Ware("heavy-missile", title, "pc.heavy-missiles", model=model, mounts=three_arcs(mass), points=points,
             offensive=True, expendable=True)
        for model, title, mass, points in HEAVY_MISSILES
    ),
    Ware("magazine", "Magazine", "pc.salvo-missiles", free=True, rate=3, holds="magazine"),
    Ware("antimatter-missile", "Antimatter missile", "pc.antimatter-missile", mounts=three_arcs(2), rate=5,
         offensive=True, expendable=True),
    Ware("rocket-pod", "Rocket pod", "pc.rocket-pods", mounts=three_arcs(1), rate=3, offensive=True, expendable=True),
    *(
        Ware("plasma-bolt", f"Plasma bolt launcher {size}", "pc.plasma-bolts", size,
             mounts=one_arc(3 * size, more=size, most=3), rate=3, offensive=True, limit="plasma bolt launchers")
        for size in BOLT_CLASSES
    ),
    Ware("minelayer", "Mine rack", "pc.mines", mass=2, rate=3, holds="minelayer"),
)  # fmt: skip

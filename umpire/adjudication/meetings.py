"""Meetings: hostile fleets that end a week's movement in one system hex have to decide about each other."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.rules.world import Pair
from umpire.adjudication.muster import Book, Muster

PairKey = tuple[str, str, str]  # hex, and the two factions in order


def meetings(book: Book, muster: Muster, in_contact: Mapping[PairKey, Pair]) -> list[Pair]:
    """Every pair of hostile factions with ships in one system hex, in order of hex and factions.

    Fleets in FTL space and between the stars meet nobody. Pairs in contact since an earlier week (`in_contact`) come
    with the choices given in the orders; whoever joined their fleets since is bound by them.

    Rules: 2E "When fleets meet" [camp.meeting]
    """
    pairs: list[Pair] = []
    for hex_, present in muster.at.items():
        if len(present) < 2:
            continue
        factions = list(present)
        for place, a in enumerate(factions):
            for b in factions[place + 1 :]:
                if book.hostile(a, b):
                    known = in_contact.get((hex_, a, b))
                    pairs.append(known if known is not None and known.settled != "gone" else Pair(hex_, a, b))
    return pairs

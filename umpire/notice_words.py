"""The umpire's words of what happened, by the code of a happening. A faction reads its own
(`campaign.words.notices`).
"""

from __future__ import annotations

from engine.core.phrase import phrase

# code of a happening -> the umpire's words; {place} and {whom} (its audience) stand besides its own facts
UMPIRE_WORDS: dict[str, str] = {
    "order-dropped": phrase("{whom}: an order is not carried out, {order}: {why}"),
    "decided": phrase("{place}: {a} chooses {a-choice}, {b} chooses {b-choice}: {came-to}"),
    "chase": phrase("{place}: {fights} pursues {withdraws}, die {die}"),
    "withdrew": phrase("{place}: {whom} withdraws under FTL"),
    "stand-off": phrase("{place}: stand-off between {a} and {b}"),
    "contested": phrase("{place}: {a} and {b} both stay; the system is contested"),
    "ship-lost": phrase("{place}: {whom} loses {ship} ({class}), {how}"),
    "taken-at-dock": phrase("{place}: {whom} takes a docked {class} of {owner}, {how}"),
    "reinforced": phrase("{place}: {fleet} arrives for {whom}, {ships:ship} of {points:point}"),
    "repaired": phrase("{place}: {ship} of {whom} repairs its {system} (die {die})"),
    "not-repaired": phrase("{place}: {ship} of {whom} fails to repair its {system} (die {die})"),
    "replenished": phrase("{place}: {ship} of {whom} is replenished"),
    "rearmed": phrase("{place}: {ship} of {whom} changes the load of its {system}: {load}"),
    "launched": phrase("{place}: {whom} launches {ship} ({class}), {points:point}"),
    "modified": phrase("{place}: {ship} of {whom} is rebuilt as {class}, {points:point}"),
    "work-dropped": phrase("{place}: the yard of {whom} waits in vain for a ship that is gone"),
    "prize": phrase("{place}: {whom} takes a {class} of {owner} as a prize, {how}; it is called {ship}"),
    "recovered": phrase("{place}: {whom} recovers {ship} ({class}), {how}; it is laid up"),
    "in-service": phrase("{place}: {ship} of {whom} is fit for service again"),
    "cargo-lost": phrase("{place}: {ship} of {whom} loses {lost} {what}; {left} left"),
    "tow-ended": phrase("{place}: {ship} of {whom} is no longer in tow"),
    "ground-hit": phrase("{place}: {target} of {owner} is bombarded, {how}: {left} of {boxes:box} left"),
    "dummy-lost": phrase("{place}: {whom} loses the dummy counter {dummy}"),
    "dummy-found": phrase("{place}: {whom} finds out that marker {marker} of {faction} is a dummy"),
}
# told to the umpire better from the worlds and the battles' results themselves
UMPIRE_LEFT_OUT = frozenset(
    {
        "deployed",
        "scan",
        "battle-joined",
        "battle-over",
        "survivors",
        "holding",
        "war-over",
        "stores",
    }
)

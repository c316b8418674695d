"""What of every event may be told to a side, field by field. A field that does not stand here is told to nobody.

NAME      names of ships, groups, templates or asteroids, causes (`fire:n1`) and parts (`n1/nova-1`): every foreign one
          is told by its contact code
PLAIN     told as it is: it never names what a side may not know
MINE      the name of a mine: its layer's side alone is told it
LEAVING   names of what leaves the table: foreign mines are left out, foreign ships are told by their contact codes
TEXT      the text of an order: every foreign name in it is told by its contact code

`event` and `turn` are told of every event that is. Of one without a line here nothing is.
"""

from __future__ import annotations

NAME, PLAIN, MINE, LEAVING, TEXT = "name", "plain", "mine", "leaving", "text"

# kind of event -> class -> fields
CLASSES: dict[str, dict[str, str]] = {
    "order-refused": {NAME: "ship", PLAIN: "why", TEXT: "order"},
    "moved": {NAME: "ship", PLAIN: "path course velocity"},
    "left-table": {NAME: "ship", PLAIN: "edge at die due"},
    "gave-up": {NAME: "ship"},
    "returned": {NAME: "ship", PLAIN: "at course"},
    "ftl-warming": {NAME: "ship"},
    "ftl-exit": {NAME: "ship near", PLAIN: "at die outcome"},
    "revealed": {NAME: "ship by", PLAIN: "contact cls"},
    "dummy-found": {NAME: "ship by", PLAIN: "contact"},
    "initiative": {PLAIN: "rolls order"},
    "arc": {NAME: "ship target", PLAIN: "die arc"},
    "shot": {NAME: "ship target", PLAIN: "weapon range arc screens dice hits"},
    "shot-refused": {NAME: "ship targets", PLAIN: "weapon why"},
    "damaged": {NAME: "ship cause", PLAIN: "points total die"},
    "threshold": {NAME: "ship", PLAIN: "row loses_on rolls lost"},
    "destroyed": {NAME: "ship cause"},
    "turn-ended": {},
    "battle-over": {PLAIN: "winner why"},
    "launched": {NAME: "ship group", PLAIN: "contact at course craft"},
    "flight-refused": {NAME: "group", PLAIN: "why", TEXT: "order"},
    "flown": {NAME: "group", PLAIN: "path course"},
    "dogfight": {NAME: "group target"},
    "broke-off": {NAME: "group"},
    "fighters-fired": {NAME: "group target", PLAIN: "how range screens dice hits"},
    "point-defence": {NAME: "ship target", PLAIN: "weapon range dice hits"},
    "craft-lost": {NAME: "group cause", PLAIN: "craft left die"},
    "recovered": {NAME: "ship group", PLAIN: "craft"},
    "torpedo": {NAME: "ship target", PLAIN: "weapon range needed die hits"},
    "needle": {NAME: "ship target", PLAIN: "weapon system range die"},
    "system-lost": {NAME: "ship cause", PLAIN: "system"},
    "pack": {NAME: "ship target", PLAIN: "weapon range arc dice hits"},
    "nova-armed": {NAME: "ship"},
    "nova-fired": {NAME: "ship template", PLAIN: "weapon path radius course"},
    "nova-moved": {NAME: "template", PLAIN: "path radius age"},
    "nova-struck": {NAME: "ship by template", PLAIN: "dice"},
    "nova-at-rock": {NAME: "by template", PLAIN: "rock dice"},
    "mine-burnt": {NAME: "ship", MINE: "mine"},
    "mine-laid": {NAME: "ship", PLAIN: "fit at", MINE: "mine"},
    "sweeping": {NAME: "ship"},
    "mine-swept": {NAME: "ship", PLAIN: "at die outcome", MINE: "mine"},
    "mine-detonated": {NAME: "near", PLAIN: "at", MINE: "mine"},
    "mine-fired": {NAME: "ship", PLAIN: "screens dice hits"},
    "scanning": {NAME: "ship"},
    "scan-failed": {NAME: "ship target", PLAIN: "why"},
    "uncovered": {NAME: "ship", PLAIN: "cls why"},
    "drifted": {PLAIN: "rocks", LEAVING: "gone"},
    "avoided": {NAME: "ship", PLAIN: "rock die needs"},
    "crashed": {NAME: "ship", PLAIN: "rock die needs"},
    "rock-shot": {NAME: "ship", PLAIN: "weapon rock range dice hits"},
    "rock-damaged": {NAME: "cause", PLAIN: "rock points total"},
    "rock-broken": {PLAIN: "rock chunks"},
    "ram": {NAME: "ship target", PLAIN: "outcome will needs dice sums blows"},
    "arrived": {NAME: "ship", PLAIN: "meant direction dice at course velocity on_table"},
    "escaped": {NAME: "ship", PLAIN: "edge at"},
    "docking": {NAME: "ship near", PLAIN: "step"},
    "docking-missed": {NAME: "ship near", PLAIN: "why"},
    "table-moved": {PLAIN: "by_x by_y", LEAVING: "gone"},
    "disengaged": {PLAIN: "side edge rolls outcome"},
    "left-behind": {NAME: "ship"},
    "placed": {NAME: "ship", PLAIN: "at course velocity"},
    "group-placed": {NAME: "group", PLAIN: "at"},
    "cleared": {},
    "fire": {NAME: "ship target", PLAIN: "weapon range arc screens mode needed dice damage hits"},
    "absorbed": {NAME: "ship cause", PLAIN: "points armour"},
    "spent": {NAME: "ship", PLAIN: "weapon left"},
    "noted": {NAME: "ship", PLAIN: "note value"},
    "marked": {NAME: "ship", PLAIN: "note value"},
    "system-check": {NAME: "ship cause", PLAIN: "loses_on rolls lost"},
    "repair": {NAME: "ship", PLAIN: "system parties die done"},
    "adrift": {NAME: "ship", PLAIN: "why"},
    "core-hit": {NAME: "ship", PLAIN: "system die value"},
    "reactor": {NAME: "ship", PLAIN: "needed die"},
    "swept": {NAME: "ship", PLAIN: "weapon path radii"},
    "flak": {NAME: "ship", PLAIN: "weapon at radius"},
    "struck": {NAME: "ship by", PLAIN: "weapon range screens dice damage hits"},
    "emergency-thrust": {NAME: "ship", PLAIN: "dice score outcome hits"},
    "squadron": {NAME: "ship by"},
    "ftl-entry": {NAME: "ship", PLAIN: "at"},
    "cloaked": {NAME: "ship", PLAIN: "at how"},
    "decloaked": {NAME: "ship", PLAIN: "at course why"},
    "regenerated": {NAME: "ship", PLAIN: "dice armour scarred"},
    "charge": {NAME: "ship", PLAIN: "rolls"},
    "detonated": {NAME: "ship", PLAIN: "at charges"},
    "burned": {NAME: "ship cause", PLAIN: "dice screens points"},
    "reflected": {NAME: "ship by", PLAIN: "die points taken returned"},
}
ALWAYS = ("event", "turn")

# kind of event -> field -> class
FIELDS: dict[str, dict[str, str]] = {
    kind: dict.fromkeys(ALWAYS, PLAIN) | {field: name for name, fields in found.items() for field in fields.split()}
    for kind, found in CLASSES.items()
}

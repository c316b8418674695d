"""The form fields of weekly orders, deployments and doctrines, each with one name.

A field belongs to an item of the faction, identified by key: `move-ember/f2`, `repair-ember/s4`. In
a deployment fleets have no keys yet and are numbered: `name-3`.
"""

from __future__ import annotations

from campaign.forms.field import (
    ChoiceField,
    Field,
    HiddenField,
    NumberField,
    TextField,
    TickField,
    for_scripts,
)

# A fleet
MOVE = ChoiceField("move")
PATH = TextField("path")
PLAN = TextField("plan")
STANDING = ChoiceField("standing")
NAME = TextField("name", longest=40)
ALONG = NumberField("along")  # decoys brought by ships that join it
MERGE = ChoiceField("merge")
DECOYS_ON = NumberField("decoys-on")
DECOY_THRUST = NumberField("decoy-thrust")
CONTROL = Field("control")  # of a control that a kind of order adds, by fleet

# A fleet's condition, by number
ANSWER_OF = ChoiceField("answer-of")
ANSWER_LEAST = NumberField("answer-least")
ANSWER_MOST = NumberField("answer-most")
ANSWER_CHOICE = ChoiceField("answer-choice")

# A fleet's doctrine
RANGE = NumberField("range")
TARGETS = ChoiceField("targets")
BREAK_OFF = NumberField("break_off")
FLEE = TickField("flee")
FORMATION = ChoiceField("formation")
SPEED = NumberField("speed")
RESERVE = NumberField("reserve")

# The set-up of a battle, by hex; of a ship in it, by its id there
SET_UP_FORMATION = ChoiceField("set-up-formation")
SET_UP_ONLINE = HiddenField("set-up-online")  # what the draft says of an online battle, as JSON
PLACE_X = TextField("place-x")
PLACE_Y = TextField("place-y")
PLACE_COURSE = NumberField("place-course")
PLACE_VELOCITY = NumberField("place-velocity")
PLACE_FTL = NumberField("place-ftl")  # the turn in which it drops out of FTL
PLACE_BEGINS = ChoiceField("place-begins")  # such as `docked:<station>`
PLACE_STAND = ChoiceField("place-stand")
PLACE_MORE = HiddenField("place-more")  # what the form has no fields for, as JSON

# A ship
TO = ChoiceField("to")
TOW = ChoiceField("tow")
DOCK = TickField("dock")
REPAIR = TickField("repair")  # one box for each system that can be repaired
REPLENISH = TickField("replenish")
SCUTTLE = TickField("scuttle")
WEASEL = TickField("weasel")
SETTING = Field("set")  # by ship and system

# An encounter, by hex and other faction
DECIDE = ChoiceField("decide")
COMMAND = ChoiceField("command")  # by hex: who commands if there is a battle

# A shipyard's line, by hex and number; work in progress, by key
BUILD = ChoiceField("build")
BUILD_NAME = TextField("buildname", longest=40)
BUILD_SHIP = ChoiceField("buildship")
CANCEL = TickField("cancel")

# A dummy counter, by key; a place for counters at deployment, by hex
REMOVE = TickField("remove")
PLACE = ChoiceField("place")
DUMMIES = NumberField("dummies")

# A fleet at deployment; one of its lines, by fleet number and line number
BUDGET = HiddenField("budget")
HEX = ChoiceField("hex")
DECOYS = NumberField("decoys")
FLEET_DECOY_THRUST = NumberField("decoys-thrust")
ACES = NumberField("aces")
DROP = TickField("drop")
CLASS = ChoiceField("class")
COUNT = NumberField("count")
SHIP_NAMES = TextField("names")

DOCTRINE = {
    "range": RANGE,
    "targets": TARGETS,
    "break_off": BREAK_OFF,
    "flee": FLEE,
    "formation": FORMATION,
    "speed": SPEED,
    "reserve": RESERVE,
}
NEW_FLEET = (MOVE, PATH, NAME, ALONG, STANDING)  # fields that can form a new fleet

# Their names in templates: `{% field_name fields.move block.key %}`.
FIELDS: dict[str, Field] = DOCTRINE | {
    "move": MOVE,
    "path": PATH,
    "plan": PLAN,
    "standing": STANDING,
    "name": NAME,
    "along": ALONG,
    "merge": MERGE,
    "decoys_on": DECOYS_ON,
    "decoy_thrust": DECOY_THRUST,
    "control": CONTROL,
    "answer_of": ANSWER_OF,
    "answer_least": ANSWER_LEAST,
    "answer_most": ANSWER_MOST,
    "answer_choice": ANSWER_CHOICE,
    "set_up_formation": SET_UP_FORMATION,
    "place_x": PLACE_X,
    "place_y": PLACE_Y,
    "place_course": PLACE_COURSE,
    "place_velocity": PLACE_VELOCITY,
    "place_ftl": PLACE_FTL,
    "place_begins": PLACE_BEGINS,
    "place_stand": PLACE_STAND,
    "place_more": PLACE_MORE,
    "set_up_online": SET_UP_ONLINE,
    "to": TO,
    "tow": TOW,
    "dock": DOCK,
    "repair": REPAIR,
    "replenish": REPLENISH,
    "scuttle": SCUTTLE,
    "weasel": WEASEL,
    "build": BUILD,
    "build_name": BUILD_NAME,
    "build_ship": BUILD_SHIP,
    "cancel": CANCEL,
    "remove": REMOVE,
    "place": PLACE,
    "dummies": DUMMIES,
    "budget": BUDGET,
    "hex": HEX,
    "decoys": DECOYS,
    "fleet_decoy_thrust": FLEET_DECOY_THRUST,
    "aces": ACES,
    "drop": DROP,
    "class": CLASS,
    "count": COUNT,
    "ship_names": SHIP_NAMES,
}
ORDERS_SCRIPT = for_scripts(
    move=MOVE,
    path=PATH,
    plan=PLAN,
    standing=STANDING,
    name=NAME,
    merge=MERGE,
    to=TO,
    tow=TOW,
)
DEPLOY_SCRIPT = for_scripts(
    name=NAME,
    budget=BUDGET,
    hex=HEX,
    decoys=DECOYS,
    decoyThrust=FLEET_DECOY_THRUST,
    aces=ACES,
    standing=STANDING,
    cls=CLASS,
    count=COUNT,
    names=SHIP_NAMES,
    **DOCTRINE,
)

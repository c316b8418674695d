"""Level 2 of a check: battles fought again from their recorded orders.

They are not fought by captains again, so captains may change from release to release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from campaign.kinds import BY_PLAYERS, TABLE, BattleMode
from campaign.rules.orders import Orders
from campaign.rules.scenario import Scenario
from campaign.rules.upgrades import BATTLE_PHASE, PHASE_ORDERS
from campaign.rules.world import Engagement, World
from engine import battle as engine
from engine.battle import Battle, ResolvedStop, orders_json
from engine.captains.common.doctrine import STRAIGHT
from engine.core import fair
from engine.core.canonical import decode_floats, encode_floats
from engine.core.dice import KeyedDice, RecordingDice, Roll
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.state import OVER, SET_UP
from engine.core.versions import playable_version
from engine.core.war_dice import DiceSpot, Moment, WarDice, dice_rules
from engine.luck import FoughtBattle
from engine.notation.battle_file import BattleFileDocument
from engine.recorded_orders import read_recorded_orders
from engine.stops import end_after_turn, read_documents, resolve_sides
from engine.table_results.comparison import with_ship_ids
from proof.archive import BattleLines, Line, StageLines
from proof.findings import Differs, Level, Unplayable, Where, first_difference
from proof.rows import beacon_value, entry_share
from proof.table_dice import site_rolls
from umpire.adjudication.battles import battle_doctrines
from umpire.adjudication.fighting import (
    BattleTask,
    PhaseRecord,
    make_outcome,
    make_phase_record,
)
from umpire.adjudication.outcome import BattleResult
from umpire.adjudication.phase_orders import merge_by_side, valid_part
from umpire.adjudication.set_ups import with_sealed_places, with_set_ups
from umpire.adjudication.stage_results import SetUpSalt
from umpire.adjudication.table_battles import TableClaim, outcome_of_claims

BATTLE_SCHEMA = 1
PLAYERS = "players"
TABLE_PURPOSE = "table"  # of dice that the site rolls for a table

Context = fair.DiceContext


@dataclass(frozen=True, slots=True)
class War:
    """What all stages of a war share.

    Attributes:
        branch: The number of the present branch in the keys of dice.
        factions: In order.
        scenario: With the settings of its host.
    """

    seed: str
    dice_key: str
    branch: int
    factions: tuple[str, ...]
    scenario: Scenario
    ruleset: Mapping[str, Any]

    @property
    def keys(self) -> WarDice:
        """Return the keys of its dice."""
        return WarDice(dice_rules(self.ruleset), self.seed, self.dice_key, self.branch)

    def salts(self, seq: int, entropy: str) -> SetUpSalt:
        """Return what gives the salt of the set-up of a battle by its key.

        Args:
            seq: The number of the snapshot from which the battles are fought.
            entropy: The chain before them.
        """
        return lambda key: self.keys.set_up_salt(seq, key, entropy)

    def dice(self, context: Context) -> RecordingDice:
        """Return the dice of a context, which keep what is rolled."""
        return fair.keyed_dice(self.seed, context, RecordingDice)


@dataclass(frozen=True, slots=True)
class RolledDice:
    """The dice of one context in the order of rolling."""

    context: Context
    rolls: Sequence[Roll]


@dataclass(frozen=True, slots=True)
class BattleStage:
    """The battles stage in which a battle is fought.

    Attributes:
        world: Before the battles.
        orders: The sealed orders of the week by faction.
        dice: Those of the week.
        moment: The stage in the keys of its dice.
        entropy: The chain before the stage.
        plain: Whether captains did not search for the best moves.
    """

    war: War
    where: Where
    world: World
    orders: Mapping[str, Orders]
    dice: RecordingDice
    moment: Moment
    entropy: str
    plain: bool

    def battle_dice(self, key: str) -> tuple[RecordingDice, DiceSpot]:
        """Return the dice of a battle that captains fight, and their spot.

        By rules of dice 1 they are those of the week at a place of their own.
        """
        spot = self.war.keys.battle(self.moment, key)
        if spot.place:
            return self.dice.at(spot.place), spot
        return self.war.dice(spot.context), spot


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A battle from the phase on in which captains fought it.

    Attributes:
        seq: The number of that phase.
        battle: Before it.
        doctrines: Those of the captains, by side.
    """

    key: str
    seq: int
    battle: Battle
    doctrines: Mapping[str, Mapping[str, Any]]
    max_turns: int


@dataclass(frozen=True, slots=True)
class PlayedBattle:
    """A battle that was fought again.

    Attributes:
        taken_over: None if captains ordered nothing.
        dice: Of the phases that players ordered, and of tables. Those of captains are the week's.
        entered: Whether people entered its result.
    """

    result: BattleResult
    dice: tuple[RolledDice, ...]
    entered: bool
    taken_over: TakenOver | None = None


def battle_file_of(line: Line) -> BattleFileDocument:
    """Return the file with which a battle began, by its rules.

    Raises:
        Unplayable: A later release wrote it.
    """
    if line.body["schema"] != BATTLE_SCHEMA:
        raise Unplayable(f"a battle of shape {line.body['schema']} is for a newer release")
    start = decode_floats(line.body["start"])
    return cast(BattleFileDocument, {**start, "rules": playable_version(line.body["rules"])})


def fought_battles(stage: StageLines) -> Iterator[FoughtBattle]:
    """Yield the battles of a stage whose dice the luck account counts: not those at a table."""
    for lines in stage.battles.values():
        stops = lines.stops
        if stops and stops[0].body["inputs"].get("phase") != TABLE:
            events = [event for line in stops for event in line.body["events"]]
            yield FoughtBattle(lines.key, lines.start.body["start"], events)


def play_battle(
    stage: BattleStage, engagement: Engagement, lines: BattleLines, level: Level
) -> PlayedBattle:
    """Fight a battle again.

    Args:
        level: From WEEKS on, recorded orders are compared with sealed ones.

    Raises:
        Differs: At its first difference.
        Unplayable: A later release wrote it.
    """
    return _BattlePlayer(stage, engagement, lines, level).play()


class _BattlePlayer:
    """Fights one battle again, phase by phase."""

    def __init__(
        self, stage: BattleStage, engagement: Engagement, lines: BattleLines, level: Level
    ) -> None:
        self._stage = stage
        self._engagement = engagement
        self._lines = lines
        self._level = level
        self._file = battle_file_of(lines.start)
        self._battle_dice, self._spot = stage.battle_dice(lines.key)
        self._dice: list[RolledDice] = []
        self._entropy = stage.entropy  # with the phases that players have ordered so far
        self._phases: list[PhaseRecord] = []
        self._taken_over: TakenOver | None = None

    @property
    def _max_turns(self) -> int:
        """Return the turn after which the battle ends."""
        return self._file.get("max_turns", DEFAULT_MAX_TURNS)

    def play(self) -> PlayedBattle:
        """Return the battle's result and dice."""
        stops = self._lines.stops
        if stops and stops[0].body["inputs"].get("phase") == TABLE:
            return self._table()
        self._table_dice()
        battle = self._begin()
        for line in stops:
            battle = self._stop(battle, line)
        if battle.state.stop != OVER:
            if battle.turn <= self._max_turns:
                last = stops[-1] if stops else self._lines.start
                raise self._differs(last, "", "the record ends before the battle is over")
            battle = engine.fight(battle, {}, self._battle_dice, "", max_turns=self._max_turns)
        outcome = make_outcome(self._task(), battle, self._phases)
        if not self._spot.place and self._battle_dice.rolls:
            self._dice.append(RolledDice(self._spot.context, self._battle_dice.rolls))
        return PlayedBattle(
            outcome.result, tuple(self._dice), entered=False, taken_over=self._taken_over
        )

    def _task(self) -> BattleTask:
        """Return what the battle is fought for."""
        stage = self._stage
        return BattleTask(
            scenario=stage.war.scenario,
            world=stage.world,
            engagement=self._engagement,
            start=self._file,
            doctrines={},
            dice=self._battle_dice,
            captain_seed="",
        )

    def _begin(self) -> Battle:
        """Return the battle before its first phase."""
        if self._lines.start.body["mode"] == BattleMode.ONLINE:
            return engine.start(self._file, asks_set_up=True)
        stage = self._stage
        doctrines = self._doctrines()
        orders = stage.orders
        if self._lines.start.body["mode"] == BattleMode.CAPTAINS:
            hex_ = self._lines.key.partition("/")[0]
            orders = with_sealed_places(stage.orders, hex_, self._sealed_places())
        return engine.start(with_set_ups(self._file, self._engagement, orders, doctrines))

    def _doctrines(self) -> dict[str, dict[str, Any]]:
        """Return the doctrines of the captains by side."""
        stage = self._stage
        doctrines = battle_doctrines(
            stage.war.scenario, stage.world, self._engagement, stage.orders
        )
        if stage.plain:
            for side, doctrine in doctrines.items():
                doctrines[side] = {**doctrine, "style": STRAIGHT}
        return doctrines

    def _sealed_places(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Return the places that players sealed in a set-up that captains took over."""
        sealed = []
        for line in sorted(self._lines.entries, key=lambda item: int(item.body["stop"])):
            body = line.body
            is_live = body["withdrawn"] is None and body["source"] in BY_PLAYERS
            if is_live and body["stage"] == SET_UP:
                sealed.append((body["faction"], decode_floats(body["payload"])[SET_UP]))
        return sealed

    def _stop(self, battle: Battle, line: Line) -> Battle:
        """Resolve a phase by its recorded orders, and compare what follows."""
        body = decode_floats({key: line.body[key] for key in ("inputs", "events", "views")})
        inputs = BATTLE_PHASE.upgrade_body(line.body["schema"], body)["inputs"]
        if battle.state.stop == OVER:
            raise self._differs(line, "", "the battle was over before this phase")
        if (inputs["turn"], inputs["phase"]) != (battle.turn, battle.state.stop):
            stands = f"turn {inputs['turn']}, {inputs['phase']}"
            should = f"turn {battle.turn}, {battle.state.stop}"
            raise self._differs(line, "", "it is another phase", stands, should)
        orders = read_recorded_orders(battle.state, inputs["orders"], inputs["pursue"] or ())
        seq = line.body["seq"]
        if inputs["by"] == PLAYERS:
            if self._level >= Level.WEEKS:
                self._compare_sealed(battle, line, inputs)
            dice = self._phase_dice(line, inputs)
            after, stop = resolve_sides(battle, orders, dice, seq)
            after, stop = end_after_turn(after, stop, self._max_turns, dice)
        else:
            if self._taken_over is None:
                self._taken_over = TakenOver(
                    self._lines.key, seq, battle, self._doctrines(), self._max_turns
                )
            after, stop = engine.resolve_stop(battle, orders, self._battle_dice, seq)
        self._compare(line, inputs, stop)
        return after

    def _phase_dice(self, line: Line, inputs: Mapping[str, Any]) -> KeyedDice:
        """Return the dice of a phase that players ordered."""
        war = self._stage.war
        digests = [entry["digest"] for entry in inputs["entries"]]
        week = self._stage.where.week or 0
        seq = line.body["seq"]
        if war.keys.is_tree:
            shares = self._shares(seq, inputs["phase"])
            beacon = beacon_value(self._lines.beacons.get(seq))
            self._entropy = fair.entropy_link(self._entropy, seq, digests, shares, beacon)
        phase = (inputs["phase"], seq)
        spot = war.keys.phase(week, self._lines.key, phase, digests, self._entropy)
        if inputs["dice"] != spot.stored:
            words = "its dice are not those of its sealed orders"
            raise self._differs(line, "dice", words, inputs["dice"], spot.stored)
        dice = war.dice(spot.context)
        self._dice.append(RolledDice(spot.context, dice.rolls))
        return dice.at(spot.place) if spot.place else dice

    def _shares(self, stop: int, kind: str) -> list[str]:
        """Return the shares of a phase in faction order."""
        place = fair.stage_place(stop, kind, self._lines.key)
        keys = self._stage.war.keys
        return [entry_share(line, keys, place) for line in self._live_entries(stop)]

    def _compare(self, line: Line, inputs: Mapping[str, Any], stop: ResolvedStop) -> None:
        """Compare a phase with its record."""
        record = make_phase_record(stop, cast(Any, inputs))
        pursue = list(stop.pursue) if inputs["pursue"] is not None else None
        for part, words, stands, should in (
            ("orders", "the orders cannot be those of this phase", inputs["orders"], stop.inputs),
            ("pursue", "other sides pursue", inputs["pursue"], pursue),
            ("events", "something else happens", line.body["events"], record.events),
            ("views", "a side sees something else", line.body["views"], record.views),
        ):
            found = first_difference(encode_floats(stands), encode_floats(should))
            if found is not None:
                path, was, must = found
                raise self._differs(line, f"{part} {path}", words, was, must)
        self._phases.append(record)

    def _compare_sealed(self, battle: Battle, line: Line, inputs: Mapping[str, Any]) -> None:
        """Compare the recorded orders of a phase with those that were sealed for it."""
        seq = line.body["seq"]
        live = self._live_entries(seq)
        entries = []
        for entry in live:
            body = entry.body
            entries.append({key: body[key] for key in ("faction", "source", "digest")})
        if inputs["entries"] != entries:
            words = "it names other sealed orders"
            raise self._differs(line, "entries", words, inputs["entries"], entries)
        sealed = {}
        for entry in live:
            payload = decode_floats(entry.body["payload"])
            sealed[entry.body["faction"]] = PHASE_ORDERS.upgrade(payload)
        documents = {}
        for side, document in merge_by_side(battle, self._engagement.sides, sealed).items():
            documents[side], _ = valid_part(battle, side, document)
        given = orders_json(battle.state, read_documents(battle, documents))
        found = first_difference(encode_floats(inputs["orders"]), encode_floats(given))
        if found is not None:
            path, was, must = found
            words = "the recorded orders are not those that were sealed"
            raise self._differs(line, f"orders {path}", words, was, must)

    def _live_entries(self, stop: int) -> list[Line]:
        """Return the sealed entries of a phase that count, in faction order."""
        live = []
        for line in self._lines.entries:
            if line.body["stop"] == stop and line.body["withdrawn"] is None:
                live.append(line)
        return sorted(live, key=lambda line: str(line.body["faction"]))

    def _table(self) -> PlayedBattle:
        """Return a battle at a table with the result that was entered."""
        self._table_dice()
        line = self._lines.stops[0]
        last = max((entry.body["stop"] for entry in self._lines.entries), default=0)
        claims = []
        for entry in self._live_entries(last):
            payload = decode_floats(entry.body["payload"])
            faction = entry.body["faction"]
            side = self._side_of(faction)
            result = with_ship_ids(self._file, side, payload)
            claims.append(TableClaim(faction, side, entry.body["source"], payload, result))
        outcome = outcome_of_claims(self._task(), claims)
        (record,) = outcome.phases
        for part, should in (
            ("inputs", record.inputs),
            ("events", record.events),
            ("views", record.views),
        ):
            found = first_difference(line.body[part], encode_floats(should))
            if found is not None:
                path, was, must = found
                words = "it does not follow from the results that were entered"
                raise self._differs(line, f"{part} {path}", words, was, must)
        return PlayedBattle(outcome.result, tuple(self._dice), entered=True)

    def _side_of(self, faction: str) -> str:
        """Return the name of a faction's side."""
        for side in self._file["sides"]:
            if faction in side["name"].split("+"):
                return side["name"]
        return ""

    def _table_dice(self) -> None:
        """Compare the dice that the site rolled for a table with their keys."""
        war = self._stage.war
        week = self._stage.where.week or 0
        context = war.keys.table(week, self._lines.key, self._stage.entropy).context
        dice = war.dice(context)
        for roll in site_rolls(self._lines.table_entries):
            body = roll.line.body
            place = f"entry {body['number']} of the table"
            if roll.fault:
                raise self._differs(roll.line, place, roll.fault)
            if not roll.is_in_one_step:
                subject = f"{body['faction']}/{body['body']['number']}"
            else:
                by_number = war.keys.is_tree
                subject = str(body["number"]) if by_number else f"{body['faction']}/{body['key']}"
            for number, value in enumerate(roll.rolls, start=1):
                should = dice.roll(TABLE_PURPOSE, subject)
                if value != should:
                    die = f"{place}, die {number}"
                    raise self._differs(roll.line, die, "it is another die", value, should)
        if dice.rolls:
            self._dice.append(RolledDice(context, dice.rolls))

    def _differs(
        self, line: Line, part: str, words: str, stands: Any = None, should: Any = None
    ) -> Differs:
        """Return the error for a difference in the battle."""
        place = f"battle {self._lines.key}"
        if line.kind == "stop":
            inputs = line.body["inputs"]
            place += f", turn {inputs.get('turn')}, {inputs.get('phase')}"
            place += f" (stop {line.body['seq']})"
        if part:
            place += f": {part}"
        where = self._stage.where
        return Differs(where.difference(Level.DICE, line, place, words, stands, should))

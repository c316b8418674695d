"""Level 3 of a check: the weeks of a war, computed again from what was sealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.codec import parse_orders
from campaign.rules.codec import from_document, to_document
from campaign.rules.orders import Orders
from campaign.rules.perception import notices_by_faction
from campaign.rules.rules_record import ChangeOver, rules_record
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_texts import translatable_scenario
from campaign.rules.view import View
from campaign.rules.world import Engagement, World
from campaign.store.documents import configured_scenario
from engine.core import fair
from engine.core.canonical import decode_floats, digest, encode_floats
from engine.core.dice import RecordingDice
from engine.core.errors import RuleViolations
from engine.core.war_dice import Moment
from engine.notation.battle_file import BattleFileDocument
from proof.archive import BattleLines, Line, Opening, StageLines
from proof.battles import BattleStage, PlayedBattle, RolledDice, TakenOver, War, play_battle
from proof.findings import Difference, Differs, Level, Where, first_difference, where_of
from proof.integrity import entropy_begin
from proof.rows import live_entries, moment_of
from umpire.adjudication import week
from umpire.adjudication.fighting import PLAIN
from umpire.adjudication.outcome import RESULT, BattleResult, StageOutcome, result_document
from umpire.adjudication.rulings import Ruling, RulingOutcome, rule, ruling_violations
from umpire.adjudication.smaller import MAX_SHIPS, shrink_battle
from umpire.adjudication.stage_results import SetUpSalt, battle_files, views_after
from umpire.adjudication.umpire_events import UmpireEvent

REMEDY = "remedy"  # the verb of the act by which a stage that could not be computed goes on
RULES = "rules"  # the verb of the act that changes a war over to other rules
UMPIRE_EVENT = "umpire-event"  # the verb of the act by which an umpire writes an event


class Positions:
    """Where a war stood before each stage of an archive, also where branches start."""

    def __init__(self, opening: Opening, first: Position) -> None:
        self._parents = opening.parents
        self._starts = set(self._parents.values())
        self._branch = int(opening.snapshot.body["branch"])
        self._last = first
        self._kept = {(self._branch, int(opening.snapshot.body["seq"])): first}

    def before(self, stage: StageLines) -> Position:
        """Return where the war stood before a stage.

        Raises:
            Differs: The stage's branch starts from a world that the archive does not have.
        """
        branch = stage.stage.body["branch"]
        if branch == self._branch:
            return self._last
        start = self._parents.get(branch)
        if start is None or start not in self._kept:
            words = "the branch starts from a world that is not in the archive"
            raise Differs(where_of(stage).difference(Level.WEEKS, stage.stage, "stage", words))
        return self._kept[start]

    def keep(self, stage: StageLines, position: Position) -> None:
        """Keep where the war stood after a stage."""
        self._branch = stage.stage.body["branch"]
        self._last = position
        place = (self._branch, stage.stage.body["ordinal"] + 1)
        if place in self._starts:
            self._kept[place] = position


def war_of(opening: Opening, seed: str) -> War:
    """Return what the opening of an archive says.

    Raises:
        RuleViolations: The scenario cannot be read.
        UnknownRules: A later release wrote it.
    """
    header = opening.header.body
    stored = translatable_scenario(from_document(Scenario, opening.scenario.body["document"]))
    scenario = configured_scenario(stored, opening.scenario.body["sha256"], header["ruleset"])
    return War(
        seed=seed,
        dice_key=header["dice_key"],
        branch=opening.dice_numbers[opening.branches[0].body["number"]],
        factions=tuple(sorted(str(line.body["key"]) for line in opening.factions)),
        scenario=scenario,
        ruleset=header["ruleset"],
    )


@dataclass(slots=True)
class Position:
    """A war between two stages.

    Attributes:
        views: By faction.
        files: The battle files of the battles to be fought now, by engagement; None if they were
            not computed.
        branch: The number of the branch in the keys of the dice of these battles.
        entropy: The entropy chain so far.
        change_overs: Changes of the rules so far.
        umpire_events: The events that umpires have written so far.
    """

    world: World
    views: Mapping[str, View]
    files: Mapping[str, BattleFileDocument] | None
    branch: int
    entropy: str
    change_overs: list[ChangeOver] = field(default_factory=list)
    umpire_events: tuple[UmpireEvent, ...] = ()

    def with_acts(self, acts: list[Line]) -> Position:
        """Return the position with what the acts of its stage change."""
        return replace(
            self,
            change_overs=[*self.change_overs, *change_overs_in(acts)],
            umpire_events=(*self.umpire_events, *umpire_events_in(acts)),
        )


@dataclass(slots=True)
class PlayedStage:
    """A stage that was played again.

    Attributes:
        dice: All dice that were rolled, by context.
        entered: The number of battles whose results people entered.
        moment: The stage in the keys of its dice.
        taken_over: The battles that captains fought.
    """

    dice: list[RolledDice]
    differences: list[Difference]
    after: Position
    entered: int
    moment: Moment
    taken_over: list[TakenOver]


def first_position(war: War, opening: Opening) -> tuple[Position, list[Difference]]:
    """Return where a war begins, and what the archive has otherwise.

    A fork begins with the world and views of another war, whose row is checked against them.
    """
    change_overs = change_overs_in(opening.acts)
    entropy = entropy_begin(opening)
    if opening.parent is None:
        world = week.create_world(war.scenario)
    else:
        world = from_document(World, opening.snapshot.body["world"])
    rules = rules_record(war.ruleset, change_overs).version_in(world.week)
    salts = war.salts(0, entropy)
    files = _files_of(war, world, salts, rules)
    if opening.parent is not None:
        views = _stored_views(opening.views)
        return Position(world, views, files, war.branch, entropy, change_overs), []
    views = views_after(war.scenario, world, war.factions, {}, {}, files)
    where = Where()
    differences = list(_world_differences(where, opening.snapshot, world))
    for faction, line in opening.views.items():
        place = f"first view of {faction}"
        differences += _view_differences(where, line, views[faction], place)
    position = Position(world, views, files, war.branch, entropy, change_overs)
    return position, differences


def stored_position(before: Position, stage: StageLines) -> Position:
    """Return where a war stands after a stage as the archive has it. Raises RuleViolations."""
    assert stage.snapshot is not None
    views = _stored_views(stage.views)
    world = from_document(World, stage.snapshot.body["world"])
    after = before.with_acts(stage.acts)
    return replace(after, world=world, views=views, files=None, entropy=entropy_after(stage))


def _stored_views(lines: Mapping[str, Line]) -> dict[str, View]:
    """Return the views in lines of an archive, by faction. Raises RuleViolations."""
    views = {}
    for faction, line in lines.items():
        views[faction] = from_document(View, line.body["document"])
    return views


def _files_of(
    war: War, world: World, salts: SetUpSalt, rules: str
) -> dict[str, BattleFileDocument]:
    """Return the battle files of the battles to be fought in a world, by engagement."""
    files = {}
    for engagement, file in battle_files(war.scenario, world, salts, rules):
        files[engagement.key] = file
    return files


def entropy_before(war: War, position: Position, stage: StageLines) -> str:
    """Return the entropy chain before a stage; a branch of new dice begins with its opening."""
    branch = stage.stage.body["branch"]
    if stage.row is None or war.branch != branch:
        return position.entropy
    opening = stage.row.body["body"].get("opening") or {}
    if not opening.get("parent"):
        return position.entropy
    return fair.entropy_of_branch(position.entropy, branch, opening)


def entropy_after(stage: StageLines) -> str:
    """Return the entropy chain with a stage, as its row has it; the hash of an older row."""
    if stage.row is None:
        return ""
    return str(stage.row.body["body"].get("past") or stage.row.body["hash"])


def play_stage(war: War, position: Position, stage: StageLines, level: Level) -> PlayedStage:
    """Play a stage again from its sealed orders and recorded battles.

    Args:
        level: DICE fights the battles, WEEKS also resolves the week.

    Raises:
        Unplayable: This release does not know its rules.
    """
    return _StagePlayer(war, position, stage, level).play()


class _StagePlayer:
    """Plays one stage again."""

    def __init__(self, war: War, position: Position, stage: StageLines, level: Level) -> None:
        self._war = war
        self._position = position
        self._stage = stage
        self._level = level
        self._where = where_of(stage)
        self._dice: list[RolledDice] = []
        self._differences: list[Difference] = []
        self._entered = 0
        self._taken_over: list[TakenOver] = []
        self._moment = moment_of(stage)
        self._entropy = entropy_before(war, position, stage)
        self._context = war.keys.week(self._moment).context

    def play(self) -> PlayedStage:
        """Return the stage as it was played again."""
        if self._stage.ruling is not None:
            return self._rule(self._stage.ruling)
        orders = self._sealed_orders()
        dice = self._war.dice(self._context)
        results = self._battles(orders, dice)
        if self._level >= Level.WEEKS and not self._differences:
            after = self._week(orders, results, dice)
        else:
            after = stored_position(self._position, self._stage)
        self._dice.append(RolledDice(self._context, dice.rolls))
        return PlayedStage(
            dice=self._dice,
            differences=self._differences,
            after=after,
            entered=self._entered,
            moment=self._moment,
            taken_over=self._taken_over,
        )

    def _rule(self, line: Line) -> PlayedStage:
        """Return the stage as a ruling closes it, without carrying out orders or rolling dice."""
        after = stored_position(self._position, self._stage)
        if self._level >= Level.WEEKS:
            found = self._ruling_outcome(line)
            if found is not None:
                branch = self._war.branch
                views = found.views
                after = replace(after, world=found.world, views=views, files={}, branch=branch)
        return PlayedStage(
            dice=[],
            differences=self._differences,
            after=after,
            entered=0,
            moment=self._moment,
            taken_over=[],
        )

    def _ruling_outcome(self, line: Line) -> RulingOutcome | None:
        """Return what follows from a ruling, after comparing it; None if it is not possible."""
        scenario = self._war.scenario
        position = self._position
        place = f"ruling {line.body['number']}"
        try:
            ruling = Ruling.from_document(line.body["document"])
        except (KeyError, TypeError, RuleViolations) as error:
            self._add(line, place, f"the ruling cannot be read: {error}")
            return None
        faults = ruling_violations(scenario, position.world, ruling)
        if faults:
            self._add(line, place, f"the ruling is not possible: {faults[0].message}")
            return None
        outcome = rule(scenario, position.world, position.views, ruling)
        if line.body["told"] != list(outcome.told):
            words = "the ruling concerns other factions"
            self._add(line, place, words, line.body["told"], list(outcome.told))
        self._compare_outcome(StageOutcome(outcome.world, outcome.events), outcome.views)
        return outcome

    def _sealed_orders(self) -> dict[str, Orders]:
        """Return the sealed orders by faction."""
        result = {}
        for line in live_entries(self._stage.entries):
            faction = line.body["faction"]
            orders, faults = parse_orders(decode_floats(line.body["payload"]))
            if orders is None:
                words = f"the orders cannot be read: {faults[0].message}"
                self._add(line, f"entry of {faction}", words)
            else:
                result[faction] = orders
        return result

    def _battles(
        self, orders: Mapping[str, Orders], dice: RecordingDice
    ) -> dict[str, BattleResult]:
        """Fight the battles of the stage again, and return their results by engagement."""
        position = self._position
        engagements = {}
        if self._stage.stage.body["stage"] == StageKind.BATTLES:
            engagements = {item.key: item for item in position.world.engagements}
        if sorted(engagements) != sorted(self._stage.battles):
            words = "other battles are to be fought"
            stands = sorted(self._stage.battles)
            self._add(self._stage.stage, "battles", words, stands, sorted(engagements))
            return {}
        stage = BattleStage(
            war=self._war,
            where=self._where,
            world=position.world,
            orders=orders,
            dice=dice,
            moment=self._moment,
            entropy=self._entropy,
            plain=any(_facts(act, REMEDY).get("way") == PLAIN for act in self._stage.acts),
        )
        results = {}
        for key, engagement in sorted(engagements.items()):
            results[key] = self._battle(stage, engagement, self._stage.battles[key])
        return results

    def _battle(
        self, stage: BattleStage, engagement: Engagement, lines: BattleLines
    ) -> BattleResult:
        """Return the result of a battle: the one it should have, else the stored one."""
        self._compare_start(lines)
        assert lines.result is not None
        document = decode_floats(lines.result.body["document"])
        try:
            played: PlayedBattle = play_battle(stage, engagement, lines, self._level)
        except Differs as error:
            self._differences.append(error.difference)
            kept = {key: value for key, value in document.items() if key != "schema"}
            return RESULT.validate_python(kept)
        self._dice += played.dice
        self._entered += played.entered
        if played.taken_over is not None:
            self._taken_over.append(played.taken_over)
        should = encode_floats(result_document(played.result))
        found = first_difference(lines.result.body["document"], should)
        if found is not None:
            path, was, must = found
            words = "the result does not follow from the battle"
            self._add(lines.result, f"battle {lines.key}: result {path}", words, was, must)
        return played.result

    def _compare_start(self, lines: BattleLines) -> None:
        """Compare the file of a battle with the world before it."""
        files = self._position.files
        if files is None or self._level < Level.WEEKS:
            return
        if self._position.branch != self._war.branch:  # a new branch has its own contact codes
            files = self._files_of_branch()
        stands = lines.start.body["start"]
        file = files[lines.key]
        should = encode_floats(file)
        if stands in (should, encode_floats(shrink_battle(file, MAX_SHIPS))):
            return
        found = first_difference(stands, should)
        if found is not None:
            path, was, must = found
            words = "the battle does not begin as the week left it"
            self._add(lines.start, f"battle {lines.key}: start {path}", words, was, must)

    def _files_of_branch(self) -> dict[str, BattleFileDocument]:
        """Return the battle files of the first stage of a branch."""
        position = self._position
        record = rules_record(self._war.ruleset, position.change_overs)
        rules = record.version_in(position.world.week)
        salts = self._war.salts(self._stage.stage.body["ordinal"], self._entropy)
        files = battle_files(self._war.scenario, position.world, salts, rules)
        return {engagement.key: file for engagement, file in files}

    def _week(
        self,
        orders: Mapping[str, Orders],
        results: Mapping[str, BattleResult],
        dice: RecordingDice,
    ) -> Position:
        """Resolve the week's stage, and compare world, events and views."""
        war = self._war
        stage = self._stage
        position = self._position.with_acts(stage.acts)
        record = rules_record(war.ruleset, position.change_overs)
        rules = record.version_in(stage.stage.body["week"])
        self._compare_rules(rules)
        outcome = week.resolve(
            war.scenario, position.world, orders, results, dice, rules, position.umpire_events
        )
        world = outcome.world
        next_rules = record.version_in(world.week)
        salts = war.salts(stage.stage.body["ordinal"] + 1, entropy_after(stage))
        files = _files_of(war, world, salts, next_rules)
        views = self._views(outcome, files)
        self._compare_outcome(outcome, views)
        return replace(
            position,
            world=world,
            views=views,
            files=files,
            branch=war.branch,
            entropy=entropy_after(stage),
        )

    def _views(
        self, outcome: StageOutcome, files: Mapping[str, BattleFileDocument]
    ) -> dict[str, View]:
        """Return the views after the stage."""
        body = self._stage.stage.body
        notices = notices_by_faction(outcome.week_events, body["week"], body["stage"])
        return views_after(
            self._war.scenario,
            outcome.world,
            self._war.factions,
            self._position.views,
            notices,
            files,
        )

    def _compare_rules(self, rules: str) -> None:
        """Compare the version of the rules with that of the row."""
        row = self._stage.row
        if row is None:
            return
        stands = row.body["body"].get("rules_version")
        if stands != rules:
            words = "the stage was resolved by other rules than those of its week"
            self._add(row, "ledger row", words, stands, rules)

    def _compare_outcome(self, outcome: StageOutcome, views: Mapping[str, View]) -> None:
        """Compare what follows from the stage with the archive."""
        stage = self._stage
        where = self._where
        assert stage.snapshot is not None
        assert stage.events is not None
        events = [event.to_document() for event in outcome.week_events]
        found = first_difference(stage.events.body["events"], encode_floats(events))
        if found is not None:
            path, was, must = found
            self._add(stage.events, f"event {path}", "something else happens", was, must)
        self._differences += _world_differences(where, stage.snapshot, outcome.world)
        for faction in self._war.factions:
            line = stage.views.get(faction)
            if line is None:
                self._add(stage.snapshot, f"view of {faction}", "the view is missing")
            else:
                place = f"view of {faction}"
                self._differences += _view_differences(where, line, views[faction], place)

    def _add(
        self, line: Line, place: str, words: str, stands: Any = None, should: Any = None
    ) -> None:
        """Add a difference."""
        self._differences.append(
            self._where.difference(Level.WEEKS, line, place, words, stands, should)
        )


def change_overs_in(acts: list[Line]) -> list[ChangeOver]:
    """Return the changes of the rules among acts."""
    result = []
    for line in acts:
        facts = _facts(line, RULES)
        if facts:
            at = datetime.fromisoformat(_words(line)["at"])
            result.append(ChangeOver(facts["week"], facts["from"], facts["to"], "", at))
    return result


def umpire_events_in(acts: list[Line]) -> list[UmpireEvent]:
    """Return the events that umpires wrote among acts."""
    result = []
    for line in acts:
        facts = _facts(line, UMPIRE_EVENT)
        if facts:
            result.append(UmpireEvent.from_facts(facts))
    return result


def _words(act: Line) -> Mapping[str, Any]:
    """Return the body of an act, or what is told of it."""
    words: Mapping[str, Any] = act.body.get("body") or act.body.get("words") or {}
    return words


def _facts(act: Line, verb: str) -> Mapping[str, Any]:
    """Return the facts of an act with a verb; empty if it has another."""
    words = _words(act)
    if words.get("verb") != verb:
        return {}
    facts: Mapping[str, Any] = words.get("facts", {})
    return facts


def _world_differences(where: Where, line: Line, world: World) -> Iterator[Difference]:
    """Yield the first difference of a world from the computed one."""
    document = to_document(world)
    stands = line.body["world"]
    if digest(document) == line.body["sha256"]:
        return
    if stands.get("schema") != document["schema"]:
        stands = to_document(from_document(World, stands))
    found = first_difference(stands, document)
    if found is not None:
        path, was, must = found
        words = "the world is not what follows from the orders"
        place = f"world: {path.removeprefix('body.')}"
        yield where.difference(Level.WEEKS, line, place, words, was, must)


def _view_differences(where: Where, line: Line, view: View, place: str) -> Iterator[Difference]:
    """Yield the first difference of a view from the computed one."""
    document = to_document(view)
    stands = line.body["document"]
    if digest(document) == line.body["sha256"]:
        return
    if stands.get("schema") != document["schema"]:
        stands = to_document(from_document(View, stands))
    found = first_difference(stands, document)
    if found is not None:
        path, was, must = found
        words = "the view is not what the faction could know"
        yield where.difference(
            *(Level.WEEKS, line, f"{place}: {path.removeprefix('body.')}", words, was, must)
        )

"""Level 1 of a check: hashes only. Commitments, sealed orders, chains, leaves and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.rules.beacon import QUICKNET, RULE
from engine.core import fair
from engine.core.canonical import digest
from engine.core.versions import has_salted_scenario
from engine.core.war_dice import WarDice, dice_rules
from proof.archive import BattleLines, Line, Opening, StageLines
from proof.beacons import beacon_differences
from proof.findings import Difference, Differs, Level, Where, where_of
from proof.forks import BEGINNING, FORK, fork_differences, parent_of, parent_row_of
from proof.rows import (
    SCHEMA_3,
    Leaves,
    RowKeys,
    leaves_of,
    outcome_of,
    row_facts,
    schema_of,
)

BY_PEOPLE = ("player", "umpire")  # sources of orders whose nonces the server did not make
SUMMARIES = ("entries", "acts")  # leaves over what others cover one by one


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A ledger row that was checked.

    Attributes:
        branch: The number of the branch that it was written on.
        link: Of the entropy chain; the row's hash if it has none.
        world: The digest of the world after it.
        is_left: Whether it ends an abandoned timeline.
    """

    branch: int
    hash: str
    link: str
    schema: int
    world: str
    is_left: bool


class Integrity:
    """Checks the hashes of a war, stage by stage."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header.body
        self.seed: str | None = header.get("seed")
        self.dice_key: str = header["dice_key"]
        self._dice_numbers = opening.dice_numbers
        self._dice_rules = dice_rules(header["ruleset"])
        self._parents = opening.parents
        # The rows of each branch and its ancestors, from the first row of the war on.
        self._lines: dict[int, list[CheckedRow]] = {}

    def opening_differences(self) -> Iterator[Difference]:
        """Yield what differs before the first stage."""
        opening = self._opening
        header = opening.header.body
        where = Where()

        def differs(line: Line, place: str, words: str, stands: Any, should: Any) -> Difference:
            return where.difference(Level.INTEGRITY, line, place, words, stands, should)

        if self.seed is not None and fair.commitment(self.seed) != header["seed_sha256"]:
            words = "the seed is not the one that the war committed to"
            sha256 = fair.commitment(self.seed)
            yield differs(opening.header, "seed", words, header["seed_sha256"], sha256)
        sha256 = digest(opening.scenario.body["document"])
        if opening.scenario.body["sha256"] != sha256:
            words = "the scenario has another hash"
            stands = opening.scenario.body["sha256"]
            yield differs(opening.scenario, "scenario", words, stands, sha256)
        beacon = header["ruleset"].get(RULE, QUICKNET)
        if beacon != QUICKNET:
            words = "the war names an unknown source of public dice"
            yield differs(opening.header, "ruleset", words, beacon, QUICKNET)
        yield from self._first_documents(differs)
        yield from fork_differences(opening)

    def _first_documents(self, differs: Any) -> Iterator[Difference]:
        """Yield what differs in the first world and the first views."""
        snapshot = self._opening.snapshot
        sha256 = digest(snapshot.body["world"])
        if snapshot.body["sha256"] != sha256:
            words = "the first world has another hash"
            yield differs(snapshot, "first world", words, snapshot.body["sha256"], sha256)
        for faction, view in self._opening.views.items():
            sha256 = digest(view.body["document"])
            if view.body["sha256"] != sha256:
                words = "the view has another hash"
                place = f"first view of {faction}"
                yield differs(view, place, words, view.body["sha256"], sha256)

    def genesis(self) -> str:
        """Return the hash before the first row; empty if it cannot be known without the seed."""
        return genesis_of(self._opening)

    def stage_differences(self, stage: StageLines) -> Iterator[Difference]:
        """Yield what differs in a stage."""
        require_whole(stage)
        if stage.stage.body["branch"] not in self._dice_numbers:
            words = "the stage is on an unknown branch"
            yield where_of(stage).difference(Level.INTEGRITY, stage.stage, "stage", words)
            return
        yield from self._entry_differences(stage)
        yield from self._act_differences(stage)
        yield from beacon_differences(stage, self._opening.header.body["ruleset"])
        for battle in stage.battles.values():
            yield from self._battle_differences(stage, battle)
        yield from self._document_differences(stage)
        yield from self._row_differences(stage)

    def hashes_of(self, branch: int) -> list[str]:
        """Return the hashes of the rows of a branch and its ancestors."""
        return [row.hash for row in self._line_of(branch)]

    def _line_of(self, branch: int) -> list[CheckedRow]:
        """Return the rows of a branch so far, with those of its ancestors up to where it starts."""
        if branch not in self._lines:
            parent = self._parents.get(branch)
            self._lines[branch] = [] if parent is None else self._line_of(parent[0])[: parent[1]]
        return self._lines[branch]

    def _own_rows(self, branch: int) -> list[CheckedRow]:
        """Return the rows that were written on a branch itself."""
        return [row for row in self._lines.get(branch, ()) if row.branch == branch]

    def _entry_differences(self, stage: StageLines) -> Iterator[Difference]:
        """Yield sealed entries whose digest or nonce is wrong."""
        where = where_of(stage)
        ordinal = stage.stage.body["ordinal"]
        dice = self._dice_numbers[stage.stage.body["branch"]]
        for line in stage.entries:
            place = f"entry of {line.body['faction']}, revision {line.body['revision']}"
            yield from self._sealed(where, line, place, fair.stage_place(ordinal, ""), dice)
        for battle in stage.battles.values():
            for line in battle.entries:
                body = line.body
                place = (
                    f"battle {battle.key}, {body['stage']} {body['stop']}: "
                    f"entry of {body['faction']}, revision {body['revision']}"
                )
                spot = fair.stage_place(body["stop"], body["stage"], battle.key)
                yield from self._sealed(where, line, place, spot, dice)

    def _sealed(
        self, where: Where, line: Line, place: str, spot: int | str, dice: int
    ) -> Iterator[Difference]:
        """Yield what differs in a sealed entry.

        Args:
            spot: Its stage in the keys of nonces.
            dice: The number of its branch there.
        """
        body = line.body
        should = fair.orders_digest(body["payload"], body["nonce"], body.get("share"))
        if body["digest"] != should:
            words = "the orders do not match their digest"
            yield where.difference(Level.INTEGRITY, line, place, words, body["digest"], should)
        if not has_right_word(line):
            words = "its withdrawal word does not belong to its nonce"
            yield where.difference(Level.INTEGRITY, line, place, words)
        if body["source"] in BY_PEOPLE or self.seed is None:
            return
        keys = WarDice(self._dice_rules, self.seed, self.dice_key, dice)
        nonce = keys.nonce(spot, body["faction"], body["revision"])
        if body["nonce"] != nonce:
            words = f"the nonce of orders from '{body['source']}' does not follow from the seed"
            yield where.difference(Level.INTEGRITY, line, place, words, body["nonce"], nonce)

    def _act_differences(self, stage: StageLines) -> Iterator[Difference]:
        """Yield acts whose body has another hash."""
        for number, line in enumerate(stage.acts):
            if "body" not in line.body:
                continue
            should = digest(line.body["body"])
            if should != line.body["sha256"]:
                words = "the act has another hash"
                yield where_of(stage).difference(
                    Level.INTEGRITY, line, f"act {number}", words, line.body["sha256"], should
                )

    def _battle_differences(self, stage: StageLines, battle: BattleLines) -> Iterator[Difference]:
        """Yield the first phase of a battle at which its chain breaks."""
        if self.seed is None:
            return
        dice = self._dice_numbers[stage.stage.body["branch"]]
        week = stage.stage.body["week"]
        salt = fair.chain_salt(self.seed, self.dice_key, dice, week, battle.key)
        last = fair.chain_begin(salt, battle.start.body["start"])
        for line in battle.stops:
            body = line.body
            link = fair.chain_link(
                last, {"inputs": body["inputs"], "events": body["events"], "views": body["views"]}
            )
            last = body["chain"]
            if link != last:
                place = f"battle {battle.key}, stop {body['seq']}"
                words = "the record of the battle does not match its chain of hashes"
                yield where_of(stage).difference(Level.INTEGRITY, line, place, words, last, link)
                return

    def _document_differences(self, stage: StageLines) -> Iterator[Difference]:
        """Yield world and views whose hash beside them is wrong."""
        where = where_of(stage)
        snapshot = stage.snapshot
        if snapshot is not None:
            stands = snapshot.body["sha256"]
            should = digest(snapshot.body["world"])
            if stands != should:
                words = "the world has another hash"
                yield where.difference(Level.INTEGRITY, snapshot, "world", words, stands, should)
        for faction, view in stage.views.items():
            stands = view.body["sha256"]
            should = digest(view.body["document"])
            if stands != should:
                words = "the view has another hash"
                place = f"view of {faction}"
                yield where.difference(Level.INTEGRITY, view, place, words, stands, should)

    def _row_differences(self, stage: StageLines) -> Iterator[Difference]:
        """Yield what differs in the ledger row of a stage."""
        row = stage.row
        if row is None:
            return
        where = where_of(stage)
        body = row.body["body"]
        branch = stage.stage.body["branch"]
        line = self._line_of(branch)
        keys = self._row_keys(stage)
        yield from self._place_differences(stage, line)
        before = line[-1].hash if line else self.genesis() or row.body["prev_hash"]
        expected = {
            "seq": len(line),
            "prev_hash": before,
            "hash": fair.row_hash(row.body["prev_hash"], body),
            "schema": body.get("schema"),
        }
        for key, should in expected.items():
            if row.body[key] != should:
                words = f"the row has another '{key}'"
                yield where.difference(
                    Level.INTEGRITY, row, "ledger row", words, row.body[key], should
                )
        is_first = schema_of(stage) >= SCHEMA_3 and (not line or line[-1].schema < SCHEMA_3)
        begins = not self._own_rows(branch)
        line.append(_checked_row(stage, row))
        for key, should in row_facts(stage, row.body["seq"], keys).items():
            if body.get(key) != should:
                words = f"'{key}' of the row is not that of the stage"
                yield where.difference(
                    Level.INTEGRITY, row, "ledger row", words, body.get(key), should
                )
        if begins:
            yield from self._opening_line_differences(stage, row)
        if is_first:
            yield from self._acts_before(stage)
        if keys is not None:
            opening = self._opening if is_first else None
            yield from self._outcome_differences(stage, row, keys, opening)

    def _place_differences(
        self, stage: StageLines, line: Sequence[CheckedRow]
    ) -> Iterator[Difference]:
        """Yield what is wrong with the place of a stage on its branch.

        Args:
            line: The rows before.
        """
        ordinal = stage.stage.body["ordinal"]
        if ordinal != len(line):
            words = "a stage is missing before it"
            yield where_of(stage).difference(
                Level.INTEGRITY, stage.stage, "stage", words, ordinal, len(line)
            )
        if any(row.is_left for row in line):
            words = "the stage is later than the end of an abandoned timeline"
            yield where_of(stage).difference(Level.INTEGRITY, stage.stage, "stage", words)

    def _opening_line_differences(self, stage: StageLines, row: Line) -> Iterator[Difference]:
        """Yield what differs in the line of a branch from its first row."""
        branch = stage.stage.body["branch"]
        stands = row.body["body"].get("opening")
        for line in self._opening.branches:
            if line.body["number"] == branch and line.body["opening"] != stands:
                words = "the opening of the branch is not that of its first row"
                yield where_of(stage).difference(
                    Level.INTEGRITY, line, "branch", words, line.body["opening"], stands
                )

    def _row_keys(self, stage: StageLines) -> RowKeys | None:
        """Return what the formulas of the row of a stage need; None without the seed."""
        if self.seed is None:
            return None
        header = self._opening.header.body
        genesis = self.genesis()
        branch = stage.stage.body["branch"]
        systems = self._opening.scenario.body["document"]["body"]["systems"]
        line = self._line_of(branch)
        parent = self._parents.get(branch)
        abandoned = self._own_rows(branch - 1)
        world = line[-1].world if line else digest(self._opening.snapshot.body["world"])
        fork = None
        kind = ""
        if parent is None:
            fork = parent_of(self._opening)
            kind = FORK if fork else BEGINNING
        return RowKeys(
            seed=self.seed,
            dice_key=self.dice_key,
            branch=branch,
            dice=self._dice_numbers[branch],
            factions=tuple(str(line.body["key"]) for line in self._opening.factions),
            begins=not self._own_rows(branch),
            parent=fork if parent is None else [header["campaign"], *parent],
            parent_row=line[-1].hash if line else parent_row_of(self._opening),
            left_row=abandoned[-1].hash if abandoned else None,
            world=world,
            kind=kind,
            seed_sha256=header["seed_sha256"],
            genesis=genesis,
            rules=self._dice_rules,
            past=line[-1].link if line else entropy_begin(self._opening),
            slots=fair.slots_of(len(systems)),
        )

    def _acts_before(self, stage: StageLines) -> Iterator[Difference]:
        """Yield what differs in the acts before the war, which the first row of schema 3 covers."""
        if stage.setting is None:
            return
        stands = [act.body["sha256"] for act in self._opening.acts]
        should = stage.setting.body["document"].get("acts_before")
        if stands != should:
            line = self._opening.acts[-1] if self._opening.acts else stage.setting
            words = "these are not the acts that the first row covers"
            yield where_of(stage).difference(
                Level.INTEGRITY, line, "acts before the war", words, stands, should
            )

    def _outcome_differences(
        self, stage: StageLines, row: Line, keys: RowKeys, opening: Opening | None
    ) -> Iterator[Difference]:
        """Yield the leaves under a row that do not match the lines of the stage.

        Args:
            opening: Of the war, if the row is the first of schema 3.
        """
        where = where_of(stage)
        computed = leaves_of(stage, keys, opening)
        outcome = row.body["body"].get("outcome")
        archived = {name: line.body["digest"] for name, line in stage.leaves.items()}
        root = outcome_of(stage, {name: value for name, (_, value) in computed.items()}, keys)
        if root == outcome:
            for name in sorted(set(computed) - set(archived)):
                words = "the leaf is missing before this row"
                yield where.difference(Level.INTEGRITY, row, f"leaf {name}", words)
            for name, line in stage.leaves.items():
                should = computed[name][1] if name in computed else None
                if line.body["digest"] != should:
                    words = "the leaf is not what the row covers"
                    yield where.difference(
                        Level.INTEGRITY, line, f"leaf {name}", words, line.body["digest"], should
                    )
            return
        if outcome_of(stage, archived, keys) == outcome:
            yield from self._uncovered(where, row, computed, archived)
            return
        words = "the outcome is not that of the stage"
        yield where.difference(Level.INTEGRITY, row, "ledger row", words, outcome, root)

    def _uncovered(
        self, where: Where, row: Line, computed: Leaves, archived: Mapping[str, str]
    ) -> Iterator[Difference]:
        """Yield the lines that are not what the leaves of a row cover."""
        words = "it is not what the ledger row covers"
        details_first = sorted(computed.items(), key=lambda item: (item[0] in SUMMARIES, item[0]))
        for name, (line, value) in details_first:
            if archived.get(name) != value:
                yield where.difference(
                    Level.INTEGRITY, line, place_of(name), words, value, archived.get(name)
                )
        for name in sorted(set(archived) - set(computed)):
            yield where.difference(Level.INTEGRITY, row, place_of(name), words)


def has_right_word(line: Line) -> bool:
    """Return whether an entry has no withdrawal word, or was withdrawn with its nonce's word."""
    body = line.body
    if "word" not in body:
        return True
    return body["withdrawn"] is not None and fair.nonce_of_word(body["word"]) == body["nonce"]


def genesis_of(opening: Opening) -> str:
    """Return the hash before the first row; empty if it cannot be known without the seed."""
    parts = genesis_parts(opening)
    return fair.genesis_hash(parts) if parts else ""


def entropy_begin(opening: Opening) -> str:
    """Return the entropy chain before the first row; empty without the seed."""
    parts = genesis_parts(opening)
    rules = dice_rules(opening.header.body["ruleset"])
    return fair.entropy_begin(parts, rules) if parts else ""


def genesis_parts(opening: Opening) -> dict[str, Any]:
    """Return the parts of the hash before the first row; empty without the seed."""
    header = opening.header.body
    scenario = opening.scenario.body["sha256"]
    if has_salted_scenario(header["ruleset"]["rules_version"]):
        if header.get("seed") is None:
            return {}
        salt = fair.scenario_salt(header["seed"], header["dice_key"])
        scenario = fair.scenario_commitment(scenario, salt)
    return {
        "campaign": header["campaign"],
        "dice_key": header["dice_key"],
        "ruleset": header["ruleset"],
        "scenario": scenario,
        "seed_sha256": header["seed_sha256"],
    }


def place_of(leaf: str) -> str:
    """Return what a leaf covers, in words."""
    kind, _, key = leaf.partition("/")
    words = {"view": "view of", "entry": "entry of", "told": "reports to"}
    return f"{words.get(kind, kind)} {key}" if key else kind


def _checked_row(stage: StageLines, row: Line) -> CheckedRow:
    """Return what later rows depend on."""
    world = "" if stage.snapshot is None else digest(stage.snapshot.body["world"])
    return CheckedRow(
        branch=stage.stage.body["branch"],
        hash=row.body["hash"],
        link=row.body["body"].get("past") or row.body["hash"],
        schema=schema_of(stage),
        world=world,
        is_left=stage.is_left,
    )


def require_whole(stage: StageLines) -> None:
    """Raise Differs if a stage lacks a line that every stage has.

    A stage that was not played has neither a world nor events.
    """
    where = where_of(stage)
    for line, kind in ((stage.snapshot, "snapshot"), (stage.events, "happenings")):
        if line is not None and stage.is_left:
            words = f"a stage that was not played has a line '{kind}'"
            raise Differs(where.difference(Level.INTEGRITY, line, "stage", words))
        if line is None and not stage.is_left:
            at = stage.row or stage.stage
            words = f"the stage has no line '{kind}'"
            raise Differs(where.difference(Level.INTEGRITY, at, "stage", words))
    for battle in stage.battles.values():
        if battle.result is None:
            words = "the battle has no result"
            place = f"battle {battle.key}"
            raise Differs(where.difference(Level.INTEGRITY, battle.start, place, words))

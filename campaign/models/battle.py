"""Battles, their slices and their phases."""

from __future__ import annotations

from django.db import models

from campaign.kinds import BattleMode, BattleStatus
from campaign.models.campaign import Branch
from campaign.models.constraints import one_of, sha_check


class Battle(models.Model):
    """A battle of a week.

    A running battle keeps the rules version with which it began.

    Attributes:
        seq: The number of the snapshot from which it is fought.
        key: The key of the engagement.
        start: The battle at its start, as JSON of the engine.
        state: The battle now, as JSON of the engine.
        dice_context: The beginning of the keys of its dice.
    """

    public_id = models.UUIDField(unique=True)
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="battles")
    seq = models.PositiveIntegerField()
    week = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=120)
    mode = models.CharField(max_length=16)
    rules_version = models.CharField(max_length=20)
    schema = models.PositiveSmallIntegerField()
    start = models.JSONField()
    state = models.JSONField(null=True)
    dice_context = models.JSONField()
    status = models.CharField(max_length=16)
    result = models.JSONField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("branch", "week", "key"), name="battle_one_of_a_key_a_week"
            ),
            one_of("battle", "mode", tuple(BattleMode)),
            one_of("battle", "status", tuple(BattleStatus)),
            models.CheckConstraint(
                condition=~models.Q(status=BattleStatus.FOUGHT) | models.Q(result__isnull=False),
                name="battle_fought_has_result",
            ),
        )

    def __str__(self) -> str:
        return f"battle {self.key} of week {self.week}"


class BattleSlice(models.Model):
    """A part of a battle that captains fight in the background.

    Slices are shown to no user. Once the battle is over, its stage is written. `phases` and
    `position` are the compressed text of the JSON, because the JSON type of a database sorts keys
    and rounds numbers.

    Attributes:
        basis: The hash of all inputs; slices with another basis are discarded.
        phases: The phases of this slice, as `BattlePhase` will store them.
        position: The engine's state after them, and what captains and dice have to remember
            (`engine.battle.Fight`).
        over: Whether this is the last slice.
    """

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="slices")
    seq = models.PositiveIntegerField()
    basis = models.CharField(max_length=64)
    phases = models.BinaryField()
    position = models.BinaryField()
    over = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("battle", "seq"), name="battle_slice_one_of_a_seq"),
            sha_check("battle_slice", "basis"),
        )

    def __str__(self) -> str:
        return f"slice {self.seq} of battle {self.battle_id}"


class BattlePhase(models.Model):
    """A phase of a battle: what each side chose, what happened and what each side saw.

    Attributes:
        schema: The version of the shape of `inputs`, `events` and `views`.
        chain: The hash over this phase and the chain of the phase before.
    """

    battle = models.ForeignKey(Battle, on_delete=models.PROTECT, related_name="phases")
    seq = models.PositiveIntegerField()
    schema = models.PositiveSmallIntegerField()
    inputs = models.JSONField()
    events = models.JSONField()
    views = models.JSONField()
    chain = models.CharField(max_length=64)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("battle", "seq"), name="battle_phase_one_of_a_seq"),
            sha_check("battle_phase", "chain"),
        )

    def __str__(self) -> str:
        return f"phase {self.seq} of battle {self.battle_id}"

"""A battle and its stops."""

from __future__ import annotations

from django.db import models

from campaign.kinds import BattleMode, BattleStatus
from campaign.models.campaign import Branch
from campaign.models.constraints import one_of, sha_check


class Battle(models.Model):
    """`key`: the engagement's.

    `start` and `state`: the engine's JSON. `dice_context`: the beginning of its dice keys.

    A running battle keeps the rules version it began with.
    """

    public_id = models.UUIDField(unique=True)
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="battles")
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
    """A part of a battle that captains fight in the background, until the battle is over and its
    stage is written.

    Nothing of it is shown to anybody. `basis`: the hash of all that it was computed from; slices of
    another basis are thrown away. `stops`: those of this slice, as `BattleStop` will have them;
    `position`: the engine's state after them, and what captains and dice have to remember
    (`engine.battle.Fight`). Both are compressed JSON as it was written, because a database's own
    JSON sorts keys and rounds. `over`: it is the last slice.
    """

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="slices")
    seq = models.PositiveIntegerField()
    basis = models.CharField(max_length=64)
    stops = models.BinaryField()
    position = models.BinaryField()
    over = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("battle", "seq"), name="battle_slice_one_of_a_seq"),
            sha_check("battle_slice", "basis"),
        )

    def __str__(self) -> str:
        return f"slice {self.seq} of battle {self.battle_id}"


class BattleStop(models.Model):
    """One stop: who chose what, what happened, what each side saw, all of it of the shape `schema`.

    `chain` hashes it onto the stop before.
    """

    battle = models.ForeignKey(Battle, on_delete=models.PROTECT, related_name="stops")
    seq = models.PositiveIntegerField()
    schema = models.PositiveSmallIntegerField()
    inputs = models.JSONField()
    events = models.JSONField()
    views = models.JSONField()
    chain = models.CharField(max_length=64)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("battle", "seq"), name="battle_stop_one_of_a_seq"),
            sha_check("battle_stop", "chain"),
        )

    def __str__(self) -> str:
        return f"stop {self.seq} of battle {self.battle_id}"

"""The public ledger, and the acts that its rows cover. Append-only.

Each stage adds one row of the same shape, hashed onto the row before. An act is what people did to
a campaign besides giving orders: extend, pause, excuse, join and so on.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaign import Branch, Campaign
from campaign.models.constraints import one_of, sha_check
from campaign.models.stage import Stage

# The verbs of acts.
EXTEND = "extend"
PAUSE = "pause"
RESUME = "resume"
RESOLVE = "resolve"
EXCUSE = "excuse"
JOIN = "join"
LEAVE = "leave"
TO_COMPUTER = "to-computer"
PASSWORD_LINK = "password-link"  # noqa: S105 -- the name of a verb
BATTLE_MODE = "battle-mode"
RULES = "rules"
REMEDY = "remedy"  # for a stage that could not be computed (`umpire.services.quarantine`)
TABLE_RESULT = "table-result"  # the umpire entered the result of a battle at a table
UMPIRE_EVENT = "umpire-event"  # the umpire wrote an event (`umpire.services.umpire_events`)
GRACE = "grace"  # late orders are accepted in a stage
HOLD = "hold"  # the outcome of a stage waits for its release
RELEASE = "release"
REBUILD = "rebuild"  # damaged rows were computed again (`umpire.services.rebuilding`)
KEY = "key"  # the site signs with another key from now on
TAKE_BACK = "take-back"  # the war was rolled back to an earlier stage
REVEAL = "reveal"  # the seed of a finished war is public (`umpire.services.reveal`)
RULED = "ruled"  # the umpire made a ruling (`umpire.services.rulings`)
RULING_HELD = "ruling-held"  # a ruling that is made when a later stage opens
RULING_DROPPED = "ruling-dropped"  # a held ruling was withdrawn
NO_BEACON = "no-beacon"  # a stage goes on without a public random value
VERBS = (
    *(EXTEND, PAUSE, RESUME, RESOLVE, EXCUSE),
    *(JOIN, LEAVE, TO_COMPUTER, PASSWORD_LINK),
    *(BATTLE_MODE, RULES, REMEDY, TABLE_RESULT),
    *(UMPIRE_EVENT, GRACE, HOLD, RELEASE),
    *(REBUILD, KEY, TAKE_BACK, REVEAL),
    *(RULED, RULING_HELD, RULING_DROPPED),
    NO_BEACON,
)
# Only umpires read these during a war: a host could infer from a battle's mode, from its result and
# from what was rebuilt that there is a battle. An event is secret until the end, and so is a ruling
# that waits.
UMPIRES_ONLY = (BATTLE_MODE, TABLE_RESULT, UMPIRE_EVENT, REBUILD, RULING_HELD, RULING_DROPPED)


class LedgerRow(models.Model):
    """A row of the ledger. Append-only.

    Attributes:
        body: See `umpire.services.ledger`.
        hash: SHA-256 of `prev_hash` and the canonical body.
        leaves: The digests under `outcome` by the names of their leaves. Secret until the end;
            null in rows of schema 1.
        setting: The document of the leaf of that name. Secret until the end; null as above.
    """

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="ledger")
    seq = models.PositiveIntegerField()
    stage = models.OneToOneField(Stage, on_delete=models.PROTECT, related_name="ledger_row")
    schema = models.PositiveSmallIntegerField()
    body = models.JSONField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)
    leaves = models.JSONField(null=True)
    setting = models.JSONField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("branch", "seq"), name="ledger_row_one_of_a_seq"),
            models.UniqueConstraint(
                fields=("branch", "prev_hash"), name="ledger_row_one_after_another"
            ),
            sha_check("ledger_row", "prev_hash", "hash"),
        )

    def __str__(self) -> str:
        return f"ledger row {self.seq} of branch {self.branch_id}"


class Act(models.Model):
    """An act of a host, umpire or player.

    Attributes:
        stage: The stage that was open at the time, whose ledger row covers the act; null before and
            after the war.
        branch: The head branch at the time; null before the war.
        body: {schema, verb, actor, at, reason, facts}.
        sha256: The hash of the canonical text of `body`.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="acts")
    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, null=True, related_name="acts")
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, null=True, related_name="acts")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="acts"
    )
    verb = models.CharField(max_length=16)
    body = models.JSONField()
    sha256 = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = (
            one_of("act", "verb", VERBS),
            sha_check("act", "sha256"),
            models.UniqueConstraint(
                fields=("stage",), condition=Q(verb=RESOLVE), name="act_resolve_once_a_stage"
            ),
            models.UniqueConstraint(
                fields=("campaign",), condition=Q(verb=REVEAL), name="act_reveal_once_a_campaign"
            ),
        )
        indexes = (models.Index(fields=("campaign", "at"), name="act_of_a_campaign"),)

    def __str__(self) -> str:
        return f"{self.verb} in {self.campaign_id}"

"""The secrets of a running war as texts, and the search for them in answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from campaign import models
from campaign.selectors.entropy import entropy_at
from campaign.store.war_dice import entry_share
from engine.core import fair
from engine.core.war_dice import BATTLE, SET_UP, WEEK
from umpire.services.ledger import sealed_entries

HEXADECIMAL = re.compile(rb"(?<![0-9a-fA-F])[0-9a-fA-F]{32}(?:[0-9a-fA-F]{32})?(?![0-9a-fA-F])")


def secrets_of_dice(campaign: models.Campaign) -> dict[str, str]:
    """Return the seed and the keys under it, by either rules of dice, with what each is."""
    seed, dice_key = campaign.seed, campaign.dice_key
    secrets = {seed: "seed", fair.scenario_salt(seed, dice_key): "salt of the scenario"}
    secrets[fair.contact_salt(seed, dice_key, 1).hex()] = "salt of contacts"
    battles = set(
        models.Battle.objects.filter(branch__campaign=campaign).values_list("key", "week")
    )
    rows = {row.seq: row for row in models.LedgerRow.objects.filter(branch__campaign=campaign)}
    for stage in models.Stage.objects.filter(branch__campaign=campaign, battle__isnull=True):
        row = rows.get(stage.ordinal)
        keys = fair.outcome_keys(seed, dice_key, 1, stage.ordinal)
        secrets |= {keys.blind: "key of blinds", keys.place: "key of places"}
        choice = fair.choice_names(dice_key, 1, stage.ordinal)
        secrets[fair.key_of(seed, [choice]).hex()] = "key of choices"
        entropy = row.body.get("past", row.hash) if row is not None else ""
        names = fair.stage_names(dice_key, stage.ordinal, stage.kind, entropy)
        inner: list[fair.Names] = [[WEEK]]
        for key, _ in battles:
            inner += [[BATTLE, key], [SET_UP, key]]
        secrets[fair.key_of(seed, [names]).hex()] = "key of a stage"
        for last in inner:
            secrets[fair.key_of(seed, [names, last]).hex()] = f"key of {last}"
        for key, week in battles:
            table = fair.table_names(dice_key, week, key, entropy)
            secrets[fair.key_of(seed, [table]).hex()] = "key of a table"
            secrets[fair.chain_salt(seed, dice_key, 1, week, key)] = "salt of a battle's chain"
    return secrets | _keys_of_phases(campaign)


def _keys_of_phases(campaign: models.Campaign) -> dict[str, str]:
    """Return the keys of the phases of online battles, with what is sealed for them so far."""
    secrets = {}
    entropy_of: dict[int, str] = {}
    phases = models.Stage.objects.filter(branch__campaign=campaign, battle__isnull=False)
    for stage in phases.select_related("battle__branch__campaign").order_by("ordinal"):
        battle = stage.battle
        assert battle is not None
        before = entropy_of.get(battle.pk) or entropy_at(battle.branch, battle.seq)
        entries = sealed_entries(stage)
        digests = [entry.digest for entry in entries]
        shares = [entry_share(stage, entry) for entry in entries]
        entropy = fair.entropy_link(before, stage.ordinal, digests, shares, "")
        entropy_of[battle.pk] = entropy
        names = fair.phase_names(campaign.dice_key, battle.week, battle.key, stage.ordinal, entropy)
        secrets[fair.key_of(campaign.seed, [names]).hex()] = "key of a phase"
    return secrets


def secrets_of_orders(campaign: models.Campaign, reader: models.Faction | None) -> dict[str, str]:
    """Return nonces and shares of all sealed orders that are not the reader's."""
    secrets = {}
    entries = models.Submission.objects.filter(stage__branch__campaign=campaign)
    for entry in entries.exclude(faction=reader).select_related("faction"):
        place = fair.stage_place(entry.stage.ordinal, entry.stage.kind)
        share = fair.server_share(campaign.seed, campaign.dice_key, 1, place, entry.faction.key)
        for text in (entry.nonce, entry.share or share):
            secrets[text] = f"orders of {entry.faction.key}"
    return secrets


def leaked(answers: Mapping[str, Any], secrets: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return address and secret of each body that contains one.

    Args:
        answers: By address; their `body` is bytes.
    """
    leaks = []
    for address, answer in answers.items():
        for text in _texts(answer.body):
            if text in secrets:
                leaks.append((address, secrets[text]))
    return leaks


def _texts(body: bytes) -> Iterable[str]:
    """Yield what could be a key in a body."""
    for match in HEXADECIMAL.finditer(body):
        yield match[0].decode().lower()

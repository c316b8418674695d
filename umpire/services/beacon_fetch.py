"""Ask drand for the public random values on which closed stages wait.

A worker asks the addresses in `BEACON_RELAYS`, in turn, for the round of each stage. Old rounds
stay available, so a late answer gives the same dice as a punctual one. The answers are not trusted:
only a value with the right signature is stored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

import requests
import structlog
from django.conf import settings
from django.utils import timezone

from campaign.models.stage import Stage
from campaign.rules.beacon import (
    QUICKNET,
    SignedRound,
    are_signed,
    is_signature,
    round_after,
    round_instant,
)
from campaign.selectors.beacon import (
    BEACON_FETCH,
    PROBE,
    may_offer_beacon,
    stages_without_beacon,
    went_on_without,
)
from campaign.selectors.due import PHASE_RESOLVE, STAGE_RESOLVE, task_enqueue
from jobs.models import Job
from jobs.services import jobs_enqueue

LONGEST_ANSWER = 4096  # bytes; that of a relay has 200
TIMEOUT = 4.0  # seconds to connect, and between two parts of an answer
LONGEST_TIME = 8.0  # seconds for one answer
FREQUENT = timedelta(minutes=2)  # after the round; later a relay is asked once a minute
TICK = 5  # seconds between two ticks
PROBE_EVERY = timedelta(hours=1)

log = structlog.get_logger(__name__)


def beacons_enqueue(*, now: datetime) -> None:
    """Let a worker fetch the values that closed stages wait for, and probe the relays hourly."""
    if not may_offer_beacon():
        return
    requests_of: dict[str, dict[str, int]] = {}
    for stage in stages_without_beacon():
        number = _round_of(stage)
        if _is_time_to_ask(number, now) and not went_on_without(stage):
            requests_of[f"{BEACON_FETCH}/{number}"] = {"round": number}
    newest = Job.objects.filter(dedupe_key=PROBE).values_list("asked_at", flat=True).first()
    if newest is None or not newest <= now < newest + PROBE_EVERY:
        requests_of[PROBE] = {"round": 0}
    jobs_enqueue(kind=BEACON_FETCH, requests=requests_of, now=now)


def beacon_work(args: Mapping[str, Any]) -> dict[str, bool]:
    """Fetch a round and store its value, or only try the newest round if the number is 0."""
    number = args["round"]
    if number == 0:
        newest = round_after(timezone.now() - timedelta(minutes=2))
        return {"reached": round_fetch(newest) is not None}
    signed = round_fetch(number)
    if signed is None:
        return {"reached": False}
    beacon_store(signed)
    return {"reached": True}


def beacon_store(signed: SignedRound) -> int:
    """Store a round for the stages that wait for it, let them go on, and return their number."""
    stored = 0
    for stage in stages_without_beacon():
        if _round_of(stage) != signed.round or went_on_without(stage):
            continue
        rows = Stage.objects.filter(pk=stage.pk, beacon_signature__isnull=True)
        if rows.update(beacon_signature=signed.signature):
            stored += 1
            name = STAGE_RESOLVE if stage.battle_id is None else PHASE_RESOLVE
            task_enqueue(name=name, row=stage.pk)
    return stored


def round_fetch(number: int) -> SignedRound | None:
    """Return a round from the first relay that has it; None if none has."""
    for relay in settings.BEACON_RELAYS:
        answer = _answer_of(relay, number)
        if answer is None:
            continue
        signed = _read_round(answer, number)
        if signed is not None:
            return signed
        log.warning("beacon-answer-refused", relay=relay, round=number)
    return None


def _round_of(stage: Stage) -> int:
    """Return the number of the round of a closed stage."""
    if stage.closed_at is None:
        raise ValueError("the stage is not closed")
    return round_after(stage.closed_at)


def _is_time_to_ask(number: int, now: datetime) -> bool:
    """Return whether to ask for a round in this tick: often at first, then once a minute."""
    waited = now - round_instant(number)
    if waited < timedelta(0):
        return False
    return waited < FREQUENT or int(waited.total_seconds()) % 60 < TICK


def _answer_of(relay: str, number: int) -> bytes | None:
    """Return the answer of a relay, if it has one that is neither too long nor too slow."""
    url = f"{relay}/{QUICKNET['chain']}/public/{number}"
    ends = monotonic() + LONGEST_TIME
    body = b""
    try:
        with requests.get(url, timeout=TIMEOUT, stream=True, allow_redirects=False) as response:
            if response.status_code != requests.codes.ok:
                return None
            for part in response.iter_content(1024):
                body += part
                if len(body) > LONGEST_ANSWER or monotonic() > ends:
                    log.warning("beacon-answer-refused", relay=relay, round=number)
                    return None
    except requests.RequestException as error:
        log.info("beacon-relay-away", relay=relay, kind=type(error).__name__)
        return None
    return body


def _read_round(answer: bytes, number: int) -> SignedRound | None:
    """Return the round in an answer; None if it is another one, or not signed by the network."""
    try:
        document = json.loads(answer)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get("round") != number:
        return None
    signature = document.get("signature")
    if not is_signature(signature):
        return None
    signed = SignedRound(number, str(signature))
    return signed if are_signed([signed]) else None

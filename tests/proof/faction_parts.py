"""What one faction can prove of a war, checked by both verifiers, and with planted forgeries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from campaign.models import Campaign, Submission, View
from engine.core.fair import orders_digest
from proof.archive import archive_bytes, archive_line
from proof.check import Options
from proof.findings import Exit
from tests.proof.archived import Body, page_answer, verdict_of_bytes
from umpire.services.faction_archives import faction_archive

SECRETS = ("seed", "id_secret")


def assert_side_proves_its_part(campaign: Campaign, key: str, folder: Path) -> bytes:
    """Check a faction's archive by both verifiers, and return it."""
    faction = campaign.factions.get(key=key)
    data = b"".join(faction_archive(campaign, faction))
    verdict = verdict_of_bytes(data)
    assert verdict.differences == []
    assert verdict.unreadable is None
    assert verdict.exit == Exit.AS_FAR_AS_SHOWN
    assert verdict.counts.views
    assert verdict.counts.reports
    _assert_nothing_of_others(campaign, key, data.decode())
    forged = _forgeries(data.splitlines(keepends=True)[:-1])
    files = []
    for number, content in enumerate([data, *forged.values()]):
        file = folder / f"own-{number}.jsonl"
        file.write_bytes(content)
        files.append(str(file))
    faults = [answer["fault"] for answer in page_answer(files)["verdicts"]]
    assert faults[0] is None
    for (name, content), fault in zip(forged.items(), faults[1:], strict=True):
        assert verdict_of_bytes(content, Options()).exit in (1, 2), name
        assert fault is not None, name
    return data


def _assert_nothing_of_others(campaign: Campaign, key: str, text: str) -> None:
    """Check that an archive has no secret of the war and nothing of other factions."""
    hidden = {getattr(campaign, name) for name in SECRETS} | {campaign.scenario.sha256}
    others = Submission.objects.filter(stage__branch__campaign=campaign)
    others = others.exclude(faction__key=key)
    hidden |= set(others.values_list("nonce", flat=True))
    views = View.objects.filter(snapshot__branch__campaign=campaign)
    hidden |= set(views.exclude(faction__key=key).values_list("sha256", flat=True))
    assert [value for value in hidden if value in text] == []


def _forgeries(lines: list[bytes]) -> dict[str, bytes]:
    """Return changed archives with the right last line, by what is changed in them."""
    changes: dict[str, tuple[str, Any]] = {
        "order": ("entry", _other_order),
        "view": ("view", lambda body: body["document"].update(forged=1)),
        "report": ("report", lambda body: body["document"].update(forged=1)),
        "act": ("act", lambda body: body.update(sha256="0" * 64)),
        "proof": ("proof", lambda body: body["hashes"].reverse()),
        "row": ("row", lambda body: body["body"].update(week=99)),
        "head": ("head", lambda body: body.update(note=body["note"].replace("/war/", "/wars/"))),
        "order of another": ("entry", lambda body: body.update(faction="other")),
        "view of another": ("view", lambda body: body.update(faction="other")),
        "report of another": ("report", lambda body: body.update(faction="other")),
        "left out": ("proof", None),
        "view left out": ("view", None),
    }
    forged = {}
    for name, (kind, change) in changes.items():
        numbers = [n for n, line in enumerate(lines) if json.loads(line)["kind"] == kind]
        if not numbers:
            continue
        number = numbers[-1]
        body = json.loads(lines[number])
        kept = list(lines)
        del kept[number]
        if change is not None:
            change(body)
            kept.insert(number, archive_line(body.pop("kind"), body))
        forged[name] = b"".join(archive_bytes(kept))
    return forged


def _other_order(body: Body) -> None:
    """Change sealed orders together with their digest."""
    body["payload"]["forged"] = 1
    body["digest"] = orders_digest(body["payload"], body["nonce"], body.get("share"))

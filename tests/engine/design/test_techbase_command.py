"""`design --tech-base` names missing technologies beside every other fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.__main__ import main

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "techbases"
DESIGN: dict[str, Any] = {
    **{
        "class": "Ghost",
        "edition": "continuum",
        "kind": "warship",
        "mass": 60,
        "thrust": 4,
        "ftl": "standard",
    },
    "hull": {"boxes": 12, "rows": 4},
    "systems": [{"type": "firecon"}, {"type": "cloaking-field"}, {"type": "screen"}],
}


@pytest.mark.rule("camp.tech-base")
def test_missing_technologies_are_violations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ghost.json"
    file.write_text(json.dumps(DESIGN))
    assert main(["design", str(file)]) == 0
    free = json.loads(capsys.readouterr().out)
    assert free["violations"] == []
    base = str(FIXTURES / "new-anglian-confederation.yaml")
    assert main(["design", str(file), "--tech-base", base]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(fault["where"], fault["code"]) for fault in answer["violations"]] == [
        ("systems[1]", "missing-technology")
    ]
    assert answer["points"] == free["points"]


def test_faulty_tech_base_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ghost.json").write_text(json.dumps(DESIGN))
    (tmp_path / "base.yaml").write_text(yaml.safe_dump(["ads", "warp"]))
    words = ["design", str(tmp_path / "ghost.json"), "--tech-base", str(tmp_path / "base.yaml")]
    assert main(words) == 2
    codes = {fault["code"] for fault in json.loads(capsys.readouterr().err)["violations"]}
    assert codes == {"missing-prerequisite", "unknown-technology"}

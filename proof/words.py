"""The verdict on an archive as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from proof.beacons import UNCHECKED
from proof.check import Verdict
from proof.findings import Difference, Exit, Level

MANY_LINES = 10  # of faces, from which a low p is to be expected


def text_of(verdict: Verdict) -> str:
    """Return what the command prints."""
    return "".join(f"{line}\n" for line in _lines(verdict))


def json_of(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as JSON."""
    head = verdict.head
    return {
        "exit": int(verdict.exit),
        "name": verdict.name,
        "campaign": verdict.campaign,
        "level": int(verdict.level),
        "counts": asdict(verdict.counts),
        "head": "" if head is None else head.short_name,
        "signer": verdict.signer,
        "has_end_row": verdict.has_end_row,
        "differences": [asdict(difference) for difference in verdict.differences],
        "unreadable": list(verdict.unreadable) if verdict.unreadable else None,
        "notes": [asdict(note) for note in verdict.notes],
        "other_build": verdict.other_build,
        "faces": [faces.to_json() for faces in verdict.faces],
        "luck": None if verdict.luck is None else verdict.luck.to_json(),
        "limits": verdict.limits,
        "witnesses": [asdict(finding) for finding in verdict.findings],
    }


def _lines(verdict: Verdict) -> Iterator[str]:
    """Yield the lines of the text."""
    counts = verdict.counts
    if verdict.name:
        yield (
            f"{verdict.name}, war {verdict.campaign}: {_count(counts.weeks, 'week')}, "
            f"{_count(counts.factions, 'faction')}, {_count(counts.rows, 'row')}, "
            f"{_count(counts.battles, 'battle')}, {_count(counts.dice, 'die', 'dice')}."
        )
    for difference in verdict.differences:
        yield from _difference_lines(difference)
    if verdict.other_build:
        build = verdict.other_build[:12]
        yield f"another build resolved this stage (sources {build}): try that one"
    if verdict.unreadable is not None:
        line, words = verdict.unreadable
        yield f"unreadable  line {line}: {words}"
    elif not verdict.differences:
        yield from _proven_lines(verdict)
    for finding in verdict.findings:
        yield f"{'witness' if finding.holds else 'CONTRADICTED'}  {finding.words}"
    if verdict.exit == Exit.CONTRADICTED:
        yield "The war is proven, but a witness contradicts it."


def _difference_lines(difference: Difference) -> Iterator[str]:
    """Yield the lines of a difference."""
    at = [f"line {difference.line}"]
    if difference.row is not None:
        at.append(f"row {difference.row}")
    if difference.week is not None:
        at.append(f"week {difference.week}, {difference.stage}")
    yield f"differs  {', '.join(at)}"
    yield f"         {difference.place}: {difference.words}"
    if difference.stands or difference.should:
        yield f"         stands: {difference.stands}"
        yield f"         should: {difference.should}"


def _proven_lines(verdict: Verdict) -> Iterator[str]:
    """Yield what is proven, and what has to be trusted."""
    counts = verdict.counts
    signed = f"signed by {verdict.signer}" if verdict.signer else "not signed"
    head = "" if verdict.head is None else f", head {verdict.head.short_name}, {signed}"
    yield f"proven  history   {_count(counts.rows, 'row')} chained{head}"
    entries = _count(counts.entries, "entry", "entries")
    filled = counts.entries - counts.shares
    shares = f"{_count(counts.shares, 'share', 'shares')} from clients, {filled} filled in"
    yield f"proven  orders    {entries} match their digests; {shares} by the server"
    if verdict.level >= Level.DICE and not verdict.limits:
        yield f"proven  dice      {counts.dice_proven:,} of {counts.dice:,}"
    if verdict.level >= Level.WEEKS and not verdict.limits:
        yield f"proven  weeks     {_count(counts.worlds, 'world')}, {_count(counts.views, 'view')}"
    if verdict.shown_for:
        documents = f"{_count(counts.views, 'view')} and {_count(counts.reports, 'report')}"
        yield f"proven  knowledge {documents} of {verdict.shown_for} are those of the rows"
    if counts.choices and not verdict.limits:
        agreeing = counts.choices - len(verdict.notes)
        yield f"{'proven' if not verdict.notes else 'noted '}  choices   {agreeing:,} of " + (
            f"{counts.choices:,} as this release chooses"
        )
    yield from _proven_extras(verdict)
    for note in verdict.notes:
        yield f"note    line {note.line}, week {note.week}: {note.place}: {note.words}"
    for limit in verdict.limits:
        yield f"not checked  {limit}"
    yield from _trusted_lines(verdict)


def _proven_extras(verdict: Verdict) -> Iterator[str]:
    """Yield what is proven that not every war has."""
    counts = verdict.counts
    if counts.beacons and UNCHECKED not in verdict.limits:
        yield f"proven  beacon    {_count(counts.beacons, 'public random value')} of drand"
    if counts.rollbacks:
        times = _count(counts.rollbacks, "rollback")
        yield f"proven  timelines {times}: the abandoned timelines are checked as well"
    if verdict.has_end_row:
        yield "proven  seed      published after the war, in the last row of the ledger"


def _trusted_lines(verdict: Verdict) -> Iterator[str]:
    """Yield what no check can prove."""
    counts = verdict.counts
    yield "trusted that nobody read the database while the war went on"
    if verdict.shown_for:
        return
    if counts.trusted_results:
        yield f"trusted {_count(counts.trusted_results, 'result')} that people entered for battles"
    else:
        yield "trusted no results that people entered for battles"
    if counts.unshown_throws:
        throws = _count(counts.unshown_throws, "throw")
        yield f"trusted {throws} that were reserved for a battle at a table and never shown"
    if counts.one_step_throws:
        throws = _count(counts.one_step_throws, "throw")
        yield f"trusted {throws} for a battle at a table that were not reserved before"
    if counts.without_beacon:
        parts = _count(counts.without_beacon, "stage or phase", "stages or phases")
        yield f"trusted {parts} without public dice"
    if counts.rulings:
        yield f"trusted {_count(counts.rulings, 'ruling')} of umpires"
    else:
        yield "trusted no rulings of umpires"
    if counts.nameless_acts:
        acts = _count(counts.nameless_acts, "act")
        yield f"trusted the words of {acts} whose user names are left out"


def _count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def luck_text(verdict: Verdict) -> str:
    """Return the luck account of all battles together as lines of text."""
    if verdict.luck is None:
        return ""
    lines = ["luck: what the dice did, what was to be expected, the share of wars with worse luck"]
    whole = [line for line in verdict.luck.lines if not line.battle]
    for line in whole:
        lines.append(
            f"  {line.faction}, {line.part}: {line.effect:,} in {_count(line.dice, 'die', 'dice')},"
            f" expected {line.expected:,.1f}, better than {line.better_than:.0%},"
            f" p = {line.p:.3f}"
        )
    if len(whole) > MANY_LINES:
        lines.append("  one in twenty lines has a p below 0.05 by chance")
    not_counted = verdict.luck.not_counted.items()
    if not_counted:
        kinds = ", ".join(f"{kind} ({number:,})" for kind, number in sorted(not_counted))
        lines.append(f"  events whose dice are not counted: {kinds}")
    return "".join(f"{line}\n" for line in lines)


def faces_text(verdict: Verdict) -> str:
    """Return the faces of all dice as lines of text."""
    lines = ["faces of the dice; p: how often fair dice fall at least as unevenly"]
    for faces in verdict.faces:
        counts = " ".join(str(count) for count in faces.counts)
        lines.append(f"  {faces.purpose}, d{faces.sides}: {counts}   p = {faces.p_value:.3f}")
    if len(verdict.faces) > MANY_LINES:
        lines.append("  one in twenty lines is below 0.05 by chance")
    return "".join(f"{line}\n" for line in lines)

"""The release of the program: its version and, in a git checkout, the commit."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

from engine.cli.release import ROOT, version_of

COMMIT_DIGITS = 12  # digits of the commit hash in a release


def release_of(root: Path = ROOT) -> str:
    """Return the release of a checkout, for example `1.0.0+bb49e4d6a1c2`.

    The commit is left out if it is unknown. Git's files are read directly, because a server may not
    have git installed.
    """
    version = version_of(root)
    commit = _commit_of(root / ".git")
    if commit:
        return f"{version}+{commit[:COMMIT_DIGITS]}"
    return version


def version_context(_request: HttpRequest) -> dict[str, str]:
    """Return the version for all templates."""
    return {"site_version": settings.VERSION}


def _commit_of(place: Path) -> str:
    """Return the commit that a `.git` has checked out, or an empty string."""
    try:
        if place.is_file():  # in a worktree, a file that names the folder
            place = (
                place.parent / place.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
            ).resolve()
        head = (place / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref:"):
            return head
        return _branch_commit(place, head.removeprefix("ref:").strip())
    except OSError:
        return ""


def _branch_commit(place: Path, branch: str) -> str:
    """Return the commit of a branch, from its own file or from packed-refs."""
    shared = place / "commondir"
    if shared.exists():
        common = (place / shared.read_text(encoding="utf-8").strip()).resolve()
    else:
        common = place
    loose = common / branch
    if loose.exists():
        return loose.read_text(encoding="utf-8").strip()
    packed = (common / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.split()[0] for line in packed if line.endswith(f" {branch}")), "")

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


def _commit_of(git_dir: Path) -> str:
    """Return the commit that a `.git` has checked out, or an empty string."""
    try:
        if git_dir.is_file():  # in a worktree, a file that names the folder
            target = _text(git_dir).removeprefix("gitdir:").strip()
            git_dir = (git_dir.parent / target).resolve()
        head = _text(git_dir / "HEAD")
        if not head.startswith("ref:"):
            return head
        return _branch_commit(git_dir, head.removeprefix("ref:").strip())
    except OSError:
        return ""


def _branch_commit(git_dir: Path, branch: str) -> str:
    """Return the commit of a branch, from its own file or from packed-refs."""
    pointer = git_dir / "commondir"  # exists in a worktree: names the repository's own folder
    if pointer.exists():
        common = (git_dir / _text(pointer)).resolve()
    else:
        common = git_dir
    if (common / branch).exists():
        return _text(common / branch)
    for line in _text(common / "packed-refs").splitlines():
        if line.endswith(f" {branch}"):
            return line.split()[0]
    return ""


def _text(path: Path) -> str:
    """Return the content of a file without white space around it."""
    return path.read_text(encoding="utf-8").strip()

"""The command `bin/move-site`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Move the site; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="bin/move-site",
        description="Move the database of a site that ran a commit from before release 1.0.0 to"
        " that release. Stop the site and make a backup first.",
    )
    parser.add_argument("--dry-run", action="store_true", help="do everything, then undo it")
    options = parser.parse_args(arguments)

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from tools.prerelease.move import AlreadyMoved, move_site
    from tools.prerelease.tables import CannotMove

    try:
        moved = move_site(dry_run=options.dry_run)
    except AlreadyMoved:
        print("This site has been moved already: nothing to do.")
        return 0
    except CannotMove as reason:
        print(f"Not moved, and nothing changed: {reason}.", file=sys.stderr)
        return 1
    done = "could be moved; nothing was changed" if options.dry_run else "moved"
    print(f"{moved.rows} rows {done}. {moved.wars} wars have a new ledger.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
